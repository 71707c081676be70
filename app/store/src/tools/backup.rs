//! Backups of a SQLite file while programs write to it.

use crate::engine::{DatabaseUrl, Result, StoreError};
use sqlx::{ConnectOptions as _, Connection as _, SqliteConnection, sqlite::SqliteConnectOptions};
use std::path::{Path, PathBuf};

/// The contents of a backup.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BackupContents {
    /// The number of return orders of all accounts.
    pub return_orders: i64,
}

/// The file of the database at `sqlite://FILE`; `None` for a Postgres database.
pub fn file_of(url: &str) -> Result<Option<PathBuf>> {
    match url.parse()? {
        DatabaseUrl::Sqlite(options) => Ok(Some(options.get_filename().to_path_buf())),
        DatabaseUrl::Postgres(_) => Ok(None),
    }
}

/// Copies the database at `url` into a file that is empty or does not exist. It reads from one snapshot, as every
/// reader does, and blocks nobody. The copy has no free pages, so it holds no deleted rows. The caller syncs it to
/// disk.
pub async fn copy(url: &str, into: &Path) -> Result<()> {
    let DatabaseUrl::Sqlite(options) = url.parse()? else {
        return Err(StoreError::BadUrl("expected sqlite://FILE".to_owned()));
    };
    let mut connection = options.connect().await?;
    let into = into.to_str().ok_or(StoreError::Unreadable("the file's name"))?;
    sqlx::query("VACUUM INTO $1").bind(into).execute(&mut connection).await?;
    Ok(connection.close().await?)
}

/// Checks that a backup is complete: its pages, its references, its migrations. Creates no files beside it.
pub async fn check(file: &Path) -> Result<BackupContents> {
    let mut connection = SqliteConnectOptions::new().filename(file).read_only(true).connect().await?;
    let findings: Vec<String> = sqlx::query_scalar("PRAGMA integrity_check").fetch_all(&mut connection).await?;
    if findings != ["ok"] || has_dangling_reference(&mut connection).await? {
        return Err(StoreError::Damaged);
    }
    let failed_migrations = "SELECT COUNT(*) FROM _sqlx_migrations WHERE NOT success";
    if sqlx::query_scalar::<_, i64>(failed_migrations).fetch_one(&mut connection).await? > 0 {
        return Err(StoreError::Damaged);
    }
    let return_orders = sqlx::query_scalar("SELECT COUNT(*) FROM return_orders").fetch_one(&mut connection).await?;
    connection.close().await?;
    Ok(BackupContents { return_orders })
}

/// Whether a row refers to one that does not exist.
async fn has_dangling_reference(connection: &mut SqliteConnection) -> Result<bool> {
    Ok(sqlx::query("PRAGMA foreign_key_check").fetch_optional(connection).await?.is_some())
}
