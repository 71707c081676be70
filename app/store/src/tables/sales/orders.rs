//! Sales orders: their buyers, and how much of their shipping was promised to returns.

use crate::{
    engine::{Db, Result, stored::from_json},
    tables::sales::completeness,
};
use domain::{
    AccountId, OrderId, PurchaseId, Timestamp,
    address::Address,
    proof::{EmailKey, TypedOrderNumber},
};
use uuid::Uuid;

statements! {
    in orders;
    LIST_OF_EMAIL = "SELECT id, external_id, number, email, address, ordered_at FROM orders
        WHERE account_id = $1 AND email_key IN ($2, $3) ORDER BY ordered_at, id";
    FIND = "SELECT id, external_id, number, email, address, ordered_at FROM orders WHERE account_id = $1 AND id = $2";
    /// Orders that a number may belong to: by their stored key, or by another spelling.
    LIST_OF_NUMBER = "SELECT id, external_id, number, email, address, ordered_at
        FROM orders WHERE account_id = $1 AND number_key IN ($2, $3, $4) AND ($5 = '' OR shop = $5)
        UNION ALL SELECT o.id, o.external_id, o.number, o.email, o.address, o.ordered_at
        FROM order_spellings s CROSS JOIN orders o WHERE s.account_id = $1 AND s.spelling IN ($2, $3)
         AND o.account_id = s.account_id AND o.id = s.order_id AND ($5 = '' OR o.shop = $5)
        ORDER BY ordered_at LIMIT 1000";
    /// Guards against refunding an order's shipping twice. An amount of 0 only locks the order.
    PROMISE_SHIPPING = "UPDATE orders SET shipping_returned = shipping_returned + $3
        WHERE account_id = $1 AND id = $2 AND ($3 = 0 OR shipping_returned + $3 <= shipping_paid)";
    TAKE_PROMISE_BACK = "UPDATE orders SET shipping_returned = shipping_returned - $3
        WHERE account_id = $1 AND id = (SELECT order_id FROM purchases WHERE account_id = $1 AND id = $2)";
    HOLD = "UPDATE orders SET shipping_returned = shipping_returned
        WHERE account_id = $1 AND id = (SELECT order_id FROM purchases WHERE account_id = $1 AND id = $2)";
    SHIPPING_LEFT = "SELECT shipping_paid - shipping_returned AS shipping_left FROM orders
        WHERE account_id = $1 AND id = (SELECT order_id FROM purchases WHERE account_id = $1 AND id = $2)";
    FIND_KNOWN = "SELECT number_key, ordered_at, shop, shop_asked_at, email, address, billing_postal_code FROM orders WHERE account_id = $1 AND external_id = $2";
    /// Locks the reports of one sale under several ids: a return of one report waits for a return of another.
    HOLD_TWINS = concat!("UPDATE orders AS o SET shipping_returned = o.shipping_returned WHERE o.account_id = $1
        AND o.number_key = (SELECT number_key FROM orders WHERE account_id = $1 AND id = $2)
        AND EXISTS (SELECT 1 FROM orders t WHERE ", is_twin!(), ")");
    COUNT_TAKEN_TWINS = concat!("SELECT COUNT(*) FROM orders o CROSS JOIN orders t CROSS JOIN purchases b
        WHERE o.account_id = $1 AND o.id = $2 AND ", is_twin!(), "
        AND b.account_id = t.account_id AND b.order_id = t.id AND b.taken > 0");
    SHOP_OF = "SELECT shop FROM orders WHERE account_id = $1 AND id = $2";
    DELETE_EMPTY = "DELETE FROM orders WHERE account_id = $1 AND id = $2
        AND NOT EXISTS (SELECT 1 FROM purchases p WHERE p.account_id = $1 AND p.order_id = $2)";
}

/// An order and its buyer.
#[derive(Debug, Clone)]
pub struct PlacedOrder {
    pub id: OrderId,
    /// The shop's id.
    pub external_id: String,
    pub number: String,
    pub email: String,
    /// The delivery address.
    pub address: Address,
    pub ordered_at: Timestamp,
}

/// What decides whether a reported order is the stored one with the same id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredOrder {
    /// Its number in the form in which it is compared.
    pub number_key: String,
    pub ordered_at: Timestamp,
    /// The shop that reported it ([`domain::integration::Bridge::shop_key`]); empty for an import.
    pub shop: String,
    /// When the shop was asked; 1970 for an import.
    pub asked_at: Timestamp,
    pub email: String,
    /// The delivery address.
    pub address: Address,
    pub billing_postal_code: String,
}

/// The stored order with a shop's id.
pub async fn find_known(mut db: Db<'_>, account: AccountId, external_id: &str) -> Result<Option<StoredOrder>> {
    type StoredRow = (String, i64, String, i64, String, String, String);
    let row: Option<StoredRow> =
        on!(&mut db, c => sqlx::query_as(FIND_KNOWN).bind(account.0).bind(external_id).fetch_optional(&mut **c).await?);
    let known = |(number_key, ordered_at, shop, asked_at, email, address, billing_postal_code): StoredRow| {
        let (ordered_at, asked_at) = (Timestamp::from_micros(ordered_at), Timestamp::from_micros(asked_at));
        let address = from_json("orders.address", &address)?;
        Ok(StoredOrder { number_key, ordered_at, shop, asked_at, email, address, billing_postal_code })
    };
    row.map(known).transpose()
}

/// Whether units of the same sale under another shop's id are in returns.
pub async fn is_twin_taken(mut db: Db<'_>, account: AccountId, id: OrderId) -> Result<bool> {
    let taken: i64 =
        on!(&mut db, c => sqlx::query_scalar(COUNT_TAKEN_TWINS).bind(account.0).bind(id.0).fetch_one(&mut **c).await?);
    Ok(taken > 0)
}

/// The same within a submit: of two returns of one sale under two ids at once, the second sees the first.
pub async fn is_twin_taken_too(mut db: Db<'_>, account: AccountId, id: OrderId) -> Result<bool> {
    let twins = execute!(db, sqlx::query(HOLD_TWINS).bind(account.0).bind(id.0));
    Ok(twins > 0 && is_twin_taken(db, account, id).await?)
}

/// The shop that reported an order; empty for an import.
pub async fn shop_of(mut db: Db<'_>, account: AccountId, id: OrderId) -> Result<String> {
    let shop: Option<String> =
        on!(&mut db, c => sqlx::query_scalar(SHOP_OF).bind(account.0).bind(id.0).fetch_optional(&mut **c).await?);
    Ok(shop.unwrap_or_default())
}

type PlacedRow = (Uuid, String, String, String, String, i64);

impl PlacedOrder {
    fn of_row((id, external_id, number, email, address, ordered_at): PlacedRow) -> Result<Self> {
        let address = from_json("orders.address", &address)?;
        let (id, ordered_at) = (OrderId(id), Timestamp::from_micros(ordered_at));
        Ok(Self { id, external_id, number, email, address, ordered_at })
    }
}

/// The order of that id.
pub async fn find(mut db: Db<'_>, account: AccountId, id: OrderId) -> Result<Option<PlacedOrder>> {
    let row: Option<PlacedRow> =
        on!(&mut db, c => sqlx::query_as(FIND).bind(account.0).bind(id.0).fetch_optional(&mut **c).await?);
    row.map(PlacedOrder::of_row).transpose()
}

/// The orders whose number fits best, of one shop ([`domain::integration::Bridge::shop_key`]; empty: any shop), oldest
/// first.
pub async fn list_of_number(
    mut db: Db<'_>,
    account: AccountId,
    number: &TypedOrderNumber,
    shop: &str,
) -> Result<Vec<PlacedOrder>> {
    let [whole, behind_sign, stored] = number.candidates();
    let rows: Vec<PlacedRow> = on!(&mut db, c => sqlx::query_as(LIST_OF_NUMBER)
        .bind(account.0)
        .bind(whole)
        .bind(behind_sign)
        .bind(stored)
        .bind(shop)
        .fetch_all(&mut **c).await?);
    let mut fitting = Vec::with_capacity(rows.len());
    for row in rows {
        let order = PlacedOrder::of_row(row)?;
        fitting.extend(number.fit(&order.number).map(|fit| (fit, order)));
    }
    let best = fitting.iter().map(|(fit, _)| *fit).min();
    Ok(fitting.into_iter().filter(|(fit, _)| Some(*fit) == best).map(|(_, order)| order).collect())
}

/// Every order of an e-mail address, oldest first.
pub async fn list_of_email(mut db: Db<'_>, account: AccountId, email: &EmailKey) -> Result<Vec<PlacedOrder>> {
    let [ascii, own] = email.spellings();
    let rows: Vec<PlacedRow> = on!(&mut db, c => sqlx::query_as(LIST_OF_EMAIL)
        .bind(account.0)
        .bind(&ascii)
        .bind(&own)
        .fetch_all(&mut **c).await?);
    rows.into_iter().map(PlacedOrder::of_row).collect()
}

/// Promises a part of an order's shipping, in minor units, and locks the order until the transaction ends; `false`
/// if less than that is left.
pub async fn promise_shipping(mut db: Db<'_>, account: AccountId, order: OrderId, amount: i64) -> Result<bool> {
    Ok(execute!(db, sqlx::query(PROMISE_SHIPPING).bind(account.0).bind(order.0).bind(amount)) == 1)
}

/// Takes back a promise that was made with a purchase of the order.
pub async fn take_promise_back(mut db: Db<'_>, account: AccountId, purchase: PurchaseId, amount: i64) -> Result<()> {
    execute!(db, sqlx::query(TAKE_PROMISE_BACK).bind(account.0).bind(purchase.0).bind(amount));
    Ok(())
}

/// Takes the rest of the order's shipping, in minor units, for the return that completes the order; below 0 if more was
/// promised than the shop reports by now. `None` while units of the order are not accepted. Locks the order, so that
/// exactly one return completes it.
pub async fn claim_shipping(mut db: Db<'_>, account: AccountId, purchase: PurchaseId) -> Result<Option<i64>> {
    execute!(db, sqlx::query(HOLD).bind(account.0).bind(purchase.0));
    if !completeness::is_order_accepted(db.reborrow(), account, purchase).await? {
        return Ok(None);
    }
    let left: i64 = on!(&mut db, c => sqlx::query_scalar(SHIPPING_LEFT)
        .bind(account.0)
        .bind(purchase.0)
        .fetch_one(&mut **c).await?);
    take_promise_back(db, account, purchase, -left).await?;
    Ok(Some(left))
}

/// Deletes an order without lines, after waiting for transactions that add one.
pub async fn delete_empty(mut db: Db<'_>, account: AccountId, order: OrderId) -> Result<()> {
    promise_shipping(db.reborrow(), account, order, 0).await?; // locks the order
    execute!(db, sqlx::query(DELETE_EMPTY).bind(account.0).bind(order.0));
    Ok(())
}
