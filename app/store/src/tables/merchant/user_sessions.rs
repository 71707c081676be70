//! Sessions of users: at the desk, and tokens of the API. Both are rows of `user_tokens`, so a new password, a removal
//! and the expiry end both alike.

use crate::engine::{
    Db, Result,
    stored::{count, named},
};
use domain::{AccountId, Timestamp, UserId, UserSessionId, sign_in::SignInStep};
use uuid::Uuid;

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT id, user_id, purpose, step, started_at, seen_at, confirmed_at, expires_at, device, network, \
             wrong_codes FROM user_tokens ",
            $rest
        )
    };
}

/// The most sessions of one user that are listed. More are ended together.
const MOST_LISTED: i64 = 100;

statements! {
    in user_sessions;
    INSERT = "INSERT INTO user_tokens
        (account_id, token_hash, user_id, purpose, expires_at, id, started_at, seen_at, step, confirmed_at, device, network)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)";
    FIND = select!("WHERE account_id = $1 AND token_hash = $2 AND purpose = $3 AND expires_at > $4");
    LIST = select!("WHERE account_id = $1 AND user_id = $2 AND id IS NOT NULL AND expires_at > $3
        ORDER BY started_at DESC, id DESC LIMIT $4");
    TOUCH = "UPDATE user_tokens SET seen_at = $3, expires_at = $4
        WHERE account_id = $1 AND token_hash = $2 AND seen_at < $3";
    /// Of two requests with one token, the second finds none.
    RENEW = "UPDATE user_tokens
        SET token_hash = $3, step = $4, confirmed_at = $5, seen_at = $6, expires_at = $7, wrong_codes = 0
        WHERE account_id = $1 AND token_hash = $2 AND expires_at > $6";
    COUNT_WRONG = "UPDATE user_tokens SET wrong_codes = wrong_codes + 1 WHERE account_id = $1 AND token_hash = $2
        RETURNING wrong_codes";
    COMPLETE = "UPDATE user_tokens SET step = 'Complete' WHERE account_id = $1 AND user_id = $2 AND id = $3";
    END = "DELETE FROM user_tokens WHERE account_id = $1 AND user_id = $2 AND id = $3";
    END_OTHERS = "DELETE FROM user_tokens WHERE account_id = $1 AND user_id = $2 AND id IS NOT NULL AND id <> $3";
    /// Also those from before sessions had ids.
    END_ALL = "DELETE FROM user_tokens WHERE account_id = $1 AND user_id = $2 AND purpose <> 'password'";
    DELETE = "DELETE FROM user_tokens WHERE account_id = $1 AND token_hash = $2 AND purpose = $3";
}

/// What a session is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SessionKind {
    /// A token of the API.
    Api,
    /// A session at the desk.
    Desk,
}

impl SessionKind {
    fn purpose(self) -> &'static str {
        match self {
            Self::Api => "access",
            Self::Desk => "desk",
        }
    }

    fn of_purpose(purpose: &str) -> Option<Self> {
        [Self::Api, Self::Desk].into_iter().find(|kind| kind.purpose() == purpose)
    }
}

/// A session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    /// `None`: from before sessions had ids.
    pub id: Option<UserSessionId>,
    pub user: UserId,
    pub kind: SessionKind,
    pub step: SignInStep,
    pub started_at: Timestamp,
    /// To the minute.
    pub seen_at: Timestamp,
    /// When the user last proved who they are.
    pub confirmed_at: Option<Timestamp>,
    pub expires_at: Timestamp,
    pub device: String,
    pub network: String,
    /// Wrong codes in a row.
    pub wrong_codes: u32,
}

#[derive(sqlx::FromRow)]
struct SessionRow {
    id: Option<Uuid>,
    user_id: Uuid,
    purpose: String,
    step: String,
    started_at: i64,
    seen_at: i64,
    confirmed_at: Option<i64>,
    expires_at: i64,
    device: String,
    network: String,
    wrong_codes: i64,
}

impl SessionRow {
    fn session(self) -> Result<Session> {
        Ok(Session {
            id: self.id.map(UserSessionId),
            user: UserId(self.user_id),
            kind: named("user_tokens.purpose", SessionKind::of_purpose(&self.purpose))?,
            step: named("user_tokens.step", SignInStep::from_name(&self.step))?,
            started_at: Timestamp::from_micros(self.started_at),
            seen_at: Timestamp::from_micros(self.seen_at),
            confirmed_at: self.confirmed_at.map(Timestamp::from_micros),
            expires_at: Timestamp::from_micros(self.expires_at),
            device: self.device,
            network: self.network,
            wrong_codes: count("user_tokens.wrong_codes", self.wrong_codes)?,
        })
    }
}

/// Stores a session by the hash of its token.
pub async fn insert(mut db: Db<'_>, account: AccountId, token_hash: &[u8], new: &Session) -> Result<()> {
    execute!(
        db,
        sqlx::query(INSERT)
            .bind(account.0)
            .bind(token_hash)
            .bind(new.user.0)
            .bind(new.kind.purpose())
            .bind(new.expires_at.micros())
            .bind(new.id.map(|id| id.0))
            .bind(new.started_at.micros())
            .bind(new.seen_at.micros())
            .bind(new.step.name())
            .bind(new.confirmed_at.map(Timestamp::micros))
            .bind(&new.device)
            .bind(&new.network)
    );
    Ok(())
}

/// The session with this token, unless it has ended.
pub async fn find(
    mut db: Db<'_>,
    account: AccountId,
    token_hash: &[u8],
    kind: SessionKind,
    now: Timestamp,
) -> Result<Option<Session>> {
    let row: Option<SessionRow> = on!(&mut db, c => sqlx::query_as(FIND)
        .bind(account.0)
        .bind(token_hash)
        .bind(kind.purpose())
        .bind(now.micros())
        .fetch_optional(&mut **c)
        .await?);
    row.map(SessionRow::session).transpose()
}

/// The newest sessions of a user.
pub async fn list(mut db: Db<'_>, account: AccountId, user: UserId, now: Timestamp) -> Result<Vec<Session>> {
    let rows: Vec<SessionRow> = on!(&mut db, c => sqlx::query_as(LIST)
        .bind(account.0)
        .bind(user.0)
        .bind(now.micros())
        .bind(MOST_LISTED)
        .fetch_all(&mut **c)
        .await?);
    rows.into_iter().map(SessionRow::session).collect()
}

/// Records the use of a session, and its new end.
pub async fn touch(
    mut db: Db<'_>,
    account: AccountId,
    token_hash: &[u8],
    now: Timestamp,
    expires_at: Timestamp,
) -> Result<()> {
    execute!(db, sqlx::query(TOUCH).bind(account.0).bind(token_hash).bind(now.micros()).bind(expires_at.micros()));
    Ok(())
}

/// What a session is after the user proved who they are.
#[derive(Debug, Clone, Copy)]
pub struct Renewal<'a> {
    /// The hash of the new token.
    pub token_hash: &'a [u8],
    pub step: SignInStep,
    pub confirmed_at: Option<Timestamp>,
    pub now: Timestamp,
    pub expires_at: Timestamp,
}

/// Replaces the token of a session; `false` if it has ended, or another request has replaced it.
pub async fn renew(mut db: Db<'_>, account: AccountId, token_hash: &[u8], new: Renewal<'_>) -> Result<bool> {
    let rows = execute!(
        db,
        sqlx::query(RENEW)
            .bind(account.0)
            .bind(token_hash)
            .bind(new.token_hash)
            .bind(new.step.name())
            .bind(new.confirmed_at.map(Timestamp::micros))
            .bind(new.now.micros())
            .bind(new.expires_at.micros())
    );
    Ok(rows == 1)
}

/// Counts a wrong code in a session; returns how many there were in a row, or `None` if the session has ended.
pub async fn count_wrong_code(mut db: Db<'_>, account: AccountId, token_hash: &[u8]) -> Result<Option<i64>> {
    Ok(on!(&mut db, c => sqlx::query_scalar(COUNT_WRONG)
        .bind(account.0)
        .bind(token_hash)
        .fetch_optional(&mut **c)
        .await?))
}

/// Completes the sign-in of a session.
pub async fn complete(mut db: Db<'_>, account: AccountId, user: UserId, id: UserSessionId) -> Result<()> {
    execute!(db, sqlx::query(COMPLETE).bind(account.0).bind(user.0).bind(id.0));
    Ok(())
}

/// Ends a session of a user; `false` if there is none with this id.
pub async fn end(mut db: Db<'_>, account: AccountId, user: UserId, id: UserSessionId) -> Result<bool> {
    Ok(execute!(db, sqlx::query(END).bind(account.0).bind(user.0).bind(id.0)) == 1)
}

/// Ends all sessions of a user but this one.
pub async fn end_others(mut db: Db<'_>, account: AccountId, user: UserId, id: UserSessionId) -> Result<()> {
    execute!(db, sqlx::query(END_OTHERS).bind(account.0).bind(user.0).bind(id.0));
    Ok(())
}

/// Ends all sessions of a user.
pub async fn end_all(mut db: Db<'_>, account: AccountId, user: UserId) -> Result<()> {
    execute!(db, sqlx::query(END_ALL).bind(account.0).bind(user.0));
    Ok(())
}

/// Ends the session with this token.
pub async fn delete(mut db: Db<'_>, account: AccountId, token_hash: &[u8], kind: SessionKind) -> Result<()> {
    execute!(db, sqlx::query(DELETE).bind(account.0).bind(token_hash).bind(kind.purpose()));
    Ok(())
}
