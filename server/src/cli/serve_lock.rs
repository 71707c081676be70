//! One `retour serve` on a SQLite file: its writers take turns within one program, and its workers do each task once.

use super::{CommandError, Result};
use returns::backup::file_of;
use std::{
    ffi::OsString,
    fs::{File, OpenOptions, TryLockError},
    io,
    path::{Path, PathBuf},
    time::Duration,
};
use tokio::time::{Instant, sleep};

/// How long it waits for one that is about to end.
const PATIENCE: Duration = Duration::from_secs(2);
/// Between two tries.
const BREATH: Duration = Duration::from_millis(50);

/// A lock that says that this program serves; it ends with the process, however that ends.
#[derive(Debug)]
pub(super) struct Alone {
    /// `None` where there is no file, or no file can be locked.
    _lock: Option<File>,
}

/// Makes sure that no other program serves the file of this database, and that none begins to. The file itself is not locked: other
/// commands go on beside it.
pub(super) async fn serve_alone(database_url: &str) -> Result<Alone> {
    let Some(database) = file_of(database_url).filter(|file| file.as_os_str() != ":memory:") else {
        return Ok(Alone { _lock: None });
    };
    let path = lock_of(&database)?;
    let lock = OpenOptions::new().create(true).truncate(false).write(true).open(&path)?;
    let since = Instant::now();
    loop {
        match lock.try_lock() {
            Ok(()) => return Ok(Alone { _lock: Some(lock) }),
            Err(TryLockError::WouldBlock) if since.elapsed() < PATIENCE => sleep(BREATH).await,
            Err(TryLockError::WouldBlock) => {
                return Err(CommandError::Wrong(format!(
                    "another `retour serve` serves {}: stop it first. One program serves a SQLite file; several serve a Postgres \
                     database (docs/moving.md)",
                    database.display()
                )));
            }
            // Some network file systems.
            Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {
                tracing::warn!("{} cannot be locked: make sure that nobody else serves the same file", path.display());
                return Ok(Alone { _lock: None });
            }
            Err(TryLockError::Error(error)) => return Err(error.into()),
        }
    }
}

/// The lock of a database: beside the file, wherever links lead to it from.
fn lock_of(database: &Path) -> io::Result<PathBuf> {
    let file = match database.canonicalize() {
        // It is made when it is opened.
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
