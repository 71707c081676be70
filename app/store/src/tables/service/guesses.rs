//! How often somebody has guessed wrong, and who has guessed right before. Only hashes: what was guessed at is an
//! order number, an e-mail or an address. They belong to the installation, because who signs in names no account.
//!
//! Somebody waits for each of these: what one guess is at is counted by one statement.

use crate::engine::{Db, Result, macros::without_values};
use domain::Timestamp;
use sqlx::QueryBuilder;

/// Of what is guessed at, or of where from.
pub type Hash = Vec<u8>;

/// What is counted on one day, and how high.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Counter {
    /// Which count.
    pub subject: Hash,
    /// The highest that it may be.
    pub allowed: i64,
}

statements! {
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
// One statement, so that of many at once no more than allowed get past it. Each count has its own limit.
const ON_COUNTED: &str = " ON CONFLICT (subject_hash) DO UPDATE SET failures = guesses.failures + 1
    WHERE guesses.failures < CASE guesses.subject_hash";

/// Adds one to each of these, which are all different and sorted; `false` when one of them is as high as it may be: then
/// the transaction is to be undone. Others that add to the same wait until it ends.
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

/// Whether one of these is as high as it may be.
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

/// Takes a counted guess back: it was right. One after the other, as they were counted: of two guesses at the same neither
/// waits for the other in a circle.
pub async fn give_back(mut db: Db<'_>, subjects: &[Hash]) -> Result<()> {
    for subject in subjects {
        execute!(db, sqlx::query(GIVE_BACK).bind(subject.as_slice()));
    }
    Ok(())
}

/// Forgets counts of days that are over, a thousand at most.
pub async fn prune(mut db: Db<'_>, now: Timestamp) -> Result<u64> {
    Ok(execute!(db, sqlx::query(PRUNE).bind(now.micros())))
}

/// Notes that somebody guessed right, at this address.
pub async fn trust(mut db: Db<'_>, subject: &Hash, address: &Hash, expires_at: Timestamp) -> Result<()> {
    execute!(db, sqlx::query(TRUST).bind(subject.as_slice()).bind(address.as_slice()).bind(expires_at.micros()));
    Ok(())
}

/// Whether somebody has guessed right at this address before.
pub async fn is_trusted(mut db: Db<'_>, subject: &Hash, address: &Hash, now: Timestamp) -> Result<bool> {
    let found: Option<Hash> = on!(&mut db, c => sqlx::query_scalar(FIND_TRUSTED)
        .bind(subject.as_slice())
        .bind(address.as_slice())
        .bind(now.micros())
        .fetch_optional(&mut **c).await?);
    Ok(found.is_some())
}

/// Forgets addresses from which nobody has guessed right for long, a thousand at most.
pub async fn prune_trusted(mut db: Db<'_>, now: Timestamp) -> Result<u64> {
    Ok(execute!(db, sqlx::query(PRUNE_TRUSTED).bind(now.micros())))
}
