//! Connections to Postgres: those of the pool, and one beside it for health checks.

use super::{db::Db, error::Result, migrate, reachability::Reachability, time_limit::in_time};
use sqlx::{
    ConnectOptions as _, Connection, PgConnection, Postgres,
    pool::{PoolConnection, PoolConnectionMetadata},
    postgres::{PgConnectOptions, PgPool, PgTransactionManager},
};
use sqlx_core::transaction::TransactionManager;
use std::{
    io,
    ops::{Deref, DerefMut},
    sync::Arc,
    time::Duration,
};
use tokio::{runtime::Handle, sync::Mutex, time::timeout};

/// How long a connection may take to answer a ping.
const PING_LIMIT: Duration = Duration::from_secs(3);
/// A connection that was idle for so long is pinged before it is used: the server may have gone away.
const PING_AFTER_IDLE: Duration = Duration::from_secs(1);

/// A connection of the pool, possibly in a transaction. Dropping it rolls back and returns it to the pool, or closes it
/// when the server does not answer.
#[derive(Debug)]
pub struct PooledConnection(PoolConnection<Postgres>);

impl PooledConnection {
    pub(crate) async fn acquire(pool: &PgPool, reachability: &Reachability) -> Result<Self> {
        Ok(Self(reachability.connection(pool).await?))
    }

    /// The same, in a transaction.
    pub(crate) async fn begin(pool: &PgPool, reachability: &Reachability) -> Result<Self> {
        let mut connection = Self::acquire(pool, reachability).await?;
        in_time(async { Ok(PgTransactionManager::begin(&mut connection.0, None).await?) }).await?;
        Ok(connection)
    }

    pub(crate) async fn commit(mut self) -> Result<()> {
        in_time(async { Ok(PgTransactionManager::commit(&mut self.0).await?) }).await
    }
}

impl Deref for PooledConnection {
    type Target = PgConnection;

    fn deref(&self) -> &PgConnection {
        &self.0
    }
}

impl DerefMut for PooledConnection {
    fn deref_mut(&mut self) -> &mut PgConnection {
        &mut self.0
    }
}

impl Drop for PooledConnection {
    fn drop(&mut self) {
        PgTransactionManager::start_rollback(&mut self.0); // does nothing outside of a transaction
        // The pool pings the connection. Dropping this future closes the connection and frees its place.
        let returned = self.0.return_to_pool();
        if let Ok(runtime) = Handle::try_current() {
            runtime.spawn(async {
                if timeout(PING_LIMIT, returned).await.is_err() {
                    tracing::warn!("a connection to the database does not answer and was closed");
                }
            });
        }
    }
}

/// A connection beside the pool, so that a health check does not wait for one that is in use.
#[derive(Debug, Clone)]
pub(crate) struct HealthConnection {
    options: Arc<PgConnectOptions>,
    /// Opened when it is first needed, and again after an error.
    connection: Arc<Mutex<Option<PgConnection>>>,
}

impl HealthConnection {
    pub(crate) fn new(options: PgConnectOptions) -> Self {
        Self { options: Arc::new(options), connection: Arc::default() }
    }

    /// The migrations that decide whether the tables fit this program.
    pub(crate) async fn applied_migrations(&self) -> Result<Vec<(i64, String)>> {
        let mut place = self.connection.lock().await;
        // An idle connection may have been closed. That says nothing about the server.
        if let Some(mut idle) = place.take()
            && let Ok(applied) = migrate::applied(Db::Postgres(&mut idle)).await
        {
            *place = Some(idle);
            return Ok(applied);
        }
        let mut connection = self.options.connect().await?;
        let applied = migrate::applied(Db::Postgres(&mut connection)).await?;
        *place = Some(connection);
        Ok(applied)
    }

    pub(crate) async fn close(&self) {
        if let Some(connection) = self.connection.lock().await.take() {
            let _ = timeout(PING_LIMIT, connection.close()).await;
        }
    }
}

/// Whether a connection of the pool can be used. A ping costs as much as a statement, so only idle connections get one.
pub(crate) async fn is_alive(connection: &mut PgConnection, metadata: PoolConnectionMetadata) -> sqlx::Result<bool> {
    if metadata.idle_for < PING_AFTER_IDLE {
        return Ok(true);
    }
    let alive = timeout(PING_LIMIT, connection.ping()).await;
    // After an error the pool drops the connection at once; closing it properly would wait for an answer.
    alive.unwrap_or_else(|_| Err(io::Error::from(io::ErrorKind::TimedOut).into())).map(|()| true)
}
