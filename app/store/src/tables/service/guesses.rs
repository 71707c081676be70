//! Counters of failed guesses, and addresses that have guessed right before. Only hashes are stored, because subjects
//! are order numbers, e-mail addresses and IP addresses. They belong to the installation, because a user who signs in
//! names no account.
//!
//! A person waits for each of these statements, so all counters of a guess are one statement.

use crate::engine::{Db, Result, batches::without_values};
use domain::Timestamp;
use sqlx::QueryBuilder;

/// The hash of a subject or of an address.
pub type Hash = Vec<u8>;

/// A counter of one day, and its limit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Counter {
    pub subject: Hash,
    /// The largest count.
    pub allowed: i64,
}

statements! {
    in guesses;
    COUNT = "INSERT INTO guesses (subject_hash, failures, expires_at) VALUES ($1, 1, $2)";
    GIVE_BACK = "UPDATE guesses SET failures = failures - 1 WHERE failures > 0 AND subject_hash = $1";
    PRUNE = "DELETE FROM guesses WHERE subject_hash IN
        (SELECT subject_hash FROM guesses WHERE expires_at <= $1 ORDER BY expires_at LIMIT 500)";
    TRUST = "INSERT INTO trusted_addresses (subject_hash, address_hash, expires_at) VALUES ($1, $2, $3)
        ON CONFLICT (subject_hash, address_hash) DO UPDATE SET expires_at = excluded.expires_at";
    FIND_TRUSTED = "SELECT subject_hash FROM trusted_addresses WHERE subject_hash = $1 AND address_hash = $2 AND expires_at > $3";
    PRUNE_TRUSTED = "DELETE FROM trusted_addresses WHERE (subject_hash, address_hash) IN
        (SELECT subject_hash, address_hash FROM trusted_addresses WHERE expires_at <= $1 ORDER BY expires_at LIMIT 500)";
}
const IS_ANY_FULL: &str = "SELECT failures FROM guesses WHERE ";
// One statement, so that no more concurrent guesses pass than are allowed. Each counter has a limit of its own.
const ON_COUNTED: &str = " ON CONFLICT (subject_hash) DO UPDATE SET failures = guesses.failures + 1
    WHERE guesses.failures < CASE guesses.subject_hash";

/// Adds one to each counter; they are distinct and sorted. `false` if one of them is at its limit: then the caller
/// rolls the transaction back. Other transactions that count the same wait until this one ends.
pub async fn count(mut db: Db<'_>, counters: &[Counter], expires_at: Timestamp) -> Result<bool> {
    let rows = on!(&mut db, c => {
        let mut query = QueryBuilder::new(without_values(COUNT));
        query.push_values(counters, |mut row, counter| {
            row.push_bind(counter.subject.as_slice()).push("1").push_bind(expires_at.micros());
        });
        query.push(ON_COUNTED);
        for counter in counters {
            query.push(" WHEN ").push_bind(counter.subject.as_slice()).push(" THEN ").push_bind(counter.allowed);
        }
        query.push(" END");
        query.build().execute(&mut **c).await?.rows_affected()
    });
    Ok(usize::try_from(rows).is_ok_and(|rows| rows == counters.len()))
}

/// Whether one of the counters is at its limit.
pub async fn is_any_full(mut db: Db<'_>, counters: &[Counter]) -> Result<bool> {
    let found: Option<i64> = on!(&mut db, c => {
        let mut query = QueryBuilder::new(IS_ANY_FULL);
        for (index, counter) in counters.iter().enumerate() {
            query.push(if index == 0 { "(subject_hash = " } else { " OR (subject_hash = " });
            query.push_bind(counter.subject.as_slice());
            query.push(" AND failures >= ").push_bind(counter.allowed).push(")");
        }
        query.push(" LIMIT 1").build_query_scalar().fetch_optional(&mut **c).await?
    });
    Ok(found.is_some())
}

/// Takes back a guess that was right. One counter after the other, in the order in which they were counted, so that two
/// guesses cannot deadlock.
pub async fn give_back(mut db: Db<'_>, subjects: &[Hash]) -> Result<()> {
    for subject in subjects {
        execute!(db, sqlx::query(GIVE_BACK).bind(subject.as_slice()));
    }
    Ok(())
}

/// Deletes some counters of past days; returns how many.
pub async fn prune(mut db: Db<'_>, now: Timestamp) -> Result<u64> {
    Ok(execute!(db, sqlx::query(PRUNE).bind(now.micros())))
}

/// Records that this address guessed right.
pub async fn trust(mut db: Db<'_>, subject: &Hash, address: &Hash, expires_at: Timestamp) -> Result<()> {
    execute!(db, sqlx::query(TRUST).bind(subject.as_slice()).bind(address.as_slice()).bind(expires_at.micros()));
    Ok(())
}

/// Whether this address has guessed right before.
pub async fn is_trusted(mut db: Db<'_>, subject: &Hash, address: &Hash, now: Timestamp) -> Result<bool> {
    let found: Option<Hash> = on!(&mut db, c => sqlx::query_scalar(FIND_TRUSTED)
        .bind(subject.as_slice())
        .bind(address.as_slice())
        .bind(now.micros())
        .fetch_optional(&mut **c).await?);
    Ok(found.is_some())
}

/// Deletes some addresses whose trust has expired; returns how many.
pub async fn prune_trusted(mut db: Db<'_>, now: Timestamp) -> Result<u64> {
    Ok(execute!(db, sqlx::query(PRUNE_TRUSTED).bind(now.micros())))
}
