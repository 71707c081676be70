//! Label requests: labels that a carrier is asked for, from the moment that one is needed until it is stored.

use crate::engine::{
    Db, Result,
    queue::{self, Claim, Claimable, Claiming, IsEnough, Lease, Shares, Waiting},
    stored::count,
};
use domain::{AccountId, ReturnOrderId, ShipmentId, Timestamp, TransactionId};
use uuid::Uuid;

macro_rules! columns {
    () => {
        "account_id, id, shipment_id, tries, first_asked_at, asked_carrier, held_until"
    };
}

statements! {
    in label_requests;
    /// A request whose outcome is unknown keeps its transaction.
    INSERT = "INSERT INTO label_requests (account_id, id, shipment_id, due_at, created_at) VALUES ($1, $2, $3, $4, $4)
        ON CONFLICT (account_id, shipment_id) DO UPDATE SET due_at = excluded.due_at, tries = 0, first_asked_at = NULL";
    LOOKED_INTO = "UPDATE label_requests SET asked_carrier = '' WHERE account_id = $1 AND shipment_id = $2";
    WORKER_TURN = "UPDATE worker_turns SET taken = taken + 1 WHERE name = 'labels'";
    WORKER_FIRST_WAITING = first_waiting_accounts!("label_requests");
    WORKER_WAITING = waiting_accounts!("label_requests");
    WORKER_DUE = concat!("SELECT ", columns!(), " FROM label_requests WHERE account_id = $3 AND due_at <= $1
        AND held_until <= $1 ORDER BY due_at, seq LIMIT $2");
    LEASE = lease_rows!("label_requests", "id");
    ASKED = "UPDATE label_requests SET first_asked_at = COALESCE(first_asked_at, $3), held_until = $4, asked_carrier = $5
        WHERE account_id = $1 AND id = $2";
    FIND_OF_SHIPMENT = concat!("SELECT ", columns!(), " FROM label_requests WHERE account_id = $1 AND shipment_id = $2");
    LATER = "UPDATE label_requests SET due_at = $3, tries = $4, held_until = COALESCE($5, held_until)
        WHERE account_id = $1 AND id = $2";
    /// Requests of cancelled shipments that wait for a person.
    FORGET = "DELETE FROM label_requests WHERE account_id = $1 AND due_at IS NULL
        AND shipment_id IN (SELECT id FROM shipments WHERE account_id = $1 AND return_order_id = $2 AND status = 'Cancelled')";
    DELETE = "DELETE FROM label_requests WHERE account_id = $1 AND id = $2";
    WORKER_BACKLOG = "SELECT COUNT(*), MIN(created_at) FROM label_requests WHERE due_at IS NOT NULL";
}

const CLAIM_IN_ONE: &str = claim_in_one!("label_requests", "id", "labels", columns!());

/// A label that a carrier is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LabelRequest {
    pub account_id: AccountId,
    /// The id at the carrier: the same until it is certain that no label was made.
    pub id: TransactionId,
    pub shipment_id: ShipmentId,
    /// The number of attempts without a definite outcome.
    pub tries: u32,
    /// The first attempt since a person last requested the label; `None` if there was none.
    pub first_asked_at: Option<Timestamp>,
    /// The component that was asked; empty if there was none, or if a person has looked there.
    pub asked_carrier: String,
    /// The end of the lease.
    pub held_until: Timestamp,
}

#[derive(sqlx::FromRow)]
struct LabelRequestRow {
    account_id: Uuid,
    id: Uuid,
    shipment_id: Uuid,
    tries: i64,
    first_asked_at: Option<i64>,
    asked_carrier: String,
    held_until: i64,
}

impl Claimable for LabelRequestRow {
    fn ids(&self) -> (Uuid, Uuid) {
        (self.account_id, self.id)
    }
}

impl LabelRequestRow {
    fn label_request(self) -> Result<LabelRequest> {
        Ok(LabelRequest {
            account_id: AccountId(self.account_id),
            id: TransactionId(self.id),
            shipment_id: ShipmentId(self.shipment_id),
            tries: count("label_requests.tries", self.tries)?,
            first_asked_at: self.first_asked_at.map(Timestamp::from_micros),
            asked_carrier: self.asked_carrier,
            held_until: Timestamp::from_micros(self.held_until),
        })
    }
}

/// Requests a shipment's label, due at once, under this transaction or the one of an earlier request.
pub async fn insert(
    mut db: Db<'_>,
    account: AccountId,
    id: TransactionId,
    shipment: ShipmentId,
    now: Timestamp,
) -> Result<()> {
    execute!(db, sqlx::query(INSERT).bind(account.0).bind(id.0).bind(shipment.0).bind(now.micros()));
    Ok(())
}

/// Records that a person has looked at the component that was asked and found no label: another component may be asked.
pub async fn looked_into(mut db: Db<'_>, account: AccountId, shipment: ShipmentId) -> Result<()> {
    execute!(db, sqlx::query(LOOKED_INTO).bind(account.0).bind(shipment.0));
    Ok(())
}

/// Accounts with due tasks that nobody holds, the longest due first.
pub async fn waiting(db: Db<'_>, now: Timestamp, is_enough: IsEnough<'_>) -> Result<Vec<AccountId>> {
    queue::waiting(db, &Waiting { first: WORKER_FIRST_WAITING, all: WORKER_WAITING }, now, is_enough).await
}

/// Claims due requests with a lease until a moment. Other claims wait for the transaction to end.
pub async fn claim(db: Db<'_>, now: Timestamp, until: Timestamp, shares: Shares<'_>) -> Result<Vec<LabelRequest>> {
    let claiming = Claiming { in_one: Some(CLAIM_IN_ONE), turn: WORKER_TURN, due: WORKER_DUE, lease: LEASE };
    let rows = queue::claim::<LabelRequestRow>(db, &claiming, Claim::new(now, until, shares)).await?;
    rows.into_iter().map(|row| Ok(LabelRequest { held_until: until, ..row.label_request()? })).collect()
}

/// Records that this component is asked now, with a lease until a moment.
pub async fn asked(mut db: Db<'_>, one: &LabelRequest, shop: &str, now: Timestamp, until: Timestamp) -> Result<()> {
    let (now, until) = (now.micros(), until.micros());
    execute!(db, sqlx::query(ASKED).bind(one.account_id.0).bind(one.id.0).bind(now).bind(until).bind(shop));
    Ok(())
}

/// The request of a shipment; `None` if there is none.
pub async fn find_of_shipment(
    mut db: Db<'_>,
    account: AccountId,
    shipment: ShipmentId,
) -> Result<Option<LabelRequest>> {
    let row: Option<LabelRequestRow> = on!(
        &mut db,
        c => sqlx::query_as(FIND_OF_SHIPMENT).bind(account.0).bind(shipment.0).fetch_optional(&mut **c).await?
    );
    row.map(LabelRequestRow::label_request).transpose()
}

/// Gives a request back: due again at a moment, or, without one, when a person requests it.
pub async fn later(
    mut db: Db<'_>,
    one: &LabelRequest,
    due_at: Option<Timestamp>,
    tries: u32,
    lease: Lease,
) -> Result<()> {
    execute!(
        db,
        sqlx::query(LATER)
            .bind(one.account_id.0)
            .bind(one.id.0)
            .bind(due_at.map(Timestamp::micros))
            .bind(i64::from(tries))
            .bind(lease.micros())
    );
    Ok(())
}

/// Deletes the requests of a return's cancelled shipments that wait for a person.
pub async fn forget(mut db: Db<'_>, account: AccountId, order: ReturnOrderId) -> Result<()> {
    execute!(db, sqlx::query(FORGET).bind(account.0).bind(order.0));
    Ok(())
}

/// Deletes a request whose outcome is certain: the next one has another transaction.
pub async fn delete(mut db: Db<'_>, one: &LabelRequest) -> Result<()> {
    execute!(db, sqlx::query(DELETE).bind(one.account_id.0).bind(one.id.0));
    Ok(())
}

/// The number of open requests of the whole installation, and the time of the oldest.
pub async fn backlog(mut db: Db<'_>) -> Result<(i64, Option<Timestamp>)> {
    let (waiting, oldest): (i64, Option<i64>) =
        on!(&mut db, c => sqlx::query_as(WORKER_BACKLOG).fetch_one(&mut **c).await?);
    Ok((waiting, oldest.map(Timestamp::from_micros)))
}
