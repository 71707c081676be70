//! The database: a SQLite file with one writer and several readers, or a pool of connections to Postgres.

use super::{
    changes::ChangeCounts,
    db::{DatabaseKind, Db},
    due::Due,
    error::{Result, StoreError},
    group_commit::{WRITER_PATIENCE, WriteTurn, Writer},
    migrate::{self, Tables},
    pool::{HealthConnection, PooledConnection, PostgresPool},
    reachability::Reachability,
    readers::{Connections, Reader, Readers},
    soundness::{Lookup, Soundness},
    statistics::{self, Transactions},
    url::{DatabaseUrl, check_tls_files},
    writable::Writable,
};
use sqlx::{
    postgres::PgConnectOptions,
    sqlite::{SqliteAutoVacuum, SqliteConnectOptions, SqliteJournalMode, SqliteSynchronous},
};
use std::time::Duration;

/// How long a caller waits for a connection, and SQLite for a lock of another program.
const CONNECTION_PATIENCE: Duration = WRITER_PATIENCE;
/// Readers of a SQLite file: enough for the cores; each costs about 2 MiB.
const SQLITE_READERS: usize = 4;
/// Rows that SQLite's thread prepares before it waits for their reader: more than a page of a list.
const ROWS_AHEAD: usize = 256;
/// Prepared statements that a SQLite connection caches.
const CACHED_STATEMENTS: usize = 200;

/// What every connection to Postgres starts with. A transaction that stands idle blocks everybody who needs its rows:
/// Postgres ends it after 15 s, before other programs take over its work.
///
/// Every statement finds its rows by an index, and reads from memory or from a disk without moving parts. With its
/// default estimate of random reads, Postgres would prefer to read whole tables.
const SESSION_SETTINGS: &str = "SET random_page_cost = 1.1; SET idle_in_transaction_session_timeout = '15s'";
/// No caller waits longer ([`super::time_limit`]), so the server should not continue either.
const STATEMENT_TIMEOUT: &str = "SET statement_timeout = '31s'";

/// The database. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Store {
    pools: Pools,
    due: Due,
    changes: ChangeCounts,
    writable: Writable,
}

#[derive(Debug, Clone)]
enum Pools {
    Sqlite { writer: Writer, readers: Readers, soundness: Soundness },
    Postgres { pool: PostgresPool, health: HealthConnection, reachability: Reachability, transactions: Transactions },
}

/// A connection for reading.
#[derive(Debug)]
pub enum Reading {
    /// To a file; cannot write.
    Sqlite(Reader),
    /// To a server. In a box, because it is a part of many futures.
    Postgres(Box<PooledConnection>),
}

impl Reading {
    /// The connection to run queries on.
    pub fn db(&mut self) -> Db<'_> {
        match self {
            Self::Sqlite(connection) => Db::Sqlite(connection),
            Self::Postgres(connection) => Db::Postgres(connection),
        }
    }
}

/// A transaction that writes. Dropping it rolls back.
#[derive(Debug)]
pub(crate) enum Transaction {
    Sqlite(WriteTurn),
    Postgres(Box<PooledConnection>),
}

impl Transaction {
    /// The connection to run queries on.
    pub(crate) fn db(&mut self) -> Db<'_> {
        match self {
            Self::Sqlite(turn) => Db::Sqlite(turn.connection()),
            Self::Postgres(connection) => Db::Postgres(connection),
        }
    }

    /// Returns when everything is on disk.
    pub(crate) async fn commit(self) -> Result<()> {
        match self {
            Self::Sqlite(turn) => turn.commit().await,
            Self::Postgres(connection) => connection.commit().await,
        }
    }
}

impl Store {
    /// Opens `sqlite://FILE`, which is created if it does not exist, or `postgres://…`.
    pub async fn open(url: &str) -> Result<Self> {
        Self::open_with(url, STATEMENT_TIMEOUT).await
    }

    /// The same without a time limit for statements, for tools that read whole tables.
    pub async fn open_for_long(url: &str) -> Result<Self> {
        Self::open_with(url, "").await
    }

    async fn open_with(url: &str, statement_timeout: &'static str) -> Result<Self> {
        let writable = Writable::default();
        let pools = match url.parse()? {
            DatabaseUrl::Sqlite(options) => open_sqlite(*options, writable.clone()).await?,
            DatabaseUrl::Postgres(options) => {
                check_tls_files(url, &options)?;
                open_postgres(*options, statement_timeout).await?
            }
        };
        Ok(Self { pools, due: Due::default(), changes: ChangeCounts::default(), writable })
    }

    /// Which database it is.
    pub fn kind(&self) -> DatabaseKind {
        match self.pools {
            Pools::Sqlite { .. } => DatabaseKind::Sqlite,
            Pools::Postgres { .. } => DatabaseKind::Postgres,
        }
    }

    pub(super) fn writable(&self) -> &Writable {
        &self.writable
    }

    /// How many connections there are.
    pub fn connections(&self) -> Connections {
        match &self.pools {
            Pools::Sqlite { readers, .. } => readers.connections(),
            Pools::Postgres { pool, .. } => pool.connections(),
        }
    }

    /// Migrates the tables while other programs use them. Several programs may migrate at once.
    pub async fn migrate(&self) -> Result<()> {
        match &self.pools {
            Pools::Sqlite { writer, .. } => writer.migrate().await,
            Pools::Postgres { pool, .. } => migrate::migrate_postgres(pool.options()).await,
        }
    }

    /// Whether the tables fit this program. Does not wait for a connection that is in use: a program under load still
    /// passes its health check.
    pub async fn tables(&self) -> Result<Tables> {
        let applied = match &self.pools {
            Pools::Sqlite { .. } => migrate::applied(self.read().await?.db()).await,
            Pools::Postgres { health, .. } => health.applied_migrations().await,
        };
        match applied {
            Ok(applied) => Ok(Tables::after(&applied)),
            // No program has migrated this database yet.
            Err(StoreError::Sql(sqlx::Error::Database(error))) if migrate::is_no_such_table(&*error) => {
                Ok(Tables::Behind)
            }
            Err(error) => Err(error),
        }
    }

    /// Confirms that a look-up without a result is right, so that a valid credential is not rejected.
    /// [`StoreError::Damaged`]: the tables of the look-up are corrupt.
    pub async fn confirm_missing(&self, lookup: Lookup) -> Result<()> {
        match &self.pools {
            Pools::Sqlite { readers, soundness, .. } => soundness.confirm_missing(readers, lookup).await,
            Pools::Postgres { .. } => Ok(()),
        }
    }

    /// A connection for reading.
    pub async fn read(&self) -> Result<Reading> {
        Ok(match &self.pools {
            Pools::Sqlite { readers, .. } => Reading::Sqlite(readers.get().await?),
            Pools::Postgres { pool, reachability, .. } => {
                Reading::Postgres(Box::new(PooledConnection::acquire(pool, reachability).await?))
            }
        })
    }

    /// A transaction that writes.
    pub(crate) async fn begin(&self) -> Result<Transaction> {
        Ok(match &self.pools {
            Pools::Sqlite { writer, .. } => Transaction::Sqlite(writer.turn().await?),
            Pools::Postgres { pool, reachability, .. } => {
                Transaction::Postgres(Box::new(PooledConnection::begin(pool, reachability).await?))
            }
        })
    }

    /// The same for one statement, which on Postgres is a transaction by itself.
    pub(crate) async fn begin_for_one_statement(&self) -> Result<Transaction> {
        match &self.pools {
            Pools::Sqlite { .. } => self.begin().await,
            Pools::Postgres { pool, reachability, .. } => {
                Ok(Transaction::Postgres(Box::new(PooledConnection::acquire(pool, reachability).await?)))
            }
        }
    }

    /// Refreshes the statistics of tables that have grown much, so that Postgres selects the right indexes before autovacuum
    /// has collected some. SQLite keeps none: it follows the order of the tables in a statement.
    pub async fn refresh_statistics(&self) {
        if let Pools::Postgres { pool, reachability, .. } = &self.pools {
            statistics::refresh(pool, reachability).await;
        }
    }

    /// Counts a transaction that may make tables grow.
    pub(crate) fn count_transaction(&self) {
        if let Pools::Postgres { pool, reachability, transactions, .. } = &self.pools {
            transactions.began(pool, reachability);
        }
    }

    /// The subscriptions that this program has written deliveries for.
    pub fn due(&self) -> &Due {
        &self.due
    }

    /// How often this program has changed the rows of each account.
    pub fn changes(&self) -> &ChangeCounts {
        &self.changes
    }

    /// Removes deleted rows from the disk as far as that is ours to do: on SQLite they stay in the write-ahead log, and
    /// Postgres vacuums by itself. `false` if others are in the way: try again.
    pub async fn purge(&self) -> Result<bool> {
        match &self.pools {
            Pools::Sqlite { writer, .. } => writer.truncate_wal().await,
            Pools::Postgres { .. } => Ok(true),
        }
    }

    /// Whether commits wait for the disk, as they do by default. Without it, a power cut may lose the last commits on SQLite,
    /// and damages nothing: for work that can be repeated. Postgres always waits.
    pub async fn wait_for_disk(&self, waits: bool) -> Result<()> {
        match &self.pools {
            Pools::Sqlite { writer, .. } => writer.wait_for_disk(waits).await,
            Pools::Postgres { .. } => Ok(()),
        }
    }

    /// Whether the last [`Self::purge`] of this program succeeded; `false` before the first.
    pub fn is_purged(&self) -> bool {
        match &self.pools {
            Pools::Sqlite { writer, .. } => writer.is_wal_truncated(),
            Pools::Postgres { .. } => true,
        }
    }

    /// Waits for open transactions and closes.
    pub async fn close(&self) {
        match &self.pools {
            Pools::Sqlite { writer, readers, .. } => {
                readers.close().await;
                writer.close().await;
            }
            Pools::Postgres { pool, health, .. } => {
                health.close().await;
                pool.close().await;
            }
        }
    }
}

async fn open_sqlite(options: SqliteConnectOptions, writable: Writable) -> Result<Pools> {
    let options = options
        .create_if_missing(true)
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Full) // a 200 is on disk
        .foreign_keys(true)
        .busy_timeout(CONNECTION_PATIENCE)
        .pragma("cache_size", "-8000") // 8 MB
        .pragma("secure_delete", "on") // an erased person's data do not stay in free pages
        .statement_cache_capacity(CACHED_STATEMENTS)
        .row_buffer_size(ROWS_AHEAD);
    // Only the first connection sets this, for a new file: the pragma writes to the file, and readers must not wait for
    // writers.
    let first = options.clone().auto_vacuum(SqliteAutoVacuum::Incremental);
    let writer = Writer::open(&first, options.clone(), writable).await?;
    let readers = Readers::new(options.pragma("query_only", "on"), SQLITE_READERS, CONNECTION_PATIENCE)?;
    Ok(Pools::Sqlite { writer, readers, soundness: Soundness::default() })
}

async fn open_postgres(options: PgConnectOptions, statement_timeout: &'static str) -> Result<Pools> {
    let health = HealthConnection::new(options.clone());
    let reachability = Reachability::new(options.clone());
    let settings = format!("{SESSION_SETTINGS}; {statement_timeout}");
    let pool = PostgresPool::open(options, settings, CONNECTION_PATIENCE).await?;
    Ok(Pools::Postgres { pool, health, reachability, transactions: Transactions::default() })
}
