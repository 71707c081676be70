//! Events on their way to subscriptions.

use crate::{engine::{Db, Result, due::Subscribed, macros::{around_parameters, count, in_few_sizes, named, without_values}}, lists::{self, Field, FieldKind, List, Listing, page::Rows}, tables::webhooks::{events::{Event, Outline, kind}, webhook_attempts}};
use domain::{
    AccountId, EventId, ReturnOrderId, Timestamp, WebhookDeliveryId, WebhookSubscriptionId,
    stage::StageName,
    webhook::{DeliveryStatus, EventType},
};
use futures_util::TryStreamExt as _;
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
    /// With each the number of the one before it of its return order, which goes first. Behind a place: what was read before is not
    /// read again.
    LIST_DUE = "SELECT d.id, d.event_id, d.event_seq, d.return_order_id, d.attempts, d.tries, d.due_at, e.type, e.stage,
        e.data, e.created_at,
        (SELECT f.event_seq FROM webhook_deliveries f WHERE f.account_id = d.account_id AND f.subscription_id = d.subscription_id
         AND f.return_order_id = d.return_order_id AND f.status = 'Pending' AND f.event_seq < d.event_seq
         ORDER BY f.event_seq DESC LIMIT 1) AS before_seq
        FROM webhook_deliveries d JOIN events e ON e.account_id = d.account_id AND e.id = d.event_id
        WHERE d.account_id = $1 AND d.subscription_id = $2 AND d.status = 'Pending' AND d.due_at <= $3
        AND (d.due_at, d.event_seq) > ($4, $5) ORDER BY d.due_at, d.event_seq LIMIT $6";
    /// None of a return order is due before the first.
    WAIT = "UPDATE webhook_deliveries SET due_at = $4 WHERE account_id = $1 AND subscription_id = $2 AND return_order_id = $3
        AND status = 'Pending' AND due_at < $4";
    WAIT_FOR_FIRST = "UPDATE webhook_deliveries SET due_at = (SELECT f.due_at FROM webhook_deliveries f WHERE f.account_id = $1
         AND f.subscription_id = $2 AND f.return_order_id = $3 AND f.status = 'Pending' ORDER BY f.event_seq LIMIT 1)
        WHERE account_id = $1 AND subscription_id = $2 AND return_order_id = $3 AND status = 'Pending' AND due_at <= $4";
    /// Each with a round of attempts of its own: what it is brought forward by is not to cost the first of them one.
    HURRY = "UPDATE webhook_deliveries SET due_at = $4, tries = 0 WHERE account_id = $1 AND subscription_id = $2 AND return_order_id = $3
        AND status = 'Pending' AND due_at > $4";
    /// A round of attempts of its own.
    AGAIN = "UPDATE webhook_deliveries SET status = 'Pending', tries = 0, due_at = $3 WHERE account_id = $1 AND id IN ($2)";
    AGAIN_IF_FAILED = "UPDATE webhook_deliveries SET status = 'Pending', tries = 0, due_at = $3
        WHERE account_id = $1 AND id IN ($2) AND status = 'Failed'";
    GIVE_UP_SOME = "UPDATE webhook_deliveries SET status = 'Failed' WHERE account_id = $1 AND id IN (SELECT id FROM webhook_deliveries
        WHERE account_id = $1 AND subscription_id = $2 AND status = 'Pending' ORDER BY due_at, event_seq LIMIT 500)";
    DELETE_SOME = "DELETE FROM webhook_deliveries WHERE account_id = $1 AND id IN (SELECT id FROM webhook_deliveries
        WHERE account_id = $1 AND subscription_id = $2 ORDER BY seq LIMIT 200)";
    ERASE = "UPDATE webhook_deliveries SET is_erased = TRUE, answer = '' WHERE account_id = $1 AND event_id = $2";
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
    for chunk in in_few_sizes(deliveries) {
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

/// A delivery that is to be sent now.
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
    /// Not before.
    pub due_at: Timestamp,
    /// The number of the pending one before it of its return order, which goes first.
    pub before_seq: Option<i64>,
}

impl DueDelivery {
    /// Its place among what is due.
    pub fn place(&self) -> Place {
        Place(self.due_at.micros(), self.event_seq)
    }
}

/// A place among what is due, longest due first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place(i64, i64);

impl Place {
    /// Before all that is due.
    pub const START: Self = Self(i64::MIN, i64::MIN);
}

#[derive(sqlx::FromRow)]
struct DueRow {
    id: Uuid,
    event_id: Uuid,
    event_seq: i64,
    return_order_id: Uuid,
    attempts: i64,
    tries: i64,
    due_at: i64,
    #[sqlx(rename = "type")]
    kind: String,
    stage: String,
    data: String,
    created_at: i64,
    before_seq: Option<i64>,
}

impl DueRow {
    fn due(self, account: AccountId) -> Result<DueDelivery> {
        Ok(DueDelivery {
            id: WebhookDeliveryId(self.id),
            event: Event {
                id: EventId(self.event_id),
                account_id: account,
                kind: kind(&self.kind)?,
                stage: StageName::parse(&self.stage),
                return_order_id: ReturnOrderId(self.return_order_id),
                data: self.data,
                created_at: Timestamp::from_micros(self.created_at),
            },
            event_seq: self.event_seq,
            attempts: count("webhook_deliveries.attempts", self.attempts)?,
            tries: count("webhook_deliveries.tries", self.tries)?,
            due_at: Timestamp::from_micros(self.due_at),
            before_seq: self.before_seq,
        })
    }
}

/// How much is read at once: whichever comes first.
#[derive(Debug, Clone, Copy)]
pub struct Portion {
    /// Deliveries.
    pub rows: usize,
    /// Bytes of their events; the last one may go beyond.
    pub bytes: usize,
}

/// Deliveries of a subscription that are due, longest due first, from behind a place; and whether there may be more.
pub async fn list_due(
    mut db: Db<'_>,
    (account, subscription): Subscribed,
    now: Timestamp,
    Place(due_at, event_seq): Place,
    portion: Portion,
) -> Result<(Vec<DueDelivery>, bool)> {
    let (mut found, mut bytes) = (Vec::new(), 0);
    on!(&mut db, c => {
        let mut rows = sqlx::query_as(LIST_DUE)
            .bind(account.0)
            .bind(subscription.0)
            .bind(now.micros())
            .bind(due_at)
            .bind(event_seq)
            .bind(i64::try_from(portion.rows).unwrap_or(i64::MAX))
            .fetch(&mut **c);
        while bytes < portion.bytes
            && let Some(row) = rows.try_next().await?
        {
            let row: DueRow = row;
            bytes += row.data.len();
            found.push(row.due(account)?);
        }
    });
    let is_full = found.len() >= portion.rows || bytes >= portion.bytes;
    Ok((found, is_full))
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
    for chunk in in_few_sizes(ids) {
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

/// Notes that whoever an event is about asked to be forgotten, and forgets the answers to it: a receiver may have
/// repeated what it was told. Whoever records an attempt at the same time sees it, or is waited for.
pub async fn erase(mut db: Db<'_>, account: AccountId, event: EventId) -> Result<()> {
    execute!(db, sqlx::query(ERASE).bind(account.0).bind(event.0));
    webhook_attempts::scrub(db, account, event).await
}

/// How many deliveries of the whole installation wait, and since when the oldest does.
pub async fn backlog(mut db: Db<'_>) -> Result<(i64, Option<Timestamp>)> {
    let (waiting, oldest): (i64, Option<i64>) =
        on!(&mut db, c => sqlx::query_as(SENDER_BACKLOG).fetch_one(&mut **c).await?);
    Ok((waiting, oldest.map(Timestamp::from_micros)))
}
