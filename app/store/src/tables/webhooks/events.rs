//! Events: written in the transaction of the change that they report (outbox), with a delivery for every subscription
//! that covers them.

use super::{
    event::event_type,
    webhook_deliveries::{self, Addressed},
    webhook_subscriptions,
};
use crate::{
    engine::{
        Db, Result,
        batches::{ROWS_AT_ONCE, without_values},
        due::Subscribed,
    },
    lists::{self, Field, FieldKind, List, Listing, SequenceColumn, page::Rows},
    tables::returning::timeline::{self, NewEntry, push_entries},
};
use domain::{AccountId, EventId, ReturnOrderId, Timestamp, stage::StageName, webhook::EventType};
use sqlx::QueryBuilder;
use std::collections::{HashMap, HashSet, hash_map::Entry};
use uuid::Uuid;

pub use super::event::{Event, Outline};

macro_rules! select {
    ($rest:literal) => {
        concat!("SELECT seq, account_id, id, type, stage, return_order_id, data, created_at FROM events ", $rest)
    };
}

statements! {
    in events;
    INSERT = "INSERT INTO events (account_id, id, type, stage, return_order_id, data, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7)";
    FIND = select!("WHERE account_id = $1 AND id = $2");
    LIST_OF_RETURN_ORDER = "SELECT id, data FROM events WHERE account_id = $1 AND return_order_id = $2 ORDER BY seq";
    LAST_OF_RETURN_ORDER = "SELECT MAX(at) AS at FROM (SELECT created_at AS at FROM events
        WHERE account_id = $1 AND return_order_id = $2 AND created_at > $3
        UNION ALL SELECT at FROM timeline_entries
        WHERE account_id = $1 AND return_order_id = $2 AND at > $3) AS later";
    KEEP_DATA = "UPDATE events SET data = $3 WHERE account_id = $1 AND id = $2";
    COUNT_BY_TYPE = "SELECT type, COUNT(*) FROM events WHERE account_id = $1 GROUP BY type ORDER BY type";
    /// The numbers of events nearly follow their times: the first event since a moment is one of these.
    FIRST_SINCE = "SELECT CAST(COALESCE(MIN(seq), 0) AS BIGINT) FROM (SELECT seq FROM events
        WHERE account_id = $1 AND created_at >= $2 ORDER BY created_at LIMIT 1000) AS first_ones";
    LAST = "SELECT seq FROM events WHERE account_id = $1 AND seq >= $2 ORDER BY seq DESC LIMIT 1";
    LIST_BETWEEN = "SELECT seq, id, type, stage, return_order_id, created_at FROM events
        WHERE account_id = $1 AND seq > $2 AND seq <= $3 ORDER BY seq LIMIT $4";
    /// Cascades to deliveries and their attempts.
    PRUNE = "DELETE FROM events WHERE (account_id, id) IN
        (SELECT account_id, id FROM events WHERE created_at < $1 ORDER BY created_at LIMIT 200)";
}

#[derive(sqlx::FromRow)]
struct EventRow {
    seq: i64,
    account_id: Uuid,
    id: Uuid,
    #[sqlx(rename = "type")]
    kind: String,
    stage: String,
    return_order_id: Uuid,
    data: String,
    created_at: i64,
}

impl EventRow {
    fn event(self) -> Result<Event> {
        Ok(Event {
            id: EventId(self.id),
            account_id: AccountId(self.account_id),
            kind: event_type(&self.kind)?,
            stage: StageName::parse(&self.stage),
            return_order_id: ReturnOrderId(self.return_order_id),
            data: self.data,
            created_at: Timestamp::from_micros(self.created_at),
        })
    }
}

/// Moves entries and events to the time of the last one that their return order has, if they are earlier: the clocks of
/// programs differ, a clock may be set back, and a transaction that waits for a return's row started before the one
/// that holds it. The caller holds the return order.
pub(crate) async fn put_in_order(mut db: Db<'_>, entries: &mut [NewEntry], events: &mut [Event]) -> Result<()> {
    let mut earliest: HashMap<(AccountId, ReturnOrderId), Timestamp> = HashMap::new();
    let of_entries = entries.iter().map(|entry| ((entry.account_id, entry.return_order_id), entry.entry.at));
    let of_events = events.iter().map(|event| ((event.account_id, event.return_order_id), event.created_at));
    for (order, at) in of_entries.chain(of_events) {
        let first = earliest.entry(order).or_insert(at);
        *first = at.min(*first);
    }
    let mut last_event = earliest;
    for ((account, order), last) in &mut last_event {
        let later: Option<i64> = on!(&mut db, c => sqlx::query_scalar(LAST_OF_RETURN_ORDER)
            .bind(account.0).bind(order.0).bind(last.micros()).fetch_one(&mut **c).await?);
        *last = later.map_or(*last, Timestamp::from_micros);
    }
    // The times within one change may differ too, as it may have waited in between.
    let mut last_entry = last_event.clone();
    for entry in entries {
        if let Some(last) = last_entry.get_mut(&(entry.account_id, entry.return_order_id)) {
            *last = entry.entry.at.max(*last);
            entry.entry.at = *last;
        }
    }
    for event in events {
        if let Some(last) = last_event.get_mut(&(event.account_id, event.return_order_id)) {
            *last = event.created_at.max(*last);
            event.created_at = *last;
        }
    }
    Ok(())
}

/// Stores timeline entries, then events, in their order, and a delivery of each event to every subscription that covers
/// it. Returns those subscriptions. [`crate::Writing`] calls this at the commit.
pub(crate) async fn insert(mut db: Db<'_>, entries: &[NewEntry], events: &[Event]) -> Result<HashSet<Subscribed>> {
    let fit_in_one = !events.is_empty() && entries.len() <= ROWS_AT_ONCE;
    let (before, together) =
        if db.takes_two_statements() && fit_in_one { (&[][..], entries) } else { (entries, &[][..]) };
    timeline::insert(db.reborrow(), before).await?;
    let enabled = webhook_subscriptions::enabled_column(&db);
    let numbers = insert_rows(db.reborrow(), together, events, enabled).await?;
    let deliveries = deliveries_of(events, &numbers)?;
    webhook_deliveries::insert(db, &deliveries).await?;
    Ok(deliveries.iter().map(|delivery| (delivery.account_id, delivery.subscription_id)).collect())
}

/// Stores events without deliveries; returns the number of each.
pub async fn insert_alone(db: Db<'_>, events: &[Event]) -> Result<HashMap<EventId, i64>> {
    let numbers = insert_rows(db, &[], events, "CAST(NULL AS TEXT)").await?;
    Ok(numbers.into_iter().map(|(id, inserted)| (id, inserted.seq)).collect())
}

/// What an inserted event returns.
struct Inserted {
    seq: i64,
    /// The enabled subscriptions of its account ([`webhook_subscriptions::interests_of`]).
    subscriptions: Option<String>,
}

/// Inserts events, and in the text of the first statement these entries; `column` returns the subscriptions.
async fn insert_rows(
    mut db: Db<'_>,
    mut entries: &[NewEntry],
    events: &[Event],
    column: &'static str,
) -> Result<HashMap<EventId, Inserted>> {
    let mut inserted = HashMap::new();
    for chunk in events.chunks(ROWS_AT_ONCE) {
        let rows: Vec<(Uuid, i64, Option<String>)> = on!(&mut db, c => {
            let mut query = QueryBuilder::new("");
            if !entries.is_empty() {
                push_entries!(query, entries);
                query.push("; ");
            }
            query.push(without_values(INSERT)).push_values(chunk, |mut row, event| {
                row.push_bind(event.account_id.0)
                    .push_bind(event.id.0)
                    .push_bind(event.kind.name())
                    .push_bind(event.stage.map_or("", StageName::as_str))
                    .push_bind(event.return_order_id.0)
                    .push_bind(event.data.as_str())
                    .push_bind(event.created_at.micros());
            });
            query.push(" RETURNING id, seq, ").push(column);
            query.build_query_as().fetch_all(&mut **c).await?
        });
        entries = &[];
        let rows = rows.into_iter().map(|(id, seq, subscriptions)| (EventId(id), Inserted { seq, subscriptions }));
        inserted.extend(rows);
    }
    Ok(inserted)
}

/// The deliveries of inserted events to the subscriptions that cover them.
fn deliveries_of(events: &[Event], inserted: &HashMap<EventId, Inserted>) -> Result<Vec<Addressed>> {
    let mut subscribed = HashMap::new();
    let mut deliveries = Vec::new();
    for event in events {
        let Some(Inserted { seq, subscriptions }) = inserted.get(&event.id) else { continue };
        let interested = match subscribed.entry(event.account_id) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(new) => {
                let interests = subscriptions.as_deref().map(webhook_subscriptions::interests_of).transpose()?;
                new.insert(interests.unwrap_or_default())
            }
        };
        let covered = interested.iter().filter(|(_, interest)| interest.covers(event.kind, event.stage));
        deliveries.extend(covered.map(|(subscription, _)| Addressed::new(&event.outline(*seq), *subscription)));
    }
    Ok(deliveries)
}

/// The list of events.
pub static LIST: List = List {
    name: "events",
    select: select!(""),
    table: "events",
    alias: "",
    key: "id",
    fields: &[
        Field { name: "type", kind: FieldKind::OneOf(types), column: "type" },
        Field { name: "stage", kind: FieldKind::OneOf(stages), column: "stage" },
        Field { name: "returnOrderId", kind: FieldKind::Id, column: "return_order_id" },
        Field { name: "createdAt", kind: FieldKind::Time(SequenceColumn::Seq), column: "created_at" },
    ],
    sorts_by_update: false,
    search: None,
};

fn types() -> Vec<&'static str> {
    EventType::ALL.iter().map(|kind| kind.name()).collect()
}

fn stages() -> Vec<&'static str> {
    StageName::all().iter().map(|stage| stage.as_str()).collect()
}

/// The events of an account.
pub async fn list(db: Db<'_>, account: AccountId, listing: &Listing) -> Result<Rows<Event>> {
    lists::fetch(db, &LIST, account, listing, |row: &EventRow| listing.cursor(row.seq, 0), EventRow::event).await
}

/// An event and its number.
pub async fn find(mut db: Db<'_>, account: AccountId, id: EventId) -> Result<Option<(Event, i64)>> {
    let row: Option<EventRow> =
        on!(&mut db, c => sqlx::query_as(FIND).bind(account.0).bind(id.0).fetch_optional(&mut **c).await?);
    let Some(row) = row else { return Ok(None) };
    let seq = row.seq;
    Ok(Some((row.event()?, seq)))
}

/// The id and data of every event of a return order, oldest first.
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

/// Replaces an event's data.
pub async fn keep_data(mut db: Db<'_>, account: AccountId, id: EventId, data: &str) -> Result<()> {
    execute!(db, sqlx::query(KEEP_DATA).bind(account.0).bind(id.0).bind(data));
    Ok(())
}

/// The number of events of each type of an account.
pub async fn count_by_type(mut db: Db<'_>, account: AccountId) -> Result<Vec<(String, i64)>> {
    Ok(on!(&mut db, c => sqlx::query_as(COUNT_BY_TYPE).bind(account.0).fetch_all(&mut **c).await?))
}

/// The number before the first event since a moment, and the number of the last event; `None` if there is none since.
pub async fn range_since(mut db: Db<'_>, account: AccountId, since: Timestamp) -> Result<Option<(i64, i64)>> {
    let first: i64 = on!(&mut db, c => sqlx::query_scalar(FIRST_SINCE).bind(account.0).bind(since.micros()).fetch_one(&mut **c).await?);
    let last: Option<i64> =
        on!(&mut db, c => sqlx::query_scalar(LAST).bind(account.0).bind(first).fetch_optional(&mut **c).await?);
    Ok(last.filter(|_| first > 0).map(|last| (first - 1, last)))
}

/// Up to `limit` events with numbers greater than `after` and up to `until`, oldest first; and the number of the last
/// event read. Leaves out events of types that only a newer version knows.
pub async fn list_between(
    mut db: Db<'_>,
    account: AccountId,
    after: i64,
    until: i64,
    limit: i64,
) -> Result<(Vec<Outline>, Option<i64>)> {
    let rows: Vec<(i64, Uuid, String, String, Uuid, i64)> = on!(&mut db, c => sqlx::query_as(LIST_BETWEEN)
        .bind(account.0)
        .bind(after)
        .bind(until)
        .bind(limit)
        .fetch_all(&mut **c).await?);
    let (read, last) = (rows.len(), rows.last().map(|(seq, ..)| *seq));
    let outline = |(seq, id, name, stage, order, at): (i64, Uuid, String, String, Uuid, i64)| {
        Some(Outline {
            seq,
            id: EventId(id),
            account_id: account,
            kind: EventType::parse(&name)?,
            stage: StageName::parse(&stage),
            return_order_id: ReturnOrderId(order),
            created_at: Timestamp::from_micros(at),
        })
    };
    let known: Vec<Outline> = rows.into_iter().filter_map(outline).collect();
    if known.len() < read {
        tracing::warn!(left_out = read - known.len(), "some events are of types that only a newer version knows");
    }
    Ok((known, last))
}

/// Postgres only.
const HOLD: &str = "SELECT id FROM events WHERE account_id = $1 AND id = ANY($2) ORDER BY seq FOR SHARE";

/// Holds events until the transaction ends. An erasure marks the existing deliveries of a person's events, and would
/// miss a delivery that is inserted at the same time.
pub async fn hold(mut db: Db<'_>, account: AccountId, events: &[EventId]) -> Result<()> {
    if let Some(connection) = db.row_locks() {
        let ids: Vec<Uuid> = events.iter().map(|event| event.0).collect();
        sqlx::query(HOLD).bind(account.0).bind(ids).execute(connection).await?;
    }
    Ok(())
}

/// Deletes some of the events before a moment, with their deliveries; returns how many.
pub async fn prune(mut db: Db<'_>, before: Timestamp) -> Result<u64> {
    Ok(execute!(db, sqlx::query(PRUNE).bind(before.micros())))
}
