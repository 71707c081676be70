//! Payment tasks: requests to payment providers about payments of returns, while a payment can be made, is in progress,
//! or has to be refunded.

use crate::engine::{
    Db, Result,
    queue::{self, Claim, Claimable, Claiming, IsEnough, Shares, Waiting},
    stored::count,
};
use domain::{AccountId, ReturnOrderId, Timestamp};
use uuid::Uuid;

macro_rules! columns {
    () => {
        "account_id, return_order_id, tries, woken, asked_at"
    };
}

statements! {
    in payment_tasks;
    /// A worker that holds the task finds that it was woken.
    WAKE = "INSERT INTO payment_tasks (account_id, return_order_id, due_at, created_at) VALUES ($1, $2, $3, $4)
        ON CONFLICT (account_id, return_order_id) DO UPDATE SET woken = payment_tasks.woken + 1,
         due_at = CASE WHEN payment_tasks.due_at < excluded.due_at THEN payment_tasks.due_at ELSE excluded.due_at END";
    /// A notice does not advance a task whose provider is failing, nor one that ran within the last 5 s (5000000
    /// microseconds).
    NOTICE = "UPDATE payment_tasks SET woken = woken + 1, due_at = CASE WHEN due_at < $3 THEN due_at WHEN asked_at + 5000000 > $3
         THEN asked_at + 5000000 ELSE $3 END
        WHERE account_id = $1 AND return_order_id = $2 AND tries = 0";
    WORKER_TURN = "UPDATE worker_turns SET taken = taken + 1 WHERE name = 'payments'";
    WORKER_FIRST_WAITING = first_waiting_accounts!("payment_tasks");
    WORKER_WAITING = waiting_accounts!("payment_tasks");
    WORKER_DUE = concat!("SELECT ", columns!(), " FROM payment_tasks WHERE account_id = $3 AND due_at <= $1
        AND held_until <= $1 ORDER BY due_at, seq LIMIT $2");
    LEASE = lease_rows!("payment_tasks", "return_order_id");
    /// Only by the holder of the lease.
    LATER = "UPDATE payment_tasks SET due_at = CASE WHEN woken = $3 THEN $4 ELSE due_at END, tries = $5, held_until = 0,
         asked_at = $7
        WHERE account_id = $1 AND return_order_id = $2 AND held_until = $6";
    DELETE = "DELETE FROM payment_tasks WHERE account_id = $1 AND return_order_id = $2 AND woken = $3 AND held_until = $4";
    ASKED_AT = "SELECT asked_at FROM payment_tasks WHERE account_id = $1 AND return_order_id = $2";
    WORKER_BACKLOG = "SELECT COUNT(*), MIN(created_at) FROM payment_tasks WHERE due_at <= $1";
}

const CLAIM_IN_ONE: &str = claim_in_one!("payment_tasks", "return_order_id", "payments", columns!());

/// A request to a payment provider about a return's payment.
#[derive(Debug, Clone)]
pub struct PaymentTask {
    pub account_id: AccountId,
    pub return_order_id: ReturnOrderId,
    /// The number of failures in a row.
    pub tries: u32,
    /// Counts wake-ups, so that one during the lease is not lost.
    woken: i64,
    /// When the provider last answered everything.
    asked_at: Timestamp,
    held_until: Timestamp,
}

#[derive(sqlx::FromRow)]
struct PaymentTaskRow {
    account_id: Uuid,
    return_order_id: Uuid,
    tries: i64,
    woken: i64,
    asked_at: i64,
}

impl Claimable for PaymentTaskRow {
    fn ids(&self) -> (Uuid, Uuid) {
        (self.account_id, self.return_order_id)
    }
}

/// Wakes the task of a return at a moment, or at an earlier one that was set before.
pub async fn wake(
    mut db: Db<'_>,
    account: AccountId,
    order: ReturnOrderId,
    due_at: Timestamp,
    now: Timestamp,
) -> Result<()> {
    let (due_at, now) = (due_at.micros(), now.micros());
    execute!(db, sqlx::query(WAKE).bind(account.0).bind(order.0).bind(due_at).bind(now));
    Ok(())
}

/// Accounts with due tasks that nobody holds, the longest due first.
pub async fn waiting(db: Db<'_>, now: Timestamp, is_enough: IsEnough<'_>) -> Result<Vec<AccountId>> {
    queue::waiting(db, &Waiting { first: WORKER_FIRST_WAITING, all: WORKER_WAITING }, now, is_enough).await
}

/// Claims due tasks with a lease until a moment. Other claims wait for the transaction to end.
pub async fn claim(db: Db<'_>, now: Timestamp, until: Timestamp, shares: Shares<'_>) -> Result<Vec<PaymentTask>> {
    let claiming = Claiming { in_one: Some(CLAIM_IN_ONE), turn: WORKER_TURN, due: WORKER_DUE, lease: LEASE };
    let rows = queue::claim::<PaymentTaskRow>(db, &claiming, Claim::new(now, until, shares)).await?;
    let task = |row: PaymentTaskRow| {
        Ok(PaymentTask {
            account_id: AccountId(row.account_id),
            return_order_id: ReturnOrderId(row.return_order_id),
            tries: count("payment_tasks.tries", row.tries)?,
            woken: row.woken,
            asked_at: Timestamp::from_micros(row.asked_at),
            held_until: until,
        })
    };
    rows.into_iter().map(task).collect()
}

/// Advances the task of a return, if there is one, because a notice says that its payment has news.
pub async fn notice(mut db: Db<'_>, account: AccountId, order: ReturnOrderId, now: Timestamp) -> Result<()> {
    execute!(db, sqlx::query(NOTICE).bind(account.0).bind(order.0).bind(now.micros()));
    Ok(())
}

/// Gives a task back: due again at a moment, or earlier if it was woken during the lease. `asked` is the time at which
/// the provider has answered everything.
pub async fn later(
    mut db: Db<'_>,
    task: &PaymentTask,
    due_at: Timestamp,
    tries: u32,
    asked: Option<Timestamp>,
) -> Result<()> {
    execute!(
        db,
        sqlx::query(LATER)
            .bind(task.account_id.0)
            .bind(task.return_order_id.0)
            .bind(task.woken)
            .bind(due_at.micros())
            .bind(i64::from(tries))
            .bind(task.held_until.micros())
            .bind(asked.unwrap_or(task.asked_at).micros())
    );
    Ok(())
}

/// Deletes a finished task; `false` if it was woken during the lease or another worker holds it.
pub async fn delete(mut db: Db<'_>, task: &PaymentTask) -> Result<bool> {
    let deleted = execute!(
        db,
        sqlx::query(DELETE)
            .bind(task.account_id.0)
            .bind(task.return_order_id.0)
            .bind(task.woken)
            .bind(task.held_until.micros())
    );
    Ok(deleted > 0)
}

/// When the provider last answered everything about a return's payment; `None` if it never did.
pub async fn asked_at(mut db: Db<'_>, account: AccountId, order: ReturnOrderId) -> Result<Option<Timestamp>> {
    let at: Option<i64> = on!(
        &mut db,
        c => sqlx::query_scalar(ASKED_AT).bind(account.0).bind(order.0).fetch_optional(&mut **c).await?
    );
    Ok(at.filter(|at| *at > 0).map(Timestamp::from_micros))
}

/// The number of due tasks of the whole installation, and the creation of the oldest.
pub async fn backlog(mut db: Db<'_>, now: Timestamp) -> Result<(i64, Option<Timestamp>)> {
    let (waiting, oldest): (i64, Option<i64>) =
        on!(&mut db, c => sqlx::query_as(WORKER_BACKLOG).bind(now.micros()).fetch_one(&mut **c).await?);
    Ok((waiting, oldest.map(Timestamp::from_micros)))
}
