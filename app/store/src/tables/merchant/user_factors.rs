//! The second factor of users: the secret of an authenticator app, and codes that replace it.

use crate::engine::{Db, Result, batches::without_values};
use domain::{AccountId, Timestamp, UserId};
use sqlx::QueryBuilder;
use uuid::Uuid;

statements! {
    in user_factors;
    FIND = "SELECT totp_secret, totp_pending, totp_since FROM users WHERE account_id = $1 AND id = $2";
    BEGIN = "UPDATE users SET totp_pending = $3 WHERE account_id = $1 AND id = $2";
    /// Only the secret whose code was checked. Its code counts as used.
    CONFIRM = "UPDATE users SET totp_secret = totp_pending, totp_pending = '', totp_since = $4, totp_step = $5,
         factor_due_at = NULL, updated_at = $4, version = version + 1
        WHERE account_id = $1 AND id = $2 AND totp_pending = $3 AND totp_pending <> ''";
    /// Of two requests with one code, the second finds it used. The secret is encrypted again, under the current key of
    /// the operator.
    USE_STEP = "UPDATE users SET totp_step = $4, totp_secret = $5
        WHERE account_id = $1 AND id = $2 AND totp_secret = $3 AND totp_step < $4";
    REMOVE = "UPDATE users SET totp_secret = '', totp_pending = '', totp_since = NULL, totp_step = 0, updated_at = $3,
         version = version + 1
        WHERE account_id = $1 AND id = $2";
    NOTE_NONE = "UPDATE users SET factor_due_at = $3 WHERE account_id = $1 AND id = $2 AND totp_since IS NULL
        AND NOT EXISTS (SELECT 1 FROM passkeys p WHERE p.account_id = $1 AND p.user_id = $2)";
    INSERT_CODES = "INSERT INTO user_recovery_codes (account_id, user_id, code_hash) VALUES ($1, $2, $3)";
    USE_CODE = "DELETE FROM user_recovery_codes WHERE account_id = $1 AND user_id = $2 AND code_hash = $3";
    DELETE_CODES = "DELETE FROM user_recovery_codes WHERE account_id = $1 AND user_id = $2";
    COUNT_CODES = "SELECT COUNT(*) FROM user_recovery_codes WHERE account_id = $1 AND user_id = $2";
    /// Reads all users, at the start of the service.
    WORKER_SECRETS = "SELECT account_id, id, totp_secret FROM users WHERE totp_secret <> ''";
}

/// The authenticator app of a user. Secrets are encrypted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Totp {
    /// Empty: none.
    pub secret: String,
    /// The secret that a first code has to confirm; empty: none.
    pub pending: String,
    /// When it was set up.
    pub since: Option<Timestamp>,
}

/// The authenticator app of a user; `None` if there is no such user.
pub async fn find(mut db: Db<'_>, account: AccountId, user: UserId) -> Result<Option<Totp>> {
    let row: Option<(String, String, Option<i64>)> =
        on!(&mut db, c => sqlx::query_as(FIND).bind(account.0).bind(user.0).fetch_optional(&mut **c).await?);
    Ok(row.map(|(secret, pending, since)| Totp { secret, pending, since: since.map(Timestamp::from_micros) }))
}

/// Stores a secret that a first code has to confirm.
pub async fn begin(mut db: Db<'_>, account: AccountId, user: UserId, pending: &str) -> Result<()> {
    execute!(db, sqlx::query(BEGIN).bind(account.0).bind(user.0).bind(pending));
    Ok(())
}

/// Makes a pending secret the user's own. The code of this step is used up. `false` if another secret is pending.
pub async fn confirm(
    mut db: Db<'_>,
    account: AccountId,
    user: UserId,
    pending: &str,
    now: Timestamp,
    step: i64,
) -> Result<bool> {
    let rows =
        execute!(db, sqlx::query(CONFIRM).bind(account.0).bind(user.0).bind(pending).bind(now.micros()).bind(step));
    Ok(rows == 1)
}

/// The secret as it is stored, and as it is encrypted now.
#[derive(Debug, Clone, Copy)]
pub struct Resealed<'a> {
    pub stored: &'a str,
    pub new: &'a str,
}

/// Uses up the codes up to a step; `false` if the code of this step, or a later one, was used before.
pub async fn use_step(
    mut db: Db<'_>,
    account: AccountId,
    user: UserId,
    secret: Resealed<'_>,
    step: i64,
) -> Result<bool> {
    let rows = execute!(
        db,
        sqlx::query(USE_STEP).bind(account.0).bind(user.0).bind(secret.stored).bind(step).bind(secret.new)
    );
    Ok(rows == 1)
}

/// Removes the authenticator app. See [`note_removal`].
pub async fn remove(mut db: Db<'_>, account: AccountId, user: UserId, now: Timestamp) -> Result<()> {
    execute!(db, sqlx::query(REMOVE).bind(account.0).bind(user.0).bind(now.micros()));
    note_removal(db, account, user, now).await
}

/// After an app or a passkey was removed: recovery codes end with the last second factor, and if one is required, the
/// user has to set up another one at the next sign-in.
pub async fn note_removal(mut db: Db<'_>, account: AccountId, user: UserId, now: Timestamp) -> Result<()> {
    if execute!(db, sqlx::query(NOTE_NONE).bind(account.0).bind(user.0).bind(now.micros())) == 1 {
        execute!(db, sqlx::query(DELETE_CODES).bind(account.0).bind(user.0));
    }
    Ok(())
}

/// Replaces the recovery codes of a user by the ones with these hashes.
pub async fn replace_codes(mut db: Db<'_>, account: AccountId, user: UserId, hashes: &[Vec<u8>]) -> Result<()> {
    execute!(db, sqlx::query(DELETE_CODES).bind(account.0).bind(user.0));
    on!(&mut db, c => {
        let mut query = QueryBuilder::new(without_values(INSERT_CODES));
        query.push_values(hashes, |mut row, hash| {
            row.push_bind(account.0).push_bind(user.0).push_bind(hash.as_slice());
        });
        query.build().execute(&mut **c).await?.rows_affected()
    });
    Ok(())
}

/// Uses up a recovery code; `false` if there is none with this hash. Of two requests with one code, one gets `true`.
pub async fn use_code(mut db: Db<'_>, account: AccountId, user: UserId, hash: &[u8]) -> Result<bool> {
    Ok(execute!(db, sqlx::query(USE_CODE).bind(account.0).bind(user.0).bind(hash)) == 1)
}

/// The number of recovery codes that are left.
pub async fn count_codes(mut db: Db<'_>, account: AccountId, user: UserId) -> Result<i64> {
    Ok(on!(&mut db, c => sqlx::query_scalar(COUNT_CODES).bind(account.0).bind(user.0).fetch_one(&mut **c).await?))
}

/// The encrypted secrets of all users.
pub async fn list_secrets(mut db: Db<'_>) -> Result<Vec<(AccountId, UserId, String)>> {
    let rows: Vec<(Uuid, Uuid, String)> = on!(&mut db, c => sqlx::query_as(WORKER_SECRETS).fetch_all(&mut **c).await?);
    Ok(rows.into_iter().map(|(account, user, secret)| (AccountId(account), UserId(user), secret)).collect())
}
