//! What people are to be told by mail: of each return while it goes on, and the links that somebody asked for.

use crate::engine::{Db, Result, macros::{count, named}, queue::{self, Claimable, Claiming, IsEnough, Waiting}};
use domain::{AccountId, ReturnOrderId, Timestamp, WithdrawalId};
use uuid::Uuid;

macro_rules! columns {
    () => {
        "account_id, about_id, kind, language, recipient, told, tries, woken, created_at"
    };
}

statements! {
    /// Whoever is at it meanwhile finds that it was woken, and when to look again. A first mail waits for no later moment.
    WAKE = "INSERT INTO mail_tasks (account_id, about_id, kind, language, due_at, created_at) VALUES ($1, $2, 'Return', $3, $4, $5)
        ON CONFLICT (account_id, about_id) DO UPDATE SET woken = mail_tasks.woken + 1, tries = 0,
         due_at = CASE WHEN mail_tasks.due_at < excluded.due_at AND mail_tasks.held_until <= $5 THEN mail_tasks.due_at
          ELSE excluded.due_at END";
    INSERT = "INSERT INTO mail_tasks (account_id, about_id, kind, language, recipient, due_at, created_at)
        VALUES ($1, $2, $3, $4, $5, $6, $6)";
    WORKER_TURN = "UPDATE worker_turns SET taken = taken + 1 WHERE name = 'mails'";
    WORKER_FIRST_WAITING = first_waiting_accounts!("mail_tasks");
    WORKER_WAITING = waiting_accounts!("mail_tasks");
    WORKER_DUE = concat!("SELECT ", columns!(), " FROM mail_tasks
        WHERE account_id = $3 AND due_at <= $1 AND held_until <= $1 ORDER BY due_at, seq LIMIT $2");
    HOLD = "UPDATE mail_tasks SET held_until = $3 WHERE (account_id = $1 AND about_id = $2)";
    /// By whom it is held alone. What happened meanwhile is looked at in its time.
    LATER = "UPDATE mail_tasks SET due_at = CASE WHEN woken = $3 THEN CAST($4 AS BIGINT) ELSE due_at END,
         tries = CASE WHEN woken = $3 THEN CAST($5 AS BIGINT) ELSE tries END, told = $6, held_until = 0
        WHERE account_id = $1 AND about_id = $2 AND held_until = $7";
    DELETE = "DELETE FROM mail_tasks WHERE account_id = $1 AND about_id = $2 AND woken = $3 AND held_until = $4";
    /// Those that are asked for under this address.
    FORGET_LINKS = "DELETE FROM mail_tasks WHERE account_id = $1 AND kind = 'Link' AND recipient = $2";
    FORGET_RETURNS = "DELETE FROM mail_tasks WHERE account_id = $1 AND kind = 'Return'
        AND about_id IN (SELECT id FROM return_orders WHERE account_id = $1 AND consumer_id = $2)";
    WORKER_BACKLOG = "SELECT COUNT(*), MIN(due_at) FROM mail_tasks WHERE due_at <= $1";
}

const CLAIM_IN_ONE: &str = claim_in_one!("mail_tasks", "about_id", "mails", columns!());

/// What somebody is to be told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum About {
    /// Where a return stands.
    Return(ReturnOrderId),
    /// The way to their orders, which they asked for under this address.
    Link(String),
    /// That their withdrawal has arrived.
    Withdrawal(WithdrawalId),
}

/// Something that somebody is to be told.
#[derive(Debug, Clone)]
pub struct MailTask {
    /// By whom.
    pub account_id: AccountId,
    /// Its own id.
    pub id: Uuid,
    /// What.
    pub about: About,
    /// In which language, BCP 47; empty: the account's.
    pub language: String,
    /// What was told last; empty: nothing.
    pub told: String,
    /// How often in a row it could not be.
    pub tries: u32,
    /// Since when there is something to tell.
    pub created_at: Timestamp,
    woken: i64,
    held_until: Timestamp,
}

#[derive(sqlx::FromRow)]
struct Row {
    account_id: Uuid,
    about_id: Uuid,
    kind: String,
    language: String,
    recipient: String,
    told: String,
    tries: i64,
    woken: i64,
    created_at: i64,
}

impl Claimable for Row {
    fn ids(&self) -> (Uuid, Uuid) {
        (self.account_id, self.about_id)
    }
}

impl Row {
    fn task(self, held_until: Timestamp) -> Result<MailTask> {
        let about = match self.kind.as_str() {
            "Return" => Some(About::Return(ReturnOrderId(self.about_id))),
            "Link" => Some(About::Link(self.recipient)),
            "Withdrawal" => Some(About::Withdrawal(WithdrawalId(self.about_id))),
            _ => None,
        };
        Ok(MailTask {
            account_id: AccountId(self.account_id),
            id: self.about_id,
            about: named("mail_tasks.kind", about)?,
            language: self.language,
            told: self.told,
            tries: count("mail_tasks.tries", self.tries)?,
            created_at: Timestamp::from_micros(self.created_at),
            woken: self.woken,
            held_until,
        })
    }
}

/// Has somebody told of a return at a moment, or earlier where that was said before. The language counts where none was
/// said before.
pub async fn wake(
    mut db: Db<'_>,
    account: AccountId,
    (order, language): (ReturnOrderId, &str),
    (due_at, now): (Timestamp, Timestamp),
) -> Result<()> {
    execute!(
        db,
        sqlx::query(WAKE).bind(account.0).bind(order.0).bind(language).bind(due_at.micros()).bind(now.micros())
    );
    Ok(())
}

/// Has a link sent to an address, if it has orders here.
pub async fn ask(
    db: Db<'_>,
    account: AccountId,
    (id, recipient, language): (Uuid, &str, &str),
    now: Timestamp,
) -> Result<()> {
    insert(db, account, (id, "Link", recipient, language), now).await
}

/// Has a withdrawal acknowledged.
pub async fn acknowledge(
    db: Db<'_>,
    account: AccountId,
    (id, language): (WithdrawalId, &str),
    now: Timestamp,
) -> Result<()> {
    insert(db, account, (id.0, "Withdrawal", "", language), now).await
}

async fn insert(
    mut db: Db<'_>,
    account: AccountId,
    (id, kind, recipient, language): (Uuid, &str, &str, &str),
    now: Timestamp,
) -> Result<()> {
    execute!(
        db,
        sqlx::query(INSERT).bind(account.0).bind(id).bind(kind).bind(language).bind(recipient).bind(now.micros())
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
) -> Result<Vec<MailTask>> {
    let claiming = Claiming { in_one: Some(CLAIM_IN_ONE), turn: WORKER_TURN, due: WORKER_DUE, hold: HOLD };
    let rows = queue::claim::<Row>(db, &claiming, (now, until), shares).await?;
    rows.into_iter().map(|row| row.task(until)).collect()
}

/// Gives it back: `told` what it is by now, to be looked at again at a moment; `None`: when something happens.
pub async fn later(
    mut db: Db<'_>,
    task: &MailTask,
    (due_at, tries): (Option<Timestamp>, u32),
    told: &str,
) -> Result<()> {
    execute!(
        db,
        sqlx::query(LATER)
            .bind(task.account_id.0)
            .bind(task.id)
            .bind(task.woken)
            .bind(due_at.map(Timestamp::micros))
            .bind(i64::from(tries))
            .bind(told)
            .bind(task.held_until.micros())
    );
    Ok(())
}

/// There is nothing more to tell; `false` where something happened meanwhile, or somebody else is at it.
pub async fn delete(mut db: Db<'_>, task: &MailTask) -> Result<bool> {
    let deleted = execute!(
        db,
        sqlx::query(DELETE).bind(task.account_id.0).bind(task.id).bind(task.woken).bind(task.held_until.micros())
    );
    Ok(deleted > 0)
}

/// Nobody is to be sent the links that were asked for under an address.
pub async fn forget_links(mut db: Db<'_>, account: AccountId, recipient: &str) -> Result<()> {
    execute!(db, sqlx::query(FORGET_LINKS).bind(account.0).bind(recipient));
    Ok(())
}

/// Nobody is to be told of a consumer's returns.
pub async fn forget_returns(mut db: Db<'_>, account: AccountId, consumer: domain::ConsumerId) -> Result<()> {
    execute!(db, sqlx::query(FORGET_RETURNS).bind(account.0).bind(consumer.0));
    Ok(())
}

/// How many are due in the whole installation, and since when the first is.
pub async fn backlog(mut db: Db<'_>, now: Timestamp) -> Result<(i64, Option<Timestamp>)> {
    let (waiting, oldest): (i64, Option<i64>) =
        on!(&mut db, c => sqlx::query_as(WORKER_BACKLOG).bind(now.micros()).fetch_one(&mut **c).await?);
    Ok((waiting, oldest.map(Timestamp::from_micros)))
}
