//! Idempotency keys: a request that a client repeats gets the response of the first one.

use crate::engine::{Db, Result};
use domain::{AccountId, Timestamp};

statements! {
    in idempotency;
    /// A second request with the same key waits here until the first is done.
    CLAIM = "INSERT INTO idempotency_keys (account_id, credential, key, fingerprint, status, body, expires_at)
        VALUES ($1, $2, $3, $4, 0, '', $5)
        ON CONFLICT (account_id, credential, key) DO UPDATE
        SET fingerprint = excluded.fingerprint, status = 0, body = '', expires_at = excluded.expires_at
        WHERE idempotency_keys.expires_at <= $6";
    FIND = "SELECT fingerprint, status, body FROM idempotency_keys
        WHERE account_id = $1 AND credential = $2 AND key = $3 AND expires_at > $4";
    /// Only a key without a response.
    RELEASE = "DELETE FROM idempotency_keys WHERE account_id = $1 AND credential = $2 AND key = $3 AND status = 0";
    ANSWER = "UPDATE idempotency_keys SET status = $4, body = $5 WHERE account_id = $1 AND credential = $2 AND key = $3";
    PRUNE = "DELETE FROM idempotency_keys WHERE (account_id, credential, key) IN
        (SELECT account_id, credential, key FROM idempotency_keys WHERE expires_at <= $1 ORDER BY expires_at LIMIT 500)";
}

/// How long a response is kept, in seconds.
const CLAIMED_FOR: i64 = 24 * 3_600;
/// How long a key without a response is leased, in seconds.
const LEASED_FOR: i64 = 60;

/// A client's key and the request that it stands for.
#[derive(Debug, Clone)]
pub struct IdempotencyKey {
    /// The id of the client's credential, which is the key's namespace.
    pub credential: String,
    /// The key as the client sent it.
    pub key: String,
    /// SHA-256 of method, path and body.
    pub fingerprint: Vec<u8>,
}

/// The response of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredResponse {
    pub status: u16,
    /// JSON, byte for byte.
    pub body: String,
}

/// The result of claiming a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KeyClaim {
    /// The key is new: the request may have its effect.
    New,
    /// The same request got this response.
    Repeated(StoredResponse),
    /// The same request has leased the key and has no response yet.
    UnderWay,
    /// The key was used for another request.
    Mismatch,
}

/// Claims a key in the transaction of the request's effect.
pub async fn claim(db: Db<'_>, account: AccountId, key: &IdempotencyKey, now: Timestamp) -> Result<KeyClaim> {
    claim_for(CLAIMED_FOR, db, account, key, now).await
}

/// Claims a key for an effect outside of the database, in a transaction before it. A lease without a response expires
/// after a minute.
pub async fn lease(db: Db<'_>, account: AccountId, key: &IdempotencyKey, now: Timestamp) -> Result<KeyClaim> {
    claim_for(LEASED_FOR, db, account, key, now).await
}

/// Releases a leased key.
pub async fn release(mut db: Db<'_>, account: AccountId, key: &IdempotencyKey) -> Result<()> {
    execute!(db, sqlx::query(RELEASE).bind(account.0).bind(&key.credential).bind(&key.key));
    Ok(())
}

async fn claim_for(
    seconds: i64,
    mut db: Db<'_>,
    account: AccountId,
    key: &IdempotencyKey,
    now: Timestamp,
) -> Result<KeyClaim> {
    let claimed = execute!(
        db,
        sqlx::query(CLAIM)
            .bind(account.0)
            .bind(&key.credential)
            .bind(&key.key)
            .bind(key.fingerprint.as_slice())
            .bind(now.plus_seconds(seconds).micros())
            .bind(now.micros())
    );
    if claimed == 1 {
        return Ok(KeyClaim::New);
    }
    find(db, account, key, now).await
}

/// The state of a key, without claiming it.
pub async fn find(mut db: Db<'_>, account: AccountId, key: &IdempotencyKey, now: Timestamp) -> Result<KeyClaim> {
    let row: Option<(Vec<u8>, i64, String)> = on!(&mut db, c => sqlx::query_as(FIND)
        .bind(account.0)
        .bind(&key.credential)
        .bind(&key.key)
        .bind(now.micros())
        .fetch_optional(&mut **c).await?);
    let Some((fingerprint, status, body)) = row else { return Ok(KeyClaim::New) };
    if fingerprint != key.fingerprint {
        return Ok(KeyClaim::Mismatch);
    }
    if status == 0 {
        return Ok(KeyClaim::UnderWay);
    }
    let status = u16::try_from(status).map_err(|_| crate::engine::StoreError::Unreadable("idempotency_keys.status"))?;
    Ok(KeyClaim::Repeated(StoredResponse { status, body }))
}

/// Stores the response of a claimed key.
pub async fn answer(mut db: Db<'_>, account: AccountId, key: &IdempotencyKey, response: &StoredResponse) -> Result<()> {
    execute!(
        db,
        sqlx::query(ANSWER)
            .bind(account.0)
            .bind(&key.credential)
            .bind(&key.key)
            .bind(i64::from(response.status))
            .bind(&response.body)
    );
    Ok(())
}

/// Deletes some expired responses of every account; returns how many.
pub async fn prune(mut db: Db<'_>, now: Timestamp) -> Result<u64> {
    Ok(execute!(db, sqlx::query(PRUNE).bind(now.micros())))
}
