//! The return orders that a user worked on.

use crate::engine::{Db, Result};
use domain::{AccountId, ReturnOrderId, Timestamp, UserId};
use uuid::Uuid;

statements! {
    in worked_return_orders;
    RECORD = "INSERT INTO worked_return_orders (account_id, user_id, return_order_id, worked_at) VALUES ($1, $2, $3, $4)
        ON CONFLICT (account_id, user_id, return_order_id) DO UPDATE SET worked_at = excluded.worked_at";
    LIST_NEWEST = "SELECT return_order_id FROM worked_return_orders WHERE account_id = $1 AND user_id = $2
        ORDER BY worked_at DESC LIMIT $3";
    PRUNE = "DELETE FROM worked_return_orders WHERE (account_id, user_id, return_order_id) IN
        (SELECT account_id, user_id, return_order_id FROM worked_return_orders
         WHERE worked_at < $1 ORDER BY worked_at LIMIT 500)";
}

/// Records that a user works on a return order.
pub async fn record(
    mut db: Db<'_>,
    account: AccountId,
    user: UserId,
    order: ReturnOrderId,
    now: Timestamp,
) -> Result<()> {
    execute!(db, sqlx::query(RECORD).bind(account.0).bind(user.0).bind(order.0).bind(now.micros()));
    Ok(())
}

/// The return orders that a user worked on, the last first.
pub async fn list_newest(mut db: Db<'_>, account: AccountId, user: UserId, most: i64) -> Result<Vec<ReturnOrderId>> {
    let rows: Vec<Uuid> = on!(&mut db, c => sqlx::query_scalar(LIST_NEWEST)
        .bind(account.0)
        .bind(user.0)
        .bind(most)
        .fetch_all(&mut **c).await?);
    Ok(rows.into_iter().map(ReturnOrderId).collect())
}

/// Deletes some rows of every account from before a moment; returns how many.
pub async fn prune(mut db: Db<'_>, before: Timestamp) -> Result<u64> {
    Ok(execute!(db, sqlx::query(PRUNE).bind(before.micros())))
}
