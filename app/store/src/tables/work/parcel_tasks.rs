//! What carriers are to be asked of parcels, besides making their labels: where one is, and to void the label of one that is
//! not sent any more. One thing of each parcel at a time.

use crate::engine::{Db, Result, macros::{count, named}, queue::{self, Claimable, Claiming, IsEnough, Waiting}};
use domain::{AccountId, ReturnOrderId, ShipmentId, Timestamp, carrier::CarrierReference};
use uuid::Uuid;

macro_rules! columns {
    () => {
        "account_id, shipment_id, work, reference, carrier, tries, woken, asked_at, created_at"
    };
}

statements! {
    /// Whoever is at something else meanwhile finds that there is this by now.
    INSERT = "INSERT INTO parcel_tasks (account_id, shipment_id, work, reference, due_at, created_at, carrier)
        VALUES ($1, $2, $3, $4, $5, $6, $7)
        ON CONFLICT (account_id, shipment_id) DO UPDATE SET work = excluded.work, reference = excluded.reference,
         carrier = excluded.carrier, due_at = excluded.due_at, tries = 0, woken = parcel_tasks.woken + 1, created_at = excluded.created_at";
    /// A carrier that cannot be asked just now is not asked sooner for it, nor one that was asked within the last minute; where
    /// it is asked as soon anyway, nothing is written.
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
    HOLD = "UPDATE parcel_tasks SET held_until = $3 WHERE (account_id = $1 AND shipment_id = $2)";
    /// By whom it is held alone. What was said meanwhile stays, and what is to be asked in place of it begins anew.
    LATER = "UPDATE parcel_tasks SET due_at = CASE WHEN woken = $3 THEN $4 ELSE due_at END,
         tries = CASE WHEN woken = $3 THEN $5 ELSE tries END, held_until = 0, asked_at = $7
        WHERE account_id = $1 AND shipment_id = $2 AND held_until = $6";
    DELETE = "DELETE FROM parcel_tasks WHERE account_id = $1 AND shipment_id = $2 AND woken = $3 AND held_until = $4";
    FORGET = "DELETE FROM parcel_tasks WHERE account_id = $1 AND work = 'Follow'
        AND shipment_id IN (SELECT id FROM shipments WHERE account_id = $1 AND return_order_id = $2)";
    WORKER_BACKLOG = "SELECT COUNT(*), MIN(due_at) FROM parcel_tasks WHERE due_at <= $1";
}

const CLAIM_IN_ONE: &str = claim_in_one!("parcel_tasks", "shipment_id", "parcels", columns!());

/// What a carrier is to be asked of a parcel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ParcelWork {
    /// Where it is.
    Follow,
    /// To void its label.
    Void,
    /// To void what may have been made of a label, of which nobody has heard: it is known by our transaction alone.
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

/// A parcel that its carrier is to be asked of.
#[derive(Debug, Clone)]
pub struct ParcelTask {
    /// Whose.
    pub account_id: AccountId,
    /// Which.
    pub shipment_id: ShipmentId,
    /// What is asked.
    pub work: ParcelWork,
    /// Who made its label, and what they call it; with [`ParcelWork::VoidUnheard`] the transaction under which they were asked
    /// to.
    pub reference: CarrierReference,
    /// How often in a row the carrier could not be asked, or refused.
    pub tries: u32,
    /// Since when it is to be asked.
    pub created_at: Timestamp,
    woken: i64,
    asked_at: Timestamp,
    held_until: Timestamp,
}

#[derive(sqlx::FromRow)]
struct Row {
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

impl Claimable for Row {
    fn ids(&self) -> (Uuid, Uuid) {
        (self.account_id, self.shipment_id)
    }
}

impl Row {
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

/// Has a carrier asked this of a parcel, which it knows by a reference, at a moment, in place of what it was to be asked
/// before.
pub async fn insert(
    mut db: Db<'_>,
    account: AccountId,
    (shipment, work, reference): (ShipmentId, ParcelWork, &CarrierReference),
    (due_at, now): (Timestamp, Timestamp),
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

/// Accounts that have something due that nobody is at, beginning with whose has waited longest.
pub async fn waiting(db: Db<'_>, now: Timestamp, is_enough: IsEnough<'_>) -> Result<Vec<AccountId>> {
    queue::waiting(db, &Waiting { first: WORKER_FIRST_WAITING, all: WORKER_WAITING }, now, is_enough).await
}

/// Those that are due, held until a moment: nobody else is given them before. So many of each account at most, in this
/// order of accounts, and so many in all. Whoever asks at the same time waits for the transaction to end.
pub async fn claim(
    db: Db<'_>,
    now: Timestamp,
    until: Timestamp,
    shares: (&[(AccountId, usize)], usize),
) -> Result<Vec<ParcelTask>> {
    let claiming = Claiming { in_one: Some(CLAIM_IN_ONE), turn: WORKER_TURN, due: WORKER_DUE, hold: HOLD };
    let rows = queue::claim::<Row>(db, &claiming, (now, until), shares).await?;
    rows.into_iter().map(|row| row.task(until)).collect()
}

/// Somebody says that something has happened to parcels of that number: their carrier is asked now, where it is to be.
pub async fn notice(mut db: Db<'_>, account: AccountId, tracking_number: &str, now: Timestamp) -> Result<()> {
    execute!(db, sqlx::query(NOTICE).bind(account.0).bind(tracking_number).bind(now.micros()));
    Ok(())
}

/// Whether a carrier is to be asked where a parcel of that number is.
pub async fn is_followed(mut db: Db<'_>, account: AccountId, tracking_number: &str) -> Result<bool> {
    let followed: i64 = on!(
        &mut db,
        c => sqlx::query_scalar(COUNT_FOLLOWED).bind(account.0).bind(tracking_number).fetch_one(&mut **c).await?
    );
    Ok(followed > 0)
}

/// Gives it back: due again at a moment, or earlier where something was said of it meanwhile. `asked`: when the carrier has
/// answered.
pub async fn later(
    mut db: Db<'_>,
    task: &ParcelTask,
    due_at: Timestamp,
    (tries, asked): (u32, Option<Timestamp>),
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

/// There is nothing more to ask; `false` where something was said of it meanwhile, or somebody else is at it.
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

/// Nobody is to learn any more where the parcels of a return are.
pub async fn forget(mut db: Db<'_>, account: AccountId, order: ReturnOrderId) -> Result<()> {
    execute!(db, sqlx::query(FORGET).bind(account.0).bind(order.0));
    Ok(())
}

/// How many are due in the whole installation, and since when the first is.
pub async fn backlog(mut db: Db<'_>, now: Timestamp) -> Result<(i64, Option<Timestamp>)> {
    let (waiting, oldest): (i64, Option<i64>) =
        on!(&mut db, c => sqlx::query_as(WORKER_BACKLOG).bind(now.micros()).fetch_one(&mut **c).await?);
    Ok((waiting, oldest.map(Timestamp::from_micros)))
}
