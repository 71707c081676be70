//! Mail tasks: the notifications of each return while it is open, links that were requested, links to drafts,
//! acknowledgements of withdrawals, and mails to users.

use crate::engine::{
    Db, Result,
    queue::{self, Claim, Claimable, Claiming, IsEnough, Shares, Waiting},
    stored::{count, from_json, named, to_json},
};
use domain::{AccountId, DraftReturnOrderId, ReturnOrderId, Timestamp, UserId, WithdrawalId, mail::StaffNotice};
use uuid::Uuid;

macro_rules! columns {
    () => {
        "account_id, about_id, kind, language, recipient, user_id, notice, told, tries, woken, resent, created_at"
    };
}

statements! {
    in mail_tasks;
    /// A worker that holds the task finds that it was woken, and when it is due again. The first mail does not wait for
    /// a later moment.
    WAKE = "INSERT INTO mail_tasks (account_id, about_id, kind, language, due_at, created_at) VALUES ($1, $2, 'Return', $3, $4, $5)
        ON CONFLICT (account_id, about_id) DO UPDATE SET woken = mail_tasks.woken + 1, tries = 0,
         due_at = CASE WHEN mail_tasks.due_at < excluded.due_at AND mail_tasks.held_until <= $5 THEN mail_tasks.due_at
          ELSE excluded.due_at END";
    INSERT = "INSERT INTO mail_tasks (account_id, about_id, kind, language, recipient, due_at, created_at)
        VALUES ($1, $2, $3, $4, $5, $6, $6)";
    INSERT_STAFF = "INSERT INTO mail_tasks (account_id, about_id, kind, language, user_id, notice, due_at, created_at)
        VALUES ($1, $2, 'Staff', '', $3, $4, $5, $5)";
    /// A link to a draft that is requested again is sent again.
    INVITE = "INSERT INTO mail_tasks (account_id, about_id, kind, language, due_at, created_at) VALUES ($1, $2, 'Draft', $3, $4, $4)
        ON CONFLICT (account_id, about_id) DO UPDATE SET woken = mail_tasks.woken + 1, tries = 0, due_at = excluded.due_at";
    WORKER_TURN = "UPDATE worker_turns SET taken = taken + 1 WHERE name = 'mails'";
    WORKER_FIRST_WAITING = first_waiting_accounts!("mail_tasks");
    WORKER_WAITING = waiting_accounts!("mail_tasks");
    WORKER_DUE = concat!("SELECT ", columns!(), " FROM mail_tasks
        WHERE account_id = $3 AND due_at <= $1 AND held_until <= $1 ORDER BY due_at, seq LIMIT $2");
    LEASE = lease_rows!("mail_tasks", "about_id");
    /// A worker that holds the task finds that it was woken, and does not record the mail that it sends as the last one.
    RESEND = "UPDATE mail_tasks SET told = '', resent = resent + 1, woken = woken + 1, tries = 0, due_at = $3
        WHERE account_id = $1 AND about_id = $2 AND kind = 'Return'";
    /// Only by the holder of the lease. If the task was woken during the lease, it stays due at that time.
    LATER = "UPDATE mail_tasks SET due_at = CASE WHEN woken = $3 THEN CAST($4 AS BIGINT) ELSE due_at END,
         tries = CASE WHEN woken = $3 THEN CAST($5 AS BIGINT) ELSE tries END,
         told = CASE WHEN resent = $8 THEN $6 ELSE told END, held_until = 0
        WHERE account_id = $1 AND about_id = $2 AND held_until = $7";
    DELETE = "DELETE FROM mail_tasks WHERE account_id = $1 AND about_id = $2 AND woken = $3 AND held_until = $4";
    /// Links that were requested under this address.
    FORGET_LINKS = "DELETE FROM mail_tasks WHERE account_id = $1 AND kind = 'Link' AND recipient = $2";
    FORGET_RETURNS = "DELETE FROM mail_tasks WHERE account_id = $1 AND kind = 'Return'
        AND about_id IN (SELECT id FROM return_orders WHERE account_id = $1 AND consumer_id = $2)";
    WORKER_BACKLOG = "SELECT COUNT(*), MIN(due_at) FROM mail_tasks WHERE due_at <= $1";
}

const CLAIM_IN_ONE: &str = claim_in_one!("mail_tasks", "about_id", "mails", columns!());

/// The subject of a mail.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MailSubject {
    /// The status of a return.
    Return(ReturnOrderId),
    /// A link to the orders of this address.
    Link(String),
    /// The acknowledgement of a withdrawal.
    Withdrawal(WithdrawalId),
    /// News for a user.
    Staff(UserId, StaffNotice),
    /// A link to a draft that staff prepared.
    Draft(DraftReturnOrderId),
}

/// A mail to send.
#[derive(Debug, Clone)]
pub struct MailTask {
    pub account_id: AccountId,
    pub id: Uuid,
    pub about: MailSubject,
    /// BCP 47; empty: the account's language.
    pub language: String,
    /// The last notification that was sent; empty if none was.
    pub last_mail: String,
    /// The number of failures in a row.
    pub tries: u32,
    /// When the task was created.
    pub created_at: Timestamp,
    /// How often staff had the last mail sent again.
    pub resent: i64,
    woken: i64,
    held_until: Timestamp,
}

#[derive(sqlx::FromRow)]
struct MailTaskRow {
    account_id: Uuid,
    about_id: Uuid,
    kind: String,
    language: String,
    recipient: String,
    user_id: Option<Uuid>,
    notice: String,
    #[sqlx(rename = "told")]
    last_mail: String,
    tries: i64,
    woken: i64,
    resent: i64,
    created_at: i64,
}

impl Claimable for MailTaskRow {
    fn ids(&self) -> (Uuid, Uuid) {
        (self.account_id, self.about_id)
    }
}

impl MailTaskRow {
    fn task(self, held_until: Timestamp) -> Result<MailTask> {
        let about = match self.kind.as_str() {
            "Return" => Some(MailSubject::Return(ReturnOrderId(self.about_id))),
            "Link" => Some(MailSubject::Link(self.recipient)),
            "Staff" => {
                let notice = from_json("mail_tasks.notice", &self.notice)?;
                self.user_id.map(|user| MailSubject::Staff(UserId(user), notice))
            }
            "Withdrawal" => Some(MailSubject::Withdrawal(WithdrawalId(self.about_id))),
            "Draft" => Some(MailSubject::Draft(DraftReturnOrderId(self.about_id))),
            _ => None,
        };
        Ok(MailTask {
            account_id: AccountId(self.account_id),
            id: self.about_id,
            about: named("mail_tasks.kind", about)?,
            language: self.language,
            last_mail: self.last_mail,
            tries: count("mail_tasks.tries", self.tries)?,
            created_at: Timestamp::from_micros(self.created_at),
            resent: self.resent,
            woken: self.woken,
            held_until,
        })
    }
}

/// Wakes the task of a return at a moment, or at an earlier one that was set before. The language counts only for a new
/// task.
pub async fn wake(
    mut db: Db<'_>,
    account: AccountId,
    order: ReturnOrderId,
    language: &str,
    due_at: Timestamp,
    now: Timestamp,
) -> Result<()> {
    execute!(
        db,
        sqlx::query(WAKE).bind(account.0).bind(order.0).bind(language).bind(due_at.micros()).bind(now.micros())
    );
    Ok(())
}

/// Has the last mail about a return sent again; `false` if there is no task for it.
pub async fn resend(mut db: Db<'_>, account: AccountId, order: ReturnOrderId, now: Timestamp) -> Result<bool> {
    let rows = execute!(db, sqlx::query(RESEND).bind(account.0).bind(order.0).bind(now.micros()));
    Ok(rows == 1)
}

/// Requests a link for an address; it is sent if the address has orders.
pub async fn ask(
    db: Db<'_>,
    account: AccountId,
    id: Uuid,
    recipient: &str,
    language: &str,
    now: Timestamp,
) -> Result<()> {
    let new = NewTask { id, kind: "Link", recipient, language };
    insert(db, account, new, now).await
}

/// Requests a link to a draft.
pub async fn invite(
    mut db: Db<'_>,
    account: AccountId,
    draft: DraftReturnOrderId,
    language: &str,
    now: Timestamp,
) -> Result<()> {
    execute!(db, sqlx::query(INVITE).bind(account.0).bind(draft.0).bind(language).bind(now.micros()));
    Ok(())
}

/// Requests the acknowledgement of a withdrawal.
pub async fn acknowledge(
    db: Db<'_>,
    account: AccountId,
    id: WithdrawalId,
    language: &str,
    now: Timestamp,
) -> Result<()> {
    let new = NewTask { id: id.0, kind: "Withdrawal", recipient: "", language };
    insert(db, account, new, now).await
}

/// Requests a mail to a user.
pub async fn notify(
    mut db: Db<'_>,
    account: AccountId,
    id: Uuid,
    user: UserId,
    notice: &StaffNotice,
    now: Timestamp,
) -> Result<()> {
    let notice = to_json(notice);
    execute!(db, sqlx::query(INSERT_STAFF).bind(account.0).bind(id).bind(user.0).bind(notice).bind(now.micros()));
    Ok(())
}

#[derive(Clone, Copy)]
struct NewTask<'a> {
    id: Uuid,
    kind: &'static str,
    recipient: &'a str,
    language: &'a str,
}

async fn insert(mut db: Db<'_>, account: AccountId, new: NewTask<'_>, now: Timestamp) -> Result<()> {
    execute!(
        db,
        sqlx::query(INSERT)
            .bind(account.0)
            .bind(new.id)
            .bind(new.kind)
            .bind(new.language)
            .bind(new.recipient)
            .bind(now.micros())
    );
    Ok(())
}

/// Accounts with due tasks that nobody holds, the longest due first.
pub async fn waiting(db: Db<'_>, now: Timestamp, is_enough: IsEnough<'_>) -> Result<Vec<AccountId>> {
    queue::waiting(db, &Waiting { first: WORKER_FIRST_WAITING, all: WORKER_WAITING }, now, is_enough).await
}

/// Claims due tasks with a lease until a moment. Other claims wait for the transaction to end.
pub async fn claim(db: Db<'_>, now: Timestamp, until: Timestamp, shares: Shares<'_>) -> Result<Vec<MailTask>> {
    let claiming = Claiming { in_one: Some(CLAIM_IN_ONE), turn: WORKER_TURN, due: WORKER_DUE, lease: LEASE };
    let rows = queue::claim::<MailTaskRow>(db, &claiming, Claim::new(now, until, shares)).await?;
    rows.into_iter().map(|row| row.task(until)).collect()
}

/// Gives a task back with the notification that was sent last, due again at a moment, or, without one, when it is
/// woken.
pub async fn later(
    mut db: Db<'_>,
    task: &MailTask,
    due_at: Option<Timestamp>,
    tries: u32,
    last_mail: &str,
) -> Result<()> {
    execute!(
        db,
        sqlx::query(LATER)
            .bind(task.account_id.0)
            .bind(task.id)
            .bind(task.woken)
            .bind(due_at.map(Timestamp::micros))
            .bind(i64::from(tries))
            .bind(last_mail)
            .bind(task.held_until.micros())
            .bind(task.resent)
    );
    Ok(())
}

/// Deletes a finished task; `false` if it was woken during the lease or another worker holds it.
pub async fn delete(mut db: Db<'_>, task: &MailTask) -> Result<bool> {
    let deleted = execute!(
        db,
        sqlx::query(DELETE).bind(task.account_id.0).bind(task.id).bind(task.woken).bind(task.held_until.micros())
    );
    Ok(deleted > 0)
}

/// Deletes the requests of links to an address.
pub async fn forget_links(mut db: Db<'_>, account: AccountId, recipient: &str) -> Result<()> {
    execute!(db, sqlx::query(FORGET_LINKS).bind(account.0).bind(recipient));
    Ok(())
}

/// Deletes the tasks of a consumer's returns.
pub async fn forget_returns(mut db: Db<'_>, account: AccountId, consumer: domain::ConsumerId) -> Result<()> {
    execute!(db, sqlx::query(FORGET_RETURNS).bind(account.0).bind(consumer.0));
    Ok(())
}

/// The number of due tasks of the whole installation, and since when the first is due.
pub async fn backlog(mut db: Db<'_>, now: Timestamp) -> Result<(i64, Option<Timestamp>)> {
    let (waiting, oldest): (i64, Option<i64>) =
        on!(&mut db, c => sqlx::query_as(WORKER_BACKLOG).bind(now.micros()).fetch_one(&mut **c).await?);
    Ok((waiting, oldest.map(Timestamp::from_micros)))
}
