//! The lock that lets one `retour serve` use a SQLite file. Writers take turns, and workers do each task once, within one program only.

use super::error::{CommandError, Result};
use returns::backup::file_of;
use std::{
    ffi::OsString,
    fs::{File, OpenOptions, TryLockError},
    io,
    path::{Path, PathBuf},
    time::Duration,
};
use tokio::time::{Instant, sleep};

/// How long to wait for a program that is about to end.
const TIMEOUT: Duration = Duration::from_secs(2);
/// The pause between two attempts.
const RETRY_PAUSE: Duration = Duration::from_millis(50);

/// The lock of this program. The system releases it when the process ends, however it ends.
#[derive(Debug)]
pub(super) struct ServeLock {
    /// `None` without a file, and on file systems without locks.
    _file: Option<File>,
}

/// Locks the database for serving. The lock is a file beside the database, because other commands may use the database at the same time.
pub(super) async fn acquire(database_url: &str) -> Result<ServeLock> {
    let Some(database) = file_of(database_url)? else {
        return Ok(ServeLock { _file: None });
    };
    let path = lock_path(&database).map_err(named(&database))?;
    let lock = OpenOptions::new().create(true).truncate(false).write(true).open(&path).map_err(named(&path))?;
    let since = Instant::now();
    loop {
        match lock.try_lock() {
            Ok(()) => return Ok(ServeLock { _file: Some(lock) }),
            Err(TryLockError::WouldBlock) if since.elapsed() < TIMEOUT => sleep(RETRY_PAUSE).await,
            Err(TryLockError::WouldBlock) => {
                return Err(CommandError::Failed(format!(
                    "another `retour serve` serves {}: stop it first. One program serves a SQLite file; several serve a Postgres \
                     database (docs/moving.md)",
                    database.display()
                )));
            }
            // Some network file systems have no locks.
            Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {
                tracing::warn!(
                    "cannot lock {}: make sure that no other program serves the same database",
                    path.display()
                );
                return Ok(ServeLock { _file: None });
            }
            Err(TryLockError::Error(error)) => return Err(error.into()),
        }
    }
}

fn named(path: &Path) -> impl FnOnce(io::Error) -> CommandError {
    move |error| CommandError::Failed(format!("{}: {error}", path.display()))
}

/// The path of the lock: beside the database file, with symbolic links resolved.
fn lock_path(database: &Path) -> io::Result<PathBuf> {
    let file = match database.canonicalize() {
        // The database file is created later, when it is opened.
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let folder = database.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
            std::fs::create_dir_all(folder)?;
            folder.canonicalize()?.join(database.file_name().unwrap_or_default())
        }
        file => file?,
    };
    let mut name: OsString = file.into_os_string();
    name.push("-serving");
    Ok(name.into())
}
