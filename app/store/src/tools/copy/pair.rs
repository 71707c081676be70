//! A copy from one database to another.

use super::{
    compare::{self, Compared, Difference},
    error::{CopyError, Side},
    numbers,
    progress::{Progress, Watcher},
    rows::{self, insert, last},
    schema::{self, Table},
    values::{RowValues, Value},
};
use crate::engine::{DatabaseKind, Db, Reading, Result, Store, Tables};
use futures_util::TryStreamExt as _;
use sqlx::AssertSqlSafe;
use std::collections::BTreeMap;
use uuid::Uuid;

/// The approximate limit of rows in memory, in bytes: a transaction may have fewer rows than requested.
const BYTES_AT_ONCE: usize = 4 << 20;

/// The state of the target when a copy starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TargetState {
    /// It is empty, or holds an unfinished copy of this source.
    Begun,
    /// It holds rows and no unfinished copy.
    Full,
}

/// A source and a target with the same tables.
#[derive(Debug)]
pub struct Pair {
    from: Store,
    to: Store,
    tables: Vec<Table>,
    rows_at_once: usize,
}

impl Pair {
    /// Migrates the target unless it has accounts, and checks that its tables are those of the source.
    pub async fn open(from: &Store, to: &Store, rows_at_once: usize) -> Result<Self, CopyError> {
        if is_under_way(from).await? {
            return Err(CopyError::HalfSource);
        }
        if !schema::is_migrated(from).await? {
            return Err(CopyError::OtherVersion(Side::Source));
        }
        if to.tables().await? != Tables::Fit {
            if schema::has_accounts(to).await? {
                return Err(CopyError::Occupied);
            }
            to.migrate().await?;
        }
        Self::of_migrated(from, to, rows_at_once).await
    }

    /// The same without changing the target.
    pub async fn of_migrated(from: &Store, to: &Store, rows_at_once: usize) -> Result<Self, CopyError> {
        for (store, place) in [(from, Side::Source), (to, Side::Target)] {
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

    /// The number of rows in the source.
    pub async fn count(&self) -> Result<u64, CopyError> {
        let mut reading = self.from.read().await?;
        let mut count = 0;
        for table in &self.tables {
            count += rows::count(reading.db(), table).await?;
        }
        Ok(count)
    }

    /// Marks in the target that this copy is unfinished, if the target holds nothing else.
    pub async fn begin(&self) -> Result<TargetState, CopyError> {
        let source = self.source_id().await?;
        let mut writing = self.to.write().await?;
        if schema::tables(writing.db()).await?.contains(schema::COPYING) {
            let begun: Vec<String> = texts(writing.db(), "SELECT source FROM copying").await?;
            return if begun == [source] { Ok(TargetState::Begun) } else { Err(CopyError::OtherCopy) };
        }
        for table in &self.tables {
            if last(writing.db(), table).await?.is_some() {
                return Ok(TargetState::Full);
            }
        }
        on_long!(&mut writing.db(), c => {
            sqlx::query("CREATE TABLE copying (source TEXT NOT NULL)").execute(&mut **c).await?;
            sqlx::query("INSERT INTO copying (source) VALUES ($1)").bind(&source).execute(&mut **c).await?;
        });
        writing.commit().await?;
        Ok(TargetState::Begun)
    }

    /// Whether both databases have the same accounts: a quick check before the long comparison.
    pub async fn has_the_same_accounts(&self) -> Result<bool, CopyError> {
        let (mut ours, mut theirs) = (self.from.read().await?, self.to.read().await?);
        let accounts = async |reading: &mut Reading| -> Result<Vec<Uuid>> {
            Ok(
                on_long!(&mut reading.db(), c => sqlx::query_scalar("SELECT id FROM accounts ORDER BY id").fetch_all(&mut **c).await?),
            )
        };
        Ok(accounts(&mut ours).await? == accounts(&mut theirs).await?)
    }

    /// Identifies the source by its oldest account, which no other installation has.
    async fn source_id(&self) -> Result<String, CopyError> {
        let mut reading = self.from.read().await?;
        let first: Option<Uuid> = on_long!(&mut reading.db(), c =>
            sqlx::query_scalar("SELECT id FROM accounts ORDER BY id LIMIT 1").fetch_optional(&mut **c).await?);
        first.map(|id| id.to_string()).ok_or(CopyError::NoAccount)
    }

    /// Copies the rows that the target does not have yet, from one snapshot of the source.
    pub async fn copy(&self, watcher: Watcher<'_>) -> Result<(), CopyError> {
        let mut reading = self.from.read().await?;
        run(reading.db(), begin_snapshot(self.from.kind())).await?;
        let copied = self.copy_tables(&mut reading, watcher).await;
        let rolled_back = run(reading.db(), "ROLLBACK").await;
        copied?; // the first error explains more
        rolled_back?;
        numbers::carry_over(&self.from, &self.to, &self.tables).await?;
        self.analyze_target().await
    }

    async fn copy_tables(&self, reading: &mut Reading, watcher: Watcher<'_>) -> Result<(), CopyError> {
        for table in &self.tables {
            self.copy_table(reading, table, watcher).await?;
        }
        Ok(())
    }

    /// Refreshes the statistics of Postgres, by which it plans; autovacuum would do so some time later.
    async fn analyze_target(&self) -> Result<(), CopyError> {
        if self.to.kind() == DatabaseKind::Postgres {
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
        let mut source = rows::rows(reading.db(), table, after.as_deref());
        let (mut batch, mut bytes) = (Vec::new(), 0);
        while let Some(row) = source.try_next().await.map_err(failed)? {
            bytes += row.iter().map(Value::size).sum::<usize>();
            batch.push(row);
            if batch.len() >= self.rows_at_once || bytes >= BYTES_AT_ONCE {
                self.write(table, &batch).await.map_err(failed)?;
                watcher(Progress::Copied(&table.name, batch.len() as u64));
                batch.clear();
                bytes = 0;
            }
        }
        self.write(table, &batch).await.map_err(failed)?;
        watcher(Progress::Copied(&table.name, batch.len() as u64));
        Ok(())
    }

    async fn write(&self, table: &Table, rows: &[RowValues]) -> Result<()> {
        if rows.is_empty() {
            return Ok(());
        }
        let mut writing = self.to.write().await?;
        insert(writing.db(), table, rows).await?;
        writing.commit().await
    }

    /// Compares every row of one snapshot of each database.
    pub async fn compare(&self, watcher: Watcher<'_>) -> Result<Vec<Compared>, CopyError> {
        let (mut ours, mut theirs) = (self.from.read().await?, self.to.read().await?);
        let before = changes_by_others(ours.db()).await?;
        run(ours.db(), begin_snapshot(self.from.kind())).await?;
        run(theirs.db(), begin_snapshot(self.to.kind())).await?;
        let compared = self.compare_snapshots(&mut ours, &mut theirs, watcher).await;
        let (ours_ended, theirs_ended) = (run(ours.db(), "ROLLBACK").await, run(theirs.db(), "ROLLBACK").await);
        let compared = compared?;
        ours_ended.and(theirs_ended)?;
        if changes_by_others(ours.db()).await? != before {
            return Err(CopyError::Changed);
        }
        Ok(compared)
    }

    async fn compare_snapshots(
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

    /// Whether the target holds an unfinished copy.
    pub async fn is_begun(&self) -> Result<bool, CopyError> {
        Ok(is_under_way(&self.to).await?)
    }

    /// Ends the copy: from now on the target is an ordinary database.
    pub async fn finish(&self) -> Result<(), CopyError> {
        let mut writing = self.to.write().await?;
        run(writing.db(), "DROP TABLE copying").await?;
        Ok(writing.commit().await?)
    }
}

/// Whether a database holds an unfinished copy.
pub async fn is_under_way(store: &Store) -> Result<bool> {
    let mut reading = store.read().await?;
    Ok(schema::tables(reading.db()).await?.contains(schema::COPYING))
}

/// A number that changes when another connection changes the file. Postgres has no such number for a single database.
async fn changes_by_others(db: Db<'_>) -> Result<i64> {
    Ok(match db {
        Db::Sqlite(connection) => sqlx::query_scalar("PRAGMA data_version").fetch_one(connection).await?,
        Db::Postgres(_) => 0,
    })
}

/// The statement that starts reading from one snapshot.
fn begin_snapshot(kind: DatabaseKind) -> &'static str {
    match kind {
        DatabaseKind::Sqlite => "BEGIN",
        // The source stands idle while rows are written to the target.
        DatabaseKind::Postgres => {
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
