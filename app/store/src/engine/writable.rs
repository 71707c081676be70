//! Whether anything can be written at the moment: a disk may be full, or a database may have become read-only.
//!
//! SQLite: every commit says so by itself, and only where there was none lately, a row is written to find out. Postgres: a row
//! is written into a new file of the database, since a full disk fails just what needs room. Callers get an answer that is
//! some seconds old, so that many questions cost one write.

use crate::engine::{Result, Store, StoreError, Writing, database::Kind};
use sqlx::error::DatabaseError;
use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};
use tokio::time::timeout;

/// How long an answer is good.
const GOOD_FOR: Duration = Duration::from_secs(5);
/// How long writing a row may take. A writer that is busy says nothing about the disk.
const PATIENCE: Duration = Duration::from_secs(1);
/// A writer that was busy for so long cannot be written to either.
const BUSY_FOR: Duration = Duration::from_secs(30);

statements! {
    WRITE_PROBE = "UPDATE write_probes SET at = $1 WHERE name = 'serve'";
    WRITE_PROBE_FIRST = "INSERT INTO write_probes (name, at) VALUES ('serve', $1)";
}

/// Only for Postgres. Those who hold the table, such as `pg_dump`, are not waited for: then a row has to do.
const EMPTY: &str = "LOCK TABLE write_probes IN ACCESS EXCLUSIVE MODE NOWAIT; TRUNCATE write_probes";

/// What is known of a database. Clones share it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Writable {
    known: Arc<Mutex<Known>>,
    /// Held by the task that finds out.
    asking: Arc<tokio::sync::Mutex<()>>,
}

#[derive(Debug)]
struct Known {
    can: bool,
    /// When somebody found out.
    at: Option<Instant>,
    /// Since when nobody could.
    unknown_since: Option<Instant>,
}

impl Default for Known {
    fn default() -> Self {
        Self { can: true, at: None, unknown_since: None }
    }
}

impl Writable {
    /// Something was written.
    pub(crate) fn wrote(&self) {
        *self.lock() = Known { can: true, at: Some(Instant::now()), unknown_since: None };
    }

    /// Something could not be written; of errors that have other reasons nothing is noted.
    pub(crate) fn failed(&self, error: &sqlx::Error) {
        if error.as_database_error().is_some_and(forbids_writing) {
            *self.lock() = Known { can: false, at: Some(Instant::now()), unknown_since: None };
        }
    }

    fn could_not_tell(&self) {
        let mut known = self.lock();
        let since = *known.unknown_since.get_or_insert_with(Instant::now);
        known.can &= since.elapsed() < BUSY_FOR;
    }

    /// What is known, if that is not too long ago.
    fn known(&self) -> Option<bool> {
        let known = self.lock();
        known.at.filter(|at| at.elapsed() < GOOD_FOR).map(|_| known.can)
    }

    fn lock(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether an error says that nothing can be written for now: no room, a broken disk, a database that only lets read.
fn forbids_writing(error: &dyn DatabaseError) -> bool {
    let Some(code) = error.code() else { return false };
    match sqlite_code(&code) {
        // SQLITE_READONLY, IOERR, CORRUPT, FULL, CANTOPEN, NOTADB
        Some(code) => matches!(code, 8 | 10 | 11 | 13 | 14 | 26),
        // disk_full, io_error, read_only_sql_transaction, data_corrupted, index_corrupted
        None => matches!(&*code, "53100" | "58030" | "25006" | "XX001" | "XX002"),
    }
}

/// Postgres: somebody else holds the table, for an hour maybe.
fn is_held(error: &dyn DatabaseError) -> bool {
    error.code().is_some_and(|code| code == "55P03")
}

/// The primary code of an error of SQLite's; `None` of Postgres's, whose codes have five characters.
pub(crate) fn sqlite_code(code: &str) -> Option<i32> {
    (code.len() < 5).then(|| code.parse::<i32>().ok()).flatten().map(|code| code & 0xff)
}

impl Store {
    /// Whether anything can be written, as of some seconds ago. While the only writer is busy, what was known before holds, for half
    /// a minute.
    pub async fn can_write(&self) -> bool {
        let writable = self.writable();
        if let Some(known) = writable.known() {
            return known;
        }
        let Ok(_asking) = writable.asking.try_lock() else { return writable.lock().can };
        match timeout(PATIENCE, self.probe()).await {
            Ok(Ok(())) => writable.wrote(),
            Ok(Err(StoreError::Sql(error))) if error.as_database_error().is_some_and(forbids_writing) => {
                writable.failed(&error);
                tracing::error!(%error, "the database cannot be written to");
            }
            // Of a shared commit that failed, the writer has noted why.
            Ok(Err(StoreError::Commit(error))) => tracing::error!(%error, "the database cannot be written to"),
            Ok(Err(_)) | Err(_) => writable.could_not_tell(),
        }
        writable.lock().can
    }

    async fn probe(&self) -> Result<()> {
        match self.write_a_row(self.kind() == Kind::Postgres).await {
            Err(StoreError::Sql(error)) if error.as_database_error().is_some_and(is_held) => {
                self.write_a_row(false).await
            }
            told => told,
        }
    }

    #[expect(
        clippy::disallowed_methods,
        reason = "the probe's time is for people who look at the row, and decides nothing"
    )]
    async fn write_a_row(&self, into_a_new_file: bool) -> Result<()> {
        let mut writing: Writing = self.write().await?;
        if into_a_new_file {
            on!(&mut writing.db(), c => {
                sqlx::raw_sql(EMPTY).execute(&mut **c).await?;
            });
        }
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
        let now = i64::try_from(now.as_micros()).unwrap_or(i64::MAX);
        let mut db = writing.db();
        if execute!(db, sqlx::query(WRITE_PROBE).bind(now)) == 0 {
            execute!(db, sqlx::query(WRITE_PROBE_FIRST).bind(now));
        }
        writing.commit().await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_of_sqlite_are_told_from_those_of_postgres() {
        assert_eq!(sqlite_code("13"), Some(13));
        assert_eq!(sqlite_code("778"), Some(10), "SQLITE_IOERR_WRITE");
        assert_eq!(sqlite_code("5386"), Some(10), "SQLITE_IOERR_FSTAT and later ones have four digits");
        assert_eq!(sqlite_code("53100"), None);
        assert_eq!(sqlite_code("XX001"), None);
    }

    #[test]
    fn a_writer_that_is_busy_is_believed_to_work_for_a_while() {
        let writable = Writable::default();
        writable.could_not_tell();
        assert!(writable.lock().can);
        writable.lock().unknown_since = Instant::now().checked_sub(BUSY_FOR);
        writable.could_not_tell();
        assert!(!writable.lock().can);
        writable.wrote();
        assert_eq!(writable.known(), Some(true));
    }
}
