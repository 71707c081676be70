//! Whether everything of an order that can come back has come back: then its shipping is refunded too.

use crate::engine::{Db, Result, batches::ROWS_AT_ONCE, dialect::select_of_texts};
use domain::{AccountId, OrderId, PurchaseId, proof::OrderNumberKey};
use sqlx::{Database, QueryBuilder};
use uuid::Uuid;

statements! {
    in completeness;
    /// The units of each line that have to come back before the order's shipping is refunded. Not counted: lines that
    /// need no shipment, units that were removed from the order before it was sent, and units that the shop refunded on
    /// its own.
    AWAITED = concat!("SELECT p.id, p.bought - p.removed - ", gone!(), " AS units FROM purchases p
        WHERE p.account_id = $1 AND p.order_id = $2 AND p.requires_shipping");
    /// 1 if a purchase needs shipping, its whole order is known, and nothing more of the order has to come back.
    IS_COMPLETE = concat!("SELECT COUNT(*) FROM purchases c CROSS JOIN orders o
        WHERE c.account_id = $1 AND c.id = $2 AND o.account_id = c.account_id AND o.id = c.order_id
        AND c.requires_shipping AND NOT o.is_partial AND NOT EXISTS (SELECT 1 FROM purchases p
            WHERE p.account_id = o.account_id AND p.order_id = o.id AND p.requires_shipping
            AND p.removed + ", gone!(), " < p.bought)");
    /// The same, as if the returns had fewer units of one line.
    IS_COMPLETE_WITHOUT = concat!("SELECT COUNT(*) FROM purchases c CROSS JOIN orders o
        WHERE c.account_id = $1 AND c.id = $2 AND o.account_id = c.account_id AND o.id = c.order_id
        AND c.requires_shipping AND NOT o.is_partial AND NOT EXISTS (SELECT 1 FROM purchases p
            WHERE p.account_id = o.account_id AND p.order_id = o.id AND p.requires_shipping
            AND p.removed + ", gone!("p.taken - CASE WHEN p.id = $3 THEN CAST($4 AS BIGINT) ELSE 0 END"), " < p.bought)");
    /// The same, and all units in returns were accepted.
    IS_ACCEPTED = concat!("SELECT COUNT(*) FROM purchases c CROSS JOIN orders o
        WHERE c.account_id = $1 AND c.id = $2 AND o.account_id = c.account_id AND o.id = c.order_id
        AND c.requires_shipping AND NOT o.is_partial AND NOT EXISTS (SELECT 1 FROM purchases p
            WHERE p.account_id = o.account_id AND p.order_id = o.id AND p.requires_shipping
            AND (p.accepted < p.taken OR p.removed + ", gone!(), " < p.bought))");
    WHOLE_BY_ID = "SELECT id FROM orders WHERE account_id = $1 AND external_id IN ($2) AND NOT is_partial";
    WHOLE_BY_NUMBER = "SELECT id FROM orders WHERE account_id = $1 AND number_key IN ($2) AND NOT is_partial";
}

/// The units of each line that have to come back before the order's shipping is refunded; 0 or less: none of that line.
pub async fn awaited(mut db: Db<'_>, account: AccountId, order: OrderId) -> Result<Vec<(PurchaseId, i64)>> {
    let rows: Vec<(Uuid, i64)> =
        on!(&mut db, c => sqlx::query_as(AWAITED).bind(account.0).bind(order.0).fetch_all(&mut **c).await?);
    Ok(rows.into_iter().map(|(id, units)| (PurchaseId(id), units)).collect())
}

/// Whether a purchase needs shipping, and all units of its order that can come back are in returns that still count.
pub async fn is_order_complete(mut db: Db<'_>, account: AccountId, id: PurchaseId) -> Result<bool> {
    let complete: i64 =
        on!(&mut db, c => sqlx::query_scalar(IS_COMPLETE).bind(account.0).bind(id.0).fetch_one(&mut **c).await?);
    Ok(complete == 1)
}

/// Units of a purchase that returns no longer take.
#[derive(Debug, Clone, Copy)]
pub struct FreedUnits {
    pub purchase: PurchaseId,
    pub units: u32,
}

/// Whether the order of a purchase would be complete without some units.
pub async fn is_order_complete_without(
    mut db: Db<'_>,
    account: AccountId,
    id: PurchaseId,
    freed: FreedUnits,
) -> Result<bool> {
    let complete: i64 = on!(&mut db, c => sqlx::query_scalar(IS_COMPLETE_WITHOUT)
        .bind(account.0)
        .bind(id.0)
        .bind(freed.purchase.0)
        .bind(i64::from(freed.units))
        .fetch_one(&mut **c).await?);
    Ok(complete == 1)
}

/// The same as [`is_order_complete`], and all of them were accepted.
pub async fn is_order_accepted(mut db: Db<'_>, account: AccountId, id: PurchaseId) -> Result<bool> {
    let accepted: i64 =
        on!(&mut db, c => sqlx::query_scalar(IS_ACCEPTED).bind(account.0).bind(id.0).fetch_one(&mut **c).await?);
    Ok(accepted == 1)
}

/// Records that orders lack lines, so that only a person refunds their shipping: orders with these ids of the shop, and
/// those with these numbers.
pub async fn mark_partial(mut db: Db<'_>, account: AccountId, ids: &[&str], numbers: &[&str]) -> Result<()> {
    let keys: Vec<OrderNumberKey> = numbers.iter().filter_map(|number| OrderNumberKey::new(number)).collect();
    let keys: Vec<&str> = keys.iter().map(OrderNumberKey::as_str).collect();
    for (sql, texts) in [(WHOLE_BY_ID, ids), (WHOLE_BY_NUMBER, keys.as_slice())] {
        if texts.is_empty() {
            continue;
        }
        let found: Vec<(Uuid,)> = select_of_texts(db.reborrow(), sql, account, texts).await?;
        for orders in found.chunks(ROWS_AT_ONCE) {
            on!(&mut db, c => {
                let mut query = set_partial(account, orders);
                query.build().execute(&mut **c).await?;
            });
        }
    }
    Ok(())
}

fn set_partial<DB>(account: AccountId, orders: &[(Uuid,)]) -> QueryBuilder<DB>
where
    DB: Database,
    Uuid: sqlx::Type<DB> + for<'e> sqlx::Encode<'e, DB>,
    bool: sqlx::Type<DB> + for<'e> sqlx::Encode<'e, DB>,
{
    let mut query = QueryBuilder::new("UPDATE orders SET is_partial = ");
    query.push_bind(true).push(" WHERE account_id = ").push_bind(account.0).push(" AND id IN (");
    let mut ids = query.separated(", ");
    for (id,) in orders {
        ids.push_bind(*id);
    }
    query.push(")");
    query
}
