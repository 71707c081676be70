//! Visits: when staff last looked at a return order.

use crate::engine::{Db, Result};
use domain::{AccountId, ReturnOrderId, Timestamp};
use uuid::Uuid;

statements! {
    in return_order_visits;
    RECORD = "INSERT INTO return_order_visits (account_id, return_order_id, visitor_id, seen_at, is_writing)
        VALUES ($1, $2, $3, $4, $5)
        ON CONFLICT (account_id, return_order_id, visitor_id)
        DO UPDATE SET seen_at = excluded.seen_at, is_writing = excluded.is_writing";
    LIST_SINCE = "SELECT visitor_id, seen_at, is_writing FROM return_order_visits
        WHERE account_id = $1 AND return_order_id = $2 AND seen_at > $3 ORDER BY seen_at DESC, visitor_id LIMIT 20";
    PRUNE = "DELETE FROM return_order_visits WHERE (account_id, return_order_id, visitor_id) IN
        (SELECT account_id, return_order_id, visitor_id FROM return_order_visits
         WHERE seen_at <= $1 ORDER BY seen_at LIMIT 500)";
}

/// A visit to a return order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Visit {
    /// The user or service user.
    pub visitor_id: Uuid,
    /// The last time.
    pub seen_at: Timestamp,
    /// Whether they write something about it.
    pub is_writing: bool,
}

/// Records that somebody looks at a return order.
pub async fn record(mut db: Db<'_>, account: AccountId, order: ReturnOrderId, visit: Visit) -> Result<()> {
    let Visit { visitor_id, seen_at, is_writing } = visit;
    execute!(
        db,
        sqlx::query(RECORD).bind(account.0).bind(order.0).bind(visitor_id).bind(seen_at.micros()).bind(is_writing)
    );
    Ok(())
}

/// The latest visits to a return order after a moment, the last first.
pub async fn list_since(
    mut db: Db<'_>,
    account: AccountId,
    order: ReturnOrderId,
    after: Timestamp,
) -> Result<Vec<Visit>> {
    let rows: Vec<(Uuid, i64, bool)> = on!(&mut db, c => sqlx::query_as(LIST_SINCE)
        .bind(account.0)
        .bind(order.0)
        .bind(after.micros())
        .fetch_all(&mut **c).await?);
    let visit = |(visitor_id, at, is_writing)| Visit { visitor_id, seen_at: Timestamp::from_micros(at), is_writing };
    Ok(rows.into_iter().map(visit).collect())
}

/// Deletes some visits of every account that ended before a moment; returns how many.
pub async fn prune(mut db: Db<'_>, before: Timestamp) -> Result<u64> {
    Ok(execute!(db, sqlx::query(PRUNE).bind(before.micros())))
}
