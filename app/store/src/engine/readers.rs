//! Connections that read a SQLite file.
//!
//! sqlx's own pool asks each connection that comes back whether it still answers, in a task of its own: a way to the
//! connection's thread and back, as dear as a statement. A file does not hang up, so nothing is asked here.

use crate::engine::{Connections, Result};
use deadpool::{
    Runtime,
    managed::{Manager, Metrics, Object, Pool, PoolError, RecycleResult},
};
use sqlx::{ConnectOptions as _, Connection as _, SqliteConnection, sqlite::SqliteConnectOptions};
use std::time::Duration;

/// Opens connections.
#[derive(Debug)]
pub struct Opening(SqliteConnectOptions);

/// A connection that goes back when it is dropped.
pub type Reader = Object<Opening>;

impl Manager for Opening {
    type Type = SqliteConnection;
    type Error = sqlx::Error;

    async fn create(&self) -> Result<SqliteConnection, sqlx::Error> {
        self.0.connect().await
    }

    async fn recycle(&self, _: &mut SqliteConnection, _: &Metrics) -> RecycleResult<sqlx::Error> {
        Ok(())
    }
}

/// Those that there are; each is opened when it is first needed.
#[derive(Debug, Clone)]
pub(crate) struct Readers(Pool<Opening>);

impl Readers {
    /// So many at most. Whoever finds none free waits so long.
    pub(crate) fn new(options: SqliteConnectOptions, most: usize, patience: Duration) -> Result<Self> {
        let pool = Pool::builder(Opening(options))
            .max_size(most)
            .wait_timeout(Some(patience))
            .runtime(Runtime::Tokio1)
            .build()
            .map_err(|error| sqlx::Error::Configuration(error.into()))?;
        Ok(Self(pool))
    }

    /// One of them.
    pub(crate) async fn get(&self) -> Result<Reader> {
        let reader = self.0.get().await.map_err(|error| match error {
            PoolError::Backend(error) => error,
            PoolError::Closed => sqlx::Error::PoolClosed,
            _ => sqlx::Error::PoolTimedOut,
        });
        Ok(reader?)
    }

    /// What is open.
    pub(crate) fn connections(&self) -> Connections {
        let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        let status = self.0.status();
        Connections { most: count(status.max_size), open: count(status.size), idle: count(status.available) }
    }

    /// Waits until those that nobody uses are closed: the last connection of a file tidies up behind all.
    pub(crate) async fn close(&self) {
        for reader in self.0.retain(|_, _| false).removed {
            let _ = reader.close().await;
        }
        self.0.close();
    }
}
