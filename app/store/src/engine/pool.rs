//! Connections to Postgres: those of the pool, and one beside it for health checks.
//!
//! sqlx's own pool pings each returned connection: a round trip to the server. This pool pings one only if it was taken a
//! second or more ago, or if a statement may be unfinished.

use super::{
    db::Db,
    error::Result,
    migrate,
    reachability::Reachability,
    readers::{Connections, sql_error},
    time_limit::{failed_statements, in_time},
};
use deadpool::managed::{
    Manager, Metrics, Object, Pool, PoolError, QueueMode, RecycleError, RecycleResult, TimeoutType, WeakPool,
};
use sqlx::{
    ConnectOptions as _, Connection, PgConnection,
    postgres::{PgConnectOptions, PgTransactionManager},
};
use sqlx_core::transaction::TransactionManager;
use std::{
    io,
    ops::{Deref, DerefMut},
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};
use tokio::{
    runtime::Handle,
    time::{sleep, timeout},
};

/// Two programs and their tools stay below Postgres's default limit of 100.
const MAX_CONNECTIONS: usize = 20;
/// How long a connection may take to answer a ping.
const PING_LIMIT: Duration = Duration::from_secs(3);
/// A connection that was taken longer ago is pinged before it is taken again: the server may have gone away.
const PING_AFTER: Duration = Duration::from_secs(1);
/// An idle connection that was taken longer ago is closed, so that memory of the server is free again after a burst.
const MAX_IDLE: Duration = Duration::from_mins(10);
/// A server process keeps what it has read of each table's description, so an older connection is not used again.
const MAX_AGE: Duration = Duration::from_mins(30);
/// How long a closing pool waits for connections that are in use.
const IN_USE_LIMIT: Duration = Duration::from_secs(30);
/// How often idle connections are looked for.
const CLEANUP_INTERVAL: Duration = Duration::from_mins(1);
/// How often a closing pool looks whether all are closed.
const CLOSE_POLL: Duration = Duration::from_millis(10);
/// The pauses before another attempt to connect: each is twice as long as the one before, up to the limit.
const FIRST_PAUSE: Duration = Duration::from_millis(10);
const LONGEST_PAUSE: Duration = Duration::from_secs(1);

/// Opens connections for the pool.
#[derive(Debug)]
pub(crate) struct Connector {
    options: PgConnectOptions,
    /// SQL that each connection begins with.
    settings: String,
    /// When the latest connection found lost was asked for an answer. Connections that were last taken before are probably
    /// lost, too.
    lost_at: Mutex<Option<Instant>>,
}

impl Connector {
    fn was_lost_after(&self, moment: Instant) -> bool {
        self.lost_at.lock().is_ok_and(|lost_at| lost_at.is_some_and(|lost_at| lost_at > moment))
    }

    /// `asked_at`: when the connection was asked for the answer that did not come. Newer connections may be fine.
    fn note_loss(&self, asked_at: Instant) {
        if let Ok(mut lost_at) = self.lost_at.lock() {
            *lost_at = lost_at.max(Some(asked_at));
        }
    }

    async fn connect(&self) -> sqlx::Result<PgConnection> {
        let mut connection = self.options.connect().await?;
        sqlx::raw_sql(sqlx::AssertSqlSafe(self.settings.as_str())).execute(&mut connection).await?;
        Ok(connection)
    }
}

impl Manager for Connector {
    type Type = PgConnection;
    type Error = sqlx::Error;

    /// Tries until the pool's time-out while the server starts or has no connection left.
    async fn create(&self) -> sqlx::Result<PgConnection> {
        let mut pause = FIRST_PAUSE;
        loop {
            match self.connect().await {
                Err(error) if may_pass(&error) => sleep(pause).await,
                connected => return connected,
            }
            pause = (pause * 2).min(LONGEST_PAUSE);
        }
    }

    async fn recycle(&self, connection: &mut PgConnection, metrics: &Metrics) -> RecycleResult<sqlx::Error> {
        let last_taken = metrics.recycled.unwrap_or(metrics.created);
        if metrics.age() > MAX_AGE || self.was_lost_after(last_taken) {
            return Err(RecycleError::message("too old, or lost as another connection was"));
        }
        if last_taken.elapsed() < PING_AFTER {
            return Ok(());
        }
        let asked_at = Instant::now();
        let answer = ping(connection).await;
        if answer.is_err() {
            self.note_loss(asked_at);
        }
        answer.map_err(RecycleError::Backend)
    }
}

/// Whether another attempt to connect may succeed soon.
fn may_pass(error: &sqlx::Error) -> bool {
    match error {
        sqlx::Error::Io(error) => error.kind() == io::ErrorKind::ConnectionRefused,
        // too_many_connections, cannot_connect_now
        sqlx::Error::Database(error) => error.code().is_some_and(|code| matches!(&*code, "53300" | "57P03")),
        _ => false,
    }
}

/// Whether the server has gone, or closed the connection.
fn has_gone(error: &sqlx::Error) -> bool {
    match error {
        sqlx::Error::Io(error) => error.kind() != io::ErrorKind::TimedOut,
        // admin_shutdown, crash_shutdown
        sqlx::Error::Database(error) => error.code().is_some_and(|code| matches!(&*code, "57P01" | "57P02")),
        _ => false,
    }
}

/// Waits up to [`PING_LIMIT`] until all statements of the connection have ended.
async fn ping(connection: &mut PgConnection) -> sqlx::Result<()> {
    within_ping_limit(connection.ping()).await
}

/// Ends a transaction, if there is one. Postgres warns if there is none.
async fn roll_back(connection: &mut PgConnection) -> sqlx::Result<()> {
    within_ping_limit(sqlx::raw_sql("ROLLBACK").execute(connection)).await.map(drop)
}

async fn within_ping_limit<T>(answer: impl Future<Output = sqlx::Result<T>>) -> sqlx::Result<T> {
    timeout(PING_LIMIT, answer).await.unwrap_or_else(|_| Err(io::Error::from(io::ErrorKind::TimedOut).into()))
}

/// The pool; it opens each connection when it first needs it. Clones share it.
#[derive(Debug, Clone)]
pub(crate) struct PostgresPool {
    pool: Pool<Connector>,
    /// How long a caller waits for a connection.
    patience: Duration,
}

impl PostgresPool {
    /// Opens the first connection. Each connection begins with `settings`. A caller waits up to `patience` for one.
    pub(crate) async fn open(options: PgConnectOptions, settings: String, patience: Duration) -> Result<Self> {
        let pool = Pool::builder(Connector { options, settings, lost_at: Mutex::default() })
            .max_size(MAX_CONNECTIONS)
            .queue_mode(QueueMode::Lifo) // the last one has the most statements prepared
            .build()
            .map_err(|error| sqlx::Error::Configuration(error.into()))?;
        let pool = Self { pool, patience };
        drop(pool.get().await?);
        tokio::spawn(close_unneeded(pool.pool.weak()));
        Ok(pool)
    }

    pub(crate) async fn get(&self) -> sqlx::Result<Object<Connector>> {
        let got = timeout(self.patience, self.pool.get()).await;
        got.unwrap_or(Err(PoolError::Timeout(TimeoutType::Wait))).map_err(sql_error)
    }

    pub(crate) fn options(&self) -> &PgConnectOptions {
        &self.pool.manager().options
    }

    pub(crate) fn connections(&self) -> Connections {
        Connections::of(self.pool.status())
    }

    /// Waits for connections that are in use, and closes all.
    pub(crate) async fn close(&self) {
        close_all(self.pool.retain(|_, _| false).removed).await;
        self.pool.close();
        let unused = async {
            while self.pool.status().size > 0 {
                sleep(CLOSE_POLL).await;
            }
        };
        let _ = timeout(IN_USE_LIMIT, unused).await;
    }
}

/// Closes idle connections until nobody uses the pool any more.
async fn close_unneeded(pool: WeakPool<Connector>) {
    loop {
        sleep(CLEANUP_INTERVAL).await;
        let Some(pool) = pool.upgrade() else { return };
        close_all(pool.retain(|_, metrics| metrics.last_used() < MAX_IDLE).removed).await;
    }
}

async fn close_all(connections: Vec<PgConnection>) {
    for connection in connections {
        let _ = timeout(PING_LIMIT, connection.close()).await;
    }
}

/// A connection of the pool, possibly in a transaction. Dropping it rolls back and returns it to the pool, or closes it
/// if that fails.
#[derive(Debug)]
pub struct PooledConnection {
    /// `None` only while it is dropped.
    connection: Option<Object<Connector>>,
    /// [`failed_statements`] when it was taken.
    failed_before: u64,
    /// Whether a transaction began, or may have begun, and is not known to have been committed.
    in_transaction: bool,
}

impl PooledConnection {
    pub(crate) async fn acquire(pool: &PostgresPool, reachability: &Reachability) -> Result<Self> {
        let connection = reachability.connection(Box::pin(pool.get())).await?;
        Ok(Self { connection: Some(connection), failed_before: failed_statements(), in_transaction: false })
    }

    /// The same, in a transaction.
    pub(crate) async fn begin(pool: &PostgresPool, reachability: &Reachability) -> Result<Self> {
        let mut connection = Self::acquire(pool, reachability).await?;
        connection.in_transaction = true;
        in_time(async { Ok(PgTransactionManager::begin(&mut connection, None).await?) }).await?;
        Ok(connection)
    }

    pub(crate) async fn commit(mut self) -> Result<()> {
        in_time(async { Ok(PgTransactionManager::commit(&mut self).await?) }).await?;
        self.in_transaction = false;
        Ok(())
    }
}

#[expect(clippy::expect_used, reason = "only `drop` takes the connection")]
impl Deref for PooledConnection {
    type Target = PgConnection;

    fn deref(&self) -> &PgConnection {
        self.connection.as_deref().expect("a connection until it is dropped")
    }
}

#[expect(clippy::expect_used, reason = "only `drop` takes the connection")]
impl DerefMut for PooledConnection {
    fn deref_mut(&mut self) -> &mut PgConnection {
        self.connection.as_deref_mut().expect("a connection until it is dropped")
    }
}

impl Drop for PooledConnection {
    fn drop(&mut self) {
        let Some(mut connection) = self.connection.take() else { return };
        if !self.in_transaction && failed_statements() == self.failed_before {
            return; // no statement is unfinished: it returns to the pool
        }
        let begin_was_cut_off = self.in_transaction && PgTransactionManager::get_transaction_depth(&connection) == 0;
        PgTransactionManager::start_rollback(&mut connection); // does nothing outside of a transaction that sqlx knows
        let settling = settle(Unsettled(Some(connection)), begin_was_cut_off);
        if let Ok(runtime) = Handle::try_current() {
            runtime.spawn(settling);
        }
    }
}

/// A connection that has to end its statements before it returns to the pool. Dropping it closes it.
struct Unsettled(Option<Object<Connector>>);

impl Drop for Unsettled {
    fn drop(&mut self) {
        drop(self.0.take().map(Object::take));
    }
}

/// Returns a connection to the pool once its statements have ended. sqlx does not know of a transaction whose `BEGIN` was
/// cut off.
async fn settle(mut unsettled: Unsettled, begin_was_cut_off: bool) {
    let Some(connection) = &mut unsettled.0 else { return };
    let asked_at = Instant::now();
    let settled = if begin_was_cut_off { roll_back(connection).await } else { ping(connection).await };
    let Err(error) = settled else { return drop(unsettled.0.take()) };
    tracing::warn!("a connection to the database could not be used again and was closed");
    // A slow statement, or one that failed after nobody waited for it, says nothing about other connections.
    if has_gone(&error)
        && let Some(pool) = Object::pool(connection)
    {
        pool.manager().note_loss(asked_at);
    }
}

/// A connection beside the pool, so that a health check does not wait for one that is in use.
#[derive(Debug, Clone)]
pub(crate) struct HealthConnection {
    options: Arc<PgConnectOptions>,
    /// Opened when it is first needed, and again after an error.
    connection: Arc<tokio::sync::Mutex<Option<PgConnection>>>,
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
