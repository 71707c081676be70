//! Everything from one database to another, of either kind, and whether it is the same there.
//!
//! What there is to copy is read from the databases themselves, so that no migration can forget a column or a table. Each
//! table is read in the order of a key and written in that order, some rows a transaction: what the target has is always
//! the beginning of a table, and the largest key tells where to go on. That a copy is under way stands in the target, in
//! a table of its own (`copying`) that goes with the end of the copy.

mod compare;
mod files;
mod numbers;
mod rows;
mod schema;
mod values;

pub use compare::{Compared, Difference};
pub use files::{FileOf, list as list_files};

use crate::engine::{Db, Kind, Reading, Result, Store, StoreError, Tables};
use futures_util::TryStreamExt as _;
use rows::{Row, insert, last, rows};
use schema::Table;
use sqlx::AssertSqlSafe;
use std::collections::BTreeMap;
use uuid::Uuid;
use values::Value;

/// Tables whose rows are not copied, each with its reason. All others are.
pub const LEFT_BEHIND: [(&str, &str); 3] = [
    ("webhook_senders", "which programs are there now: those of the copy say so themselves"),
    ("worker_turns", "what workers of one database wait for: made by its migrations"),
    ("write_probes", "what programs write to find out whether they can"),
];

/// Bytes of rows that are held in memory at most, nearly: rows of a transaction may be fewer than asked for.
const BYTES_AT_ONCE: usize = 4 << 20;

/// Why nothing is copied, or no further.
#[derive(Debug, thiserror::Error)]
pub enum CopyError {
    /// A database said no.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The same for what goes wrong below.
    #[error("database: {0}")]
    Sql(#[from] sqlx::Error),
    /// A table's row could not be taken over.
    #[error("{table}: {error}")]
    Table {
        /// Which.
        table: String,
        /// Why.
        error: StoreError,
    },
    /// One of both is of another version.
    #[error(
        "the tables of {0} are not those of this version: run `retour migrate` on it first, with the version that is to serve the copy"
    )]
    OtherVersion(Place),
    /// The tables are not the same, or there is one that cannot be copied.
    #[error("the tables of source and target differ: {0}")]
    OtherTables(String),
    /// A copy of the beginning of something would pass for the whole.
    #[error("the source is itself a copy that was not finished: finish that one first")]
    HalfSource,
    /// What was compared is no longer what is there.
    #[error(
        "the source was changed while it was compared: stop what writes to it, imports and other commands too, and call this again"
    )]
    Changed,
    /// There is nothing to copy.
    #[error("the source has no account: there is nothing to copy")]
    NoAccount,
    /// The target is not empty.
    #[error("the target holds what is not from this copy: copy into a database with nothing in it")]
    Occupied,
    /// Another copy was not finished.
    #[error("the target holds the beginning of a copy from another database: copy into a database with nothing in it")]
    OtherCopy,
}

/// One of the two databases.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// What is copied.
    Source,
    /// Where it goes.
    Target,
}

impl std::fmt::Display for Place {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(match self {
            Self::Source => "the source",
            Self::Target => "the target",
        })
    }
}

/// How the target was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Found {
    /// There is nothing in it, or the beginning of this copy.
    Begun,
    /// There is something in it, and no copy under way.
    Full,
}

/// How far it is, told now and then.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress<'a> {
    /// So many rows of a table are at the target, since this was told last.
    Copied(&'a str, u64),
    /// So many rows of a table were compared since then.
    Compared(&'a str, u64),
}

/// Whoever wants to know how far it is.
pub type Watcher<'a> = &'a (dyn Fn(Progress<'_>) + Send + Sync);

/// Two databases with the same tables: from one everything goes to the other.
#[derive(Debug)]
pub struct Pair {
    from: Store,
    to: Store,
    tables: Vec<Table>,
    rows_at_once: usize,
}

impl Pair {
    /// Brings the target's tables up to date, unless it is somebody's, and compares them with the source's.
    pub async fn open(from: &Store, to: &Store, rows_at_once: usize) -> Result<Self, CopyError> {
        if is_under_way(from).await? {
            return Err(CopyError::HalfSource);
        }
        if !schema::is_migrated(from).await? {
            return Err(CopyError::OtherVersion(Place::Source));
        }
        if to.tables().await? != Tables::Fit {
            if schema::has_accounts(to).await? {
                return Err(CopyError::Occupied);
            }
            to.migrate().await?;
        }
        Self::of_migrated(from, to, rows_at_once).await
    }

    /// The same, where nothing may be changed.
    pub async fn of_migrated(from: &Store, to: &Store, rows_at_once: usize) -> Result<Self, CopyError> {
        for (store, place) in [(from, Place::Source), (to, Place::Target)] {
            if !schema::is_migrated(store).await? {
                return Err(CopyError::OtherVersion(place));
            }
        }
        let tables = schema::common(schema::read(from).await?, schema::read(to).await?)?;
        Ok(Self { from: from.clone(), to: to.clone(), tables, rows_at_once: rows_at_once.max(1) })
    }

    /// The tables that are copied, in their order.
    pub fn tables(&self) -> impl Iterator<Item = &str> {
        self.tables.iter().map(|table| table.name.as_str())
    }

    /// How many rows the source has.
    pub async fn count(&self) -> Result<u64, CopyError> {
        let mut reading = self.from.read().await?;
        let mut count = 0;
        for table in &self.tables {
            count += rows::count(reading.db(), table).await?;
        }
        Ok(count)
    }

    /// Notes in the target that this copy is under way, unless there is something else in it.
    pub async fn begin(&self) -> Result<Found, CopyError> {
        let source = self.mark().await?;
        let mut writing = self.to.write().await?;
        if schema::tables(writing.db()).await?.contains(schema::COPYING) {
            let begun: Vec<String> = texts(writing.db(), "SELECT source FROM copying").await?;
            return if begun == [source] { Ok(Found::Begun) } else { Err(CopyError::OtherCopy) };
        }
        for table in &self.tables {
            if last(writing.db(), table).await?.is_some() {
                return Ok(Found::Full);
            }
        }
        on_long!(&mut writing.db(), c => {
            sqlx::query("CREATE TABLE copying (source TEXT NOT NULL)").execute(&mut **c).await?;
            sqlx::query("INSERT INTO copying (source) VALUES ($1)").bind(&source).execute(&mut **c).await?;
        });
        writing.commit().await?;
        Ok(Found::Begun)
    }

    /// Whether all accounts of the target are the source's: a look before the long one.
    pub async fn has_the_same_accounts(&self) -> Result<bool, CopyError> {
        let (mut ours, mut theirs) = (self.from.read().await?, self.to.read().await?);
        let accounts = async |reading: &mut Reading| -> Result<Vec<Uuid>> {
            Ok(
                on_long!(&mut reading.db(), c => sqlx::query_scalar("SELECT id FROM accounts ORDER BY id").fetch_all(&mut **c).await?),
            )
        };
        Ok(accounts(&mut ours).await? == accounts(&mut theirs).await?)
    }

    /// By what the source is known: its oldest account, which no other installation has.
    async fn mark(&self) -> Result<String, CopyError> {
        let mut reading = self.from.read().await?;
        let first: Option<Uuid> = on_long!(&mut reading.db(), c =>
            sqlx::query_scalar("SELECT id FROM accounts ORDER BY id LIMIT 1").fetch_optional(&mut **c).await?);
        first.map(|id| id.to_string()).ok_or(CopyError::NoAccount)
    }

    /// Copies what the target does not have yet, as the source is at one moment.
    pub async fn copy(&self, watcher: Watcher<'_>) -> Result<(), CopyError> {
        let mut reading = self.from.read().await?;
        run(reading.db(), hold_still(self.from.kind())).await?;
        let mut copied = Ok(());
        for table in &self.tables {
            copied = self.copy_table(&mut reading, table, watcher).await;
            if copied.is_err() {
                break;
            }
        }
        let undone = run(reading.db(), "ROLLBACK").await;
        copied?; // what went wrong first says more
        undone?;
        numbers::carry_over(&self.from, &self.to, &self.tables).await?;
        if self.to.kind() == Kind::Postgres {
            // It plans by what it knows of its tables, and would learn of these in a while only.
            let names: Vec<String> = self.tables.iter().map(|table| schema::quoted(&table.name)).collect();
            let analyze = AssertSqlSafe(format!("ANALYZE {}", names.join(", ")));
            let mut reading = self.to.read().await?;
            on_long!(&mut reading.db(), c => {
                sqlx::raw_sql(analyze).execute(&mut **c).await?;
            });
        }
        Ok(())
    }

    async fn copy_table(&self, reading: &mut Reading, table: &Table, watcher: Watcher<'_>) -> Result<(), CopyError> {
        let failed = |error| CopyError::Table { table: table.name.clone(), error };
        let mut at_target = self.to.read().await?;
        let after = last(at_target.db(), table).await?.map(|row| table.key_of(&row));
        if after.is_some() {
            watcher(Progress::Copied(&table.name, rows::count(at_target.db(), table).await?));
        }
        drop(at_target);
        let mut coming = rows(reading.db(), table, after.as_deref());
        let (mut held, mut bytes) = (Vec::new(), 0);
        while let Some(row) = coming.try_next().await.map_err(failed)? {
            bytes += row.iter().map(Value::size).sum::<usize>();
            held.push(row);
            if held.len() >= self.rows_at_once || bytes >= BYTES_AT_ONCE {
                self.write(table, &held).await.map_err(failed)?;
                watcher(Progress::Copied(&table.name, held.len() as u64));
                held.clear();
                bytes = 0;
            }
        }
        self.write(table, &held).await.map_err(failed)?;
        watcher(Progress::Copied(&table.name, held.len() as u64));
        Ok(())
    }

    async fn write(&self, table: &Table, rows: &[Row]) -> Result<()> {
        if rows.is_empty() {
            return Ok(());
        }
        let mut writing = self.to.write().await?;
        insert(writing.db(), table, rows).await?;
        writing.commit().await
    }

    /// Compares every row of both, as each is at one moment.
    pub async fn compare(&self, watcher: Watcher<'_>) -> Result<Vec<Compared>, CopyError> {
        let (mut ours, mut theirs) = (self.from.read().await?, self.to.read().await?);
        let before = changes_by_others(ours.db()).await?;
        run(ours.db(), hold_still(self.from.kind())).await?;
        run(theirs.db(), hold_still(self.to.kind())).await?;
        let compared = self.compare_held(&mut ours, &mut theirs, watcher).await;
        let undone = (run(ours.db(), "ROLLBACK").await, run(theirs.db(), "ROLLBACK").await);
        let compared = compared?;
        undone.0.and(undone.1)?;
        if changes_by_others(ours.db()).await? != before {
            return Err(CopyError::Changed);
        }
        Ok(compared)
    }

    async fn compare_held(
        &self,
        ours: &mut Reading,
        theirs: &mut Reading,
        watcher: Watcher<'_>,
    ) -> Result<Vec<Compared>, CopyError> {
        let behind: BTreeMap<&str, (i64, i64)> = numbers::behind(&self.from, &self.to, &self.tables).await?;
        let mut compared = Vec::with_capacity(self.tables.len());
        for table in &self.tables {
            let mut one = compare::table(ours.db(), theirs.db(), table, watcher).await?;
            if let Some(&(ours, theirs)) = behind.get(table.name.as_str()) {
                one.note(Difference::NextNumber { ours, theirs });
            }
            compared.push(one);
        }
        Ok(compared)
    }

    /// Whether a copy of this source is under way in the target.
    pub async fn is_begun(&self) -> Result<bool, CopyError> {
        Ok(is_under_way(&self.to).await?)
    }

    /// The copy is what the source is: the target is like any other database from now on.
    pub async fn finish(&self) -> Result<(), CopyError> {
        let mut writing = self.to.write().await?;
        run(writing.db(), "DROP TABLE copying").await?;
        Ok(writing.commit().await?)
    }
}

/// Whether a database is the target of a copy that was not finished.
pub async fn is_under_way(store: &Store) -> Result<bool> {
    let mut reading = store.read().await?;
    Ok(schema::tables(reading.db()).await?.contains(schema::COPYING))
}

/// A number that is another one when somebody else has changed the file. A server has none that is of one database alone.
async fn changes_by_others(db: Db<'_>) -> Result<i64> {
    Ok(match db {
        Db::Sqlite(connection) => sqlx::query_scalar("PRAGMA data_version").fetch_one(connection).await?,
        Db::Postgres(_) => 0,
    })
}

/// Begins to read, on a connection, everything as it is at one moment.
fn hold_still(kind: Kind) -> &'static str {
    match kind {
        Kind::Sqlite => "BEGIN",
        // Whoever waits for the target does nothing here meanwhile.
        Kind::Postgres => {
            "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL idle_in_transaction_session_timeout = 0"
        }
    }
}

async fn run(mut db: Db<'_>, sql: &'static str) -> Result<()> {
    on_long!(&mut db, c => {
        sqlx::raw_sql(sql).execute(&mut **c).await?;
    });
    Ok(())
}

async fn texts(mut db: Db<'_>, sql: &str) -> Result<Vec<String>> {
    let sql = AssertSqlSafe(sql.to_owned());
    Ok(on_long!(&mut db, c => sqlx::query_scalar(sql).fetch_all(&mut **c).await?))
}
