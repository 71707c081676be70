//! Migrates the tables while programs of this version and of the previous one use them.
//!
//! A migration only adds, so that programs of the previous version continue beside it (expand). A migration that
//! removes something is called `NNNN_contract_….sql` and comes at least one release after the version that stops using
//! it; a program that does not know of it does not start. `tests/contract/upgrades.rs` checks what this demands of a
//! migration.

use super::{db::Db, error::Result};
use sqlx::{
    AssertSqlSafe, ConnectOptions as _, Connection as _,
    error::DatabaseError,
    migrate::{MigrateError, Migration, Migrator},
    postgres::{PgConnectOptions, PgPool, PgPoolOptions},
    sqlite::SqliteConnectOptions,
};
use std::{collections::HashMap, time::Duration};

/// How the tables compare to what this program expects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tables {
    /// This program can use them, also if a later version has added to them.
    Fit,
    /// They have to be migrated first.
    Behind,
    /// A later version has removed something that this program may need.
    Beyond,
}

/// How long a change of a table waits for the transactions that use it. Every new transaction queues behind the change,
/// so the wait is short and is repeated.
const SHORT_LOCK_TIMEOUT: &str = "SET lock_timeout = '1s'";
/// `CREATE INDEX CONCURRENTLY` blocks nobody, and waits for every transaction that writes.
const NO_LOCK_TIMEOUT: &str = "SET lock_timeout = 0";
/// The pause between two attempts.
const RETRY_PAUSE: Duration = Duration::from_millis(500);
/// The number of attempts after which an operator has to look at what is in the way: at least four minutes' worth.
const MAX_ATTEMPTS: usize = 240;
/// How long the migration of a file waits for a writer or for another migration: an index of a large table takes its
/// time.
const SQLITE_BUSY_TIMEOUT: Duration = Duration::from_mins(2);
/// The key of the advisory lock that a migration holds.
const MIGRATION_LOCK: i64 = 0x7265_746f_7572; // "retour"

fn sqlite_migrator() -> Migrator {
    beside_later_migrations(sqlx::migrate!("../../migrations/sqlite"))
}

fn postgres_migrator() -> Migrator {
    beside_later_migrations(sqlx::migrate!("../../migrations/postgres"))
}

/// Accepts migrations of a later version: its program may have run before, or an operator may have tried it.
fn beside_later_migrations(mut migrator: Migrator) -> Migrator {
    migrator.set_ignore_missing(true);
    migrator
}

/// The last migration that this program knows.
fn last_known() -> i64 {
    sqlite_migrator().iter().map(|migration| migration.version).max().unwrap_or(0)
}

/// The applied migrations from the last one on that this program knows.
const APPLIED: &str =
    "SELECT version, description FROM _sqlx_migrations WHERE success AND version >= $1 ORDER BY version";

/// The applied migrations from the last one on that this program knows: they decide whether the tables fit.
pub(super) async fn applied(mut db: Db<'_>) -> Result<Vec<(i64, String)>> {
    Ok(on!(&mut db, c => sqlx::query_as(APPLIED).bind(last_known()).fetch_all(&mut **c).await?))
}

impl Tables {
    /// The tables after the migrations that [`applied`] returns. Only the last known one counts: migrating reports earlier ones
    /// that were edited, and applies those that are missing.
    pub(super) fn after(applied: &[(i64, String)]) -> Self {
        let known = last_known();
        if !applied.iter().any(|(version, _)| *version == known) {
            return Self::Behind;
        }
        let contracts =
            |(version, description): &(i64, String)| *version > known && description.starts_with("contract ");
        if applied.iter().any(contracts) { Self::Beyond } else { Self::Fit }
    }
}

/// The applied migrations and their checksums.
const CHECKSUMS: &str = "SELECT version, checksum FROM _sqlx_migrations WHERE success";

/// The migrations that are not applied, or were applied with another checksum. A new database has no table of migrations.
fn pending(migrator: &Migrator, applied: sqlx::Result<Vec<(i64, Vec<u8>)>>) -> Result<Vec<&Migration>> {
    let applied: HashMap<i64, Vec<u8>> = match applied {
        Err(sqlx::Error::Database(error)) if is_no_such_table(&*error) => HashMap::new(),
        applied => applied?.into_iter().collect(),
    };
    let is_applied = |migration: &&Migration| {
        applied.get(&migration.version).is_some_and(|checksum| **checksum == *migration.checksum)
    };
    Ok(migrator.iter().filter(|migration| !is_applied(migration)).collect())
}

/// Whether no program has migrated this database yet.
pub(super) fn is_no_such_table(error: &dyn DatabaseError) -> bool {
    error.code().is_some_and(|code| code == "42P01") || error.message().starts_with("no such table")
}

/// Migrates a Postgres database on one connection of its own, which holds the lock.
pub(super) async fn migrate_postgres(options: &PgConnectOptions) -> Result<()> {
    // A new connection would not hold the lock.
    let pool = PgPoolOptions::new().max_connections(1).max_lifetime(None).idle_timeout(None);
    let connection = pool.connect_with(options.clone()).await?;
    let migrated = migrate_step_by_step(&connection).await;
    connection.close().await;
    migrated
}

async fn migrate_step_by_step(connection: &PgPool) -> Result<()> {
    let migrator = postgres_migrator();
    let applied = || sqlx::query_as(CHECKSUMS).fetch_all(connection);
    if pending(&migrator, applied().await)?.is_empty() {
        return Ok(()); // without the lock: usually, there is nothing to do
    }
    lock(connection).await?;
    // `run_to` reads all applied migrations again, and reports one that was edited after it was applied.
    for migration in pending(&migrator, applied().await)? {
        if let Some(index) = concurrent_index(migration.sql.as_str()) {
            drop_invalid_index(connection, index).await?;
        }
        let lock_timeout = if migration.no_tx { NO_LOCK_TIMEOUT } else { SHORT_LOCK_TIMEOUT };
        let mut attempts = 1;
        loop {
            sqlx::raw_sql(lock_timeout).execute(connection).await?;
            match migrator.run_to(migration.version, connection).await {
                Ok(()) => break,
                Err(error) if is_in_use(&error) && attempts < MAX_ATTEMPTS => attempts += 1,
                Err(error) => return Err(error.into()),
            }
            tokio::time::sleep(RETRY_PAUSE).await;
        }
    }
    Ok(())
}

/// The index that a migration creates concurrently.
fn concurrent_index(sql: &str) -> Option<&str> {
    sql.split_once("CREATE INDEX CONCURRENTLY IF NOT EXISTS ")?.1.split(' ').next()
}

/// A concurrent index whose creation was interrupted exists under its name and is invalid. We hold the lock, so no
/// migration is creating it now.
async fn drop_invalid_index(connection: &PgPool, index: &str) -> Result<()> {
    let invalid = "SELECT COUNT(*) FROM pg_index WHERE indexrelid = to_regclass($1) AND NOT indisvalid";
    if sqlx::query_scalar::<_, i64>(invalid).bind(index).fetch_one(connection).await? > 0 {
        let drop = AssertSqlSafe(format!("DROP INDEX CONCURRENTLY IF EXISTS {index}"));
        sqlx::raw_sql(drop).execute(connection).await?;
    }
    Ok(())
}

/// Migrates a file in one transaction that writes from its beginning: a transaction that reads before it writes fails
/// at once beside another writer. Of programs that migrate at once, each waits for the one before it and finds nothing
/// left to do.
pub(super) async fn migrate_sqlite(options: &SqliteConnectOptions) -> Result<()> {
    let mut connection = options.clone().busy_timeout(SQLITE_BUSY_TIMEOUT).connect().await?;
    let migrator = sqlite_migrator();
    let applied = sqlx::query_as(CHECKSUMS).fetch_all(&mut connection).await;
    if pending(&migrator, applied)?.is_empty() {
        return Ok(connection.close().await?); // no writer has to wait
    }
    let mut transaction = connection.begin_with("BEGIN IMMEDIATE").await?;
    // `Migrator::run` is generic over the connection, and its future could not be spawned.
    migrator.run_direct(None, &mut *transaction, false).await?;
    transaction.commit().await?;
    Ok(connection.close().await?)
}

/// Takes the lock of migrations by polling: a session that waits for a lock holds a snapshot, and a concurrent index
/// waits for every older snapshot.
async fn lock(connection: &PgPool) -> Result<()> {
    let try_lock = || sqlx::query_scalar::<_, bool>("SELECT pg_try_advisory_lock($1)").bind(MIGRATION_LOCK);
    let mut is_logged = false;
    while !try_lock().fetch_one(connection).await? {
        if !std::mem::replace(&mut is_logged, true) {
            tracing::info!(
                "another program migrates this database: waiting for it (pg_locks, locktype advisory, says which)"
            );
        }
        tokio::time::sleep(RETRY_PAUSE).await;
    }
    Ok(())
}

/// Whether another transaction was in the way: it held the table longer than we wait (55P03), or there was a deadlock
/// (40P01).
fn is_in_use(error: &MigrateError) -> bool {
    let (MigrateError::Execute(error) | MigrateError::ExecuteMigration(error, _)) = error else { return false };
    error.as_database_error().and_then(DatabaseError::code).is_some_and(|code| code == "55P03" || code == "40P01")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_fit_with_later_additions_and_not_after_a_later_contraction() {
        let last = last_known();
        let applied = |later: &[&str]| -> Vec<(i64, String)> {
            let known = (last, "the last one that this program knows".to_owned());
            let later = later.iter().zip(last + 1..).map(|(name, version)| (version, (*name).to_owned()));
            std::iter::once(known).chain(later).collect()
        };
        assert_eq!(Tables::after(&[]), Tables::Behind);
        assert_eq!(Tables::after(&applied(&[])), Tables::Fit);
        assert_eq!(Tables::after(&applied(&["colours", "contractors"])), Tables::Fit);
        assert_eq!(Tables::after(&applied(&["colours", "contract shop of labels", "sizes"])), Tables::Beyond);
        assert_eq!(Tables::after(&applied(&["colours"])[1..]), Tables::Behind);
    }
}
