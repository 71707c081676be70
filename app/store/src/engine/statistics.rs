//! Postgres's statistics of tables that grow.
//!
//! Autovacuum analyzes a table up to a minute after its first 50 rows have changed. Without statistics, Postgres may prefer an
//! index that finds all rows of an account to the one that finds a row by its id, and keeps this plan for prepared statements
//! and foreign keys. So Retour analyzes tables while they are small.

use super::{
    error::Result,
    pool::{PooledConnection, PostgresPool},
    reachability::Reachability,
    time_limit::in_time,
};
use sqlx::{AssertSqlSafe, PgConnection, Row as _};
use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

/// The transactions of this program after which tables are analyzed: 64, 256, 1,024 … 65,536. Later, autovacuum suffices: it
/// analyzes a table when a tenth of its rows has changed.
const MOMENTS: [u64; 6] = [1 << 6, 1 << 8, 1 << 10, 1 << 12, 1 << 14, 1 << 16];

/// Our tables that are at least twice as large as at their last `ANALYZE`, `VACUUM` or `CREATE INDEX`, up to 256 MiB.
const GROWN: &str = "SET LOCAL lock_timeout = '1s';
    SELECT CAST(c.oid::regclass AS TEXT) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = current_schema() AND c.relkind = 'r' AND pg_has_role(c.relowner, 'USAGE')
    AND pg_relation_size(c.oid) BETWEEN
        GREATEST(1, 2 * CAST(c.relpages AS BIGINT)) * CAST(current_setting('block_size') AS BIGINT) AND 256 * 1024 * 1024";

/// A sample of 3,000 rows is enough to select an index, and takes a sixth of the time of the usual 30,000. Autovacuum takes
/// the usual sample. A lock of another program is no reason for a warning.
const ANALYZE: &str = "SET LOCAL default_statistics_target = 10; SET LOCAL lock_timeout = '1s';
    SET LOCAL client_min_messages = error; ANALYZE (SKIP_LOCKED)";

/// Counts the transactions of this program. Clones share the number.
#[derive(Debug, Clone, Default)]
pub(crate) struct Transactions(Arc<AtomicU64>);

impl Transactions {
    /// Counts a transaction. At each of the [`MOMENTS`], starts a task that analyzes tables.
    pub(crate) fn began(&self, pool: &PostgresPool, reachability: &Reachability) {
        let begun = self.0.fetch_add(1, Ordering::Relaxed) + 1;
        if MOMENTS.contains(&begun) {
            let (pool, reachability) = (pool.clone(), reachability.clone());
            tokio::spawn(async move { refresh(&pool, &reachability).await });
        }
    }
}

/// Analyzes all tables that have grown much. A failure only makes statements slower.
pub(crate) async fn refresh(pool: &PostgresPool, reachability: &Reachability) {
    let refreshed = match PooledConnection::acquire(pool, reachability).await {
        Ok(mut connection) => analyze_grown_tables(&mut connection).await,
        Err(error) => Err(error),
    };
    if let Err(error) = refreshed {
        tracing::warn!(%error, "the statistics of the database's tables could not be refreshed");
    }
}

/// Each table in a transaction of its own: an aborted `ANALYZE` loses its statistics, but not its note that the table is
/// analyzed, so autovacuum would not repeat it.
async fn analyze_grown_tables(connection: &mut PgConnection) -> Result<()> {
    let grown = in_time(async { Ok(sqlx::raw_sql(GROWN).fetch_all(&mut *connection).await?) }).await?;
    for table in grown {
        let analyze = format!("{ANALYZE} {}", table.try_get::<String, _>(0)?);
        in_time(async { Ok(sqlx::raw_sql(AssertSqlSafe(analyze)).execute(&mut *connection).await?) }).await?;
    }
    Ok(())
}
