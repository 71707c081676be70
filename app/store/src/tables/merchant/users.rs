//! A merchant's users, their e-mail addresses and their tokens.

use crate::{
    engine::{Db, Result},
    lists::{self, Field, FieldKind, List, Listing, page::Rows},
};
use domain::{AccountId, Locale, Timestamp, UserId, proof::ProofKey};
use uuid::Uuid;

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT u.seq, u.id, u.email, u.name, u.role, u.language, u.password_hash, u.totp_since, u.factor_due_at, \
             u.last_signed_in_at, u.created_at, u.updated_at, u.version, (SELECT COUNT(*) FROM passkeys p WHERE \
             p.account_id = u.account_id AND p.user_id = u.id) AS passkeys FROM users u ",
            $rest
        )
    };
}

statements! {
    in users;
    INSERT = "INSERT INTO users (account_id, id, email, email_key, name, role, password_hash, created_at, updated_at, language)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8, $9)";
    /// If two users take one e-mail address at once, in any accounts, the second waits here and finds it taken.
    INSERT_EMAIL = "INSERT INTO user_emails (account_id, email_key, user_id) VALUES ($1, $2, $3)
        ON CONFLICT (email_key) DO NOTHING";
    FIND = select!("WHERE u.account_id = $1 AND u.id = $2");
    NAMES = "SELECT id, name, email FROM users WHERE account_id = $1 AND id IN ($2)";
    CALLED = "SELECT id, name, email FROM users WHERE account_id = $1 AND password_hash <> '' ORDER BY seq LIMIT 1000";
    /// A user who signs in names no account.
    FIND_BY_EMAIL = "SELECT e.account_id, e.user_id, u.password_hash FROM user_emails e
        JOIN users u ON u.account_id = e.account_id AND u.id = e.user_id WHERE e.email_key = $1";
    UPDATE = "UPDATE users SET name = $3, role = $4, updated_at = $5, language = $6, version = version + 1
        WHERE account_id = $1 AND id = $2";
    OTHER_ADMIN = "SELECT id FROM users
        WHERE account_id = $1 AND role = 'admin' AND password_hash <> '' AND id <> $2 LIMIT 1";
    SET_PASSWORD = "UPDATE users SET password_hash = $3, updated_at = $4, version = version + 1
        WHERE account_id = $1 AND id = $2";
    /// Only with the password that was checked. Locks the row, so that a user who is being deleted gets no token.
    HOLD_PASSWORD = "UPDATE users SET version = version WHERE account_id = $1 AND id = $2 AND password_hash = $3";
    SIGNED_IN = "UPDATE users SET last_signed_in_at = $3, wrong_sign_ins = 0 WHERE account_id = $1 AND id = $2";
    SET_FACTOR_DUE = "UPDATE users SET factor_due_at = $3 WHERE account_id = $1 AND id = $2";
    COUNT_WRONG = "UPDATE users SET wrong_sign_ins = wrong_sign_ins + 1 WHERE account_id = $1 AND id = $2
        RETURNING wrong_sign_ins";
    LOCK = "UPDATE users SET version = version WHERE account_id = $1 AND id = $2";
    DELETE_EMAIL = "DELETE FROM user_emails WHERE account_id = $1 AND user_id = $2";
    DELETE = "DELETE FROM users WHERE account_id = $1 AND id = $2";
    /// Other tokens are sessions: see `user_sessions.rs`.
    INSERT_PASSWORD_TOKEN = "INSERT INTO user_tokens (account_id, token_hash, user_id, purpose, expires_at)
        VALUES ($1, $2, $3, 'password', $4)";
    FIND_PASSWORD_TOKEN = select!("JOIN user_tokens t ON t.account_id = u.account_id AND t.user_id = u.id
        WHERE t.account_id = $1 AND t.token_hash = $2 AND t.purpose = 'password' AND t.expires_at > $3");
    DELETE_PASSWORD_TOKEN = "DELETE FROM user_tokens
        WHERE account_id = $1 AND token_hash = $2 AND purpose = 'password'";
    DELETE_TOKENS = "DELETE FROM user_tokens WHERE account_id = $1 AND user_id = $2";
    /// Those from before sessions had ids, and the links that set a password, end, too.
    DELETE_CODES = "DELETE FROM user_recovery_codes WHERE account_id = $1 AND user_id = $2";
    DELETE_PASSKEYS = "DELETE FROM passkeys WHERE account_id = $1 AND user_id = $2";
    DELETE_PASSWORD_TOKENS = "DELETE FROM user_tokens
        WHERE account_id = $1 AND user_id = $2 AND purpose = 'password'";
    PRUNE_TOKENS = "DELETE FROM user_tokens WHERE (account_id, token_hash) IN
        (SELECT account_id, token_hash FROM user_tokens WHERE expires_at <= $1 ORDER BY expires_at LIMIT 500)";
}

/// A user of a merchant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct User {
    pub id: UserId,
    pub email: String,
    /// May be empty.
    pub name: String,
    pub role: String,
    /// The language of pages and mails, if the user has one.
    pub language: Option<Locale>,
    /// A user without a password has not accepted the invitation yet.
    pub has_password: bool,
    pub has_app: bool,
    pub has_passkey: bool,
    /// When the time without a required second factor ends, if it has begun.
    pub factor_due_at: Option<Timestamp>,
    pub last_signed_in_at: Option<Timestamp>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    pub version: i64,
}

/// What a user is called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Called {
    pub id: UserId,
    /// May be empty.
    pub name: String,
    pub email: String,
}

/// What checks a user's password.
#[derive(Debug, Clone)]
pub struct SignIn {
    pub account: AccountId,
    pub id: UserId,
    /// PHC string; empty while no password is set.
    pub password_hash: String,
}

#[derive(sqlx::FromRow)]
struct UserRow {
    seq: i64,
    id: Uuid,
    email: String,
    name: String,
    role: String,
    language: String,
    password_hash: String,
    totp_since: Option<i64>,
    factor_due_at: Option<i64>,
    last_signed_in_at: Option<i64>,
    created_at: i64,
    updated_at: i64,
    version: i64,
    passkeys: i64,
}

impl User {
    /// Whether the password alone does not sign the user in.
    pub fn has_second_factor(&self) -> bool {
        self.has_app || self.has_passkey
    }
}

impl UserRow {
    fn user(self) -> User {
        User {
            id: UserId(self.id),
            email: self.email,
            name: self.name,
            role: self.role,
            language: (!self.language.is_empty()).then_some(Locale(self.language)),
            has_password: !self.password_hash.is_empty(),
            has_app: self.totp_since.is_some(),
            has_passkey: self.passkeys > 0,
            factor_due_at: self.factor_due_at.map(Timestamp::from_micros),
            last_signed_in_at: self.last_signed_in_at.map(Timestamp::from_micros),
            created_at: Timestamp::from_micros(self.created_at),
            updated_at: Timestamp::from_micros(self.updated_at),
            version: self.version,
        }
    }
}

/// Adds a user, with the hash of a password or an empty text; `false` if a user of the installation has that e-mail
/// address: then the caller drops the transaction.
pub async fn insert(
    mut db: Db<'_>,
    account: AccountId,
    new: &User,
    email: &ProofKey,
    password_hash: &str,
) -> Result<bool> {
    execute!(
        db,
        sqlx::query(INSERT)
            .bind(account.0)
            .bind(new.id.0)
            .bind(&new.email)
            .bind(email.as_str())
            .bind(&new.name)
            .bind(&new.role)
            .bind(password_hash)
            .bind(new.created_at.micros())
            .bind(tag(new))
    );
    let rows = execute!(db, sqlx::query(INSERT_EMAIL).bind(account.0).bind(email.as_str()).bind(new.id.0));
    Ok(rows == 1)
}

/// The language as it is stored.
fn tag(user: &User) -> &str {
    user.language.as_ref().map_or("", |language| &language.0)
}

/// The user of that id.
pub async fn find(mut db: Db<'_>, account: AccountId, id: UserId) -> Result<Option<User>> {
    let row: Option<UserRow> =
        on!(&mut db, c => sqlx::query_as(FIND).bind(account.0).bind(id.0).fetch_optional(&mut **c).await?);
    Ok(row.map(UserRow::user))
}

/// The names of users; the e-mail address of those without a name.
pub async fn names(mut db: Db<'_>, account: AccountId, ids: &[UserId]) -> Result<Vec<(UserId, String)>> {
    let rows: Vec<(Uuid, String, String)> = select_of!(&mut db, NAMES, account, ids);
    let name = |(id, name, email): (Uuid, String, String)| (UserId(id), if name.is_empty() { email } else { name });
    Ok(rows.into_iter().map(name).collect())
}

/// What the users of an account are called who can sign in; of more than 1,000, the first.
pub async fn called(mut db: Db<'_>, account: AccountId) -> Result<Vec<Called>> {
    let rows: Vec<(Uuid, String, String)> =
        on!(&mut db, c => sqlx::query_as(CALLED).bind(account.0).fetch_all(&mut **c).await?);
    Ok(rows.into_iter().map(|(id, name, email)| Called { id: UserId(id), name, email }).collect())
}

/// The user with that e-mail address, in any account.
pub async fn find_by_email(mut db: Db<'_>, email: &ProofKey) -> Result<Option<SignIn>> {
    let row: Option<(Uuid, Uuid, String)> =
        on!(&mut db, c => sqlx::query_as(FIND_BY_EMAIL).bind(email.as_str()).fetch_optional(&mut **c).await?);
    Ok(row.map(|(account, id, password_hash)| SignIn { account: AccountId(account), id: UserId(id), password_hash }))
}

/// The list of users.
pub static LIST: List = List {
    name: "users",
    select: select!(""),
    table: "users",
    alias: "u.",
    key: "id",
    fields: &[
        Field { name: "email", kind: FieldKind::Email, column: "u.email_key" },
        Field { name: "role", kind: FieldKind::OneOf(roles), column: "u.role" },
    ],
    sorts_by_update: false,
    search: None,
};

fn roles() -> Vec<&'static str> {
    vec!["admin", "agent", "finance", "warehouse", "viewer"]
}

/// The users of an account.
pub async fn list(db: Db<'_>, account: AccountId, listing: &Listing) -> Result<Rows<User>> {
    let key = |row: &UserRow| listing.cursor(row.seq, row.seq);
    lists::fetch(db, &LIST, account, listing, key, |row| Ok(UserRow::user(row))).await
}

/// Updates the name, role and language of a user.
pub async fn update(mut db: Db<'_>, account: AccountId, changed: &User) -> Result<()> {
    execute!(
        db,
        sqlx::query(UPDATE)
            .bind(account.0)
            .bind(changed.id.0)
            .bind(&changed.name)
            .bind(&changed.role)
            .bind(changed.updated_at.micros())
            .bind(tag(changed))
    );
    Ok(())
}

/// Whether another user is an administrator who can sign in.
pub async fn has_other_admin(mut db: Db<'_>, account: AccountId, id: UserId) -> Result<bool> {
    let row: Option<Uuid> =
        on!(&mut db, c => sqlx::query_scalar(OTHER_ADMIN).bind(account.0).bind(id.0).fetch_optional(&mut **c).await?);
    Ok(row.is_some())
}

/// Sets a user's password and deletes their tokens.
pub async fn set_password(
    mut db: Db<'_>,
    account: AccountId,
    id: UserId,
    password_hash: &str,
    now: Timestamp,
) -> Result<()> {
    execute!(db, sqlx::query(SET_PASSWORD).bind(account.0).bind(id.0).bind(password_hash).bind(now.micros()));
    execute!(db, sqlx::query(DELETE_TOKENS).bind(account.0).bind(id.0));
    Ok(())
}

/// Locks a user whose password was checked; `false` if the user was deleted or has changed the password since.
pub async fn hold_password(mut db: Db<'_>, checked: &SignIn) -> Result<bool> {
    let rows = execute!(
        db,
        sqlx::query(HOLD_PASSWORD).bind(checked.account.0).bind(checked.id.0).bind(&checked.password_hash)
    );
    Ok(rows == 1)
}

/// Locks a user; `false` if there is none.
pub async fn hold(mut db: Db<'_>, account: AccountId, id: UserId) -> Result<bool> {
    Ok(execute!(db, sqlx::query(LOCK).bind(account.0).bind(id.0)) == 1)
}

/// Records that a user signed in.
pub async fn signed_in(mut db: Db<'_>, account: AccountId, id: UserId, now: Timestamp) -> Result<()> {
    execute!(db, sqlx::query(SIGNED_IN).bind(account.0).bind(id.0).bind(now.micros()));
    Ok(())
}

/// Sets when the user's time without a required second factor ends.
pub async fn set_factor_due(mut db: Db<'_>, account: AccountId, id: UserId, due_at: Option<Timestamp>) -> Result<()> {
    execute!(db, sqlx::query(SET_FACTOR_DUE).bind(account.0).bind(id.0).bind(due_at.map(Timestamp::micros)));
    Ok(())
}

/// Counts a sign-in that failed; returns how many failed since the last one that succeeded.
pub async fn count_wrong_sign_in(mut db: Db<'_>, account: AccountId, id: UserId) -> Result<Option<i64>> {
    Ok(on!(&mut db, c => sqlx::query_scalar(COUNT_WRONG)
        .bind(account.0)
        .bind(id.0)
        .fetch_optional(&mut **c)
        .await?))
}

/// Deletes a user, their e-mail address, their tokens, their passkeys and their recovery codes.
pub async fn delete(mut db: Db<'_>, account: AccountId, id: UserId) -> Result<()> {
    // The lock waits for a sign-in, whose token is deleted too.
    for sql in [LOCK, DELETE_TOKENS, DELETE_PASSKEYS, DELETE_CODES, DELETE_EMAIL, DELETE] {
        execute!(db, sqlx::query(sql).bind(account.0).bind(id.0));
    }
    Ok(())
}

/// Stores a token that sets a password, by its hash.
pub async fn insert_password_token(
    mut db: Db<'_>,
    account: AccountId,
    token_hash: &[u8],
    user: UserId,
    expires_at: Timestamp,
) -> Result<()> {
    execute!(
        db,
        sqlx::query(INSERT_PASSWORD_TOKEN).bind(account.0).bind(token_hash).bind(user.0).bind(expires_at.micros())
    );
    Ok(())
}

/// The user whose password this token sets, unless it has expired.
pub async fn find_password_token(
    mut db: Db<'_>,
    account: AccountId,
    token_hash: &[u8],
    now: Timestamp,
) -> Result<Option<User>> {
    let row: Option<UserRow> = on!(&mut db, c => sqlx::query_as(FIND_PASSWORD_TOKEN)
        .bind(account.0)
        .bind(token_hash)
        .bind(now.micros())
        .fetch_optional(&mut **c)
        .await?);
    Ok(row.map(UserRow::user))
}

/// Uses up a token that sets a password; `false` if there is none. If two requests use one token at once, one of them
/// gets `true`.
pub async fn delete_password_token(mut db: Db<'_>, account: AccountId, token_hash: &[u8]) -> Result<bool> {
    Ok(execute!(db, sqlx::query(DELETE_PASSWORD_TOKEN).bind(account.0).bind(token_hash)) == 1)
}

/// Deletes the tokens that set a user's password.
pub async fn delete_password_tokens(mut db: Db<'_>, account: AccountId, user: UserId) -> Result<()> {
    execute!(db, sqlx::query(DELETE_PASSWORD_TOKENS).bind(account.0).bind(user.0));
    Ok(())
}

/// Deletes some expired tokens of every account; returns how many.
pub async fn prune_tokens(mut db: Db<'_>, now: Timestamp) -> Result<u64> {
    Ok(execute!(db, sqlx::query(PRUNE_TOKENS).bind(now.micros())))
}
