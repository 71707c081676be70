//! Deliveries of events to subscriptions.

use super::event::{Event, Outline, event_type};
use crate::{
    engine::{
        Db, Result,
        batches::{in_few_sizes, without_values},
        due::Subscribed,
        stored::{count, named},
        template::{SqlTemplate, push_list},
    },
    lists::{self, Field, FieldKind, List, Listing, page::Rows},
};
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
    in webhook_deliveries;
    INSERT = "INSERT INTO webhook_deliveries
        (account_id, id, subscription_id, event_id, event_seq, return_order_id, status, due_at, created_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)";
    FIND = select!(" WHERE d.account_id = $1 AND d.id = $2");
    LIST_OF_EVENT = select!(" WHERE d.account_id = $1 AND d.event_id = $2 ORDER BY d.seq");
    LIST_OF_RETURN_ORDER = select!(" JOIN webhook_subscriptions s ON s.account_id = d.account_id AND s.id = d.subscription_id
        AND s.deleted_at IS NULL WHERE d.account_id = $1 AND d.event_id IN (SELECT id FROM events WHERE account_id = $1 AND return_order_id = $2)
        ORDER BY d.seq");
    /// Each with the number of the pending delivery before it in its lane, which goes first. From a cursor on, so that
    /// nothing is read twice.
    LIST_DUE = "SELECT d.id, d.event_id, d.event_seq, d.return_order_id, d.attempts, d.tries, d.due_at, e.type, e.stage,
        e.data, e.created_at,
        (SELECT f.event_seq FROM webhook_deliveries f WHERE f.account_id = d.account_id AND f.subscription_id = d.subscription_id
         AND f.return_order_id = d.return_order_id AND f.status = 'Pending' AND f.event_seq < d.event_seq
         ORDER BY f.event_seq DESC LIMIT 1) AS before_seq
        FROM webhook_deliveries d JOIN events e ON e.account_id = d.account_id AND e.id = d.event_id
        WHERE d.account_id = $1 AND d.subscription_id = $2 AND d.status = 'Pending' AND d.due_at <= $3
        AND (d.due_at, d.event_seq) > ($4, $5) ORDER BY d.due_at, d.event_seq LIMIT $6";
    /// No delivery of a lane is due before its first.
    WAIT = "UPDATE webhook_deliveries SET due_at = $4 WHERE account_id = $1 AND subscription_id = $2 AND return_order_id = $3
        AND status = 'Pending' AND due_at < $4";
    WAIT_FOR_FIRST = "UPDATE webhook_deliveries SET due_at = (SELECT f.due_at FROM webhook_deliveries f WHERE f.account_id = $1
         AND f.subscription_id = $2 AND f.return_order_id = $3 AND f.status = 'Pending' ORDER BY f.event_seq LIMIT 1)
        WHERE account_id = $1 AND subscription_id = $2 AND return_order_id = $3 AND status = 'Pending' AND due_at <= $4";
    /// Each starts a new round of attempts, so that the change costs the first of them no attempt.
    HURRY = "UPDATE webhook_deliveries SET due_at = $4, tries = 0 WHERE account_id = $1 AND subscription_id = $2 AND return_order_id = $3
        AND status = 'Pending' AND due_at > $4";
    /// Starts a new round of attempts.
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

/// An event and a subscription to deliver it to.
#[derive(Debug, Clone)]
pub struct Addressed {
    pub account_id: AccountId,
    pub subscription_id: WebhookSubscriptionId,
    pub event_id: EventId,
    /// The event's number: the order of deliveries.
    pub event_seq: i64,
    /// Deliveries of one return order are sent one after the other.
    pub return_order_id: ReturnOrderId,
    /// The time of the event.
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

    /// The id of the delivery.
    pub fn id(&self) -> WebhookDeliveryId {
        WebhookDeliveryId::of(self.event_id, self.subscription_id)
    }
}

/// Inserts deliveries that are due at once. Existing ones stay as they are.
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

/// A delivery as it is shown to merchants.
#[derive(Debug, Clone)]
pub struct Delivery {
    pub id: WebhookDeliveryId,
    pub subscription_id: WebhookSubscriptionId,
    pub event_id: EventId,
    pub event_type: EventType,
    pub status: DeliveryStatus,
    /// The number of attempts.
    pub attempts: u32,
    /// It is not sent earlier.
    pub due_at: Timestamp,
    /// The time of the event.
    pub created_at: Timestamp,
}

#[derive(sqlx::FromRow)]
struct DeliveryRow {
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

impl DeliveryRow {
    fn delivery(self) -> Result<Delivery> {
        Ok(Delivery {
            id: WebhookDeliveryId(self.id),
            subscription_id: WebhookSubscriptionId(self.subscription_id),
            event_id: EventId(self.event_id),
            event_type: event_type(&self.kind)?,
            status: named("webhook_deliveries.status", DeliveryStatus::from_name(&self.status))?,
            attempts: count("webhook_deliveries.attempts", self.attempts)?,
            due_at: Timestamp::from_micros(self.due_at),
            created_at: Timestamp::from_micros(self.created_at),
        })
    }
}

/// The list of deliveries.
pub static LIST: List = List {
    name: "webhook-deliveries",
    select: select!(""),
    table: "webhook_deliveries",
    alias: "d.",
    key: "id",
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

/// The deliveries of an account.
pub async fn list(db: Db<'_>, account: AccountId, listing: &Listing) -> Result<Rows<Delivery>> {
    lists::fetch(db, &LIST, account, listing, |row: &DeliveryRow| listing.cursor(row.seq, 0), DeliveryRow::delivery)
        .await
}

/// The delivery of that id.
pub async fn find(mut db: Db<'_>, account: AccountId, id: WebhookDeliveryId) -> Result<Option<Delivery>> {
    let row: Option<DeliveryRow> =
        on!(&mut db, c => sqlx::query_as(FIND).bind(account.0).bind(id.0).fetch_optional(&mut **c).await?);
    row.map(DeliveryRow::delivery).transpose()
}

/// The deliveries of an event.
pub async fn list_of_event(mut db: Db<'_>, account: AccountId, event: EventId) -> Result<Vec<Delivery>> {
    let rows: Vec<DeliveryRow> =
        on!(&mut db, c => sqlx::query_as(LIST_OF_EVENT).bind(account.0).bind(event.0).fetch_all(&mut **c).await?);
    rows.into_iter().map(DeliveryRow::delivery).collect()
}

/// The deliveries of a return order's events to subscriptions that exist, oldest first.
pub async fn list_of_return_order(mut db: Db<'_>, account: AccountId, order: ReturnOrderId) -> Result<Vec<Delivery>> {
    let rows: Vec<DeliveryRow> = on!(&mut db, c => sqlx::query_as(LIST_OF_RETURN_ORDER)
        .bind(account.0)
        .bind(order.0)
        .fetch_all(&mut **c).await?);
    rows.into_iter().map(DeliveryRow::delivery).collect()
}

/// A delivery that is due.
#[derive(Debug, Clone)]
pub struct DueDelivery {
    pub id: WebhookDeliveryId,
    pub event: Event,
    /// The order of deliveries.
    pub event_seq: i64,
    /// Attempts so far.
    pub attempts: u32,
    /// Attempts of this round.
    pub tries: u32,
    pub due_at: Timestamp,
    /// The number of the pending delivery before it in its lane, which goes first.
    pub before_seq: Option<i64>,
}

impl DueDelivery {
    /// Its place among the due deliveries.
    pub fn place(&self) -> DuePlace {
        DuePlace { due_at: self.due_at.micros(), event_seq: self.event_seq }
    }
}

/// A place among the due deliveries, the longest due first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DuePlace {
    due_at: i64,
    event_seq: i64,
}

impl DuePlace {
    /// Before all due deliveries.
    pub const START: Self = Self { due_at: i64::MIN, event_seq: i64::MIN };
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
                kind: event_type(&self.kind)?,
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

/// How much is read at once: whichever limit comes first.
#[derive(Debug, Clone, Copy)]
pub struct Portion {
    /// The number of deliveries.
    pub rows: usize,
    /// The bytes of their events; the last event may exceed them.
    pub bytes: usize,
}

/// Due deliveries of a subscription after a place, the longest due first; and whether there may be more.
pub async fn list_due(
    mut db: Db<'_>,
    subscribed: Subscribed,
    now: Timestamp,
    after: DuePlace,
    portion: Portion,
) -> Result<(Vec<DueDelivery>, bool)> {
    let (account, subscription) = subscribed;
    let (mut found, mut bytes) = (Vec::new(), 0);
    on!(&mut db, c => {
        let mut rows = sqlx::query_as(LIST_DUE)
            .bind(account.0)
            .bind(subscription.0)
            .bind(now.micros())
            .bind(after.due_at)
            .bind(after.event_seq)
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

/// The deliveries that are sent one after the other: those of one return order to one subscription.
#[derive(Debug, Clone, Copy)]
pub struct DeliveryLane {
    pub account_id: AccountId,
    pub subscription_id: WebhookSubscriptionId,
    pub return_order_id: ReturnOrderId,
}

/// Postpones the pending deliveries of a lane until a moment.
pub async fn wait(db: Db<'_>, lane: DeliveryLane, until: Timestamp) -> Result<()> {
    move_lane(db, WAIT, lane, until).await
}

/// Postpones the due deliveries of a lane until the first of them is due.
pub async fn wait_for_first(db: Db<'_>, lane: DeliveryLane, now: Timestamp) -> Result<()> {
    move_lane(db, WAIT_FOR_FIRST, lane, now).await
}

/// Makes the pending deliveries of a lane due now.
pub async fn hurry(db: Db<'_>, lane: DeliveryLane, now: Timestamp) -> Result<()> {
    move_lane(db, HURRY, lane, now).await
}

async fn move_lane(mut db: Db<'_>, sql: &'static str, lane: DeliveryLane, moment: Timestamp) -> Result<()> {
    execute!(
        db,
        sqlx::query(sql)
            .bind(lane.account_id.0)
            .bind(lane.subscription_id.0)
            .bind(lane.return_order_id.0)
            .bind(moment.micros())
    );
    Ok(())
}

/// Sends a delivery again: only if it failed, or in any status.
pub async fn again(
    db: Db<'_>,
    account: AccountId,
    id: WebhookDeliveryId,
    only_failed: bool,
    now: Timestamp,
) -> Result<()> {
    again_some(db, account, &[id], only_failed, now).await
}

/// The same for many deliveries.
pub async fn again_some(
    mut db: Db<'_>,
    account: AccountId,
    ids: &[WebhookDeliveryId],
    only_failed: bool,
    now: Timestamp,
) -> Result<()> {
    let template = SqlTemplate::parse(if only_failed { AGAIN_IF_FAILED } else { AGAIN });
    for chunk in in_few_sizes(ids) {
        on!(&mut db, c => {
            let mut query = template.query(|query, number| {
                match number {
                    1 => query.push_bind(account.0),
                    3 => query.push_bind(now.micros()),
                    _ => push_list(query, chunk.iter().map(|id| id.0)),
                };
            });
            query.build().execute(&mut **c).await?;
        });
    }
    Ok(())
}

/// Gives up some pending deliveries of a subscription; returns how many.
pub async fn give_up_some(mut db: Db<'_>, account: AccountId, subscription: WebhookSubscriptionId) -> Result<u64> {
    Ok(execute!(db, sqlx::query(GIVE_UP_SOME).bind(account.0).bind(subscription.0)))
}

/// Deletes some deliveries of a subscription; returns how many.
pub async fn delete_some(mut db: Db<'_>, account: AccountId, subscription: WebhookSubscriptionId) -> Result<u64> {
    Ok(execute!(db, sqlx::query(DELETE_SOME).bind(account.0).bind(subscription.0)))
}

/// Marks the deliveries of an event whose person is erased, and empties the response of their last attempt.
pub(super) async fn erase(mut db: Db<'_>, account: AccountId, event: EventId) -> Result<()> {
    execute!(db, sqlx::query(ERASE).bind(account.0).bind(event.0));
    Ok(())
}

/// The number of pending deliveries of the whole installation, and the time of the oldest.
pub async fn backlog(mut db: Db<'_>) -> Result<(i64, Option<Timestamp>)> {
    let (waiting, oldest): (i64, Option<i64>) =
        on!(&mut db, c => sqlx::query_as(SENDER_BACKLOG).fetch_one(&mut **c).await?);
    Ok((waiting, oldest.map(Timestamp::from_micros)))
}
