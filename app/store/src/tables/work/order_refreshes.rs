//! Stored orders that are read again from their shop, because something has changed there. Each order has at most one
//! row, so that many changes within some seconds lead to one reading.

use crate::engine::{
    Db, Result,
    queue::{self, Claim, Claimable, Claiming, IsEnough, Shares, Waiting},
    stored::count,
};
use domain::{AccountId, OrderId, Timestamp};
use uuid::Uuid;

/// The most orders of one account that are read at a time: shoppers' look-ups share the shop's limit of requests.
const OF_ACCOUNT: usize = 2;

/// Nothing of an account while an instance reads some of its orders.
macro_rules! none_is_held {
    () => {
        " AND NOT EXISTS (SELECT 1 FROM order_refreshes o WHERE o.account_id = s.account_id AND o.held_until > $1)"
    };
}

statements! {
    in order_refreshes;
    /// A change during a reading leads to another reading.
    INSERT = "INSERT INTO order_refreshes (account_id, order_id, due_at, created_at) VALUES ($1, $2, $3, $4)
        ON CONFLICT (account_id, order_id) DO UPDATE SET woken = order_refreshes.woken + 1";
    WORKER_TURN = "UPDATE worker_turns SET taken = taken + 1 WHERE name = 'order refreshes'";
    WORKER_FIRST_WAITING = first_waiting_accounts!("order_refreshes", none_is_held!());
    WORKER_WAITING = waiting_accounts!("order_refreshes", none_is_held!());
    WORKER_DUE = concat!("SELECT account_id, order_id, tries, woken, created_at FROM order_refreshes s
        WHERE account_id = $3 AND due_at <= $1 AND held_until <= $1", none_is_held!(), " ORDER BY due_at, order_id LIMIT $2");
    LEASE = lease_rows!("order_refreshes", "order_id");
    /// Only by the holder of the lease. After a change during the lease, the order is read again soon (`$6`).
    LATER = "UPDATE order_refreshes SET due_at = CASE WHEN woken = $3 THEN CAST($4 AS BIGINT) ELSE CAST($6 AS BIGINT) END,
         tries = CASE WHEN woken = $3 THEN $5 ELSE 0 END, held_until = 0
        WHERE account_id = $1 AND order_id = $2 AND held_until = $7";
    DELETE = "DELETE FROM order_refreshes WHERE account_id = $1 AND order_id = $2 AND woken = $3 AND held_until = $4";
    WORKER_BACKLOG = "SELECT COUNT(*), MIN(due_at) FROM order_refreshes WHERE due_at <= $1";
}

/// An order to read again.
#[derive(Debug, Clone)]
pub struct OrderRefresh {
    pub account_id: AccountId,
    pub order_id: OrderId,
    /// The number of failed calls in a row.
    pub tries: u32,
    pub created_at: Timestamp,
    woken: i64,
    held_until: Timestamp,
}

#[derive(sqlx::FromRow)]
struct OrderRefreshRow {
    account_id: Uuid,
    order_id: Uuid,
    tries: i64,
    woken: i64,
    created_at: i64,
}

impl Claimable for OrderRefreshRow {
    fn ids(&self) -> (Uuid, Uuid) {
        (self.account_id, self.order_id)
    }
}

impl OrderRefreshRow {
    fn refresh(self, held_until: Timestamp) -> Result<OrderRefresh> {
        Ok(OrderRefresh {
            account_id: AccountId(self.account_id),
            order_id: OrderId(self.order_id),
            tries: count("order_refreshes.tries", self.tries)?,
            created_at: Timestamp::from_micros(self.created_at),
            woken: self.woken,
            held_until,
        })
    }
}

/// Requests that an order is read again at a moment. If that is requested already, the earlier request stays.
pub async fn insert(
    mut db: Db<'_>,
    account: AccountId,
    order: OrderId,
    due_at: Timestamp,
    now: Timestamp,
) -> Result<()> {
    let (due_at, now) = (due_at.micros(), now.micros());
    execute!(db, sqlx::query(INSERT).bind(account.0).bind(order.0).bind(due_at).bind(now));
    Ok(())
}

/// Accounts with orders that can be claimed, the longest due first.
pub async fn waiting(db: Db<'_>, now: Timestamp, is_enough: IsEnough<'_>) -> Result<Vec<AccountId>> {
    queue::waiting(db, &Waiting { first: WORKER_FIRST_WAITING, all: WORKER_WAITING }, now, is_enough).await
}

/// Claims due orders, at most two of an account at a time, with a lease until a moment. Other claims wait for the
/// transaction to end.
pub async fn claim(db: Db<'_>, now: Timestamp, until: Timestamp, shares: Shares<'_>) -> Result<Vec<OrderRefresh>> {
    let (of_accounts, most) = shares;
    let bounded: Vec<(AccountId, usize)> =
        of_accounts.iter().map(|(account, share)| (*account, (*share).min(OF_ACCOUNT))).collect();
    let claiming = Claiming { in_one: None, turn: WORKER_TURN, due: WORKER_DUE, lease: LEASE };
    let rows = queue::claim::<OrderRefreshRow>(db, &claiming, Claim::new(now, until, (&bounded, most))).await?;
    rows.into_iter().map(|row| row.refresh(until)).collect()
}

/// Gives an order back: due again at a moment, or at `soon` if there was a change during the lease.
pub async fn later(
    mut db: Db<'_>,
    refresh: &OrderRefresh,
    due_at: Timestamp,
    tries: u32,
    soon: Timestamp,
) -> Result<()> {
    execute!(
        db,
        sqlx::query(LATER)
            .bind(refresh.account_id.0)
            .bind(refresh.order_id.0)
            .bind(refresh.woken)
            .bind(due_at.micros())
            .bind(i64::from(tries))
            .bind(soon.micros())
            .bind(refresh.held_until.micros())
    );
    Ok(())
}

/// Deletes a finished request; `false` if there was a change during the lease, or another instance holds it.
pub async fn delete(mut db: Db<'_>, refresh: &OrderRefresh) -> Result<bool> {
    let deleted = execute!(
        db,
        sqlx::query(DELETE)
            .bind(refresh.account_id.0)
            .bind(refresh.order_id.0)
            .bind(refresh.woken)
            .bind(refresh.held_until.micros())
    );
    Ok(deleted > 0)
}

/// The number of due orders of the whole installation, and since when the first is due.
pub async fn backlog(mut db: Db<'_>, now: Timestamp) -> Result<(i64, Option<Timestamp>)> {
    let (waiting, oldest): (i64, Option<i64>) =
        on!(&mut db, c => sqlx::query_as(WORKER_BACKLOG).bind(now.micros()).fetch_one(&mut **c).await?);
    Ok((waiting, oldest.map(Timestamp::from_micros)))
}
