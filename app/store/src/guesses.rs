//! How often somebody has guessed wrong, and who has guessed right before. Only hashes: what was guessed at is an
//! order number, an e-mail or an address. They belong to the installation, because who signs in names no account.

use crate::{Db, Result};
use domain::Timestamp;

statements! {
    /// One statement, so that of many at once no more than allowed get past it.
    COUNT = "INSERT INTO guesses (subject_hash, failures, expires_at) VALUES ($1, 1, $2)
        ON CONFLICT (subject_hash) DO UPDATE SET failures = guesses.failures + 1 WHERE guesses.failures < $3";
    GIVE_BACK = "UPDATE guesses SET failures = failures - 1 WHERE subject_hash = $1 AND failures > 0";
    PRUNE = "DELETE FROM guesses WHERE subject_hash IN
        (SELECT subject_hash FROM guesses WHERE expires_at <= $1 LIMIT 1000)";
    TRUST = "INSERT INTO trusted_addresses (subject_hash, address_hash, expires_at) VALUES ($1, $2, $3)
        ON CONFLICT (subject_hash, address_hash) DO UPDATE SET expires_at = excluded.expires_at";
    IS_TRUSTED = "SELECT expires_at FROM trusted_addresses
        WHERE subject_hash = $1 AND address_hash = $2 AND expires_at > $3";
    PRUNE_TRUSTED = "DELETE FROM trusted_addresses WHERE (subject_hash, address_hash) IN
        (SELECT subject_hash, address_hash FROM trusted_addresses WHERE expires_at <= $1 LIMIT 1000)";
}

/// Counts a guess as a wrong one; `false` when there were as many as are allowed. Who guesses at the same waits until
/// this transaction ends.
pub async fn count(mut db: Db<'_>, subject_hash: &[u8], allowed: i64, expires_at: Timestamp) -> Result<bool> {
    let rows = execute!(db, sqlx::query(COUNT).bind(subject_hash).bind(expires_at.micros()).bind(allowed));
    Ok(rows == 1)
}

/// Takes a counted guess back: it was right.
pub async fn give_back(mut db: Db<'_>, subject_hash: &[u8]) -> Result<()> {
    execute!(db, sqlx::query(GIVE_BACK).bind(subject_hash));
    Ok(())
}

/// Forgets counts of days that are over, a thousand at most.
pub async fn prune(mut db: Db<'_>, now: Timestamp) -> Result<u64> {
    Ok(execute!(db, sqlx::query(PRUNE).bind(now.micros())))
}

/// Notes that somebody at this address guessed right.
pub async fn trust(mut db: Db<'_>, subject_hash: &[u8], address_hash: &[u8], expires_at: Timestamp) -> Result<()> {
    execute!(db, sqlx::query(TRUST).bind(subject_hash).bind(address_hash).bind(expires_at.micros()));
    Ok(())
}

/// Whether somebody at this address has guessed right before.
pub async fn is_trusted(mut db: Db<'_>, subject_hash: &[u8], address_hash: &[u8], now: Timestamp) -> Result<bool> {
    let row: Option<i64> = on!(&mut db, c => sqlx::query_scalar(IS_TRUSTED)
        .bind(subject_hash)
        .bind(address_hash)
        .bind(now.micros())
        .fetch_optional(&mut **c)
        .await?);
    Ok(row.is_some())
}

/// Forgets addresses from which nobody has guessed right for long, a thousand at most.
pub async fn prune_trusted(mut db: Db<'_>, now: Timestamp) -> Result<u64> {
    Ok(execute!(db, sqlx::query(PRUNE_TRUSTED).bind(now.micros())))
}
