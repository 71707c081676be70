//! What other systems are to be told: written in the transaction of what it tells (outbox), with a delivery to
//! everybody who wants to hear of it.

use crate::{engine::{Db, Result, due::Subscribed, macros::{ROWS_AT_ONCE, named, without_values}}, lists::{self, Cut, Field, FieldKind, List, Listing, page::Rows}, tables::{returning::timeline::{self, push_entries}, webhooks::{webhook_deliveries::{self, Addressed}, webhook_subscriptions}}};
use domain::{AccountId, EventId, ReturnOrderId, Timestamp, stage::StageName, webhook::EventType};
use sqlx::QueryBuilder;
use std::collections::{HashMap, HashSet, hash_map::Entry};
use uuid::Uuid;

macro_rules! select {
    ($rest:literal) => {
        concat!("SELECT seq, account_id, id, type, stage, return_order_id, data, created_at FROM events ", $rest)
    };
}

statements! {
    INSERT = "INSERT INTO events (account_id, id, type, stage, return_order_id, data, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7)";
    FIND = select!("WHERE account_id = $1 AND id = $2");
    LIST_OF_RETURN_ORDER = "SELECT id, data FROM events WHERE account_id = $1 AND return_order_id = $2 ORDER BY seq";
    LAST_OF_RETURN_ORDER = "SELECT MAX(at) AS at FROM (SELECT created_at AS at FROM events
        WHERE account_id = $1 AND return_order_id = $2 AND created_at > $3
        UNION ALL SELECT at FROM timeline_entries
        WHERE account_id = $1 AND return_order_id = $2 AND at > $3) AS later";
    KEEP_DATA = "UPDATE events SET data = $3 WHERE account_id = $1 AND id = $2";
    COUNT_BY_TYPE = "SELECT type, COUNT(*) FROM events WHERE account_id = $1 GROUP BY type ORDER BY type";
    /// Events are numbered in nearly the order in which they happened: the first since a moment is one of these.
    FIRST_SINCE = "SELECT CAST(COALESCE(MIN(seq), 0) AS BIGINT) FROM (SELECT seq FROM events
        WHERE account_id = $1 AND created_at >= $2 ORDER BY created_at LIMIT 1000) AS first_ones";
    LAST = "SELECT seq FROM events WHERE account_id = $1 AND seq >= $2 ORDER BY seq DESC LIMIT 1";
    LIST_BETWEEN = "SELECT seq, id, type, stage, return_order_id, created_at FROM events
        WHERE account_id = $1 AND seq > $2 AND seq <= $3 ORDER BY seq LIMIT $4";
    /// Deliveries and their attempts go with it.
    PRUNE = "DELETE FROM events WHERE (account_id, id) IN
        (SELECT account_id, id FROM events WHERE created_at < $1 ORDER BY created_at LIMIT 200)";
}

/// Something that happened.
#[derive(Debug, Clone)]
pub struct Event {
    /// Identifier; the same for every attempt to deliver it.
    pub id: EventId,
    /// Whose.
    pub account_id: AccountId,
    /// What kind of thing.
    pub kind: EventType,
    /// The stage that it tells of, if it does.
    pub stage: Option<StageName>,
    /// Whose; a receiver sees a return order's events in order.
    pub return_order_id: ReturnOrderId,
    /// The resource as the API shows it, JSON.
    pub data: String,
    /// When.
    pub created_at: Timestamp,
}

impl Event {
    /// What of it decides who is told of it; `seq`: its number.
    pub fn outline(&self, seq: i64) -> Outline {
        Outline {
            seq,
            id: self.id,
            account_id: self.account_id,
            kind: self.kind,
            stage: self.stage,
            return_order_id: self.return_order_id,
            created_at: self.created_at,
        }
    }
}

#[derive(sqlx::FromRow)]
struct Row {
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

impl Row {
    fn event(self) -> Result<Event> {
        Ok(Event {
            id: EventId(self.id),
            account_id: AccountId(self.account_id),
            kind: kind(&self.kind)?,
            stage: StageName::parse(&self.stage),
            return_order_id: ReturnOrderId(self.return_order_id),
            data: self.data,
            created_at: Timestamp::from_micros(self.created_at),
        })
    }
}

pub(crate) fn kind(name: &str) -> Result<EventType> {
    named("events.type", EventType::parse(name))
}

/// Has nothing happen to a return before what happened to it already: clocks of several programs differ, one may be set back, and
/// a transaction that waits for a return's row began earlier than the one before. To be called where the return is held.
pub(crate) async fn put_in_order(
    mut db: Db<'_>,
    (entries, events): (&mut [timeline::NewEntry], &mut [Event]),
) -> Result<()> {
    let mut moments: HashMap<(AccountId, ReturnOrderId), Timestamp> = HashMap::new();
    let of_entries = entries.iter().map(|entry| ((entry.account_id, entry.return_order_id), entry.entry.at));
    let of_events = events.iter().map(|event| ((event.account_id, event.return_order_id), event.created_at));
    for (order, at) in of_entries.chain(of_events) {
        let first = moments.entry(order).or_insert(at);
        *first = at.min(*first);
    }
    for ((account, order), first) in &mut moments {
        let later: Option<i64> = on!(&mut db, c => sqlx::query_scalar(LAST_OF_RETURN_ORDER)
            .bind(account.0).bind(order.0).bind(first.micros()).fetch_one(&mut **c).await?);
        *first = later.map_or(*first, Timestamp::from_micros);
    }
    // Those of one change may differ too, such as where it waited in between.
    let mut last = moments.clone();
    for entry in entries {
        if let Some(last) = last.get_mut(&(entry.account_id, entry.return_order_id)) {
            *last = entry.entry.at.max(*last);
            entry.entry.at = *last;
        }
    }
    for event in events {
        if let Some(last) = moments.get_mut(&(event.account_id, event.return_order_id)) {
            *last = event.created_at.max(*last);
            event.created_at = *last;
        }
    }
    Ok(())
}

/// Keeps what happened to requests, then events, in their order, and a delivery of each to every subscription that is about
/// it. Tells which those are. A change does so by [`crate::engine::Writing::tell`].
pub(crate) async fn insert(
    mut db: Db<'_>,
    entries: &[timeline::NewEntry],
    events: &[Event],
) -> Result<HashSet<Subscribed>> {
    // SQLite takes two statements in one: a way to its thread and back less.
    let together = matches!(db, Db::Sqlite(_)) && !events.is_empty() && entries.len() <= ROWS_AT_ONCE;
    if !together {
        timeline::insert(db.reborrow(), entries).await?;
    }
    let entries = if together { entries } else { &[] };
    let enabled = match db {
        Db::Sqlite(_) => webhook_subscriptions::ENABLED_ON_SQLITE,
        Db::Postgres(_) => webhook_subscriptions::ENABLED_ON_POSTGRES,
    };
    let numbers = insert_with(db.reborrow(), (entries, events), enabled).await?;
    let mut subscribed = HashMap::new();
    let mut deliveries = Vec::new();
    for event in events {
        let Some((seq, column)) = numbers.get(&event.id) else { continue };
        let interested = match subscribed.entry(event.account_id) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(new) => {
                new.insert(column.as_deref().map(webhook_subscriptions::interests_of).transpose()?.unwrap_or_default())
            }
        };
        let covered = interested.iter().filter(|(_, interest)| interest.covers(event.kind, event.stage));
        deliveries.extend(covered.map(|(subscription, _)| Addressed::new(&event.outline(*seq), *subscription)));
    }
    webhook_deliveries::insert(db, &deliveries).await?;
    Ok(deliveries.iter().map(|delivery| (delivery.account_id, delivery.subscription_id)).collect())
}

/// Keeps events that nobody is told of by themselves; the number of each.
pub async fn insert_alone(db: Db<'_>, events: &[Event]) -> Result<HashMap<EventId, i64>> {
    let numbers = insert_with(db, (&[], events), "CAST(NULL AS TEXT)").await?;
    Ok(numbers.into_iter().map(|(id, (seq, _))| (id, seq)).collect())
}

/// Keeps events, with the first of them these entries; the number of each, and what this column says beside it.
async fn insert_with(
    mut db: Db<'_>,
    (mut entries, events): (&[timeline::NewEntry], &[Event]),
    column: &'static str,
) -> Result<HashMap<EventId, (i64, Option<String>)>> {
    let mut numbers = HashMap::new();
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
        numbers.extend(rows.into_iter().map(|(id, seq, column)| (EventId(id), (seq, column))));
    }
    Ok(numbers)
}

/// What events can be asked for.
pub static LIST: List = List {
    name: "events",
    select: select!(""),
    table: "events",
    alias: "",
    fields: &[
        Field { name: "type", kind: FieldKind::OneOf(types), column: "type" },
        Field { name: "stage", kind: FieldKind::OneOf(stages), column: "stage" },
        Field { name: "returnOrderId", kind: FieldKind::Id, column: "return_order_id" },
        Field { name: "createdAt", kind: FieldKind::Time(Cut::Seq), column: "created_at" },
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

/// An account's events.
pub async fn list(db: Db<'_>, account: AccountId, listing: &Listing) -> Result<Rows<Event>> {
    lists::fetch(db, &LIST, account, listing, |row: &Row| listing.cursor(row.seq, 0), Row::event).await
}

/// The event of that id, and its number.
pub async fn find(mut db: Db<'_>, account: AccountId, id: EventId) -> Result<Option<(Event, i64)>> {
    let row: Option<Row> =
        on!(&mut db, c => sqlx::query_as(FIND).bind(account.0).bind(id.0).fetch_optional(&mut **c).await?);
    row.map(|row| Ok((row.seq, row.event()?))).transpose().map(|found| found.map(|(seq, event)| (event, seq)))
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

/// The number before the first event since a moment, and the number of the last one; `None` when there is none since.
pub async fn range_since(mut db: Db<'_>, account: AccountId, since: Timestamp) -> Result<Option<(i64, i64)>> {
    let first: i64 = on!(&mut db, c => sqlx::query_scalar(FIRST_SINCE).bind(account.0).bind(since.micros()).fetch_one(&mut **c).await?);
    let last: Option<i64> =
        on!(&mut db, c => sqlx::query_scalar(LAST).bind(account.0).bind(first).fetch_optional(&mut **c).await?);
    Ok(last.filter(|_| first > 0).map(|last| (first - 1, last)))
}

/// What of an event decides who is told of it.
#[derive(Debug, Clone)]
pub struct Outline {
    /// Its number.
    pub seq: i64,
    /// Identifier.
    pub id: EventId,
    /// Whose account it is of.
    pub account_id: AccountId,
    /// What kind of thing.
    pub kind: EventType,
    /// The stage that it tells of, if it does.
    pub stage: Option<StageName>,
    /// Whose.
    pub return_order_id: ReturnOrderId,
    /// When.
    pub created_at: Timestamp,
}

/// Events behind one number and up to another, oldest first, so many at most; and the number of the last one. Those of
/// types that only a newer version knows are left out.
pub async fn list_between(
    mut db: Db<'_>,
    account: AccountId,
    (after, until): (i64, i64),
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

// Only for Postgres, as SQLite has one writer.
const HOLD: &str = "SELECT id FROM events WHERE account_id = $1 AND id = ANY($2) ORDER BY seq FOR SHARE";

/// Keeps events as they are until the transaction ends. Whoever forgets a person marks the deliveries that there are: one
/// that is inserted meanwhile would be missed.
pub async fn hold(mut db: Db<'_>, account: AccountId, events: &[EventId]) -> Result<()> {
    if let Db::Postgres(connection) = &mut db {
        let ids: Vec<Uuid> = events.iter().map(|event| event.0).collect();
        sqlx::query(HOLD).bind(account.0).bind(ids).execute(&mut **connection).await?;
    }
    Ok(())
}

/// Forgets some of the events from before a moment, with their deliveries; how many.
pub async fn prune(mut db: Db<'_>, before: Timestamp) -> Result<u64> {
    Ok(execute!(db, sqlx::query(PRUNE).bind(before.micros())))
}
