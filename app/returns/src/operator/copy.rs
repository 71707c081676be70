//! Moving the service to another database, and its files to another place: `retour copy`.

use super::handle::OperatorHandle;
use crate::base::{Error, Result, Retour, heartbeat::LOST_AFTER};
use domain::AccountId;
use outbound::files::FilesError;
pub use store::copy::{Compared, CopyError, Difference, Progress as CopyProgress, Side, Watcher};
use store::copy::{FileOf, Pair, TargetState, list_files};
use uuid::Uuid;

/// Why nothing is moved.
#[derive(Debug, thiserror::Error)]
pub enum MoveError {
    /// The copy failed.
    #[error(transparent)]
    Copy(#[from] CopyError),
    /// The service failed.
    #[error(transparent)]
    Retour(#[from] Error),
    /// An instance uses the source or the target.
    #[error("an instance is running on {0}, or stopped only seconds ago: stop it, and try again in half a minute")]
    Served(Side),
}

/// The result of a copy.
#[derive(Debug)]
pub struct Moved {
    /// The comparison of each table, in copying order.
    pub tables: Vec<Compared>,
    /// Whether the target was complete before.
    pub was_there: bool,
}

impl Moved {
    /// Whether source and target are equal.
    pub fn is_same(&self) -> bool {
        self.tables.iter().all(Compared::is_same)
    }
}

/// A copy from one installation to another.
#[derive(Debug, Clone)]
pub struct Move {
    from: Retour,
    to: Retour,
}

impl Move {
    /// From the installation `from` to the installation `to`.
    pub fn new(from: Retour, to: Retour) -> Self {
        Self { from, to }
    }

    /// The number of rows to copy.
    pub async fn rows(&self) -> Result<u64, MoveError> {
        Ok(Pair::of_migrated(&self.from.store, &self.from.store, 1).await?.count().await?)
    }

    /// Copies the rows that are not at the target yet, and compares all tables. Resumes a copy that was interrupted.
    /// The copy counts as unfinished until [`Self::finish`].
    pub async fn copy(&self, rows_at_once: usize, watcher: Watcher<'_>) -> Result<Moved, MoveError> {
        let (from, to) = (&self.from.store, &self.to.store);
        let pair = Pair::open(from, to, rows_at_once).await?;
        self.is_left_alone().await?;
        if pair.begin().await? == TargetState::Full {
            return was_there(&pair, watcher).await;
        }
        pair.copy(watcher).await?;
        Ok(Moved { tables: pair.compare(watcher).await?, was_there: false })
    }

    /// Marks the copy as finished, after the files if they are copied too. From then on instances accept the target.
    pub async fn finish(&self) -> Result<(), MoveError> {
        self.is_left_alone().await?;
        Ok(Pair::of_migrated(&self.from.store, &self.to.store, 1).await?.finish().await?)
    }

    /// Closes both databases. A SQLite file is complete afterwards: its log is written back into it.
    pub async fn close(&self) {
        self.from.store.close().await;
        self.to.store.close().await;
    }

    /// Compares without copying.
    pub async fn verify(&self, watcher: Watcher<'_>) -> Result<Moved, MoveError> {
        let pair = Pair::of_migrated(&self.from.store, &self.to.store, 1).await?;
        Ok(Moved { tables: pair.compare(watcher).await?, was_there: !pair.is_begun().await? })
    }

    /// Fails if an instance is running: each one updates its row in the database every few seconds.
    async fn is_left_alone(&self) -> Result<(), MoveError> {
        for (retour, place) in [(&self.from, Side::Source), (&self.to, Side::Target)] {
            let mut reading = retour.store.read().await.map_err(Error::from)?;
            let since = retour.now().plus_seconds(-LOST_AFTER);
            let serving = store::webhook_senders::list_senders(reading.db(), since).await.map_err(Error::from)?;
            if !serving.is_empty() {
                return Err(MoveError::Served(place));
            }
        }
        Ok(())
    }

    /// Copies the files that rows of the source refer to and that are missing at the target, and compares all of them.
    pub async fn copy_files(&self, only_compare: bool, watcher: impl Fn(u64)) -> Result<MovedFiles, MoveError> {
        let mut moved = MovedFiles::default();
        let mut after: Option<FileOf> = None;
        loop {
            let mut reading = self.from.store.read().await.map_err(Error::from)?;
            let some = list_files(reading.db(), after).await.map_err(Error::from)?;
            drop(reading);
            for (account, id) in some.iter().filter_map(FileOf::file) {
                moved.note(id, self.copy_file(account, id, only_compare).await?);
                watcher(moved.files);
            }
            match some.last() {
                Some(last) => after = Some(*last),
                None => return Ok(moved),
            }
        }
    }

    async fn copy_file(&self, account: AccountId, id: Uuid, only_compare: bool) -> Result<Fate> {
        let Some(bytes) = fetch(&self.from, account, id).await? else { return Ok(Fate::Lost) };
        // With a key that may not list the bucket, object stores answer 403 instead of 404 for a missing file.
        let there = fetch(&self.to, account, id)
            .await
            .or_else(|error| if is_forbidden(&error) { Ok(None) } else { Err(error) });
        if there?.is_some_and(|there| there == bytes) {
            return Ok(Fate::WasThere);
        }
        if only_compare {
            return Ok(Fate::Differs);
        }
        keep(&self.to, account, id, bytes.clone()).await?;
        let there = fetch(&self.to, account, id).await?;
        Ok(if there.is_some_and(|there| there == bytes) { Fate::Copied } else { Fate::Differs })
    }
}

impl OperatorHandle<'_> {
    /// Whether the database holds an unfinished copy. Writing to it would spoil the copy.
    pub async fn is_half_copied(self) -> Result<bool> {
        Ok(store::copy::is_under_way(&self.retour.store).await?)
    }
}

async fn was_there(pair: &Pair, watcher: Watcher<'_>) -> Result<Moved, MoveError> {
    if !pair.has_the_same_accounts().await? {
        return Err(CopyError::Occupied.into());
    }
    let moved = Moved { tables: pair.compare(watcher).await?, was_there: true };
    if moved.is_same() { Ok(moved) } else { Err(CopyError::Occupied.into()) }
}

fn is_forbidden(error: &Error) -> bool {
    matches!(error, Error::Files(FilesError::Refused { status: 403, .. }))
}

/// The content of a file, or `None` if it is missing.
async fn fetch(retour: &Retour, account: AccountId, id: Uuid) -> Result<Option<Vec<u8>>> {
    match retour.files.get(account, id).await {
        Err(FilesError::Missing) => Ok(None),
        fetched => Ok(Some(fetched?)),
    }
}

async fn keep(retour: &Retour, account: AccountId, id: Uuid, bytes: Vec<u8>) -> Result<()> {
    Ok(retour.files.put(account, id, bytes).await?)
}

/// The result of copying files.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct MovedFiles {
    /// How many files the rows refer to.
    pub files: u64,
    /// How many were copied by this run.
    pub copied: u64,
    /// The files that are missing at the source although a row refers to them.
    pub lost: Vec<Uuid>,
    /// The files that differ at the target.
    pub different: Vec<Uuid>,
}

#[derive(Debug, Clone, Copy)]
enum Fate {
    Copied,
    WasThere,
    Lost,
    Differs,
}

impl MovedFiles {
    fn note(&mut self, id: Uuid, fate: Fate) {
        self.files += 1;
        match fate {
            Fate::Copied => self.copied += 1,
            Fate::WasThere => {}
            Fate::Lost => self.lost.push(id),
            Fate::Differs => self.different.push(id),
        }
    }
}
