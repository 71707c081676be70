//! The timeline of return requests: every stage that a request entered.

use crate::engine::{Db, Result, batches::ROWS_AT_ONCE, stored::named};
use domain::{
    AccountId, ReturnOrderId, ReturnRequestId, Timestamp, party::Actor, returning::TimelineEntry, stage::StageName,
};
use sqlx::QueryBuilder;
use uuid::Uuid;

statements! {
    in timeline;
    INSERT = "INSERT INTO timeline_entries (account_id, return_order_id, return_request_id, at, actor, from_stage, to_stage, comment,
         actor_id) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)";
    LIST_OF_RETURN_ORDER = "SELECT return_request_id, at, actor, actor_id, from_stage, to_stage, comment FROM timeline_entries
        WHERE account_id = $1 AND return_order_id = $2 ORDER BY seq";
}

#[derive(sqlx::FromRow)]
struct TimelineRow {
    return_request_id: Uuid,
    at: i64,
    actor: String,
    actor_id: Option<Uuid>,
    from_stage: Option<String>,
    to_stage: String,
    comment: String,
}

impl TimelineRow {
    fn entry(self) -> Result<TimelineEntry> {
        let stage = |name: &str| named("timeline_entries' stage", StageName::parse(name));
        Ok(TimelineEntry {
            return_request_id: ReturnRequestId(self.return_request_id),
            at: Timestamp::from_micros(self.at),
            actor: named("timeline_entries.actor", Actor::from_name(&self.actor))?,
            actor_id: self.actor_id,
            from: self.from_stage.as_deref().map(stage).transpose()?,
            to: stage(&self.to_stage)?,
            comment: self.comment,
        })
    }
}

/// A new entry, with its account and return order.
#[derive(Debug, Clone)]
pub struct NewEntry {
    pub account_id: AccountId,
    pub return_order_id: ReturnOrderId,
    pub entry: TimelineEntry,
}

/// The statement that [`push_entries`] uses.
pub(crate) const INSERT_ENTRY: &str = INSERT;

/// Pushes an `INSERT` of entries to a query. A macro, because the query may be of either database.
macro_rules! push_entries {
    ($query:expr, $entries:expr) => {
        $query
            .push($crate::engine::batches::without_values($crate::tables::returning::timeline::INSERT_ENTRY))
            .push_values(
                $entries,
                |mut row, $crate::tables::returning::timeline::NewEntry { account_id, return_order_id, entry }| {
                    row.push_bind(account_id.0)
                        .push_bind(return_order_id.0)
                        .push_bind(entry.return_request_id.0)
                        .push_bind(entry.at.micros())
                        .push_bind(entry.actor.name())
                        .push_bind(entry.from.map(domain::stage::StageName::as_str))
                        .push_bind(entry.to.as_str())
                        .push_bind(entry.comment.as_str())
                        .push_bind(entry.actor_id);
                },
            );
    };
}
pub(crate) use push_entries;

/// Inserts entries in their order. [`crate::Writing::add_timeline_entry`] collects them.
pub(crate) async fn insert(mut db: Db<'_>, entries: &[NewEntry]) -> Result<()> {
    for chunk in entries.chunks(ROWS_AT_ONCE) {
        on!(&mut db, c => {
            let mut query = QueryBuilder::new("");
            push_entries!(query, chunk);
            query.build().execute(&mut **c).await?;
        });
    }
    Ok(())
}

/// The timeline of a return order, oldest first.
pub async fn list_of_return_order(
    mut db: Db<'_>,
    account: AccountId,
    order: ReturnOrderId,
) -> Result<Vec<TimelineEntry>> {
    let rows: Vec<TimelineRow> = on!(&mut db, c => sqlx::query_as(LIST_OF_RETURN_ORDER).bind(account.0).bind(order.0).fetch_all(&mut **c).await?);
    rows.into_iter().map(TimelineRow::entry).collect()
}
