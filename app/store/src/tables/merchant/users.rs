//! People of a merchant, what they sign in with, and their tokens.

use crate::{engine::{Db, Result}, lists::{self, Field, FieldKind, List, Listing, page::Rows}};
use domain::{AccountId, Timestamp, UserId, order::ProofKey};
use uuid::Uuid;

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT u.seq, u.id, u.email, u.name, u.role, u.password_hash, u.last_signed_in_at, u.created_at, \
             u.updated_at, u.version FROM users u ",
            $rest
        )
    };
}

statements! {
    INSERT = "INSERT INTO users (account_id, id, email, email_key, name, role, password_hash, created_at, updated_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8)";
    /// Of two who take an e-mail at once, in whichever accounts, the second waits here and finds it taken.
    INSERT_EMAIL = "INSERT INTO user_emails (account_id, email_key, user_id) VALUES ($1, $2, $3)
        ON CONFLICT (email_key) DO NOTHING";
    FIND = select!("WHERE u.account_id = $1 AND u.id = $2");
    /// Who signs in names no account.
    FIND_BY_EMAIL = "SELECT e.account_id, e.user_id, u.password_hash FROM user_emails e
        JOIN users u ON u.account_id = e.account_id AND u.id = e.user_id WHERE e.email_key = $1";
    UPDATE = "UPDATE users SET name = $3, role = $4, updated_at = $5, version = version + 1
        WHERE account_id = $1 AND id = $2";
    OTHER_ADMIN = "SELECT id FROM users
        WHERE account_id = $1 AND role = 'admin' AND password_hash <> '' AND id <> $2 LIMIT 1";
    SET_PASSWORD = "UPDATE users SET password_hash = $3, updated_at = $4, version = version + 1
        WHERE account_id = $1 AND id = $2";
    /// Only with the password that was checked; holds the row, so that nobody gets a token of a user who is going.
    SIGN_IN = "UPDATE users SET last_signed_in_at = $4 WHERE account_id = $1 AND id = $2 AND password_hash = $3";
    LOCK = "UPDATE users SET version = version WHERE account_id = $1 AND id = $2";
    DELETE_EMAIL = "DELETE FROM user_emails WHERE account_id = $1 AND user_id = $2";
    DELETE = "DELETE FROM users WHERE account_id = $1 AND id = $2";
    INSERT_TOKEN = "INSERT INTO user_tokens (account_id, token_hash, user_id, purpose, expires_at)
        VALUES ($1, $2, $3, $4, $5)";
    FIND_TOKEN = select!("JOIN user_tokens t ON t.account_id = u.account_id AND t.user_id = u.id
        WHERE t.account_id = $1 AND t.token_hash = $2 AND t.purpose = $3 AND t.expires_at > $4");
    DELETE_TOKEN = "DELETE FROM user_tokens WHERE account_id = $1 AND token_hash = $2 AND purpose = $3";
    DELETE_TOKENS = "DELETE FROM user_tokens WHERE account_id = $1 AND user_id = $2";
    DELETE_TOKENS_FOR = "DELETE FROM user_tokens WHERE account_id = $1 AND user_id = $2 AND purpose = $3";
    PRUNE_TOKENS = "DELETE FROM user_tokens WHERE (account_id, token_hash) IN
        (SELECT account_id, token_hash FROM user_tokens WHERE expires_at <= $1 ORDER BY expires_at LIMIT 500)";
}

/// One of a merchant's people.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct User {
    /// Identifier.
    pub id: UserId,
    /// What they sign in with.
    pub email: String,
    /// The user's name; may be empty.
    pub name: String,
    /// What they may do, by name.
    pub role: String,
    /// Whether they have set a password.
    pub has_password: bool,
    /// When they last signed in.
    pub last_signed_in_at: Option<Timestamp>,
    /// When they were invited.
    pub created_at: Timestamp,
    /// When they last changed.
    pub updated_at: Timestamp,
    /// Counts their changes.
    pub version: i64,
}

/// What a token is good for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// Using the API.
    Access,
    /// Setting a password, once.
    Password,
}

impl Purpose {
    fn name(self) -> &'static str {
        match self {
            Self::Access => "access",
            Self::Password => "password",
        }
    }
}

/// Somebody who may be signing in.
#[derive(Debug, Clone)]
pub struct Known {
    /// Where.
    pub account: AccountId,
    /// Who.
    pub id: UserId,
    /// PHC string; empty while no password is set.
    pub password_hash: String,
}

#[derive(sqlx::FromRow)]
struct Row {
    seq: i64,
    id: Uuid,
    email: String,
    name: String,
    role: String,
    password_hash: String,
    last_signed_in_at: Option<i64>,
    created_at: i64,
    updated_at: i64,
    version: i64,
}

impl Row {
    fn user(self) -> User {
        User {
            id: UserId(self.id),
            email: self.email,
            name: self.name,
            role: self.role,
            has_password: !self.password_hash.is_empty(),
            last_signed_in_at: self.last_signed_in_at.map(Timestamp::from_micros),
            created_at: Timestamp::from_micros(self.created_at),
            updated_at: Timestamp::from_micros(self.updated_at),
            version: self.version,
        }
    }
}

/// Adds a user, with a password's hash or an empty text; `false` when somebody in the installation has that e-mail:
/// then the transaction is to be dropped.
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
    );
    let rows = execute!(db, sqlx::query(INSERT_EMAIL).bind(account.0).bind(email.as_str()).bind(new.id.0));
    Ok(rows == 1)
}

/// The user of that id.
pub async fn find(mut db: Db<'_>, account: AccountId, id: UserId) -> Result<Option<User>> {
    let row: Option<Row> =
        on!(&mut db, c => sqlx::query_as(FIND).bind(account.0).bind(id.0).fetch_optional(&mut **c).await?);
    Ok(row.map(Row::user))
}

/// Whoever has that e-mail, in whichever account.
pub async fn find_by_email(mut db: Db<'_>, email: &ProofKey) -> Result<Option<Known>> {
    let row: Option<(Uuid, Uuid, String)> =
        on!(&mut db, c => sqlx::query_as(FIND_BY_EMAIL).bind(email.as_str()).fetch_optional(&mut **c).await?);
    Ok(row.map(|(account, id, password_hash)| Known { account: AccountId(account), id: UserId(id), password_hash }))
}

/// What users can be asked for.
pub static LIST: List = List {
    name: "users",
    select: select!(""),
    table: "users",
    alias: "u.",
    fields: &[
        Field { name: "email", kind: FieldKind::Email, column: "u.email_key" },
        Field { name: "role", kind: FieldKind::OneOf(roles), column: "u.role" },
    ],
    sorts_by_update: false,
    search: None,
};

fn roles() -> Vec<&'static str> {
    vec!["admin", "agent", "viewer"]
}

/// An account's users.
pub async fn list(db: Db<'_>, account: AccountId, listing: &Listing) -> Result<Rows<User>> {
    let key = |row: &Row| listing.cursor(row.seq, row.seq);
    lists::fetch(db, &LIST, account, listing, key, |row| Ok(Row::user(row))).await
}

/// Keeps a user's new name and role; their version goes up by one.
pub async fn update(mut db: Db<'_>, account: AccountId, changed: &User) -> Result<()> {
    execute!(
        db,
        sqlx::query(UPDATE)
            .bind(account.0)
            .bind(changed.id.0)
            .bind(&changed.name)
            .bind(&changed.role)
            .bind(changed.updated_at.micros())
    );
    Ok(())
}

/// Whether anybody but this user is an administrator and can sign in.
pub async fn has_other_admin(mut db: Db<'_>, account: AccountId, id: UserId) -> Result<bool> {
    let row: Option<Uuid> =
        on!(&mut db, c => sqlx::query_scalar(OTHER_ADMIN).bind(account.0).bind(id.0).fetch_optional(&mut **c).await?);
    Ok(row.is_some())
}

/// Sets a user's password and ends all of their tokens.
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

/// Notes that a user signed in; `false` when they are gone or have another password meanwhile.
pub async fn sign_in(mut db: Db<'_>, known: &Known, now: Timestamp) -> Result<bool> {
    let rows = execute!(
        db,
        sqlx::query(SIGN_IN).bind(known.account.0).bind(known.id.0).bind(&known.password_hash).bind(now.micros())
    );
    Ok(rows == 1)
}

/// Forgets a user, their e-mail and their tokens.
pub async fn delete(mut db: Db<'_>, account: AccountId, id: UserId) -> Result<()> {
    // Who is just signing in is waited for: their token goes too.
    for sql in [LOCK, DELETE_TOKENS, DELETE_EMAIL, DELETE] {
        execute!(db, sqlx::query(sql).bind(account.0).bind(id.0));
    }
    Ok(())
}

/// Keeps a token by its hash.
pub async fn insert_token(
    mut db: Db<'_>,
    account: AccountId,
    token_hash: &[u8],
    user: UserId,
    purpose: Purpose,
    expires_at: Timestamp,
) -> Result<()> {
    execute!(
        db,
        sqlx::query(INSERT_TOKEN)
            .bind(account.0)
            .bind(token_hash)
            .bind(user.0)
            .bind(purpose.name())
            .bind(expires_at.micros())
    );
    Ok(())
}

/// Whose token this is, unless it has expired.
pub async fn find_token(
    mut db: Db<'_>,
    account: AccountId,
    token_hash: &[u8],
    purpose: Purpose,
    now: Timestamp,
) -> Result<Option<User>> {
    let row: Option<Row> = on!(&mut db, c => sqlx::query_as(FIND_TOKEN)
        .bind(account.0)
        .bind(token_hash)
        .bind(purpose.name())
        .bind(now.micros())
        .fetch_optional(&mut **c)
        .await?);
    Ok(row.map(Row::user))
}

/// Ends a token; `false` when there is none. Of two who use one up at once, one gets it.
pub async fn delete_token(mut db: Db<'_>, account: AccountId, token_hash: &[u8], purpose: Purpose) -> Result<bool> {
    let rows = execute!(db, sqlx::query(DELETE_TOKEN).bind(account.0).bind(token_hash).bind(purpose.name()));
    Ok(rows == 1)
}

/// Ends all tokens of a user that are for this.
pub async fn delete_tokens_for(mut db: Db<'_>, account: AccountId, user: UserId, purpose: Purpose) -> Result<()> {
    execute!(db, sqlx::query(DELETE_TOKENS_FOR).bind(account.0).bind(user.0).bind(purpose.name()));
    Ok(())
}

/// Forgets tokens that have expired, of every account, a thousand at most.
pub async fn prune_tokens(mut db: Db<'_>, now: Timestamp) -> Result<u64> {
    Ok(execute!(db, sqlx::query(PRUNE_TOKENS).bind(now.micros())))
}
