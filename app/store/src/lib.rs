//! All SQL of the service, for SQLite and Postgres. Nothing outside this crate knows a table.
//!
//! One SQL text serves both databases: statements stand in `statements!` blocks, number their parameters
//! (`$1`), and a test prepares each of them on both. Functions take a [`Db`], a borrowed connection of either
//! kind, so that the same function reads outside and inside of a transaction.
//!
//! To add a query: write it in the module of its table inside `statements!`, run it with `on!`, map its row to
//! a domain type, and call it from the contract suite in `tests/`.
//!
//! Times are kept as microseconds since 1970, amounts as minor units, ids as UUIDs, the rest as text or JSON.

#[macro_use]
mod macros;
mod migrating;
#[macro_use]
mod queue;
mod database;

pub mod accounts;
pub mod backup;
pub mod completeness;
pub mod consumers;
pub mod copy;
pub mod drafts;
pub mod due;
pub mod erasures;
pub mod events;
pub mod evidence;
pub mod files;
pub mod guesses;
pub mod idempotency;
pub mod import;
pub mod integrations;
pub mod known_lines;
pub mod label_requests;
pub mod ledgers;
mod lent;
pub mod lists;
pub mod mail_links;
pub mod mail_tasks;
pub mod mails;
pub mod order_spellings;
pub mod orders;
pub mod page;
pub mod parcel_tasks;
pub mod payment_tasks;
pub mod pending_evidence;
pub mod people;
pub mod pruning;
pub mod purchases;
mod reach;
mod readers;
pub mod receipts;
pub mod return_locations;
pub mod return_orders;
pub mod return_reasons;
pub mod return_requests;
pub mod service_users;
pub mod sessions;
pub mod settings;
pub mod settlements;
pub mod shipments;
pub mod shipping_options;
mod soundness;
#[cfg(feature = "testing")]
pub mod testing;
pub mod timeline;
pub mod tracking_updates;
mod turns;
pub mod users;
pub mod webhook_attempts;
pub mod webhook_deliveries;
pub mod webhook_senders;
pub mod webhook_subscriptions;
pub mod withdrawals;
mod writable;

pub use database::{Connections, Db, Kind, Reading, Store, Writing};
pub use lent::Lent;
pub use migrating::Tables;
pub use queue::{Hold, IsEnough};
pub use soundness::Looked;

use std::{
    borrow::Cow,
    sync::atomic::{AtomicU64, Ordering},
};

/// What can go wrong in a database.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The database said no or did not answer.
    #[error("database: {0}")]
    Sql(sqlx::Error),
    /// The commit that this transaction shared with others failed: nothing of it lasts.
    #[error("database: {0}")]
    Commit(std::sync::Arc<sqlx::Error>),
    /// The database was asked and says nothing: nobody knows what became of it.
    #[error("database: no answer in time")]
    Silent,
    /// Nobody can connect to the database.
    #[error("database: it cannot be reached")]
    Away,
    /// Migrations could not be run.
    #[error("migrations: {0}")]
    Migrate(#[from] sqlx::migrate::MigrateError),
    /// A row holds what this version cannot read.
    #[error("a stored value of {0} cannot be read")]
    Unreadable(&'static str),
    /// A copy that is not whole, most likely since what it is of is not.
    #[error("the database is damaged: PRAGMA integrity_check or foreign_key_check finds something")]
    Damaged,
    /// A search that finds more than can be looked through.
    #[error("the search finds too much")]
    SearchTooBroad,
    /// The address of the database is not one.
    #[error("DATABASE_URL: expected sqlite://FILE or postgres://USER@HOST/NAME")]
    BadUrl,
}

/// How often a database said that it is damaged, since the program began.
static DAMAGE_SEEN: AtomicU64 = AtomicU64::new(0);

/// How often a database said that it is damaged, since the program began: for metrics.
pub fn damage_seen() -> u64 {
    DAMAGE_SEEN.load(Ordering::Relaxed)
}

fn note_damage() {
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
    /// The database's code for it, where the database said no.
    fn code(&self) -> Option<Cow<'_, str>> {
        match self {
            Self::Sql(error) => error.as_database_error()?.code(),
            Self::Commit(error) => error.as_database_error()?.code(),
            _ => None,
        }
    }

    /// Whether what is stored is damaged: SQLITE_CORRUPT and SQLITE_NOTADB; XX001 and XX002.
    pub fn is_damage(&self) -> bool {
        let is_damage = |code: Cow<'_, str>| match writable::sqlite_code(&code) {
            Some(code) => matches!(code, 11 | 26),
            None => matches!(&*code, "XX001" | "XX002"),
        };
        matches!(self, Self::Damaged) || self.code().is_some_and(is_damage)
    }

    /// Whether the database cannot do what it is there for, for now: it is not there, busy, full, read-only or damaged. Otherwise
    /// it was asked something wrong.
    pub fn is_unavailable(&self) -> bool {
        match self {
            Self::Sql(sqlx::Error::Database(_)) | Self::Commit(_) => self.code().is_none_or(|code| {
                match writable::sqlite_code(&code) {
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
            Self::Silent | Self::Away | Self::Damaged => true,
            Self::Migrate(_) | Self::Unreadable(_) | Self::SearchTooBroad | Self::BadUrl => false,
        }
    }

    /// Whether the database gave up on this transaction because of another one: trying again may well succeed.
    pub fn is_worth_a_retry(&self) -> bool {
        // SQLSTATE 40P01, deadlock detected; 40001, serialization failure.
        let code = match self {
            Self::Sql(sqlx::Error::Database(error)) => error.code(),
            _ => None,
        };
        matches!(code.as_deref(), Some("40P01" | "40001"))
    }
}

/// What every function here returns.
pub type Result<T, E = StoreError> = std::result::Result<T, E>;

/// Every statement by name, for the test that prepares each on both databases.
pub fn all_statements() -> impl Iterator<Item = (&'static str, &'static str)> {
    [
        accounts::STATEMENTS,
        completeness::STATEMENTS,
        consumers::STATEMENTS,
        drafts::STATEMENTS,
        erasures::STATEMENTS,
        events::STATEMENTS,
        evidence::STATEMENTS,
        pending_evidence::STATEMENTS,
        files::STATEMENTS,
        guesses::STATEMENTS,
        idempotency::STATEMENTS,
        integrations::STATEMENTS,
        known_lines::STATEMENTS,
        label_requests::STATEMENTS,
        ledgers::STATEMENTS,
        mail_links::STATEMENTS,
        mail_tasks::STATEMENTS,
        mails::STATEMENTS,
        order_spellings::STATEMENTS,
        orders::STATEMENTS,
        parcel_tasks::STATEMENTS,
        payment_tasks::STATEMENTS,
        pruning::STATEMENTS,
        purchases::STATEMENTS,
        receipts::STATEMENTS,
        return_locations::STATEMENTS,
        return_orders::STATEMENTS,
        return_reasons::STATEMENTS,
        return_requests::STATEMENTS,
        service_users::STATEMENTS,
        sessions::STATEMENTS,
        settlements::STATEMENTS,
        shipments::STATEMENTS,
        shipping_options::STATEMENTS,
        timeline::STATEMENTS,
        tracking_updates::STATEMENTS,
        users::STATEMENTS,
        webhook_attempts::STATEMENTS,
        webhook_deliveries::STATEMENTS,
        webhook_senders::STATEMENTS,
        webhook_subscriptions::STATEMENTS,
        withdrawals::STATEMENTS,
        writable::STATEMENTS,
    ]
    .into_iter()
    .flatten()
    .copied()
}
