//! A lock for each person, across all their rows.
//!
//! A person has many rows, and some are not written yet: a look-up creates a consumer, a request for a link creates a
//! task. No row lock covers a row that does not exist. So every transaction that writes about a person shares the
//! person's lock, and an erasure takes it exclusively. Each transaction is wholly before the erasure, which then scrubs
//! what it wrote, or wholly after it, and reads nothing about the person. On SQLite, which has one writer, every
//! transaction that writes has all of these locks.
//!
//! **Order of locks** on Postgres: the account, a person, consumers, return orders, lines, orders, withdrawals. A
//! transaction takes the locks that it needs in this order; otherwise two could deadlock.

use crate::engine::{Db, Result, time_limit::in_time};

// Postgres only. The locks end with the transaction.
const SHARE: &str = "SELECT pg_advisory_xact_lock_shared(key) FROM UNNEST($1::BIGINT[]) AS wanted (key)";
const HOLD: &str = "SELECT pg_advisory_xact_lock($1)";

/// Shares the locks of these people until the transaction ends, after waiting for their erasures. Each person is a hash
/// of the account with an e-mail address or with what proves an order. `true` if it may have waited: then the caller
/// reads again what it has read about them before.
pub async fn share(mut db: Db<'_>, people: &[Vec<u8>]) -> Result<bool> {
    let Some(connection) = db.row_locks() else { return Ok(false) };
    let mut keys: Vec<i64> = people.iter().map(|person| key(person)).collect();
    keys.sort_unstable();
    in_time(async { Ok(sqlx::query(SHARE).bind(keys).execute(connection).await?) }).await?;
    Ok(true)
}

/// Takes the lock of a person exclusively until the transaction ends, after waiting for those that share it.
pub async fn hold(mut db: Db<'_>, person: &[u8]) -> Result<()> {
    let Some(connection) = db.row_locks() else { return Ok(()) };
    in_time(async { Ok(sqlx::query(HOLD).bind(key(person)).execute(connection).await?) }).await?;
    Ok(())
}

/// The key of the advisory lock. Two people with the same key only wait for each other.
fn key(person: &[u8]) -> i64 {
    person.iter().take(8).fold(0, |key, byte| (key << 8) | i64::from(*byte))
}
