//! Finds out whether the database can be written to, by writing a row.
//!
//! On Postgres the row goes into a new file of the database: a full disk fails exactly what needs space. Callers get an
//! answer that is up to some seconds old, so many questions cost one write.

use super::{
    database::Store,
    db::DatabaseKind,
    error::{Result, StoreError},
    writable::forbids_writing,
};
use sqlx::error::DatabaseError;
use std::time::Duration;
use tokio::time::timeout;

/// How long the write may take. A writer that is busy says nothing about the disk.
const PROBE_LIMIT: Duration = Duration::from_secs(1);

statements! {
    in write_probe;
    WRITE_PROBE = "UPDATE write_probes SET at = $1 WHERE name = 'serve'";
    WRITE_PROBE_FIRST = "INSERT INTO write_probes (name, at) VALUES ('serve', $1)";
}

/// Postgres only: gives the table a new file. `NOWAIT`, because `pg_dump` may hold the table for an hour; then the
/// probe writes into the old file.
const NEW_FILE: &str = "LOCK TABLE write_probes IN ACCESS EXCLUSIVE MODE NOWAIT; TRUNCATE write_probes";

impl Store {
    /// Whether anything can be written, as of some seconds ago. While the only writer is busy, the last answer counts
    /// for half a minute.
    pub async fn can_write(&self) -> bool {
        let writable = self.writable();
        if let Some(is_writable) = writable.recent() {
            return is_writable;
        }
        let Ok(_probing) = writable.probing.try_lock() else { return writable.last() };
        match timeout(PROBE_LIMIT, self.probe()).await {
            Ok(Ok(())) => writable.wrote(),
            Ok(Err(StoreError::Sql(error))) if error.as_database_error().is_some_and(forbids_writing) => {
                writable.failed(&error);
                tracing::error!(%error, "the database cannot be written to");
            }
            // The writer has already noted why a shared commit failed.
            Ok(Err(StoreError::Commit(error))) => tracing::error!(%error, "the database cannot be written to"),
            Ok(Err(_)) | Err(_) => writable.could_not_tell(),
        }
        writable.last()
    }

    async fn probe(&self) -> Result<()> {
        match self.write_probe_row(self.kind() == DatabaseKind::Postgres).await {
            Err(StoreError::Sql(error)) if error.as_database_error().is_some_and(is_lock_not_available) => {
                self.write_probe_row(false).await
            }
            result => result,
        }
    }

    #[expect(
        clippy::disallowed_methods,
        reason = "the probe's time is for people who look at the row, and decides nothing"
    )]
    async fn write_probe_row(&self, into_a_new_file: bool) -> Result<()> {
        let mut transaction = self.begin().await?;
        if into_a_new_file {
            on!(&mut transaction.db(), c => {
                sqlx::raw_sql(NEW_FILE).execute(&mut **c).await?;
            });
        }
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
        let now = i64::try_from(now.as_micros()).unwrap_or(i64::MAX);
        let mut db = transaction.db();
        if execute!(db, sqlx::query(WRITE_PROBE).bind(now)) == 0 {
            execute!(db, sqlx::query(WRITE_PROBE_FIRST).bind(now));
        }
        transaction.commit().await
    }
}

/// SQLSTATE 55P03: another session holds the table.
fn is_lock_not_available(error: &dyn DatabaseError) -> bool {
    error.code().is_some_and(|code| code == "55P03")
}
