//! What can go wrong in a database, and what it means for the caller.

use std::{
    borrow::Cow,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

/// What can go wrong in a database.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The database refused the statement or did not answer.
    #[error("database: {0}")]
    Sql(sqlx::Error),
    /// The commit that this transaction shared with others failed: none of it is stored.
    #[error("database: {0}")]
    Commit(Arc<sqlx::Error>),
    /// No response within the time limit: whether the statement was executed is unknown.
    #[error("database: no answer in time")]
    NoResponse,
    /// No connection to the database can be made.
    #[error("database: it cannot be reached")]
    Unreachable,
    /// A migration failed.
    #[error("migrations: {0}")]
    Migrate(#[from] sqlx::migrate::MigrateError),
    /// A row holds a value that this version cannot read.
    #[error("a stored value of {0} cannot be read")]
    Unreadable(&'static str),
    /// A file of SQLite is corrupt.
    #[error("the database is damaged: PRAGMA integrity_check or foreign_key_check reports errors")]
    Damaged,
    /// A search matches more people than the list can be filtered by.
    #[error("the search matches too much")]
    SearchTooBroad,
    /// A page number beyond the rows that several filters may compare.
    #[error("the page is too far for several filters")]
    PageTooFar,
    /// The database's URL is invalid.
    #[error("DATABASE_URL: {0}")]
    BadUrl(String),
}

/// What every function here returns.
pub type Result<T, E = StoreError> = std::result::Result<T, E>;

/// How often a database has reported damage since the program started.
static DAMAGE_SEEN: AtomicU64 = AtomicU64::new(0);

/// How often a database has reported damage since the program started, for metrics.
pub fn damage_seen() -> u64 {
    DAMAGE_SEEN.load(Ordering::Relaxed)
}

pub(crate) fn note_damage() {
    DAMAGE_SEEN.fetch_add(1, Ordering::Relaxed);
}

impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> Self {
        let error = Self::Sql(error);
        if error.is_damage() {
            note_damage();
        }
        error
    }
}

impl StoreError {
    /// The database's own error code.
    fn code(&self) -> Option<Cow<'_, str>> {
        match self {
            Self::Sql(error) => error.as_database_error()?.code(),
            Self::Commit(error) => error.as_database_error()?.code(),
            _ => None,
        }
    }

    /// Whether stored data is corrupt: SQLITE_CORRUPT and SQLITE_NOTADB; XX001 and XX002.
    pub fn is_damage(&self) -> bool {
        let is_damage = |code: Cow<'_, str>| match sqlite_code(&code) {
            Some(code) => matches!(code, 11 | 26),
            None => matches!(&*code, "XX001" | "XX002"),
        };
        matches!(self, Self::Damaged) || self.code().is_some_and(is_damage)
    }

    /// Whether the database is out of service for now: unreachable, busy, full, read-only or corrupt. All other errors
    /// are faults of the statement or its parameters.
    pub fn is_unavailable(&self) -> bool {
        match self {
            Self::Sql(sqlx::Error::Database(_)) | Self::Commit(_) => self.code().is_none_or(|code| {
                match sqlite_code(&code) {
                    // SQLITE_BUSY, LOCKED, NOMEM, READONLY, IOERR, CORRUPT, FULL, CANTOPEN, PROTOCOL, NOTADB
                    Some(code) => matches!(code, 5 | 6 | 7 | 8 | 10 | 11 | 13 | 14 | 15 | 26),
                    // Classes: connection, resources, intervention, system; deadlocks; read-only; corrupted.
                    None => {
                        ["08", "53", "57", "58", "40", "XX"].iter().any(|class| code.starts_with(class))
                            || code == "25006"
                    }
                }
            }),
            Self::Sql(error) => matches!(
                error,
                sqlx::Error::Io(_)
                    | sqlx::Error::Tls(_)
                    | sqlx::Error::Protocol(_)
                    | sqlx::Error::PoolTimedOut
                    | sqlx::Error::PoolClosed
                    | sqlx::Error::WorkerCrashed
            ),
            Self::NoResponse | Self::Unreachable | Self::Damaged => true,
            Self::Migrate(_) | Self::Unreadable(_) | Self::SearchTooBroad | Self::PageTooFar | Self::BadUrl(_) => false,
        }
    }

    /// Whether the database ended this transaction in favor of another one: a retry is likely to succeed.
    pub fn is_worth_a_retry(&self) -> bool {
        // SQLSTATE 40P01, deadlock detected; 40001, serialization failure.
        let code = match self {
            Self::Sql(sqlx::Error::Database(error)) => error.code(),
            _ => None,
        };
        matches!(code.as_deref(), Some("40P01" | "40001"))
    }
}

/// The primary result code of an SQLite error. `None` for a SQLSTATE of Postgres, which has five characters.
pub(crate) fn sqlite_code(code: &str) -> Option<i32> {
    (code.len() < 5).then(|| code.parse::<i32>().ok()).flatten().map(|code| code & 0xff)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sqlite_codes_are_distinguished_from_sqlstates() {
        assert_eq!(sqlite_code("13"), Some(13));
        assert_eq!(sqlite_code("778"), Some(10), "SQLITE_IOERR_WRITE");
        assert_eq!(sqlite_code("5386"), Some(10), "SQLITE_IOERR_FSTAT and later codes have four digits");
        assert_eq!(sqlite_code("53100"), None);
        assert_eq!(sqlite_code("XX001"), None);
    }
}
