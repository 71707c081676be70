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
    /// It cannot be copied.
    #[error(transparent)]
    Copy(#[from] CopyError),
    /// The service failed.
    #[error(transparent)]
    Retour(#[from] Error),
    /// Somebody writes there.
    #[error("a service runs on {0}, or did until some seconds ago: stop it, and try again in half a minute")]
    Served(Side),
}

/// What came of a copy.
#[derive(Debug)]
pub struct Moved {
    /// Each table, in the order in which they were copied.
    pub tables: Vec<Compared>,
    /// Whether all was there before.
    pub was_there: bool,
}

impl Moved {
    /// Whether both are the same.
    pub fn is_same(&self) -> bool {
        self.tables.iter().all(Compared::is_same)
    }
}

/// From where to where.
#[derive(Debug, Clone)]
pub struct Move {
    from: Retour,
    to: Retour,
}

impl Move {
    /// Of two databases.
    pub fn new(from: Retour, to: Retour) -> Self {
        Self { from, to }
    }

    /// How many rows there are to copy.
    pub async fn rows(&self) -> Result<u64, MoveError> {
        Ok(Pair::of_migrated(&self.from.store, &self.from.store, 1).await?.count().await?)
    }

    /// Copies what is not at the target yet, and compares it all. Begun before and cut off, it goes on. It is under way until
    /// it is told to [`Self::finish`].
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

    /// All is there, files too if they were to be copied: the target is like any other database from now on.
    pub async fn finish(&self) -> Result<(), MoveError> {
        self.is_left_alone().await?;
        Ok(Pair::of_migrated(&self.from.store, &self.to.store, 1).await?.finish().await?)
    }

    /// Closes both databases: of a SQLite file, what is in the log beside it is moved into it.
    pub async fn close(&self) {
        self.from.store.close().await;
        self.to.store.close().await;
    }

    /// Compares only.
    pub async fn verify(&self, watcher: Watcher<'_>) -> Result<Moved, MoveError> {
        let pair = Pair::of_migrated(&self.from.store, &self.to.store, 1).await?;
        Ok(Moved { tables: pair.compare(watcher).await?, was_there: !pair.is_begun().await? })
    }

    /// Whoever serves says so in the database every few seconds.
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

    /// Copies the files that rows of the source tell of, as far as they are not at the target, and compares them.
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
        // A bucket whose key may not list says of a file that is not there that we may not read it.
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
    /// Whether the database holds a copy that was not finished: whoever writes there meanwhile spoils it.
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

/// What is in a file; `None` where there is none.
async fn fetch(retour: &Retour, account: AccountId, id: Uuid) -> Result<Option<Vec<u8>>> {
    match retour.files.get(account, id).await {
        Err(FilesError::Missing) => Ok(None),
        fetched => Ok(Some(fetched?)),
    }
}

async fn keep(retour: &Retour, account: AccountId, id: Uuid, bytes: Vec<u8>) -> Result<()> {
    Ok(retour.files.put(account, id, bytes).await?)
}

/// What became of files.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct MovedFiles {
    /// How many rows tell of.
    pub files: u64,
    /// Those that were copied now.
    pub copied: u64,
    /// Those that are not at the source, though a row tells of them.
    pub lost: Vec<Uuid>,
    /// Those that are not the same at the target.
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
