//! Bringing the tables up to date while programs use them: those of the version before, and those of the next.
//!
//! A migration only ever adds, so that programs of the version before go on beside it (expand). What they need and the next
//! does not, goes in a migration called `NNNN_contract_….sql`, a release later at the earliest; a program that does not
//! know of such a one does not start. What that asks of a migration is tested in `tests/contract/upgrades.rs`.

use crate::engine::Result;
use sqlx::{
    AssertSqlSafe, ConnectOptions as _, Connection as _,
    migrate::{MigrateError, Migrator},
    postgres::{PgConnectOptions, PgPool, PgPoolOptions},
    sqlite::SqliteConnectOptions,
};
use std::time::Duration;

/// How the tables stand to what a program expects of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tables {
    /// It can work with them, also where a later version has added to them.
    Fit,
    /// They are to be migrated first.
    Behind,
    /// A later version has taken something away that this one may need.
    Beyond,
}

/// What a change of a table waits for those who use it. Everybody who comes meanwhile waits behind it, so: not long, and
/// rather once more.
const BRIEFLY: &str = "SET lock_timeout = '1s'";
/// An index is made beside those who write, and waits for all of them.
const PATIENTLY: &str = "SET lock_timeout = 0";
/// Between two attempts.
const BREATH: Duration = Duration::from_millis(500);
/// After so many attempts somebody should see what is in the way.
const ATTEMPTS: usize = 240;
/// What is waited for whoever writes to a file, or migrates it: an index of a large table takes its time.
const SQLITE_PATIENCE: Duration = Duration::from_mins(2);
/// The lock of whoever migrates, among those of the database's session.
const LOCK: i64 = 0x7265_746f_7572; // "retour"

pub(crate) fn of_sqlite() -> Migrator {
    beside_later_ones(sqlx::migrate!("../../migrations/sqlite"))
}

pub(crate) fn of_postgres() -> Migrator {
    beside_later_ones(sqlx::migrate!("../../migrations/postgres"))
}

/// A later version may have migrated before: its program, or an operator who tries it.
fn beside_later_ones(mut migrator: Migrator) -> Migrator {
    migrator.set_ignore_missing(true);
    migrator
}

/// The last migration that this program knows.
pub(crate) fn last_known() -> i64 {
    of_sqlite().iter().map(|migration| migration.version).max().unwrap_or(0)
}

/// What was applied from the last migration on that this program knows.
pub(crate) const APPLIED: &str =
    "SELECT version, description FROM _sqlx_migrations WHERE success AND version >= $1 ORDER BY version";

/// How tables stand by what [`APPLIED`] says.
pub(crate) fn standing(applied: &[(i64, String)]) -> Tables {
    let known = last_known();
    if !applied.iter().any(|(version, _)| *version == known) {
        return Tables::Behind;
    }
    let contracts = |(version, description): &(i64, String)| *version > known && description.starts_with("contract ");
    if applied.iter().any(contracts) { Tables::Beyond } else { Tables::Fit }
}

/// Migrates a server's database, on one connection of its own: a lock goes with it.
pub(crate) async fn migrate_postgres(options: &PgConnectOptions) -> Result<()> {
    let one = PgPoolOptions::new().max_connections(1).connect_with(options.clone()).await?;
    let migrated = migrate_step_by_step(&one).await;
    one.close().await;
    migrated
}

async fn migrate_step_by_step(one: &PgPool) -> Result<()> {
    take_turn(one).await?;
    let migrator = of_postgres();
    for migration in migrator.iter() {
        if let Some(index) = index_made_beside_others(migration.sql.as_str()) {
            drop_half_made(one, index).await?;
        }
        let waiting = if migration.no_tx { PATIENTLY } else { BRIEFLY };
        let mut attempts = 1;
        loop {
            sqlx::raw_sql(waiting).execute(one).await?;
            match migrator.run_to(migration.version, one).await {
                Ok(()) => break,
                Err(error) if is_in_use(&error) && attempts < ATTEMPTS => attempts += 1,
                Err(error) => return Err(error.into()),
            }
            tokio::time::sleep(BREATH).await;
        }
    }
    Ok(())
}

/// The index that a migration makes while others write.
fn index_made_beside_others(sql: &str) -> Option<&str> {
    sql.split_once("CREATE INDEX CONCURRENTLY IF NOT EXISTS ")?.1.split(' ').next()
}

/// An index that nobody finished is there by its name, and serves nobody. We hold the lock: none of ours is at it.
async fn drop_half_made(one: &PgPool, index: &str) -> Result<()> {
    let half_made = "SELECT COUNT(*) FROM pg_index WHERE indexrelid = to_regclass($1) AND NOT indisvalid";
    if sqlx::query_scalar::<_, i64>(half_made).bind(index).fetch_one(one).await? > 0 {
        let drop = AssertSqlSafe(format!("DROP INDEX CONCURRENTLY IF EXISTS {index}"));
        sqlx::raw_sql(drop).execute(one).await?;
    }
    Ok(())
}

/// Migrates a file, in one transaction that writes from its beginning: one that read before it wrote would fail at once beside
/// whoever writes. Of programs that do so together, each waits for the one before and finds it done.
pub(crate) async fn migrate_sqlite(options: &SqliteConnectOptions) -> Result<()> {
    let mut one = options.clone().busy_timeout(SQLITE_PATIENCE).connect().await?;
    let applied = sqlx::query_as(APPLIED).bind(last_known()).fetch_all(&mut one).await; // of a new file nothing
    if applied.is_ok_and(|applied| standing(&applied) != Tables::Behind) {
        return Ok(one.close().await?); // and nobody waits who writes
    }
    let mut transaction = one.begin_with("BEGIN IMMEDIATE").await?;
    // With `run`, which takes any kind of connection, nothing that migrates could be spawned.
    of_sqlite().run_direct(None, &mut *transaction, false).await?;
    transaction.commit().await?;
    Ok(one.close().await?)
}

/// Asks again and again rather than waits: whoever waits for a lock holds a snapshot, which an index that is made
/// meanwhile would wait for.
async fn take_turn(one: &PgPool) -> Result<()> {
    let ask = || sqlx::query_scalar::<_, bool>("SELECT pg_try_advisory_lock($1)").bind(LOCK);
    let mut is_told = false;
    while !ask().fetch_one(one).await? {
        if !std::mem::replace(&mut is_told, true) {
            tracing::info!(
                "another program migrates this database: waiting for it (pg_locks, locktype advisory, says which)"
            );
        }
        tokio::time::sleep(BREATH).await;
    }
    Ok(())
}

/// Whether somebody held what was to be changed: for longer than we wait (55P03), or crosswise (40P01).
fn is_in_use(error: &MigrateError) -> bool {
    let (MigrateError::Execute(error) | MigrateError::ExecuteMigration(error, _)) = error else { return false };
    error
        .as_database_error()
        .and_then(sqlx::error::DatabaseError::code)
        .is_some_and(|code| code == "55P03" || code == "40P01")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_later_version_adds_is_in_nobody_s_way_and_what_it_takes_away_is() {
        let last = last_known();
        let applied = |later: &[&str]| -> Vec<(i64, String)> {
            let known = (last, "what this program knows".to_owned());
            let later = later.iter().zip(last + 1..).map(|(name, version)| (version, (*name).to_owned()));
            std::iter::once(known).chain(later).collect()
        };
        assert_eq!(standing(&[]), Tables::Behind);
        assert_eq!(standing(&applied(&[])), Tables::Fit);
        assert_eq!(standing(&applied(&["colours", "contractors"])), Tables::Fit);
        assert_eq!(standing(&applied(&["colours", "contract shop of labels", "sizes"])), Tables::Beyond);
        assert_eq!(standing(&applied(&["colours"])[1..]), Tables::Behind);
    }
}
