//! Settlements: resolutions that a shop carries out, from their approval until they are done.

use crate::engine::{
    Db, Result,
    queue::{self, Claim, Claimable, Claiming, IsEnough, Lease, Shares, Waiting},
    stored::count,
};
use domain::{AccountId, OrderId, ReturnRequestId, Timestamp, TransactionId};
use uuid::Uuid;

macro_rules! columns {
    () => {
        "account_id, id, return_request_id, order_id, tries, first_asked_at, asked_shop, held_until"
    };
}

/// Of each sales order, the first settlement that is due, while none of the order is leased. With the `+`, SQLite
/// searches the settlements of the order; without it, it would search all due settlements of the account for each.
macro_rules! first_of_its_order {
    () => {
        " AND NOT EXISTS (SELECT 1 FROM settlements o WHERE o.account_id = s.account_id AND o.order_id = s.order_id
         AND (o.held_until > $1 OR (+o.due_at <= $1 AND o.seq < s.seq)))"
    };
}

statements! {
    in settlements;
    /// A settlement that failed and is approved or tried again keeps its transaction.
    INSERT = "INSERT INTO settlements (account_id, id, return_request_id, order_id, due_at, created_at, first_asked_at)
        VALUES ($1, $2, $3, $4, $5, $5, $6)
        ON CONFLICT (account_id, return_request_id) DO UPDATE SET due_at = excluded.due_at, tries = 0,
         first_asked_at = excluded.first_asked_at, asked_shop = ''";
    WORKER_TURN = "UPDATE worker_turns SET taken = taken + 1 WHERE name = 'settlements'";
    WORKER_FIRST_WAITING = first_waiting_accounts!("settlements", first_of_its_order!());
    WORKER_WAITING = waiting_accounts!("settlements", first_of_its_order!());
    WORKER_DUE = concat!("SELECT ", columns!(), " FROM settlements s WHERE account_id = $3 AND due_at <= $1 AND held_until <= $1",
        first_of_its_order!(), " ORDER BY due_at, seq LIMIT $2");
    LEASE = lease_rows!("settlements", "id");
    ASKED = "UPDATE settlements SET first_asked_at = COALESCE(first_asked_at, $3), held_until = $4, asked_shop = $5
        WHERE account_id = $1 AND id = $2";
    FIND = concat!("SELECT ", columns!(), " FROM settlements WHERE account_id = $1 AND id = $2");
    FIND_OF_REQUEST = concat!("SELECT ", columns!(), " FROM settlements WHERE account_id = $1 AND return_request_id = $2");
    LATER = "UPDATE settlements SET due_at = $3, tries = $4, held_until = COALESCE($5, held_until)
        WHERE account_id = $1 AND id = $2";
    NOTHING_GIVEN = "UPDATE settlements SET due_at = NULL, tries = 0, held_until = 0, first_asked_at = NULL, asked_shop = ''
        WHERE account_id = $1 AND id = $2";
    DELETE = "DELETE FROM settlements WHERE account_id = $1 AND return_request_id = $2";
    WORKER_BACKLOG = "SELECT COUNT(*), MIN(created_at) FROM settlements WHERE due_at IS NOT NULL";
}

/// A resolution that a shop carries out.
#[derive(Debug, Clone)]
pub struct Settlement {
    pub account_id: AccountId,
    /// The id at the shop: the same for every attempt.
    pub id: TransactionId,
    pub return_request_id: ReturnRequestId,
    /// The sales order.
    pub order_id: OrderId,
    /// The number of attempts without a definite outcome.
    pub tries: u32,
    /// The first attempt since a person last requested it; `None` if there was none.
    pub first_asked_at: Option<Timestamp>,
    /// The shop that was asked; empty if there was none, or if a person has looked there.
    pub asked_shop: String,
    /// The end of the lease, which covers every settlement of the sales order.
    pub held_until: Timestamp,
}

impl Settlement {
    /// Whether a shop may have carried it out, or may still do so.
    pub fn is_open(&self) -> bool {
        self.first_asked_at.is_some() || !self.asked_shop.is_empty()
    }
}

#[derive(sqlx::FromRow)]
struct SettlementRow {
    account_id: Uuid,
    id: Uuid,
    return_request_id: Uuid,
    order_id: Uuid,
    tries: i64,
    first_asked_at: Option<i64>,
    asked_shop: String,
    held_until: i64,
}

impl Claimable for SettlementRow {
    fn ids(&self) -> (Uuid, Uuid) {
        (self.account_id, self.id)
    }
}

impl SettlementRow {
    fn settlement(self) -> Result<Settlement> {
        Ok(Settlement {
            account_id: AccountId(self.account_id),
            id: TransactionId(self.id),
            return_request_id: ReturnRequestId(self.return_request_id),
            order_id: OrderId(self.order_id),
            tries: count("settlements.tries", self.tries)?,
            first_asked_at: self.first_asked_at.map(Timestamp::from_micros),
            asked_shop: self.asked_shop,
            held_until: Timestamp::from_micros(self.held_until),
        })
    }
}

/// Requests a settlement, due at once. One that was started before continues under the same transaction.
pub async fn insert(mut db: Db<'_>, one: &Settlement, now: Timestamp) -> Result<()> {
    execute!(
        db,
        sqlx::query(INSERT)
            .bind(one.account_id.0)
            .bind(one.id.0)
            .bind(one.return_request_id.0)
            .bind(one.order_id.0)
            .bind(now.micros())
            .bind(one.first_asked_at.map(Timestamp::micros))
    );
    Ok(())
}

/// Accounts with settlements that can be claimed, the longest due first.
pub async fn waiting(db: Db<'_>, now: Timestamp, is_enough: IsEnough<'_>) -> Result<Vec<AccountId>> {
    queue::waiting(db, &Waiting { first: WORKER_FIRST_WAITING, all: WORKER_WAITING }, now, is_enough).await
}

/// Claims due settlements, never two of one sales order, with a lease until a moment. Other claims wait for the
/// transaction to end.
pub async fn claim(db: Db<'_>, now: Timestamp, until: Timestamp, shares: Shares<'_>) -> Result<Vec<Settlement>> {
    // Which settlement of an order is due depends on the order's other rows, which have to be read after the turn was
    // taken.
    let claiming = Claiming { in_one: None, turn: WORKER_TURN, due: WORKER_DUE, lease: LEASE };
    let rows = queue::claim::<SettlementRow>(db, &claiming, Claim::new(now, until, shares)).await?;
    rows.into_iter().map(|row| Ok(Settlement { held_until: until, ..row.settlement()? })).collect()
}

/// Records the shop that is asked now, with a lease until no request can be running any more.
pub async fn asked(mut db: Db<'_>, one: &Settlement, shop: &str, now: Timestamp, until: Timestamp) -> Result<()> {
    let (now, until) = (now.micros(), until.micros());
    execute!(db, sqlx::query(ASKED).bind(one.account_id.0).bind(one.id.0).bind(now).bind(until).bind(shop));
    Ok(())
}

/// The settlement of that id; `None` if it is done.
pub async fn find(mut db: Db<'_>, account: AccountId, id: TransactionId) -> Result<Option<Settlement>> {
    let row: Option<SettlementRow> =
        on!(&mut db, c => sqlx::query_as(FIND).bind(account.0).bind(id.0).fetch_optional(&mut **c).await?);
    row.map(SettlementRow::settlement).transpose()
}

/// The settlement of a return request; `None` if there was none or it is done.
pub async fn find_of_request(
    mut db: Db<'_>,
    account: AccountId,
    request: ReturnRequestId,
) -> Result<Option<Settlement>> {
    let row: Option<SettlementRow> = on!(
        &mut db,
        c => sqlx::query_as(FIND_OF_REQUEST).bind(account.0).bind(request.0).fetch_optional(&mut **c).await?
    );
    row.map(SettlementRow::settlement).transpose()
}

/// Gives a settlement back: due again at a moment, or, without one, when a person requests it.
pub async fn later(
    mut db: Db<'_>,
    one: &Settlement,
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

/// Records that the shop refunded nothing: the settlement waits for a person, as if the shop had not been asked.
pub async fn nothing_given(mut db: Db<'_>, one: &Settlement) -> Result<()> {
    execute!(db, sqlx::query(NOTHING_GIVEN).bind(one.account_id.0).bind(one.id.0));
    Ok(())
}

/// Deletes the settlement of a return request that is settled, by the shop or by a person.
pub async fn delete(mut db: Db<'_>, account: AccountId, request: ReturnRequestId) -> Result<()> {
    execute!(db, sqlx::query(DELETE).bind(account.0).bind(request.0));
    Ok(())
}

/// The number of open settlements of the whole installation, and the creation of the oldest.
pub async fn backlog(mut db: Db<'_>) -> Result<(i64, Option<Timestamp>)> {
    let (waiting, oldest): (i64, Option<i64>) =
        on!(&mut db, c => sqlx::query_as(WORKER_BACKLOG).fetch_one(&mut **c).await?);
    Ok((waiting, oldest.map(Timestamp::from_micros)))
}
