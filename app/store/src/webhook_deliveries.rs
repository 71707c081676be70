//! Events on their way to subscriptions, and what came of each attempt.

use crate::{
    Db, Result,
    events::{Event, Outline, kind},
    lists::{self, Field, FieldKind, List, Listing},
    macros::{ROWS_AT_ONCE, around_parameters, count, named, without_values},
    page::Rows,
};
use domain::{
    AccountId, EventId, ReturnOrderId, Timestamp, WebhookDeliveryId, WebhookSubscriptionId,
    stage::StageName,
    webhook::{DeliveryStatus, EventType, Outcome},
};
use sqlx::QueryBuilder;
use uuid::Uuid;

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT d.seq, d.id, d.subscription_id, d.event_id, d.status, d.attempts, d.due_at, d.created_at, e.type FROM \
             webhook_deliveries d JOIN events e ON e.account_id = d.account_id AND e.id = d.event_id",
            $rest
        )
    };
}

statements! {
    INSERT = "INSERT INTO webhook_deliveries
        (account_id, id, subscription_id, event_id, event_seq, return_order_id, status, due_at, created_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)";
    FIND = select!(" WHERE d.account_id = $1 AND d.id = $2");
    LIST_OF_EVENT = select!(" WHERE d.account_id = $1 AND d.event_id = $2 ORDER BY d.seq");
    LIST_ATTEMPTS = "SELECT number, at, duration, outcome, status_code, answer FROM webhook_attempts
        WHERE account_id = $1 AND delivery_id = $2 ORDER BY number";
    INSERT_ATTEMPT = "INSERT INTO webhook_attempts (account_id, delivery_id, number, at, duration, outcome, status_code, answer)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8)";

    /// With each the number of the first of its return order: until that is through, the others wait.
    LIST_DUE = "SELECT d.id, d.event_id, d.event_seq, d.return_order_id, d.attempts, d.tries, e.type, e.stage, e.data, e.created_at,
        (SELECT f.event_seq FROM webhook_deliveries f WHERE f.account_id = d.account_id AND f.subscription_id = d.subscription_id
         AND f.return_order_id = d.return_order_id AND f.status = 'Pending' ORDER BY f.event_seq LIMIT 1) AS first_seq
        FROM webhook_deliveries d JOIN events e ON e.account_id = d.account_id AND e.id = d.event_id
        WHERE d.account_id = $1 AND d.subscription_id = $2 AND d.status = 'Pending' AND d.due_at <= $3
        ORDER BY d.due_at, d.event_seq LIMIT $4";
    /// Also of what was given up meanwhile: the receiver has it.
    DELIVERED = "UPDATE webhook_deliveries SET status = 'Delivered', attempts = attempts + 1, tries = tries + 1
        WHERE account_id = $1 AND id IN ($2) RETURNING id";
    /// What was given up meanwhile stays so.
    NOT_DELIVERED = "UPDATE webhook_deliveries SET status = CASE WHEN status = 'Pending' THEN $3 ELSE status END,
        attempts = attempts + 1, tries = tries + 1 WHERE account_id = $1 AND id = $2";
    /// None of a return order is due before the first.
    WAIT = "UPDATE webhook_deliveries SET due_at = $4 WHERE account_id = $1 AND subscription_id = $2 AND return_order_id = $3
        AND status = 'Pending' AND due_at < $4";
    WAIT_FOR_FIRST = "UPDATE webhook_deliveries SET due_at = (SELECT f.due_at FROM webhook_deliveries f WHERE f.account_id = $1
         AND f.subscription_id = $2 AND f.return_order_id = $3 AND f.status = 'Pending' ORDER BY f.event_seq LIMIT 1)
        WHERE account_id = $1 AND subscription_id = $2 AND return_order_id = $3 AND status = 'Pending' AND due_at <= $4";
    HURRY = "UPDATE webhook_deliveries SET due_at = $4 WHERE account_id = $1 AND subscription_id = $2 AND return_order_id = $3
        AND status = 'Pending' AND due_at > $4";
    /// A round of attempts of its own.
    AGAIN = "UPDATE webhook_deliveries SET status = 'Pending', tries = 0, due_at = $3 WHERE account_id = $1 AND id IN ($2)";
    AGAIN_IF_FAILED = "UPDATE webhook_deliveries SET status = 'Pending', tries = 0, due_at = $3
        WHERE account_id = $1 AND id IN ($2) AND status = 'Failed'";
    GIVE_UP_SOME = "UPDATE webhook_deliveries SET status = 'Failed' WHERE account_id = $1 AND id IN (SELECT id FROM webhook_deliveries
        WHERE account_id = $1 AND subscription_id = $2 AND status = 'Pending' ORDER BY due_at, event_seq LIMIT 500)";
    DELETE_SOME = "DELETE FROM webhook_deliveries WHERE account_id = $1 AND id IN (SELECT id FROM webhook_deliveries
        WHERE account_id = $1 AND subscription_id = $2 ORDER BY seq LIMIT 200)";
    SCRUB_ATTEMPTS = "UPDATE webhook_attempts SET answer = '' WHERE account_id = $1 AND delivery_id IN
        (SELECT id FROM webhook_deliveries WHERE account_id = $1 AND event_id = $2)";
    SENDER_BACKLOG = "SELECT COUNT(*), MIN(created_at) FROM webhook_deliveries WHERE status = 'Pending'";
}

/// An event and the subscription that it is for.
#[derive(Debug, Clone)]
pub struct Addressed {
    /// Whose.
    pub account_id: AccountId,
    /// To whom.
    pub subscription_id: WebhookSubscriptionId,
    /// What.
    pub event_id: EventId,
    /// The event's number: the order of deliveries.
    pub event_seq: i64,
    /// Those of one are sent one after the other.
    pub return_order_id: ReturnOrderId,
    /// When the event happened.
    pub created_at: Timestamp,
}

impl Addressed {
    /// An event for a subscription.
    pub fn new(event: &Outline, subscription: WebhookSubscriptionId) -> Self {
        Self {
            account_id: event.account_id,
            subscription_id: subscription,
            event_id: event.id,
            event_seq: event.seq,
            return_order_id: event.return_order_id,
            created_at: event.created_at,
        }
    }

    /// Identifier of the delivery.
    pub fn id(&self) -> WebhookDeliveryId {
        WebhookDeliveryId::of(self.event_id, self.subscription_id)
    }
}

/// Adds deliveries, due at once. What is there already stays as it is.
pub async fn insert(mut db: Db<'_>, deliveries: &[Addressed]) -> Result<()> {
    for chunk in deliveries.chunks(ROWS_AT_ONCE) {
        on!(&mut db, c => {
            let mut query = QueryBuilder::new(without_values(INSERT));
            query.push_values(chunk, |mut row, delivery| {
                row.push_bind(delivery.account_id.0)
                    .push_bind(delivery.id().0)
                    .push_bind(delivery.subscription_id.0)
                    .push_bind(delivery.event_id.0)
                    .push_bind(delivery.event_seq)
                    .push_bind(delivery.return_order_id.0)
                    .push_bind(DeliveryStatus::Pending.name())
                    .push_bind(delivery.created_at.micros())
                    .push_bind(delivery.created_at.micros());
            });
            query.push(" ON CONFLICT DO NOTHING");
            query.build().execute(&mut **c).await?;
        });
    }
    Ok(())
}

/// A delivery, as it is shown.
#[derive(Debug, Clone)]
pub struct Delivery {
    /// Identifier.
    pub id: WebhookDeliveryId,
    /// To whom.
    pub subscription_id: WebhookSubscriptionId,
    /// What.
    pub event_id: EventId,
    /// What kind of thing.
    pub event_type: EventType,
    /// Where it stands.
    pub status: DeliveryStatus,
    /// How often it was tried.
    pub attempts: u32,
    /// Not before.
    pub due_at: Timestamp,
    /// When the event happened.
    pub created_at: Timestamp,
}

#[derive(sqlx::FromRow)]
struct Row {
    seq: i64,
    id: Uuid,
    subscription_id: Uuid,
    event_id: Uuid,
    #[sqlx(rename = "type")]
    kind: String,
    status: String,
    attempts: i64,
    due_at: i64,
    created_at: i64,
}

impl Row {
    fn delivery(self) -> Result<Delivery> {
        Ok(Delivery {
            id: WebhookDeliveryId(self.id),
            subscription_id: WebhookSubscriptionId(self.subscription_id),
            event_id: EventId(self.event_id),
            event_type: kind(&self.kind)?,
            status: named("webhook_deliveries.status", DeliveryStatus::from_name(&self.status))?,
            attempts: count("webhook_deliveries.attempts", self.attempts)?,
            due_at: Timestamp::from_micros(self.due_at),
            created_at: Timestamp::from_micros(self.created_at),
        })
    }
}

/// What deliveries can be asked for.
pub static LIST: List = List {
    name: "webhook-deliveries",
    select: select!(""),
    table: "webhook_deliveries",
    alias: "d.",
    fields: &[
        Field { name: "subscriptionId", kind: FieldKind::Id, column: "d.subscription_id" },
        Field { name: "eventId", kind: FieldKind::Id, column: "d.event_id" },
        Field { name: "status", kind: FieldKind::OneOf(statuses), column: "d.status" },
    ],
    sorts_by_update: false,
    search: None,
};

fn statuses() -> Vec<&'static str> {
    DeliveryStatus::ALL.iter().map(|status| status.name()).collect()
}

/// An account's deliveries.
pub async fn list(db: Db<'_>, account: AccountId, listing: &Listing) -> Result<Rows<Delivery>> {
    lists::fetch(db, &LIST, account, listing, |row: &Row| listing.cursor(row.seq, 0), Row::delivery).await
}

/// The delivery of that id.
pub async fn find(mut db: Db<'_>, account: AccountId, id: WebhookDeliveryId) -> Result<Option<Delivery>> {
    let row: Option<Row> =
        on!(&mut db, c => sqlx::query_as(FIND).bind(account.0).bind(id.0).fetch_optional(&mut **c).await?);
    row.map(Row::delivery).transpose()
}

/// To whom an event goes.
pub async fn list_of_event(mut db: Db<'_>, account: AccountId, event: EventId) -> Result<Vec<Delivery>> {
    let rows: Vec<Row> =
        on!(&mut db, c => sqlx::query_as(LIST_OF_EVENT).bind(account.0).bind(event.0).fetch_all(&mut **c).await?);
    rows.into_iter().map(Row::delivery).collect()
}

/// One exchange with a receiver.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attempt {
    /// From 1.
    pub number: u32,
    /// When it began.
    pub at: Timestamp,
    /// How long it took, microseconds.
    pub duration: i64,
    /// What came of it.
    pub outcome: Outcome,
    /// HTTP status, if there was an answer.
    pub status_code: Option<u16>,
    /// The answer's beginning.
    pub answer: String,
}

/// All attempts of a delivery, in their order.
pub async fn list_attempts(mut db: Db<'_>, account: AccountId, id: WebhookDeliveryId) -> Result<Vec<Attempt>> {
    let rows: Vec<(i64, i64, i64, String, Option<i64>, String)> =
        on!(&mut db, c => sqlx::query_as(LIST_ATTEMPTS).bind(account.0).bind(id.0).fetch_all(&mut **c).await?);
    let attempt = |(number, at, duration, outcome, status, answer): (i64, i64, i64, String, Option<i64>, String)| {
        Ok(Attempt {
            number: count("webhook_attempts.number", number)?,
            at: Timestamp::from_micros(at),
            duration,
            outcome: named("webhook_attempts.outcome", Outcome::parse(&outcome))?,
            status_code: status.and_then(|status| u16::try_from(status).ok()),
            answer,
        })
    };
    rows.into_iter().map(attempt).collect()
}

/// A delivery that is to be sent now. Its event is read when it is sent: what was erased until then is not in it.
#[derive(Debug, Clone)]
pub struct DueDelivery {
    /// Identifier.
    pub id: WebhookDeliveryId,
    /// What, as it was when this was read.
    pub event: Event,
    /// The order of deliveries.
    pub event_seq: i64,
    /// Attempts so far.
    pub attempts: u32,
    /// Those of them since it was last asked for.
    pub tries: u32,
    /// The number of the first of its return order; the others wait for it.
    pub first_seq: i64,
}

#[derive(sqlx::FromRow)]
struct DueRow {
    id: Uuid,
    event_id: Uuid,
    event_seq: i64,
    return_order_id: Uuid,
    attempts: i64,
    tries: i64,
    #[sqlx(rename = "type")]
    kind: String,
    stage: String,
    data: String,
    created_at: i64,
    first_seq: i64,
}

/// Deliveries of a subscription that are due, longest due first.
pub async fn list_due(
    mut db: Db<'_>,
    account: AccountId,
    subscription: WebhookSubscriptionId,
    now: Timestamp,
    limit: i64,
) -> Result<Vec<DueDelivery>> {
    let rows: Vec<DueRow> = on!(&mut db, c => sqlx::query_as(LIST_DUE)
        .bind(account.0)
        .bind(subscription.0)
        .bind(now.micros())
        .bind(limit)
        .fetch_all(&mut **c).await?);
    let due = |row: DueRow| {
        Ok(DueDelivery {
            id: WebhookDeliveryId(row.id),
            event: Event {
                id: EventId(row.event_id),
                account_id: account,
                kind: kind(&row.kind)?,
                stage: StageName::parse(&row.stage),
                return_order_id: ReturnOrderId(row.return_order_id),
                data: row.data,
                created_at: Timestamp::from_micros(row.created_at),
            },
            event_seq: row.event_seq,
            attempts: count("webhook_deliveries.attempts", row.attempts)?,
            tries: count("webhook_deliveries.tries", row.tries)?,
            first_seq: row.first_seq,
        })
    };
    rows.into_iter().map(due).collect()
}

/// Keeps attempts. What is kept already stays as it is.
pub async fn insert_attempts(
    mut db: Db<'_>,
    account: AccountId,
    attempts: &[(WebhookDeliveryId, Attempt)],
) -> Result<()> {
    for chunk in attempts.chunks(ROWS_AT_ONCE) {
        on!(&mut db, c => {
            let mut query = QueryBuilder::new(without_values(INSERT_ATTEMPT));
            query.push_values(chunk, |mut row, (delivery, attempt)| {
                row.push_bind(account.0)
                    .push_bind(delivery.0)
                    .push_bind(i64::from(attempt.number))
                    .push_bind(attempt.at.micros())
                    .push_bind(attempt.duration)
                    .push_bind(attempt.outcome.name())
                    .push_bind(attempt.status_code.map(i64::from))
                    .push_bind(attempt.answer.as_str());
            });
            query.push(" ON CONFLICT DO NOTHING");
            query.build().execute(&mut **c).await?;
        });
    }
    Ok(())
}

/// Notes that deliveries were delivered; those that are there. Subscriptions are deleted and events forgotten while they
/// are being sent.
pub async fn delivered(
    mut db: Db<'_>,
    account: AccountId,
    ids: &[WebhookDeliveryId],
) -> Result<Vec<WebhookDeliveryId>> {
    let (start, middle, end) = around_parameters(DELIVERED);
    let mut there = Vec::with_capacity(ids.len());
    for chunk in ids.chunks(ROWS_AT_ONCE) {
        on!(&mut db, c => {
            let mut query = QueryBuilder::new(start);
            query.push_bind(account.0).push(middle);
            let mut list = query.separated(", ");
            for id in chunk {
                list.push_bind(id.0);
            }
            query.push(end);
            let rows: Vec<Uuid> = query.build_query_scalar().fetch_all(&mut **c).await?;
            there.extend(rows.into_iter().map(WebhookDeliveryId));
        });
    }
    Ok(there)
}

/// Which deliveries wait together.
#[derive(Debug, Clone, Copy)]
pub struct Line {
    /// Whose.
    pub account_id: AccountId,
    /// To whom.
    pub subscription_id: WebhookSubscriptionId,
    /// Of which return order.
    pub return_order_id: ReturnOrderId,
}

/// Notes that an attempt failed: the delivery is tried again at a moment, and what stands behind it waits as long; or,
/// without a moment, it has failed for good. Whether it is there.
pub async fn not_delivered(mut db: Db<'_>, line: Line, id: WebhookDeliveryId, next: Option<Timestamp>) -> Result<bool> {
    let status = if next.is_some() { DeliveryStatus::Pending } else { DeliveryStatus::Failed };
    let rows = execute!(db, sqlx::query(NOT_DELIVERED).bind(line.account_id.0).bind(id.0).bind(status.name()));
    if let Some(next) = next {
        wait(db, line, next).await?;
    }
    Ok(rows == 1)
}

/// None of these is due before a moment.
pub async fn wait(db: Db<'_>, line: Line, until: Timestamp) -> Result<()> {
    move_line(db, WAIT, line, until).await
}

/// Those that are due now wait for the first of them.
pub async fn wait_for_first(db: Db<'_>, line: Line, now: Timestamp) -> Result<()> {
    move_line(db, WAIT_FOR_FIRST, line, now).await
}

/// All of these are due now.
pub async fn hurry(db: Db<'_>, line: Line, now: Timestamp) -> Result<()> {
    move_line(db, HURRY, line, now).await
}

async fn move_line(mut db: Db<'_>, sql: &'static str, line: Line, moment: Timestamp) -> Result<()> {
    execute!(
        db,
        sqlx::query(sql)
            .bind(line.account_id.0)
            .bind(line.subscription_id.0)
            .bind(line.return_order_id.0)
            .bind(moment.micros())
    );
    Ok(())
}

/// Has a delivery sent once more: only if it failed, or however it stands.
pub async fn again(
    db: Db<'_>,
    account: AccountId,
    id: WebhookDeliveryId,
    only_failed: bool,
    now: Timestamp,
) -> Result<()> {
    again_some(db, account, &[id], only_failed, now).await
}

/// The same of many at once.
pub async fn again_some(
    mut db: Db<'_>,
    account: AccountId,
    ids: &[WebhookDeliveryId],
    only_failed: bool,
    now: Timestamp,
) -> Result<()> {
    let sql = if only_failed { AGAIN_IF_FAILED } else { AGAIN };
    let (start, rest) = sql.split_once("$3").unwrap_or((sql, ""));
    let (of_account, among, end) = around_parameters(rest);
    for chunk in ids.chunks(crate::macros::ROWS_AT_ONCE) {
        on!(&mut db, c => {
            let mut query = QueryBuilder::new(start);
            query.push_bind(now.micros()).push(of_account).push_bind(account.0).push(among);
            let mut list = query.separated(", ");
            for id in chunk {
                list.push_bind(id.0);
            }
            query.push(end);
            query.build().execute(&mut **c).await?;
        });
    }
    Ok(())
}

/// Notes of some deliveries of a subscription that they will not be sent; how many.
pub async fn give_up_some(mut db: Db<'_>, account: AccountId, subscription: WebhookSubscriptionId) -> Result<u64> {
    Ok(execute!(db, sqlx::query(GIVE_UP_SOME).bind(account.0).bind(subscription.0)))
}

/// Deletes some deliveries of a subscription; how many.
pub async fn delete_some(mut db: Db<'_>, account: AccountId, subscription: WebhookSubscriptionId) -> Result<u64> {
    Ok(execute!(db, sqlx::query(DELETE_SOME).bind(account.0).bind(subscription.0)))
}

/// Empties the answers to an event: a receiver may have repeated what it was told.
pub async fn scrub_attempts(mut db: Db<'_>, account: AccountId, event: EventId) -> Result<()> {
    execute!(db, sqlx::query(SCRUB_ATTEMPTS).bind(account.0).bind(event.0));
    Ok(())
}

/// How many deliveries of the whole installation wait, and since when the oldest does.
pub async fn backlog(mut db: Db<'_>) -> Result<(i64, Option<Timestamp>)> {
    let (waiting, oldest): (i64, Option<i64>) =
        on!(&mut db, c => sqlx::query_as(SENDER_BACKLOG).fetch_one(&mut **c).await?);
    Ok((waiting, oldest.map(Timestamp::from_micros)))
}
