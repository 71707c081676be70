//! Sales orders: what of their shipping was promised back.

use crate::{Db, Result};
use domain::{AccountId, OrderId, PurchaseId};

statements! {
    /// The guard against paying an order's shipping back twice. With 0 it only makes others wait who want to return
    /// something of the same order.
    PROMISE_SHIPPING = "UPDATE orders SET shipping_returned = shipping_returned + $3
        WHERE account_id = $1 AND id = $2 AND shipping_returned + $3 <= shipping_paid";
    TAKE_PROMISE_BACK = "UPDATE orders SET shipping_returned = shipping_returned - $3
        WHERE account_id = $1 AND id = (SELECT order_id FROM purchases WHERE account_id = $1 AND id = $2)";
    DELETE_EMPTY = "DELETE FROM orders WHERE account_id = $1 AND id = $2
        AND NOT EXISTS (SELECT 1 FROM purchases p WHERE p.account_id = $1 AND p.order_id = $2)";
}

/// Promises a part of an order's shipping, minor units, and holds the order until the transaction ends; `false`
/// when less than that is left of it.
pub async fn promise_shipping(mut db: Db<'_>, account: AccountId, order: OrderId, amount: i64) -> Result<bool> {
    Ok(execute!(db, sqlx::query(PROMISE_SHIPPING).bind(account.0).bind(order.0).bind(amount)) == 1)
}

/// Takes back what was promised with a purchase of the order.
pub async fn take_promise_back(mut db: Db<'_>, account: AccountId, purchase: PurchaseId, amount: i64) -> Result<()> {
    execute!(db, sqlx::query(TAKE_PROMISE_BACK).bind(account.0).bind(purchase.0).bind(amount));
    Ok(())
}

/// Forgets an order without lines, after waiting for whoever is about to add one.
pub async fn delete_empty(mut db: Db<'_>, account: AccountId, order: OrderId) -> Result<()> {
    promise_shipping(db.reborrow(), account, order, 0).await?; // holds it: what is seen next stays so
    execute!(db, sqlx::query(DELETE_EMPTY).bind(account.0).bind(order.0));
    Ok(())
}
