//! Passkeys of users, and the challenges that they sign.

use crate::engine::{Db, Result, stored::count};
use domain::{AccountId, PasskeyId, Timestamp, UserId};
use uuid::Uuid;

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT id, user_id, credential, public_key, name, sign_count, may_be_synced, created_at, last_used_at \
             FROM passkeys ",
            $rest
        )
    };
}

statements! {
    in passkeys;
    INSERT = "INSERT INTO passkeys
        (account_id, user_id, id, credential, public_key, name, sign_count, may_be_synced, created_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT (account_id, credential) DO NOTHING";
    LIST = select!("WHERE account_id = $1 AND user_id = $2 ORDER BY created_at, id");
    FIND = select!("WHERE account_id = $1 AND credential = $2");
    /// Of two uses with one count, the second finds it taken.
    USE = "UPDATE passkeys SET sign_count = $4, last_used_at = $5
        WHERE account_id = $1 AND user_id = $2 AND id = $3 AND sign_count = $6";
    RENAME = "UPDATE passkeys SET name = $4 WHERE account_id = $1 AND user_id = $2 AND id = $3";
    DELETE = "DELETE FROM passkeys WHERE account_id = $1 AND user_id = $2 AND id = $3";
    DELETE_ALL = "DELETE FROM passkeys WHERE account_id = $1 AND user_id = $2";
    INSERT_CHALLENGE = "INSERT INTO passkey_challenges (challenge_hash, expires_at) VALUES ($1, $2)";
    /// Of two requests with one challenge, the second finds none.
    TAKE_CHALLENGE = "DELETE FROM passkey_challenges WHERE challenge_hash = $1 AND expires_at > $2";
    PRUNE_CHALLENGES = "DELETE FROM passkey_challenges WHERE challenge_hash IN
        (SELECT challenge_hash FROM passkey_challenges WHERE expires_at <= $1 ORDER BY expires_at LIMIT 500)";
}

/// A passkey of a user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Passkey {
    pub id: PasskeyId,
    pub user: UserId,
    /// The authenticator's own id.
    pub credential_id: Vec<u8>,
    /// In the format COSE.
    pub public_key: Vec<u8>,
    pub name: String,
    /// Of the last use; 0: the authenticator does not count.
    pub sign_count: u32,
    /// Whether it may be copied to other devices.
    pub may_be_synced: bool,
    pub created_at: Timestamp,
    pub last_used_at: Option<Timestamp>,
}

#[derive(sqlx::FromRow)]
struct PasskeyRow {
    id: Uuid,
    user_id: Uuid,
    credential: Vec<u8>,
    public_key: Vec<u8>,
    name: String,
    sign_count: i64,
    may_be_synced: bool,
    created_at: i64,
    last_used_at: Option<i64>,
}

impl PasskeyRow {
    fn passkey(self) -> Result<Passkey> {
        Ok(Passkey {
            id: PasskeyId(self.id),
            user: UserId(self.user_id),
            credential_id: self.credential,
            public_key: self.public_key,
            name: self.name,
            sign_count: count("passkeys.sign_count", self.sign_count)?,
            may_be_synced: self.may_be_synced,
            created_at: Timestamp::from_micros(self.created_at),
            last_used_at: self.last_used_at.map(Timestamp::from_micros),
        })
    }
}

/// Stores a new passkey; `false` if the account has one with this id of an authenticator.
pub async fn insert(mut db: Db<'_>, account: AccountId, new: &Passkey) -> Result<bool> {
    let rows = execute!(
        db,
        sqlx::query(INSERT)
            .bind(account.0)
            .bind(new.user.0)
            .bind(new.id.0)
            .bind(new.credential_id.as_slice())
            .bind(new.public_key.as_slice())
            .bind(&new.name)
            .bind(i64::from(new.sign_count))
            .bind(new.may_be_synced)
            .bind(new.created_at.micros())
    );
    Ok(rows == 1)
}

/// The passkeys of a user, the oldest first.
pub async fn list(mut db: Db<'_>, account: AccountId, user: UserId) -> Result<Vec<Passkey>> {
    let rows: Vec<PasskeyRow> =
        on!(&mut db, c => sqlx::query_as(LIST).bind(account.0).bind(user.0).fetch_all(&mut **c).await?);
    rows.into_iter().map(PasskeyRow::passkey).collect()
}

/// The passkey with this id of an authenticator.
pub async fn find(mut db: Db<'_>, account: AccountId, credential_id: &[u8]) -> Result<Option<Passkey>> {
    let row: Option<PasskeyRow> =
        on!(&mut db, c => sqlx::query_as(FIND).bind(account.0).bind(credential_id).fetch_optional(&mut **c).await?);
    row.map(PasskeyRow::passkey).transpose()
}

/// Records a use with its count; `false` if another request has used the passkey since it was read, or it was removed.
pub async fn record_use(
    mut db: Db<'_>,
    account: AccountId,
    read: &Passkey,
    sign_count: u32,
    now: Timestamp,
) -> Result<bool> {
    let rows = execute!(
        db,
        sqlx::query(USE)
            .bind(account.0)
            .bind(read.user.0)
            .bind(read.id.0)
            .bind(i64::from(sign_count))
            .bind(now.micros())
            .bind(i64::from(read.sign_count))
    );
    Ok(rows == 1)
}

/// Gives a passkey of a user another name; `false` if there is none with this id.
pub async fn rename(mut db: Db<'_>, account: AccountId, user: UserId, id: PasskeyId, name: &str) -> Result<bool> {
    Ok(execute!(db, sqlx::query(RENAME).bind(account.0).bind(user.0).bind(id.0).bind(name)) == 1)
}

/// Removes a passkey of a user; `false` if there is none with this id.
pub async fn delete(mut db: Db<'_>, account: AccountId, user: UserId, id: PasskeyId) -> Result<bool> {
    Ok(execute!(db, sqlx::query(DELETE).bind(account.0).bind(user.0).bind(id.0)) == 1)
}

/// Removes all passkeys of a user.
pub async fn delete_all(mut db: Db<'_>, account: AccountId, user: UserId) -> Result<()> {
    execute!(db, sqlx::query(DELETE_ALL).bind(account.0).bind(user.0));
    Ok(())
}

/// Stores a challenge by its hash.
pub async fn insert_challenge(mut db: Db<'_>, challenge_hash: &[u8], expires_at: Timestamp) -> Result<()> {
    execute!(db, sqlx::query(INSERT_CHALLENGE).bind(challenge_hash).bind(expires_at.micros()));
    Ok(())
}

/// Uses up a challenge; `false` if there is none with this hash, or it has expired.
pub async fn take_challenge(mut db: Db<'_>, challenge_hash: &[u8], now: Timestamp) -> Result<bool> {
    Ok(execute!(db, sqlx::query(TAKE_CHALLENGE).bind(challenge_hash).bind(now.micros())) == 1)
}

/// Deletes some expired challenges; returns how many.
pub async fn prune_challenges(mut db: Db<'_>, now: Timestamp) -> Result<u64> {
    Ok(execute!(db, sqlx::query(PRUNE_CHALLENGES).bind(now.micros())))
}
