//! A copy of the whole database in one file. It is written under another name, checked and brought to disk, and only
//! then has its own: who finds it finds all of it.

use std::{
    ffi::OsString,
    fs::{self, File},
    io,
    path::{Path, PathBuf},
};
pub use store::backup::file_of;
use store::{StoreError, backup};
use tempfile::{NamedTempFile, TempPath};

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
    /// Something else than a file stands there.
    #[error("{} is no file: choose another name", .0.display())]
    NotReplaced(PathBuf),
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
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    // A new file under a name that nobody guesses, so that none that is there is ever written to; nobody else can read it. It
    // goes again, unless it is given the name that was asked for.
    let name = file.file_name().unwrap_or_default();
    let unfinished = tempfile::Builder::new().prefix(&dotted(name)).suffix(".unfinished").tempfile_in(folder);
    let unfinished = unfinished.map_err(at(folder))?;
    let written = write(url, &unfinished).await;
    let journal = beside(unfinished.path(), "-journal");
    if written.is_err() {
        let _ = fs::remove_file(journal); // SQLite leaves it behind where the disk is full
    }
    let written = written?;
    may_write(&database, file, force)?; // checking took a while
    give_name(unfinished.into_temp_path(), file, force)?;
    // The new name is on disk once its folder is.
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

/// Nothing that is needed goes: neither a file without leave, nor ever a database that has a log beside it, which would be
/// taken for the copy's.
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

/// What is under way is hidden.
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
