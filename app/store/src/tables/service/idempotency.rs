//! Answers that are given again when a client repeats itself.

use crate::engine::{Db, Result};
use domain::{AccountId, Timestamp};

statements! {
    /// A second request with the same key waits here until the first is done.
    CLAIM = "INSERT INTO idempotency_keys (account_id, credential, key, fingerprint, status, body, expires_at)
        VALUES ($1, $2, $3, $4, 0, '', $5)
        ON CONFLICT (account_id, credential, key) DO UPDATE
        SET fingerprint = excluded.fingerprint, status = 0, body = '', expires_at = excluded.expires_at
        WHERE idempotency_keys.expires_at <= $6";
    FIND = "SELECT fingerprint, status, body FROM idempotency_keys
        WHERE account_id = $1 AND credential = $2 AND key = $3 AND expires_at > $4";
    /// Never what was answered.
    RELEASE = "DELETE FROM idempotency_keys WHERE account_id = $1 AND credential = $2 AND key = $3 AND status = 0";
    ANSWER = "UPDATE idempotency_keys SET status = $4, body = $5 WHERE account_id = $1 AND credential = $2 AND key = $3";
    PRUNE = "DELETE FROM idempotency_keys WHERE (account_id, credential, key) IN
        (SELECT account_id, credential, key FROM idempotency_keys WHERE expires_at <= $1 ORDER BY expires_at LIMIT 500)";
}

/// For how long an answer is kept, and for how long a key is leased, seconds.
const CLAIMED_FOR: i64 = 24 * 3_600;
const LEASED_FOR: i64 = 60;

/// A client's key and what it was used for.
#[derive(Debug, Clone)]
pub struct Key {
    /// Whose key space it is: the credential's id.
    pub credential: String,
    /// As the client sent it.
    pub key: String,
    /// SHA-256 of method, path and body.
    pub fingerprint: Vec<u8>,
}

/// An answer that was given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// HTTP status.
    pub status: u16,
    /// JSON, byte for byte.
    pub body: String,
}

/// What a key turns out to be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Claim {
    /// Never seen: the request may have its effect.
    New,
    /// The same request was answered so.
    Repeated(Answer),
    /// The same request has leased it and is not answered yet.
    UnderWay,
    /// The key was used for another request.
    Mismatch,
}

/// Claims a key inside the transaction of the request's effect.
pub async fn claim(db: Db<'_>, account: AccountId, key: &Key, now: Timestamp) -> Result<Claim> {
    claim_for(CLAIMED_FOR, db, account, key, now).await
}

/// Claims a key for an effect outside of the database, in a transaction before it. Of what is never answered nothing is
/// left after a minute.
pub async fn lease(db: Db<'_>, account: AccountId, key: &Key, now: Timestamp) -> Result<Claim> {
    claim_for(LEASED_FOR, db, account, key, now).await
}

/// Gives a leased key back.
pub async fn release(mut db: Db<'_>, account: AccountId, key: &Key) -> Result<()> {
    execute!(db, sqlx::query(RELEASE).bind(account.0).bind(&key.credential).bind(&key.key));
    Ok(())
}

async fn claim_for(seconds: i64, mut db: Db<'_>, account: AccountId, key: &Key, now: Timestamp) -> Result<Claim> {
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
        return Ok(Claim::New);
    }
    find(db, account, key, now).await
}

/// What a key was used for before, without claiming it.
pub async fn find(mut db: Db<'_>, account: AccountId, key: &Key, now: Timestamp) -> Result<Claim> {
    let row: Option<(Vec<u8>, i64, String)> = on!(&mut db, c => sqlx::query_as(FIND)
        .bind(account.0)
        .bind(&key.credential)
        .bind(&key.key)
        .bind(now.micros())
        .fetch_optional(&mut **c).await?);
    let Some((fingerprint, status, body)) = row else { return Ok(Claim::New) };
    if fingerprint != key.fingerprint {
        return Ok(Claim::Mismatch);
    }
    if status == 0 {
        return Ok(Claim::UnderWay);
    }
    let status = u16::try_from(status).map_err(|_| crate::engine::StoreError::Unreadable("idempotency_keys.status"))?;
    Ok(Claim::Repeated(Answer { status, body }))
}

/// Keeps the answer that goes with a claimed key.
pub async fn answer(mut db: Db<'_>, account: AccountId, key: &Key, answer: &Answer) -> Result<()> {
    execute!(
        db,
        sqlx::query(ANSWER)
            .bind(account.0)
            .bind(&key.credential)
            .bind(&key.key)
            .bind(i64::from(answer.status))
            .bind(&answer.body)
    );
    Ok(())
}

/// Forgets answers that have expired, of every account, a thousand at most.
pub async fn prune(mut db: Db<'_>, now: Timestamp) -> Result<u64> {
    Ok(execute!(db, sqlx::query(PRUNE).bind(now.micros())))
}
