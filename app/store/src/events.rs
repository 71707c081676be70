//! What other systems are to be told: written in the transaction of what it tells (outbox).

use crate::{
    Db, Result,
    macros::{ROWS_AT_ONCE, without_values},
};
use domain::{AccountId, EventId, ReturnOrderId, Timestamp};
use sqlx::QueryBuilder;
use uuid::Uuid;

statements! {
    INSERT = "INSERT INTO events (account_id, id, type, return_order_id, data, created_at) VALUES ($1, $2, $3, $4, $5, $6)";
    LIST_OF_RETURN_ORDER = "SELECT id, data FROM events WHERE account_id = $1 AND return_order_id = $2 ORDER BY seq";
    KEEP_DATA = "UPDATE events SET data = $3 WHERE account_id = $1 AND id = $2";
    COUNT_BY_TYPE = "SELECT type, COUNT(*) FROM events WHERE account_id = $1 GROUP BY type ORDER BY type";
}

/// Something that happened.
#[derive(Debug, Clone)]
pub struct Event {
    /// Identifier; the same for every attempt to deliver it.
    pub id: EventId,
    /// Whose.
    pub account_id: AccountId,
    /// Such as `return_order.created`.
    pub kind: &'static str,
    /// Whose; a receiver sees a return order's events in order.
    pub return_order_id: ReturnOrderId,
    /// The resource as the API shows it, JSON.
    pub data: String,
    /// When.
    pub created_at: Timestamp,
}

/// Keeps events, in their order. A change does so by [`crate::Writing::tell`].
pub(crate) async fn insert(mut db: Db<'_>, events: &[Event]) -> Result<()> {
    for chunk in events.chunks(ROWS_AT_ONCE) {
        on!(&mut db, c => {
            let mut query = QueryBuilder::new(without_values(INSERT));
            query.push_values(chunk, |mut row, event| {
                row.push_bind(event.account_id.0)
                    .push_bind(event.id.0)
                    .push_bind(event.kind)
                    .push_bind(event.return_order_id.0)
                    .push_bind(event.data.as_str())
                    .push_bind(event.created_at.micros());
            });
            query.build().execute(&mut **c).await?;
        });
    }
    Ok(())
}

/// Id and data of every event of a return order, oldest first.
pub async fn list_of_return_order(
    mut db: Db<'_>,
    account: AccountId,
    order: ReturnOrderId,
) -> Result<Vec<(EventId, String)>> {
    let rows: Vec<(Uuid, String)> = on!(&mut db, c => sqlx::query_as(LIST_OF_RETURN_ORDER)
        .bind(account.0)
        .bind(order.0)
        .fetch_all(&mut **c).await?);
    Ok(rows.into_iter().map(|(id, data)| (EventId(id), data)).collect())
}

/// Keeps an event's data as they are now.
pub async fn keep_data(mut db: Db<'_>, account: AccountId, id: EventId, data: &str) -> Result<()> {
    execute!(db, sqlx::query(KEEP_DATA).bind(account.0).bind(id.0).bind(data));
    Ok(())
}

/// How many events of each type an account has.
pub async fn count_by_type(mut db: Db<'_>, account: AccountId) -> Result<Vec<(String, i64)>> {
    Ok(on!(&mut db, c => sqlx::query_as(COUNT_BY_TYPE).bind(account.0).fetch_all(&mut **c).await?))
}
