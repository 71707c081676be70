//! What is known about whether the database can be written to: a disk may be full, or a database read-only.
//!
//! On SQLite every commit reports it. [`super::write_probe`] finds out when nothing was written lately.

use super::error::sqlite_code;
use sqlx::error::DatabaseError;
use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

/// How long an observation counts.
const VALID_FOR: Duration = Duration::from_secs(5);
/// A writer that is busy for so long counts as not writable.
const BUSY_LIMIT: Duration = Duration::from_secs(30);

/// What is known of a database. Clones share it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Writable {
    observed: Arc<Mutex<Observed>>,
    /// Locked by the task that probes.
    pub(super) probing: Arc<tokio::sync::Mutex<()>>,
}

#[derive(Debug)]
struct Observed {
    is_writable: bool,
    at: Option<Instant>,
    /// Since when probes have had no result.
    unknown_since: Option<Instant>,
}

impl Default for Observed {
    fn default() -> Self {
        Self { is_writable: true, at: None, unknown_since: None }
    }
}

impl Writable {
    /// A write succeeded.
    pub(crate) fn wrote(&self) {
        *self.lock() = Observed { is_writable: true, at: Some(Instant::now()), unknown_since: None };
    }

    /// A write failed. Errors that have other reasons than a database that cannot be written to change nothing.
    pub(crate) fn failed(&self, error: &sqlx::Error) {
        if error.as_database_error().is_some_and(forbids_writing) {
            *self.lock() = Observed { is_writable: false, at: Some(Instant::now()), unknown_since: None };
        }
    }

    /// A probe had no result, because the writer was busy.
    pub(super) fn could_not_tell(&self) {
        let mut observed = self.lock();
        let since = *observed.unknown_since.get_or_insert_with(Instant::now);
        observed.is_writable &= since.elapsed() < BUSY_LIMIT;
    }

    /// The last observation, while it counts.
    pub(super) fn recent(&self) -> Option<bool> {
        let observed = self.lock();
        observed.at.filter(|at| at.elapsed() < VALID_FOR).map(|_| observed.is_writable)
    }

    /// The last observation, however old.
    pub(super) fn last(&self) -> bool {
        self.lock().is_writable
    }

    fn lock(&self) -> MutexGuard<'_, Observed> {
        self.observed.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether an error means that nothing can be written for now: a full disk, a broken disk, a read-only database.
pub(super) fn forbids_writing(error: &dyn DatabaseError) -> bool {
    let Some(code) = error.code() else { return false };
    match sqlite_code(&code) {
        // SQLITE_READONLY, IOERR, CORRUPT, FULL, CANTOPEN, NOTADB
        Some(code) => matches!(code, 8 | 10 | 11 | 13 | 14 | 26),
        // disk_full, io_error, read_only_sql_transaction, data_corrupted, index_corrupted
        None => matches!(&*code, "53100" | "58030" | "25006" | "XX001" | "XX002"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_busy_writer_counts_as_writable_for_half_a_minute() {
        let writable = Writable::default();
        writable.could_not_tell();
        assert!(writable.last());
        writable.lock().unknown_since = Instant::now().checked_sub(BUSY_LIMIT);
        writable.could_not_tell();
        assert!(!writable.last());
        writable.wrote();
        assert_eq!(writable.recent(), Some(true));
    }
}
