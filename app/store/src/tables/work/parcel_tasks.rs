//! Shipment tasks: requests to carriers other than for labels. A carrier is asked where a shipment is, or to void the
//! label of a shipment that was cancelled. Each shipment has one task at a time. (The table is called `parcel_tasks`.)

use crate::engine::{
    Db, Result,
    queue::{self, Claim, Claimable, Claiming, IsEnough, Shares, Waiting},
    stored::{count, named},
};
use domain::{AccountId, ReturnOrderId, ShipmentId, Timestamp, shipping::CarrierReference};
use uuid::Uuid;

macro_rules! columns {
    () => {
        "account_id, shipment_id, work, reference, carrier, tries, woken, asked_at, created_at"
    };
}

statements! {
    in parcel_tasks;
    /// A worker that holds the previous task finds that it was replaced.
    INSERT = "INSERT INTO parcel_tasks (account_id, shipment_id, work, reference, due_at, created_at, carrier)
        VALUES ($1, $2, $3, $4, $5, $6, $7)
        ON CONFLICT (account_id, shipment_id) DO UPDATE SET work = excluded.work, reference = excluded.reference,
         carrier = excluded.carrier, due_at = excluded.due_at, tries = 0, woken = parcel_tasks.woken + 1, created_at = excluded.created_at";
    /// A notice does not advance a task whose carrier is failing, nor one that ran within the last minute (60000000
    /// microseconds). If the task is due as early anyway, nothing is written.
    NOTICE = "UPDATE parcel_tasks SET woken = woken + 1, due_at = CASE WHEN asked_at + 60000000 > $3 THEN asked_at + 60000000
         ELSE $3 END
        WHERE account_id = $1 AND work = 'Follow' AND tries = 0 AND due_at > $3 AND due_at > asked_at + 60000000 AND shipment_id IN
         (SELECT id FROM shipments WHERE account_id = $1 AND tracking_number = $2)";
    COUNT_FOLLOWED = "SELECT COUNT(*) FROM shipments s JOIN parcel_tasks t ON t.account_id = s.account_id AND t.shipment_id = s.id
        WHERE s.account_id = $1 AND s.tracking_number = $2 AND t.work = 'Follow'";
    WORKER_TURN = "UPDATE worker_turns SET taken = taken + 1 WHERE name = 'parcels'";
    WORKER_FIRST_WAITING = first_waiting_accounts!("parcel_tasks");
    WORKER_WAITING = waiting_accounts!("parcel_tasks");
    WORKER_DUE = concat!("SELECT ", columns!(), " FROM parcel_tasks
        WHERE account_id = $3 AND due_at <= $1 AND held_until <= $1 ORDER BY due_at, seq LIMIT $2");
    LEASE = lease_rows!("parcel_tasks", "shipment_id");
    /// Only by the holder of the lease. A notice during the lease stays, and a task that replaced this one starts anew.
    LATER = "UPDATE parcel_tasks SET due_at = CASE WHEN woken = $3 THEN $4 ELSE due_at END,
         tries = CASE WHEN woken = $3 THEN $5 ELSE tries END, held_until = 0, asked_at = $7
        WHERE account_id = $1 AND shipment_id = $2 AND held_until = $6";
    DELETE = "DELETE FROM parcel_tasks WHERE account_id = $1 AND shipment_id = $2 AND woken = $3 AND held_until = $4";
    FORGET = "DELETE FROM parcel_tasks WHERE account_id = $1 AND work = 'Follow'
        AND shipment_id IN (SELECT id FROM shipments WHERE account_id = $1 AND return_order_id = $2)";
    WORKER_BACKLOG = "SELECT COUNT(*), MIN(due_at) FROM parcel_tasks WHERE due_at <= $1";
}

const CLAIM_IN_ONE: &str = claim_in_one!("parcel_tasks", "shipment_id", "parcels", columns!());

/// What a carrier is asked about a shipment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ParcelWork {
    /// Where the shipment is.
    Follow,
    /// To void its label.
    Void,
    /// To void a label that may have been made without our seeing the response: only our transaction identifies it.
    VoidUnheard,
}

impl ParcelWork {
    fn name(self) -> &'static str {
        match self {
            Self::Follow => "Follow",
            Self::Void => "Void",
            Self::VoidUnheard => "VoidUnheard",
        }
    }

    fn from_name(name: &str) -> Option<Self> {
        [Self::Follow, Self::Void, Self::VoidUnheard].into_iter().find(|work| work.name() == name)
    }
}

/// A request to a carrier about a shipment.
#[derive(Debug, Clone)]
pub struct ParcelTask {
    pub account_id: AccountId,
    pub shipment_id: ShipmentId,
    pub work: ParcelWork,
    /// The component that made the label, and its id there; for [`ParcelWork::VoidUnheard`] the transaction of the
    /// request.
    pub reference: CarrierReference,
    /// The number of failures in a row.
    pub tries: u32,
    /// When the task was created.
    pub created_at: Timestamp,
    woken: i64,
    asked_at: Timestamp,
    held_until: Timestamp,
}

#[derive(sqlx::FromRow)]
struct ParcelTaskRow {
    account_id: Uuid,
    shipment_id: Uuid,
    work: String,
    reference: String,
    carrier: String,
    tries: i64,
    woken: i64,
    asked_at: i64,
    created_at: i64,
}

impl Claimable for ParcelTaskRow {
    fn ids(&self) -> (Uuid, Uuid) {
        (self.account_id, self.shipment_id)
    }
}

impl ParcelTaskRow {
    fn task(self, held_until: Timestamp) -> Result<ParcelTask> {
        Ok(ParcelTask {
            account_id: AccountId(self.account_id),
            shipment_id: ShipmentId(self.shipment_id),
            work: named("parcel_tasks.work", ParcelWork::from_name(&self.work))?,
            reference: CarrierReference { carrier: self.carrier, id: self.reference },
            tries: count("parcel_tasks.tries", self.tries)?,
            created_at: Timestamp::from_micros(self.created_at),
            woken: self.woken,
            asked_at: Timestamp::from_micros(self.asked_at),
            held_until,
        })
    }
}

/// Sets the task of a shipment, due at a moment; replaces the previous task.
pub async fn insert(
    mut db: Db<'_>,
    account: AccountId,
    shipment: ShipmentId,
    work: ParcelWork,
    reference: &CarrierReference,
    due_at: Timestamp,
    now: Timestamp,
) -> Result<()> {
    execute!(
        db,
        sqlx::query(INSERT)
            .bind(account.0)
            .bind(shipment.0)
            .bind(work.name())
            .bind(&reference.id)
            .bind(due_at.micros())
            .bind(now.micros())
            .bind(&reference.carrier)
    );
    Ok(())
}

/// Accounts with due tasks that nobody holds, the longest due first.
pub async fn waiting(db: Db<'_>, now: Timestamp, is_enough: IsEnough<'_>) -> Result<Vec<AccountId>> {
    queue::waiting(db, &Waiting { first: WORKER_FIRST_WAITING, all: WORKER_WAITING }, now, is_enough).await
}

/// Claims due tasks with a lease until a moment. Other claims wait for the transaction to end.
pub async fn claim(db: Db<'_>, now: Timestamp, until: Timestamp, shares: Shares<'_>) -> Result<Vec<ParcelTask>> {
    let claiming = Claiming { in_one: Some(CLAIM_IN_ONE), turn: WORKER_TURN, due: WORKER_DUE, lease: LEASE };
    let rows = queue::claim::<ParcelTaskRow>(db, &claiming, Claim::new(now, until, shares)).await?;
    rows.into_iter().map(|row| row.task(until)).collect()
}

/// Advances the tracking of shipments with that number, because a notice says that they have news.
pub async fn notice(mut db: Db<'_>, account: AccountId, tracking_number: &str, now: Timestamp) -> Result<()> {
    execute!(db, sqlx::query(NOTICE).bind(account.0).bind(tracking_number).bind(now.micros()));
    Ok(())
}

/// Whether a shipment with that number is tracked.
pub async fn is_followed(mut db: Db<'_>, account: AccountId, tracking_number: &str) -> Result<bool> {
    let followed: i64 = on!(
        &mut db,
        c => sqlx::query_scalar(COUNT_FOLLOWED).bind(account.0).bind(tracking_number).fetch_one(&mut **c).await?
    );
    Ok(followed > 0)
}

/// Gives a task back: due again at a moment, or earlier if there was a notice during the lease. `asked` is the time of
/// the carrier's answer.
pub async fn later(
    mut db: Db<'_>,
    task: &ParcelTask,
    due_at: Timestamp,
    tries: u32,
    asked: Option<Timestamp>,
) -> Result<()> {
    execute!(
        db,
        sqlx::query(LATER)
            .bind(task.account_id.0)
            .bind(task.shipment_id.0)
            .bind(task.woken)
            .bind(due_at.micros())
            .bind(i64::from(tries))
            .bind(task.held_until.micros())
            .bind(asked.unwrap_or(task.asked_at).micros())
    );
    Ok(())
}

/// Deletes a finished task; `false` if there was a notice during the lease or another worker holds it.
pub async fn delete(mut db: Db<'_>, task: &ParcelTask) -> Result<bool> {
    let deleted = execute!(
        db,
        sqlx::query(DELETE)
            .bind(task.account_id.0)
            .bind(task.shipment_id.0)
            .bind(task.woken)
            .bind(task.held_until.micros())
    );
    Ok(deleted > 0)
}

/// Ends the tracking of a return's shipments.
pub async fn forget(mut db: Db<'_>, account: AccountId, order: ReturnOrderId) -> Result<()> {
    execute!(db, sqlx::query(FORGET).bind(account.0).bind(order.0));
    Ok(())
}

/// The number of due tasks of the whole installation, and since when the first is due.
pub async fn backlog(mut db: Db<'_>, now: Timestamp) -> Result<(i64, Option<Timestamp>)> {
    let (waiting, oldest): (i64, Option<i64>) =
        on!(&mut db, c => sqlx::query_as(WORKER_BACKLOG).bind(now.micros()).fetch_one(&mut **c).await?);
    Ok((waiting, oldest.map(Timestamp::from_micros)))
}
