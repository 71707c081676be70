//! A lock for each person, whatever rows there are of them.
//!
//! A person has many rows, and some are yet to be written: whoever looks an order up gets a consumer, whoever asks for a link a
//! task. No row lock covers what is not there. So what writes of a person shares a lock of theirs, and their erasure has it
//! alone: each is wholly before the erasure, which then empties what was written, or wholly after it, and reads nothing of
//! them. SQLite has one writer, and so every transaction that writes has all of these locks.
//!
//! **Order of locks**, on Postgres: the account, a person, consumers, return orders, lines, orders, withdrawals. A transaction
//! leaves out what it does not need; what it needs it takes in this order, or two could wait for each other.

use crate::engine::{Db, Result};

// For Postgres only. The locks end with their transaction.
const SHARE: &str = "SELECT pg_advisory_xact_lock_shared(key) FROM UNNEST($1::BIGINT[]) AS wanted (key)";
const HOLD: &str = "SELECT pg_advisory_xact_lock($1)";

/// Keeps erasures of these people away until the transaction ends, and waits for those that are under way. Each person is a
/// hash of the account with an e-mail address, or with what proves an order. `true` where it may have waited: what was read
/// of them before has to be read again.
pub async fn share(db: Db<'_>, people: &[Vec<u8>]) -> Result<bool> {
    let Db::Postgres(connection) = db else { return Ok(false) };
    let mut keys: Vec<i64> = people.iter().map(|person| key(person)).collect();
    keys.sort_unstable();
    crate::engine::pool::in_time(async { Ok(sqlx::query(SHARE).bind(keys).execute(connection).await?) }).await?;
    Ok(true)
}

/// Waits for all that writes of a person, and keeps it away until the transaction ends.
pub async fn hold(db: Db<'_>, person: &[u8]) -> Result<()> {
    let Db::Postgres(connection) = db else { return Ok(()) };
    crate::engine::pool::in_time(async { Ok(sqlx::query(HOLD).bind(key(person)).execute(connection).await?) }).await?;
    Ok(())
}

/// Two people of one key wait for each other, and nothing else comes of it.
fn key(person: &[u8]) -> i64 {
    person.iter().take(8).fold(0, |key, byte| (key << 8) | i64::from(*byte))
}
