//! Payments of returns that something is to be asked of their providers about: while one can be paid, is on its way, or is to
//! go back.

use crate::engine::{Db, Result, macros::count, queue::{self, Claimable, Claiming, IsEnough, Waiting}};
use domain::{AccountId, ReturnOrderId, Timestamp};
use uuid::Uuid;

macro_rules! columns {
    () => {
        "account_id, return_order_id, tries, woken, asked_at"
    };
}

statements! {
    /// Whoever is at it meanwhile finds that it was woken.
    WAKE = "INSERT INTO payment_tasks (account_id, return_order_id, due_at, created_at) VALUES ($1, $2, $3, $4)
        ON CONFLICT (account_id, return_order_id) DO UPDATE SET woken = payment_tasks.woken + 1,
         due_at = CASE WHEN payment_tasks.due_at < excluded.due_at THEN payment_tasks.due_at ELSE excluded.due_at END";
    /// A provider that cannot be asked just now is not asked sooner for it, nor one that was asked a moment ago.
    NOTICE = "UPDATE payment_tasks SET woken = woken + 1, due_at = CASE WHEN due_at < $3 THEN due_at WHEN asked_at + 5000000 > $3
         THEN asked_at + 5000000 ELSE $3 END
        WHERE account_id = $1 AND return_order_id = $2 AND tries = 0";
    WORKER_TURN = "UPDATE worker_turns SET taken = taken + 1 WHERE name = 'payments'";
    WORKER_FIRST_WAITING = first_waiting_accounts!("payment_tasks");
    WORKER_WAITING = waiting_accounts!("payment_tasks");
    WORKER_DUE = concat!("SELECT ", columns!(), " FROM payment_tasks WHERE account_id = $3 AND due_at <= $1
        AND held_until <= $1 ORDER BY due_at, seq LIMIT $2");
    HOLD = "UPDATE payment_tasks SET held_until = $3 WHERE (account_id = $1 AND return_order_id = $2)";
    /// By whom it is held alone.
    LATER = "UPDATE payment_tasks SET due_at = CASE WHEN woken = $3 THEN $4 ELSE due_at END, tries = $5, held_until = 0,
         asked_at = $7
        WHERE account_id = $1 AND return_order_id = $2 AND held_until = $6";
    DELETE = "DELETE FROM payment_tasks WHERE account_id = $1 AND return_order_id = $2 AND woken = $3 AND held_until = $4";
    ASKED_AT = "SELECT asked_at FROM payment_tasks WHERE account_id = $1 AND return_order_id = $2";
    WORKER_BACKLOG = "SELECT COUNT(*), MIN(created_at) FROM payment_tasks WHERE due_at <= $1";
}

const CLAIM_IN_ONE: &str = claim_in_one!("payment_tasks", "return_order_id", "payments", columns!());

/// A payment that its provider is to be asked about.
#[derive(Debug, Clone)]
pub struct PaymentTask {
    /// Whose.
    pub account_id: AccountId,
    /// Of which return.
    pub return_order_id: ReturnOrderId,
    /// How often in a row something could not be asked, or was refused.
    pub tries: u32,
    /// How often something was said of it: what was said while somebody was at it is not forgotten.
    woken: i64,
    /// When it was asked last, all that there was to ask.
    asked_at: Timestamp,
    held_until: Timestamp,
}

#[derive(sqlx::FromRow)]
struct Row {
    account_id: Uuid,
    return_order_id: Uuid,
    tries: i64,
    woken: i64,
    asked_at: i64,
}

impl Claimable for Row {
    fn ids(&self) -> (Uuid, Uuid) {
        (self.account_id, self.return_order_id)
    }
}

/// Has the provider asked at a moment, or earlier where that was said before.
pub async fn wake(
    mut db: Db<'_>,
    account: AccountId,
    order: ReturnOrderId,
    (due_at, now): (Timestamp, Timestamp),
) -> Result<()> {
    let (due_at, now) = (due_at.micros(), now.micros());
    execute!(db, sqlx::query(WAKE).bind(account.0).bind(order.0).bind(due_at).bind(now));
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
) -> Result<Vec<PaymentTask>> {
    let claiming = Claiming { in_one: Some(CLAIM_IN_ONE), turn: WORKER_TURN, due: WORKER_DUE, hold: HOLD };
    let rows = queue::claim::<Row>(db, &claiming, (now, until), shares).await?;
    let task = |row: Row| {
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

/// Somebody says that something has happened: it is due now, where anything is to be asked at all.
pub async fn notice(mut db: Db<'_>, account: AccountId, order: ReturnOrderId, now: Timestamp) -> Result<()> {
    execute!(db, sqlx::query(NOTICE).bind(account.0).bind(order.0).bind(now.micros()));
    Ok(())
}

/// Gives it back: due again at a moment, or earlier where something was said of it meanwhile. `asked`: when the provider
/// was asked, and has answered all.
pub async fn later(
    mut db: Db<'_>,
    task: &PaymentTask,
    due_at: Timestamp,
    (tries, asked): (u32, Option<Timestamp>),
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

/// There is nothing more to ask; `false` where something was said of it meanwhile, or somebody else is at it.
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

/// When the provider was asked last about a return's payment, all that there was to ask; `None`: it was not.
pub async fn asked_at(mut db: Db<'_>, account: AccountId, order: ReturnOrderId) -> Result<Option<Timestamp>> {
    let at: Option<i64> = on!(
        &mut db,
        c => sqlx::query_scalar(ASKED_AT).bind(account.0).bind(order.0).fetch_optional(&mut **c).await?
    );
    Ok(at.filter(|at| *at > 0).map(Timestamp::from_micros))
}

/// How many are due in the whole installation, and since when the first is waited for.
pub async fn backlog(mut db: Db<'_>, now: Timestamp) -> Result<(i64, Option<Timestamp>)> {
    let (waiting, oldest): (i64, Option<i64>) =
        on!(&mut db, c => sqlx::query_as(WORKER_BACKLOG).bind(now.micros()).fetch_one(&mut **c).await?);
    Ok((waiting, oldest.map(Timestamp::from_micros)))
}
