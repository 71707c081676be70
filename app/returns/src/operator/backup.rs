//! Copies the whole database into one file. The copy is written under a temporary name, checked and synced to disk, and
//! only then renamed: a file under the final name is always complete.

use std::{
    ffi::OsString,
    fs::{self, File},
    io,
    path::{Path, PathBuf},
};
use store::{StoreError, backup};
use tempfile::{NamedTempFile, TempPath};

/// The result of a backup.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Backup {
    /// The size of the file.
    pub bytes: u64,
    /// The number of return orders in it, of all accounts.
    pub return_orders: i64,
}

/// Why there is no copy.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    /// The database is not a SQLite file.
    #[error(
        "retour backup copies SQLite files; a Postgres database is backed up by pg_dump, such as: pg_dump --format=custom"
    )]
    NotAFile,
    /// The source does not exist.
    #[error("--database-url (DATABASE_URL): there is no database at {}", .0.display())]
    NoDatabase(PathBuf),
    /// The target exists, and replacing it was not requested.
    #[error("{} is there already: choose another name, or say --force to replace it", .0.display())]
    IsThere(PathBuf),
    /// The target is a database that a service uses, or that was not closed cleanly.
    #[error("{} is a database in use: choose another name", .0.display())]
    InUse(PathBuf),
    /// The target is a directory, a device or a link.
    #[error("{} is no file: choose another name", .0.display())]
    NotReplaced(PathBuf),
    /// A file operation failed.
    #[error("{}: {error}", path.display())]
    Io {
        /// The path of the failed operation.
        path: PathBuf,
        /// The cause.
        error: io::Error,
    },
    /// The database could not be read, or the copy is incomplete.
    #[error("the backup failed: {0}")]
    Store(#[from] StoreError),
}

/// The file of the database at `sqlite://FILE`; `None` for a Postgres database.
pub fn file_of(url: &str) -> crate::base::Result<Option<PathBuf>> {
    Ok(store::backup::file_of(url)?)
}

/// Copies the database at `url` into `file`. Replaces an existing file only if `force` is set.
pub async fn back_up(url: &str, file: &Path, force: bool) -> Result<Backup, BackupError> {
    let database = store::backup::file_of(url)?.ok_or(BackupError::NotAFile)?;
    if !database.is_file() {
        return Err(BackupError::NoDatabase(database));
    }
    may_write(&database, file, force)?;
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    // The temporary file has a random name, so it never overwrites an existing file, and only its owner may read it. It
    // is deleted on drop unless `give_name` renames it.
    let name = file.file_name().unwrap_or_default();
    let unfinished = tempfile::Builder::new().prefix(&dotted(name)).suffix(".unfinished").tempfile_in(folder);
    let unfinished = unfinished.map_err(at(folder))?;
    let written = write(url, &unfinished).await;
    let journal = beside(unfinished.path(), "-journal");
    if written.is_err() {
        let _ = fs::remove_file(journal); // SQLite leaves it behind if the disk is full
    }
    let written = written?;
    may_write(&database, file, force)?; // the file may have appeared during the copy
    give_name(unfinished.into_temp_path(), file, force)?;
    // The rename is durable once the folder is synced.
    File::open(folder).and_then(|folder| folder.sync_all()).map_err(at(folder))?;
    Ok(written)
}

async fn write(url: &str, unfinished: &NamedTempFile) -> Result<Backup, BackupError> {
    let path = unfinished.path();
    backup::copy(url, path).await?;
    let found = backup::check(path).await?;
    unfinished.as_file().sync_all().map_err(at(path))?;
    let bytes = unfinished.as_file().metadata().map_err(at(path))?.len();
    Ok(Backup { bytes, return_orders: found.return_orders })
}

fn give_name(unfinished: TempPath, file: &Path, force: bool) -> Result<(), BackupError> {
    let named = if force { unfinished.persist(file) } else { unfinished.persist_noclobber(file) };
    named.map_err(|error| match error.error.kind() {
        io::ErrorKind::AlreadyExists => BackupError::IsThere(file.to_path_buf()),
        _ => at(file)(error.error),
    })
}

/// Refuses to overwrite a file without `force`, and always refuses a database with a log file beside it: SQLite would
/// apply that log to the copy.
fn may_write(database: &Path, file: &Path, force: bool) -> Result<(), BackupError> {
    let is_the_database =
        fs::canonicalize(file).is_ok_and(|file| fs::canonicalize(database).is_ok_and(|it| it == file));
    if is_the_database || ["-wal", "-journal"].iter().any(|end| beside(file, end).exists()) {
        return Err(BackupError::InUse(file.to_path_buf()));
    }
    match file.symlink_metadata() {
        Ok(there) if !there.is_file() => Err(BackupError::NotReplaced(file.to_path_buf())),
        Ok(_) if !force => Err(BackupError::IsThere(file.to_path_buf())),
        _ => Ok(()),
    }
}

/// The prefix of the temporary file: hidden, as it is incomplete.
fn dotted(name: &std::ffi::OsStr) -> OsString {
    let mut dotted = OsString::from(".");
    dotted.push(name);
    dotted.push(".");
    dotted
}

fn beside(file: &Path, end: &str) -> PathBuf {
    let mut name: OsString = file.as_os_str().to_owned();
    name.push(end);
    name.into()
}

fn at(path: &Path) -> impl FnOnce(io::Error) -> BackupError {
    let path = path.to_path_buf();
    move |error| BackupError::Io { path, error }
}
