//! Resolutions that a shop carries out: from their approval until that is done.

use crate::engine::{Db, Result, macros::count, queue::{self, Claimable, Claiming, Hold, IsEnough, Waiting}};
use domain::{AccountId, OrderId, ReturnRequestId, Timestamp, TransactionId};
use uuid::Uuid;

macro_rules! columns {
    () => {
        "account_id, id, return_request_id, order_id, tries, first_asked_at, asked_shop, held_until"
    };
}

/// Of each sales order the first that is due, while none of it is held. With the `+`, SQLite looks among those of the order;
/// without, it would look through all that is due of the account, for each.
macro_rules! first_of_its_order {
    () => {
        " AND NOT EXISTS (SELECT 1 FROM settlements o WHERE o.account_id = s.account_id AND o.order_id = s.order_id
         AND (o.held_until > $1 OR (+o.due_at <= $1 AND o.seq < s.seq)))"
    };
}

statements! {
    /// One that failed and is approved or tried again keeps its transaction.
    INSERT = "INSERT INTO settlements (account_id, id, return_request_id, order_id, due_at, created_at, first_asked_at)
        VALUES ($1, $2, $3, $4, $5, $5, $6)
        ON CONFLICT (account_id, return_request_id) DO UPDATE SET due_at = excluded.due_at, tries = 0,
         first_asked_at = excluded.first_asked_at, asked_shop = ''";
    WORKER_TURN = "UPDATE worker_turns SET taken = taken + 1 WHERE name = 'settlements'";
    WORKER_FIRST_WAITING = first_waiting_accounts!("settlements", first_of_its_order!());
    WORKER_WAITING = waiting_accounts!("settlements", first_of_its_order!());
    WORKER_DUE = concat!("SELECT ", columns!(), " FROM settlements s WHERE account_id = $3 AND due_at <= $1 AND held_until <= $1",
        first_of_its_order!(), " ORDER BY due_at, seq LIMIT $2");
    HOLD = "UPDATE settlements SET held_until = $3 WHERE (account_id = $1 AND id = $2)";
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
    /// Whose.
    pub account_id: AccountId,
    /// By which the shop knows it: the same whenever it is asked.
    pub id: TransactionId,
    /// Of which request.
    pub return_request_id: ReturnRequestId,
    /// Of which sales order.
    pub order_id: OrderId,
    /// How often it was asked without an answer that says how it ended.
    pub tries: u32,
    /// When the shop was asked first, since a person last said so; `None`: it was not asked yet.
    pub first_asked_at: Option<Timestamp>,
    /// Which shop was asked; empty: none, or a person has looked there.
    pub asked_shop: String,
    /// Until when nobody else is given it, nor another of its sales order.
    pub held_until: Timestamp,
}

impl Settlement {
    /// Whether a shop may have carried it out, or may do so yet, for all that is known.
    pub fn is_open(&self) -> bool {
        self.first_asked_at.is_some() || !self.asked_shop.is_empty()
    }
}

#[derive(sqlx::FromRow)]
struct Row {
    account_id: Uuid,
    id: Uuid,
    return_request_id: Uuid,
    order_id: Uuid,
    tries: i64,
    first_asked_at: Option<i64>,
    asked_shop: String,
    held_until: i64,
}

impl Claimable for Row {
    fn ids(&self) -> (Uuid, Uuid) {
        (self.account_id, self.id)
    }
}

impl Row {
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

/// Has a request settled, at once. Where it was begun before, it goes on under the same transaction.
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

/// Accounts that have something due that can be claimed, beginning with whose has waited longest.
pub async fn waiting(db: Db<'_>, now: Timestamp, is_enough: IsEnough<'_>) -> Result<Vec<AccountId>> {
    queue::waiting(db, &Waiting { first: WORKER_FIRST_WAITING, all: WORKER_WAITING }, now, is_enough).await
}

/// Settlements that are due, never two of one sales order, held until a moment: nobody else is given them before. So many
/// of each account at most, in this order of accounts, and so many in all. Whoever asks at the same time waits for the
/// transaction to end.
pub async fn claim(
    db: Db<'_>,
    now: Timestamp,
    until: Timestamp,
    shares: (&[(AccountId, usize)], usize),
) -> Result<Vec<Settlement>> {
    // What is due of one order depends on its other rows: they have to be read after the turn was taken.
    let claiming = Claiming { in_one: None, turn: WORKER_TURN, due: WORKER_DUE, hold: HOLD };
    let rows = queue::claim::<Row>(db, &claiming, (now, until), shares).await?;
    rows.into_iter().map(|row| Ok(Settlement { held_until: until, ..row.settlement()? })).collect()
}

/// Notes which shop is asked now, and holds it until nothing can be under way any more.
pub async fn asked(mut db: Db<'_>, one: &Settlement, shop: &str, now: Timestamp, until: Timestamp) -> Result<()> {
    let (now, until) = (now.micros(), until.micros());
    execute!(db, sqlx::query(ASKED).bind(one.account_id.0).bind(one.id.0).bind(now).bind(until).bind(shop));
    Ok(())
}

/// As it is now; `None` when it is done.
pub async fn find(mut db: Db<'_>, account: AccountId, id: TransactionId) -> Result<Option<Settlement>> {
    let row: Option<Row> =
        on!(&mut db, c => sqlx::query_as(FIND).bind(account.0).bind(id.0).fetch_optional(&mut **c).await?);
    row.map(Row::settlement).transpose()
}

/// A request's, as it is now; `None` where no shop was to be asked, and when it is done.
pub async fn find_of_request(
    mut db: Db<'_>,
    account: AccountId,
    request: ReturnRequestId,
) -> Result<Option<Settlement>> {
    let row: Option<Row> = on!(
        &mut db,
        c => sqlx::query_as(FIND_OF_REQUEST).bind(account.0).bind(request.0).fetch_optional(&mut **c).await?
    );
    row.map(Row::settlement).transpose()
}

/// Gives it back: due again at a moment, or without one when a person says so.
pub async fn later(
    mut db: Db<'_>,
    one: &Settlement,
    due_at: Option<Timestamp>,
    (tries, hold): (u32, Hold),
) -> Result<()> {
    execute!(
        db,
        sqlx::query(LATER)
            .bind(one.account_id.0)
            .bind(one.id.0)
            .bind(due_at.map(Timestamp::micros))
            .bind(i64::from(tries))
            .bind(hold.micros())
    );
    Ok(())
}

/// The shop says that it gave nothing: it waits for a person, as if the shop had not been asked.
pub async fn nothing_given(mut db: Db<'_>, one: &Settlement) -> Result<()> {
    execute!(db, sqlx::query(NOTHING_GIVEN).bind(one.account_id.0).bind(one.id.0));
    Ok(())
}

/// A request is settled, by whomever.
pub async fn delete(mut db: Db<'_>, account: AccountId, request: ReturnRequestId) -> Result<()> {
    execute!(db, sqlx::query(DELETE).bind(account.0).bind(request.0));
    Ok(())
}

/// How many are to be carried out in the whole installation, and since when the first is due.
pub async fn backlog(mut db: Db<'_>) -> Result<(i64, Option<Timestamp>)> {
    let (waiting, oldest): (i64, Option<i64>) =
        on!(&mut db, c => sqlx::query_as(WORKER_BACKLOG).fetch_one(&mut **c).await?);
    Ok((waiting, oldest.map(Timestamp::from_micros)))
}
