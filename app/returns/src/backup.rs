//! A copy of the whole database in one file. It is written under another name, checked and brought to disk, and only
//! then has its own: who finds it finds all of it.

use std::{
    ffi::OsString,
    fs::{self, File, OpenOptions, TryLockError},
    io,
    path::{Path, PathBuf},
};
pub use store::backup::file_of;
use store::{StoreError, backup};

/// What was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Backup {
    /// Its size.
    pub bytes: u64,
    /// Return orders in it, of all accounts.
    pub return_orders: i64,
}

/// Why there is no copy.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    /// It is not a file of ours.
    #[error(
        "retour backup copies SQLite files; a Postgres database is backed up by pg_dump, such as: pg_dump --format=custom"
    )]
    NotAFile,
    /// There is no database.
    #[error("--database-url (DATABASE_URL): there is no database at {}", .0.display())]
    NoDatabase(PathBuf),
    /// There is something already.
    #[error("{} is there already: choose another name, or say --force to replace it", .0.display())]
    IsThere(PathBuf),
    /// Somebody serves it, or did and was killed.
    #[error("{} is a database in use: choose another name", .0.display())]
    InUse(PathBuf),
    /// Another one writes there.
    #[error("another backup to {} is under way", .0.display())]
    UnderWay(PathBuf),
    /// The disk failed.
    #[error("{}: {error}", path.display())]
    Io {
        /// Which file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// It could not be read, or written whole.
    #[error("nothing was backed up: {0}")]
    Store(#[from] StoreError),
}

/// Copies the database at `url` into `file`, which is replaced only if `force` says so.
pub async fn back_up(url: &str, file: &Path, force: bool) -> Result<Backup, BackupError> {
    let database = file_of(url).ok_or(BackupError::NotAFile)?;
    if !database.is_file() {
        return Err(BackupError::NoDatabase(database));
    }
    may_write(&database, file, force)?;
    let (unfinished, lock) = (beside(file, ".unfinished"), beside(file, ".lock"));
    let held = claim(&lock)?;
    let written = write(url, &unfinished).await.and_then(|written| {
        may_write(&database, file, force)?; // checking took a while
        fs::rename(&unfinished, file).map_err(at(file))?;
        Ok(written)
    });
    if written.is_err() {
        let _ = fs::remove_file(&unfinished);
    }
    let _ = fs::remove_file(&lock); // while it is held: who comes now makes another one
    drop(held);
    let written = written?;
    // The new name is on disk once its folder is.
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    File::open(folder).and_then(|folder| folder.sync_all()).map_err(at(folder))?;
    Ok(written)
}

async fn write(url: &str, unfinished: &Path) -> Result<Backup, BackupError> {
    let handle = make_empty(unfinished)?;
    backup::copy(url, unfinished).await?;
    let found = backup::check(unfinished).await?;
    handle.sync_all().map_err(at(unfinished))?;
    let bytes = handle.metadata().map_err(at(unfinished))?.len();
    Ok(Backup { bytes, return_orders: found.return_orders })
}

/// Nothing that is needed goes: neither a file without leave, nor ever a database that has a log beside it, which would be
/// taken for the copy's.
fn may_write(database: &Path, file: &Path, force: bool) -> Result<(), BackupError> {
    let is_the_database =
        fs::canonicalize(file).is_ok_and(|file| fs::canonicalize(database).is_ok_and(|it| it == file));
    if is_the_database || ["-wal", "-journal"].iter().any(|end| beside(file, end).exists()) {
        return Err(BackupError::InUse(file.to_path_buf()));
    }
    if !force && file.symlink_metadata().is_ok() {
        return Err(BackupError::IsThere(file.to_path_buf()));
    }
    Ok(())
}

/// A file that says, while it is open, that a backup is under way. Not the copy itself: on a network's disk such a lock
/// would be in the way of SQLite's own.
fn claim(lock: &Path) -> Result<File, BackupError> {
    let file = private().open(lock).map_err(at(lock))?;
    match file.try_lock() {
        Ok(()) if is_at(&file, lock) => Ok(file),
        // Another one has just ended, and taken it away.
        Ok(()) | Err(TryLockError::WouldBlock) => Err(BackupError::UnderWay(lock.with_extension(""))),
        Err(TryLockError::Error(error)) => Err(at(lock)(error)),
    }
}

/// An empty file that nobody else can read, also where a backup that was cut off has left something.
fn make_empty(path: &Path) -> Result<File, BackupError> {
    let file = private().open(path).map_err(at(path))?;
    file.set_len(0).map_err(at(path))?;
    #[cfg(unix)]
    file.set_permissions(std::os::unix::fs::PermissionsExt::from_mode(0o600)).map_err(at(path))?;
    Ok(file)
}

fn private() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    let (ours, there) = (file.metadata(), fs::metadata(path));
    ours.is_ok_and(|ours| there.is_ok_and(|there| (ours.dev(), ours.ino()) == (there.dev(), there.ino())))
}

#[cfg(not(unix))]
fn is_at(_: &File, path: &Path) -> bool {
    path.exists()
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
