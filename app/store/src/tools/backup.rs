//! Copying a SQLite file while others write to it.

use crate::engine::{Result, StoreError};
use sqlx::{ConnectOptions as _, Connection as _, SqliteConnection, sqlite::SqliteConnectOptions};
use std::{path::Path, str::FromStr};

/// What a copy was found to hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Copied {
    /// Return orders of all accounts.
    pub return_orders: i64,
}

/// The file of the database at `sqlite://FILE`; `None` where there is none.
pub fn file_of(url: &str) -> Option<std::path::PathBuf> {
    let options = url.starts_with("sqlite:").then(|| SqliteConnectOptions::from_str(url).ok()).flatten()?;
    (!options.get_filename().as_os_str().is_empty()).then(|| options.get_filename().to_path_buf())
}

/// Copies the database at `url` into a file that is empty or not there. It reads as any reader does, from one moment, so
/// that nobody waits for it; what was deleted is not in it, as there are no free pages. Whether it is on disk is the
/// caller's to see to.
pub async fn copy(url: &str, into: &Path) -> Result<()> {
    let mut connection = SqliteConnectOptions::from_str(url).map_err(|_| StoreError::BadUrl)?.connect().await?;
    let into = into.to_str().ok_or(StoreError::Unreadable("the file's name"))?;
    sqlx::query("VACUUM INTO $1").bind(into).execute(&mut connection).await?;
    Ok(connection.close().await?)
}

/// Whether a copy is whole: its pages, its references, its migrations. Leaves nothing beside it.
pub async fn check(file: &Path) -> Result<Copied> {
    let mut connection = SqliteConnectOptions::new().filename(file).read_only(true).connect().await?;
    let said: Vec<String> = sqlx::query_scalar("PRAGMA integrity_check").fetch_all(&mut connection).await?;
    if said != ["ok"] || dangles(&mut connection).await? {
        return Err(StoreError::Damaged);
    }
    let unfinished = "SELECT COUNT(*) FROM _sqlx_migrations WHERE NOT success";
    if sqlx::query_scalar::<_, i64>(unfinished).fetch_one(&mut connection).await? > 0 {
        return Err(StoreError::Damaged);
    }
    let return_orders = sqlx::query_scalar("SELECT COUNT(*) FROM return_orders").fetch_one(&mut connection).await?;
    connection.close().await?;
    Ok(Copied { return_orders })
}

/// Whether a row refers to one that is not there.
async fn dangles(connection: &mut SqliteConnection) -> Result<bool> {
    Ok(sqlx::query("PRAGMA foreign_key_check").fetch_optional(connection).await?.is_some())
}
