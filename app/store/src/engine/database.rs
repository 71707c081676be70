//! Connections: SQLite with one writer and many readers, or a pool of Postgres.

use crate::{engine::{Result, StoreError, due::{Due, Subscribed}, group_commit::{Turn, Writer}, migrate::{self, Tables}, pool::{self, Aside, Lent}, reachability::Reach, readers::{Reader, Readers}, soundness::Soundness, writable::Writable}, tables::{returning::timeline, webhooks::events::{self, Event}}};
use sqlx::{
    PgConnection, SqliteConnection,
    postgres::{PgConnectOptions, PgPool, PgPoolOptions},
    sqlite::{SqliteAutoVacuum, SqliteConnectOptions, SqliteJournalMode, SqliteSynchronous},
};
use std::{str::FromStr, time::Duration};

/// Which database it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A file of ours.
    Sqlite,
    /// A server.
    Postgres,
}

/// The database. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Store {
    pools: Pools,
    due: Due,
    writable: Writable,
    soundness: Soundness,
}

#[derive(Debug, Clone)]
enum Pools {
    Sqlite { writer: Writer, readers: Readers },
    Postgres { pool: PgPool, aside: Aside, reach: Reach },
}

/// Connections to the database, as they are at a moment; of SQLite, those that read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Connections {
    /// How many there may be.
    pub most: u32,
    /// How many are open.
    pub open: u32,
    /// How many of those nobody uses.
    pub idle: u32,
}

impl Connections {
    fn of<D: sqlx::Database>(pool: &sqlx::Pool<D>) -> Self {
        let idle = u32::try_from(pool.num_idle()).unwrap_or(u32::MAX);
        Self { most: pool.options().get_max_connections(), open: pool.size(), idle: idle.min(pool.size()) }
    }
}

/// What every connection to Postgres begins with. A program that stands still in the middle of a transaction holds up
/// whoever wants the same rows: after so long its transaction ends, before others take its work over.
///
/// Every statement finds its rows by an index, and what is read is in memory or on a disk without moving parts: with
/// its own guess of what such reading costs, Postgres would rather read a whole table.
const SETTINGS: &str = "SET random_page_cost = 1.1; SET idle_in_transaction_session_timeout = '15s'";
/// Whoever asked waits no longer than this ([`pool`]), and then the server should not go on either.
const STATEMENTS_END: &str = "SET statement_timeout = '31s'";

/// A borrowed connection of either kind: what every query function takes.
#[derive(Debug)]
pub enum Db<'c> {
    /// To a file.
    Sqlite(&'c mut SqliteConnection),
    /// To a server.
    Postgres(&'c mut PgConnection),
}

impl Db<'_> {
    /// The same connection once more, for a loop of queries.
    pub fn reborrow(&mut self) -> Db<'_> {
        match self {
            Self::Sqlite(connection) => Db::Sqlite(connection),
            Self::Postgres(connection) => Db::Postgres(connection),
        }
    }
}

/// A connection for reading.
#[derive(Debug)]
pub enum Reading {
    /// To a file; cannot write.
    Sqlite(Reader),
    /// To a server.
    Postgres(Lent),
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

/// A transaction that writes. Undone when dropped.
#[derive(Debug)]
pub struct Writing {
    transaction: Open,
    /// What happened, written in one go at the end: most of a change's rows are these.
    entries: Vec<timeline::NewEntry>,
    events: Vec<Event>,
    roused: Vec<Subscribed>,
    due: Due,
    begins_return: bool,
}

#[derive(Debug)]
enum Open {
    Sqlite(Turn),
    Postgres(Lent),
}

impl Writing {
    fn new(transaction: Open, due: Due) -> Self {
        Self { transaction, entries: Vec::new(), events: Vec::new(), roused: Vec::new(), due, begins_return: false }
    }

    /// The connection to run queries on.
    pub fn db(&mut self) -> Db<'_> {
        match &mut self.transaction {
            Open::Sqlite(turn) => Db::Sqlite(turn.connection()),
            Open::Postgres(transaction) => Db::Postgres(transaction),
        }
    }

    /// Adds to a return's timeline, when this is committed.
    pub fn note(&mut self, entry: timeline::NewEntry) {
        self.entries.push(entry);
    }

    /// Says that everything noted and told is of a return that begins: nothing happened to it before.
    pub fn begins_return(&mut self) {
        self.begins_return = true;
    }

    /// Keeps an event, when this is committed.
    pub fn tell(&mut self, event: Event) {
        self.events.push(event);
    }

    /// Has a subscription looked after at once, when this is committed.
    pub fn rouse(&mut self, subscribed: Subscribed) {
        self.roused.push(subscribed);
    }

    /// Makes all of it last: when this returns, it is on disk.
    pub async fn commit(mut self) -> Result<()> {
        let (mut entries, mut events) = (std::mem::take(&mut self.entries), std::mem::take(&mut self.events));
        if !self.begins_return {
            events::put_in_order(self.db(), (&mut entries, &mut events)).await?;
        }
        let subscribed = events::insert(self.db(), &entries, &events).await?;
        match self.transaction {
            Open::Sqlite(turn) => turn.commit().await?,
            Open::Postgres(transaction) => transaction.commit().await?,
        }
        self.due.add(subscribed.into_iter().chain(self.roused));
        Ok(())
    }
}

/// How long a writer waits for its turn.
pub(crate) const PATIENCE: Duration = Duration::from_secs(10);
/// Readers of a SQLite file: enough for the cores, each costs about 2 MiB.
const SQLITE_READERS: usize = 4;
const POSTGRES_CONNECTIONS: u32 = 20;
/// Rows that SQLite's thread has ready before it waits for who reads them: a page of a list and more.
const ROWS_AHEAD: usize = 256;

impl Store {
    /// Opens `sqlite://FILE` (made if it is not there) or `postgres://…`.
    pub async fn open(url: &str) -> Result<Self> {
        Self::open_with(url, STATEMENTS_END).await
    }

    /// The same for whoever goes through whole tables: a statement takes as long as it takes.
    pub async fn open_for_long(url: &str) -> Result<Self> {
        Self::open_with(url, "").await
    }

    async fn open_with(url: &str, end: &'static str) -> Result<Self> {
        let writable = Writable::default();
        let pools = if url.starts_with("sqlite:") {
            open_sqlite(url, writable.clone()).await?
        } else if url.starts_with("postgres:") || url.starts_with("postgresql:") {
            let options = PgConnectOptions::from_str(url).map_err(|_| StoreError::BadUrl)?;
            let pool = PgPoolOptions::new().max_connections(POSTGRES_CONNECTIONS).acquire_timeout(PATIENCE);
            let pool = pool
                .test_before_acquire(false)
                .before_acquire(|connection, rested| Box::pin(pool::is_alive(connection, rested)));
            let pool = pool.after_connect(move |connection, _| {
                Box::pin(async move {
                    sqlx::raw_sql(SETTINGS).execute(&mut *connection).await?;
                    sqlx::raw_sql(end).execute(connection).await.map(drop)
                })
            });
            let (aside, reach) = (Aside::new(options.clone()), Reach::new(options.clone()));
            Pools::Postgres { aside, reach, pool: pool.connect_with(options).await? }
        } else {
            return Err(StoreError::BadUrl);
        };
        Ok(Self { pools, due: Due::default(), writable, soundness: Soundness::default() })
    }

    /// Which database it is.
    pub fn kind(&self) -> Kind {
        match self.pools {
            Pools::Sqlite { .. } => Kind::Sqlite,
            Pools::Postgres { .. } => Kind::Postgres,
        }
    }

    pub(crate) fn writable(&self) -> &Writable {
        &self.writable
    }

    pub(crate) fn soundness(&self) -> &Soundness {
        &self.soundness
    }

    /// What is open to it.
    pub fn connections(&self) -> Connections {
        match &self.pools {
            Pools::Sqlite { readers, .. } => readers.connections(),
            Pools::Postgres { pool, .. } => Connections::of(pool),
        }
    }

    /// Brings the tables up to date, while others use them; several programs may do so at once.
    pub async fn migrate(&self) -> Result<()> {
        match &self.pools {
            Pools::Sqlite { writer, .. } => writer.migrate().await,
            Pools::Postgres { pool, .. } => migrate::migrate_postgres(&pool.connect_options()).await,
        }
    }

    /// How the tables stand to what this program expects of them. Whoever asks does not wait for those who use the database:
    /// a program that has much to do is there all the same.
    pub async fn tables(&self) -> Result<Tables> {
        let applied = match &self.pools {
            Pools::Sqlite { .. } => applied(self.read().await?.db()).await,
            Pools::Postgres { aside, .. } => aside.applied().await,
        };
        match applied {
            Ok(applied) => Ok(migrate::standing(&applied)),
            // Nothing was ever migrated.
            Err(StoreError::Sql(sqlx::Error::Database(error))) if is_no_such_table(&*error) => Ok(Tables::Behind),
            Err(error) => Err(error),
        }
    }

    /// A connection to read from.
    pub async fn read(&self) -> Result<Reading> {
        Ok(match &self.pools {
            Pools::Sqlite { readers, .. } => Reading::Sqlite(readers.get().await?),
            Pools::Postgres { pool, reach, .. } => Reading::Postgres(Lent::from(pool, reach).await?),
        })
    }

    /// A transaction that writes. On SQLite it has the writer for itself until it commits, so nothing is awaited
    /// inside it but SQL.
    pub async fn write(&self) -> Result<Writing> {
        let open = match &self.pools {
            Pools::Sqlite { writer, .. } => Open::Sqlite(writer.turn().await?),
            Pools::Postgres { pool, reach, .. } => Open::Postgres(Lent::begin(pool, reach).await?),
        };
        Ok(Writing::new(open, self.due.clone()))
    }

    /// The same for whoever runs one statement in it: to Postgres that is a transaction by itself.
    pub async fn write_in_one(&self) -> Result<Writing> {
        match &self.pools {
            Pools::Sqlite { .. } => self.write().await,
            Pools::Postgres { pool, reach, .. } => {
                Ok(Writing::new(Open::Postgres(Lent::from(pool, reach).await?), self.due.clone()))
            }
        }
    }

    /// Which subscriptions this program has written something for.
    pub fn due(&self) -> &Due {
        &self.due
    }

    /// Leaves nothing behind of what was deleted, as far as that is ours to do: Postgres does it by its own vacuum. `false`
    /// where others are in the way: it is to be tried again.
    pub async fn scour(&self) -> Result<bool> {
        match &self.pools {
            Pools::Sqlite { writer, .. } => writer.empty_log().await,
            Pools::Postgres { .. } => Ok(true),
        }
    }

    /// Whether the last [`Self::scour`] of this program was in nobody's way; `false` before the first.
    pub fn is_scoured(&self) -> bool {
        match &self.pools {
            Pools::Sqlite { writer, .. } => writer.is_log_clean(),
            Pools::Postgres { .. } => true,
        }
    }

    /// Waits for what is under way and closes.
    pub async fn close(&self) {
        match &self.pools {
            Pools::Sqlite { writer, readers } => {
                readers.close().await;
                writer.close().await;
            }
            Pools::Postgres { pool, aside, .. } => {
                aside.close().await;
                pool.close().await;
            }
        }
    }
}

fn is_no_such_table(error: &dyn sqlx::error::DatabaseError) -> bool {
    error.code().is_some_and(|code| code == "42P01") || error.message().starts_with("no such table")
}

/// Which migrations were applied of those that matter.
pub(crate) async fn applied(mut db: Db<'_>) -> Result<Vec<(i64, String)>> {
    let known = migrate::last_known();
    Ok(on!(&mut db, c => sqlx::query_as(migrate::APPLIED).bind(known).fetch_all(&mut **c).await?))
}

async fn open_sqlite(url: &str, writable: Writable) -> Result<Pools> {
    let options = SqliteConnectOptions::from_str(url)
        .map_err(|_| StoreError::BadUrl)?
        .create_if_missing(true)
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Full) // a 200 is on disk
        .foreign_keys(true)
        .busy_timeout(PATIENCE)
        .pragma("cache_size", "-8000")
        .pragma("secure_delete", "on") // who asked to be forgotten is not left behind in free pages
        .statement_cache_capacity(200)
        .row_buffer_size(ROWS_AHEAD);
    // For a new file, and for the first connection alone: saying it writes to the file, and readers must not wait for writers.
    let first = options.clone().auto_vacuum(SqliteAutoVacuum::Incremental);
    let writer = Writer::open(&first, options.clone(), writable).await?;
    let readers = Readers::new(options.pragma("query_only", "on"), SQLITE_READERS, PATIENCE)?;
    Ok(Pools::Sqlite { writer, readers })
}
