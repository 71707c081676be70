//! Connections to Postgres while they are lent.
//!
//! The network can lose one without a word: a machine loses its power, a firewall its memory. Whoever waits for it would
//! wait for ever, and its place in the pool would be taken for as long. So whatever is asked has an end, and so has
//! giving a connection back, when the pool asks whether it still lives.

use crate::engine::{Db, Result, StoreError, database::applied, reachability::Reach};
use futures_util::FutureExt as _;
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

/// How long a statement may take: longer than somebody who stands still in a transaction can hold it up (15 s).
const LIMIT: Duration = Duration::from_secs(30);
/// How long a connection may take to say that it lives.
const SIGN_OF_LIFE: Duration = Duration::from_secs(3);
/// After so long, a server that went away meanwhile is worth asking for.
const REST: Duration = Duration::from_secs(1);

/// One that comes back to its pool, or is given up. What was begun and not committed is undone.
#[derive(Debug)]
pub struct Lent(PoolConnection<Postgres>);

impl Lent {
    pub(crate) async fn from(pool: &PgPool, reach: &Reach) -> Result<Self> {
        Ok(Self(reach.connection(pool).await?))
    }

    /// The same, in a transaction.
    pub(crate) async fn begin(pool: &PgPool, reach: &Reach) -> Result<Self> {
        let mut lent = Self::from(pool, reach).await?;
        in_time(async { Ok(PgTransactionManager::begin(&mut lent.0, None).await?) }).await?;
        Ok(lent)
    }

    pub(crate) async fn commit(mut self) -> Result<()> {
        in_time(async { Ok(PgTransactionManager::commit(&mut self.0).await?) }).await
    }
}

impl Deref for Lent {
    type Target = PgConnection;

    fn deref(&self) -> &PgConnection {
        &self.0
    }
}

impl DerefMut for Lent {
    fn deref_mut(&mut self) -> &mut PgConnection {
        &mut self.0
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        PgTransactionManager::start_rollback(&mut self.0); // where one is open
        // Dropped before its end, this closes the connection and frees its place.
        let returning = self.0.return_to_pool();
        if let Ok(runtime) = Handle::try_current() {
            runtime.spawn(async {
                if timeout(SIGN_OF_LIFE, returning).await.is_err() {
                    tracing::warn!("a connection to the database was given up: it says nothing any more");
                }
            });
        }
    }
}

/// A connection beside the pool, by which a program tells how it is.
#[derive(Debug, Clone)]
pub(crate) struct Aside {
    options: Arc<PgConnectOptions>,
    /// Opened when it is first needed, and anew after anything went wrong with it.
    connection: Arc<Mutex<Option<PgConnection>>>,
}

impl Aside {
    pub(crate) fn new(options: PgConnectOptions) -> Self {
        Self { options: Arc::new(options), connection: Arc::default() }
    }

    /// Which migrations were applied of those that matter.
    pub(crate) async fn applied(&self) -> Result<Vec<(i64, String)>> {
        let mut place = self.connection.lock().await;
        // One that rested may have been closed meanwhile: that says nothing of the server.
        if let Some(mut rested) = place.take()
            && let Ok(applied) = applied(Db::Postgres(&mut rested)).await
        {
            *place = Some(rested);
            return Ok(applied);
        }
        let mut connection = self.options.connect().await?;
        let applied = applied(Db::Postgres(&mut connection)).await?;
        *place = Some(connection);
        Ok(applied)
    }

    pub(crate) async fn close(&self) {
        if let Some(connection) = self.connection.lock().await.take() {
            let _ = timeout(SIGN_OF_LIFE, connection.close()).await;
        }
    }
}

/// Waits for what the database was asked, but not for ever. (Not an `async fn`: that would hold what it is given twice, and
/// whatever asks something would be twice as large.)
pub(crate) fn in_time<T>(asked: impl Future<Output = Result<T>>) -> impl Future<Output = Result<T>> {
    timeout(LIMIT, asked).map(|in_time| in_time.unwrap_or(Err(StoreError::Silent)))
}

/// Whether a connection from the pool can be used. A question before each question is as dear as the question: it is asked
/// of those only that have rested.
pub(crate) async fn is_alive(connection: &mut PgConnection, rested: PoolConnectionMetadata) -> sqlx::Result<bool> {
    if rested.idle_for < REST {
        return Ok(true);
    }
    let alive = timeout(SIGN_OF_LIFE, connection.ping()).await;
    // An error has it dropped at once; a polite end would wait for an answer.
    alive.unwrap_or_else(|_| Err(io::Error::from(io::ErrorKind::TimedOut).into())).map(|()| true)
}
