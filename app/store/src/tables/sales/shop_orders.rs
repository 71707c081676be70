//! Stored orders by the shop that reported them: which of them to read again, and whose buyers are erased with the shop.

use crate::engine::{Db, Result, dialect::select_of_texts};
use domain::{AccountId, ConsumerId, OrderId, Timestamp};
use uuid::Uuid;

statements! {
    in shop_orders;
    LIST_KNOWN = "SELECT id, external_id, shop, shop_asked_at FROM orders WHERE account_id = $1 AND external_id IN ($2)";
    /// In the order of their ids, which do not change.
    LIST_AFTER = "SELECT id, email FROM orders WHERE account_id = $1 AND shop = $2 AND id > $3 ORDER BY id LIMIT $4";
    /// The people who returned units of the order.
    CONSUMERS_OF_RETURNS = "SELECT r.consumer_id FROM purchases p CROSS JOIN return_requests r
        WHERE p.account_id = $1 AND p.order_id = $2 AND r.account_id = p.account_id AND r.purchase_id = p.id";
    /// The people who proved the order by its postal code.
    CONSUMERS_OF_POSTAL_CODE = "SELECT c.id FROM orders o CROSS JOIN consumers c WHERE o.account_id = $1 AND o.id = $2
        AND c.account_id = o.account_id AND c.order_number_key = o.number_key AND c.proof_kind = 'postalCode'
        AND c.proof_key = o.postal_code_key";
}

/// A stored order that a shop reports again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownOfShop {
    pub id: OrderId,
    /// The shop's id.
    pub external_id: String,
    /// When the shop was asked about it last.
    pub asked_at: Timestamp,
}

/// The orders of a shop ([`domain::integration::Bridge::shop_key`]) that are stored, of those with these ids.
pub async fn list_known(db: Db<'_>, account: AccountId, shop: &str, ids: &[&str]) -> Result<Vec<KnownOfShop>> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let rows: Vec<(Uuid, String, String, i64)> = select_of_texts(db, LIST_KNOWN, account, ids).await?;
    let known = |(id, external_id, _, asked_at)| KnownOfShop {
        id: OrderId(id),
        external_id,
        asked_at: Timestamp::from_micros(asked_at),
    };
    Ok(rows.into_iter().filter(|(_, _, of, _)| of == shop).map(known).collect())
}

/// Some orders of a shop, the first ones or those after an order, with the e-mail addresses of their buyers, which may be empty.
pub async fn list_after(
    mut db: Db<'_>,
    account: AccountId,
    shop: &str,
    after: Option<OrderId>,
    most: i64,
) -> Result<Vec<(OrderId, String)>> {
    let after = after.map_or(Uuid::nil(), |order| order.0);
    let rows: Vec<(Uuid, String)> = on!(&mut db, c => sqlx::query_as(LIST_AFTER)
        .bind(account.0)
        .bind(shop)
        .bind(after)
        .bind(most)
        .fetch_all(&mut **c).await?);
    Ok(rows.into_iter().map(|(id, email)| (OrderId(id), email)).collect())
}

/// The consumers of an order: the people who returned units of it, or proved it by its postal code.
pub async fn consumers_of(mut db: Db<'_>, account: AccountId, order: OrderId) -> Result<Vec<ConsumerId>> {
    let mut ids: Vec<Uuid> = Vec::new();
    for sql in [CONSUMERS_OF_RETURNS, CONSUMERS_OF_POSTAL_CODE] {
        let found: Vec<Uuid> =
            on!(&mut db, c => sqlx::query_scalar(sql).bind(account.0).bind(order.0).fetch_all(&mut **c).await?);
        ids.extend(found);
    }
    ids.sort_unstable();
    ids.dedup();
    Ok(ids.into_iter().map(ConsumerId).collect())
}
