//! How often somebody has guessed wrong, and who has guessed right before. Only hashes: what was guessed at is an
//! order number, an e-mail or an address. They belong to the installation, because who signs in names no account.
//!
//! Somebody waits for each of these: what one guess is at is counted by one statement.

use crate::{
    Db, Result,
    macros::{around_parameters, without_values},
};
use domain::Timestamp;
use sqlx::QueryBuilder;
use std::collections::HashSet;

/// Of what is guessed at, or of where from.
pub type Hash = Vec<u8>;

statements! {
    COUNT = "INSERT INTO guesses (subject_hash, failures, expires_at) VALUES ($1, 1, $2)";
    GIVE_BACK = "UPDATE guesses SET failures = failures - 1 WHERE failures > 0 AND subject_hash = $1";
    PRUNE = "DELETE FROM guesses WHERE subject_hash IN
        (SELECT subject_hash FROM guesses WHERE expires_at <= $1 ORDER BY expires_at LIMIT 500)";
    TRUST = "INSERT INTO trusted_addresses (subject_hash, address_hash, expires_at) VALUES ($1, $2, $3)";
    FIND_TRUSTED = "SELECT subject_hash FROM trusted_addresses WHERE expires_at > $1
        AND ((subject_hash, address_hash) = ($2, $3))";
    PRUNE_TRUSTED = "DELETE FROM trusted_addresses WHERE (subject_hash, address_hash) IN
        (SELECT subject_hash, address_hash FROM trusted_addresses WHERE expires_at <= $1 ORDER BY expires_at LIMIT 500)";
}
// One statement, so that of many at once no more than allowed get past it.
const ON_COUNTED: &str =
    " ON CONFLICT (subject_hash) DO UPDATE SET failures = guesses.failures + 1 WHERE guesses.failures < ";
const ON_TRUSTED: &str = " ON CONFLICT (subject_hash, address_hash) DO UPDATE SET expires_at = excluded.expires_at";

/// Counts a guess as a wrong one at each of these; `false` when at one there were as many as are allowed: then the
/// transaction is to be undone. Who guesses at the same waits until it ends.
pub async fn count(mut db: Db<'_>, subjects: &[Hash], allowed: i64, expires_at: Timestamp) -> Result<bool> {
    let rows = on!(&mut db, c => {
        let mut query = QueryBuilder::new(without_values(COUNT));
        query.push_values(subjects, |mut row, subject| {
            row.push_bind(subject.as_slice()).push("1").push_bind(expires_at.micros());
        });
        query.push(ON_COUNTED).push_bind(allowed);
        query.build().execute(&mut **c).await?.rows_affected()
    });
    Ok(usize::try_from(rows).is_ok_and(|rows| rows == subjects.len()))
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

/// Notes that somebody guessed right, of each subject at the address that goes with it.
pub async fn trust(mut db: Db<'_>, addresses: &[(&Hash, Hash)], expires_at: Timestamp) -> Result<()> {
    on!(&mut db, c => {
        let mut query = QueryBuilder::new(without_values(TRUST));
        query.push_values(addresses, |mut row, (subject, address)| {
            row.push_bind(subject.as_slice()).push_bind(address.as_slice()).push_bind(expires_at.micros());
        });
        query.push(ON_TRUSTED);
        query.build().execute(&mut **c).await?;
    });
    Ok(())
}

/// Which of these subjects somebody has guessed right before, at the address that goes with it.
pub async fn find_trusted(mut db: Db<'_>, addresses: &[(&Hash, Hash)], now: Timestamp) -> Result<HashSet<Hash>> {
    let (start, ..) = around_parameters(FIND_TRUSTED);
    let subjects: Vec<Hash> = on!(&mut db, c => {
        let mut query = QueryBuilder::new(start);
        query.push_bind(now.micros()).push(" AND (");
        let mut any = query.separated(" OR ");
        for (subject, address) in addresses {
            any.push("(subject_hash, address_hash) = (").push_bind_unseparated(subject.as_slice());
            any.push_unseparated(", ").push_bind_unseparated(address.as_slice()).push_unseparated(")");
        }
        query.push(")");
        query.build_query_scalar().fetch_all(&mut **c).await?
    });
    Ok(subjects.into_iter().collect())
}

/// Forgets addresses from which nobody has guessed right for long, a thousand at most.
pub async fn prune_trusted(mut db: Db<'_>, now: Timestamp) -> Result<u64> {
    Ok(execute!(db, sqlx::query(PRUNE_TRUSTED).bind(now.micros())))
}
