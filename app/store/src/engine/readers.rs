//! Connections that read a SQLite file.
//!
//! sqlx's own pool pings every connection that comes back, in a task of its own: a round trip to the connection's
//! thread, which costs as much as a statement. A file does not hang up, so this pool never pings.

use super::error::Result;
use deadpool::{
    Runtime, Status,
    managed::{Manager, Metrics, Object, Pool, PoolError, RecycleResult},
};
use sqlx::{ConnectOptions as _, Connection as _, SqliteConnection, sqlite::SqliteConnectOptions};
use std::time::Duration;

/// How many connections to the database there are at a moment; on SQLite, connections that read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Connections {
    /// How many there may be.
    pub most: u32,
    /// How many are open.
    pub open: u32,
    /// How many of those are idle.
    pub idle: u32,
}

impl Connections {
    pub(crate) fn of(status: Status) -> Self {
        let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        Self { most: count(status.max_size), open: count(status.size), idle: count(status.available) }
    }
}

/// The error of a pool of connections.
pub(crate) fn sql_error(error: PoolError<sqlx::Error>) -> sqlx::Error {
    match error {
        PoolError::Backend(error) => error,
        PoolError::Closed => sqlx::Error::PoolClosed,
        _ => sqlx::Error::PoolTimedOut,
    }
}

/// Opens connections for the pool.
#[derive(Debug)]
pub struct ReaderManager(SqliteConnectOptions);

/// A connection that returns to the pool when it is dropped.
pub type Reader = Object<ReaderManager>;

impl Manager for ReaderManager {
    type Type = SqliteConnection;
    type Error = sqlx::Error;

    async fn create(&self) -> Result<SqliteConnection, sqlx::Error> {
        self.0.connect().await
    }

    async fn recycle(&self, _: &mut SqliteConnection, _: &Metrics) -> RecycleResult<sqlx::Error> {
        Ok(())
    }
}

/// The pool; it opens each connection when it first needs it.
#[derive(Debug, Clone)]
pub(crate) struct Readers(Pool<ReaderManager>);

impl Readers {
    /// A pool of at most `most` connections. A caller waits up to `patience` for an idle one.
    pub(crate) fn new(options: SqliteConnectOptions, most: usize, patience: Duration) -> Result<Self> {
        let pool = Pool::builder(ReaderManager(options))
            .max_size(most)
            .wait_timeout(Some(patience))
            .runtime(Runtime::Tokio1)
            .build()
            .map_err(|error| sqlx::Error::Configuration(error.into()))?;
        Ok(Self(pool))
    }

    pub(crate) async fn get(&self) -> Result<Reader> {
        Ok(self.0.get().await.map_err(sql_error)?)
    }

    pub(crate) fn connections(&self) -> Connections {
        Connections::of(self.0.status())
    }

    /// Waits until idle connections are closed: the last connection to a file removes its log.
    pub(crate) async fn close(&self) {
        for reader in self.0.retain(|_, _| false).removed {
            let _ = reader.close().await;
        }
        self.0.close();
    }
}
