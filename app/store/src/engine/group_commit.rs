//! Group commit: transactions on SQLite write one after the other and share a commit.
//!
//! SQLite has one writer, and a commit waits for the disk, which takes longer than most transactions. So while one
//! transaction writes, those that wait continue inside the same transaction of the file, each in a savepoint of its
//! own, and one commit stores all of them. Every caller waits for that commit. No transaction waits for company: the
//! first one of a group queues for the commit behind those that already wait, and commits at once when none does.

use super::{
    error::{Result, StoreError},
    migrate,
    writable::Writable,
};
use sqlx::{ConnectOptions as _, Connection as _, SqliteConnection, sqlite::SqliteConnectOptions};
use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};
use tokio::{
    runtime::Handle,
    sync::{Mutex, OwnedMutexGuard, oneshot},
    time::timeout,
};

/// How long a writer waits for its turn.
pub(crate) const WRITER_PATIENCE: Duration = Duration::from_secs(10);

/// How long truncating the log waits for readers and for other programs.
const TRUNCATE_PATIENCE: Duration = Duration::from_secs(1);

/// The one writer of a file.
#[derive(Debug, Clone)]
pub(crate) struct Writer {
    /// Locked by the transaction whose turn it is. A tokio mutex is fair: first come, first served.
    state: Arc<Mutex<WriterState>>,
    /// Whether the write-ahead log may hold deleted rows. True at first, as an earlier program may have been killed.
    wal_may_hold_deleted: Arc<AtomicBool>,
}

#[derive(Debug)]
struct WriterState {
    connection: SqliteConnection,
    options: SqliteConnectOptions,
    phase: Phase,
    /// Turns that have ended and wait for the commit.
    ended: Vec<oneshot::Sender<Result<(), Arc<sqlx::Error>>>>,
    /// Learns how commits end.
    writable: Writable,
}

/// Where the transaction of the file stands. A turn that is dropped leaves its phase behind, and the next user of the
/// connection [recovers](WriterState::recover) from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// No transaction is open.
    Idle,
    /// A turn has sent `BEGIN IMMEDIATE`, and the outcome is not known yet.
    Beginning,
    /// The first turn of the transaction writes.
    FirstTurn,
    /// A later turn writes in its savepoint, or is about to set it.
    LaterTurn,
    /// Every turn so far has ended and waits for the commit.
    Shared,
    /// The same, and the savepoint of the next turn is set.
    SharedWithSavepoint,
    /// The state of the connection is unknown; the next turn opens a new one.
    Broken,
}

/// Pages move from the log to the database every 16 MB rather than every four, as each move waits for the disk twice.
/// What a savepoint would undo stays in memory rather than in a file of its own.
fn for_writing(options: &SqliteConnectOptions) -> SqliteConnectOptions {
    options.clone().pragma("temp_store", "memory").pragma("wal_autocheckpoint", "4000")
}

/// A turn of the writer: to its owner, a transaction. Dropping it rolls back.
#[derive(Debug)]
pub struct WriteTurn {
    state: OwnedMutexGuard<WriterState>,
    writer: Writer,
    has_ended: bool,
}

impl Writer {
    /// Opens the first connection with `first`; one that replaces it, with `options`.
    pub(crate) async fn open(
        first: &SqliteConnectOptions,
        options: SqliteConnectOptions,
        writable: Writable,
    ) -> Result<Self> {
        let connection = for_writing(first).connect().await?;
        let state = WriterState { connection, options, phase: Phase::Idle, ended: Vec::new(), writable };
        Ok(Self { state: Arc::new(Mutex::new(state)), wal_may_hold_deleted: Arc::new(AtomicBool::new(true)) })
    }

    /// Waits for a turn.
    pub(crate) async fn turn(&self) -> Result<WriteTurn> {
        let lock = timeout(WRITER_PATIENCE, self.state.clone().lock_owned());
        let state = lock.await.map_err(|_| sqlx::Error::PoolTimedOut)?;
        // From here on, dropping the turn undoes it.
        let mut turn = WriteTurn { state, writer: self.clone(), has_ended: false };
        turn.state.begin().await?;
        Ok(turn)
    }

    /// Migrates the file on a connection of its own, while no transaction of this program writes.
    pub(crate) async fn migrate(&self) -> Result<()> {
        let mut state = self.state.lock().await;
        state.finish().await;
        migrate::migrate_sqlite(&state.options).await
    }

    /// Moves the log's pages into the file and truncates the log, where old pages stay until they are overwritten. Uses
    /// a connection of its own and waits briefly: `false` if readers or other programs are in the way.
    pub(crate) async fn truncate_wal(&self) -> Result<bool> {
        let options = self.state.lock().await.options.clone().busy_timeout(TRUNCATE_PATIENCE);
        let mut connection = options.connect().await?;
        let (is_busy, _, _): (i64, i64, i64) =
            sqlx::query_as("PRAGMA wal_checkpoint(TRUNCATE)").fetch_one(&mut connection).await?;
        self.wal_may_hold_deleted.store(is_busy != 0, Ordering::Relaxed);
        connection.close().await?;
        Ok(is_busy == 0)
    }

    /// Whether the commits of this connection wait for the disk. The log is synchronized before its pages move to the file
    /// in either case.
    pub(crate) async fn wait_for_disk(&self, waits: bool) -> Result<()> {
        let mut state = self.state.lock().await;
        state.finish().await;
        Ok(state.run(if waits { "PRAGMA synchronous = FULL" } else { "PRAGMA synchronous = NORMAL" }).await?)
    }

    /// Whether the last [`Self::truncate_wal`] succeeded.
    pub(crate) fn is_wal_truncated(&self) -> bool {
        !self.wal_may_hold_deleted.load(Ordering::Relaxed)
    }

    pub(crate) async fn close(&self) {
        let mut state = self.state.lock().await;
        state.finish().await;
        if let Ok(placeholder) = SqliteConnectOptions::new().in_memory(true).connect().await {
            let _ = std::mem::replace(&mut state.connection, placeholder).close().await;
        }
    }

    /// Queues for the commit, in a task of its own: a caller that goes away must not keep the others from it.
    fn finish_soon(self) {
        if let Ok(runtime) = Handle::try_current() {
            runtime.spawn(async move { self.state.lock().await.finish().await });
        }
    }
}

impl WriterState {
    async fn run(&mut self, sql: &'static str) -> Result<(), sqlx::Error> {
        sqlx::query(sql).execute(&mut self.connection).await.map(drop)
    }

    /// Begins a turn: a savepoint in the open transaction of the file, or a new transaction.
    async fn begin(&mut self) -> Result<()> {
        self.recover().await;
        if self.phase == Phase::Broken {
            self.connection = for_writing(&self.options).connect().await?;
            self.phase = Phase::Idle;
        }
        match self.phase {
            Phase::SharedWithSavepoint => self.phase = Phase::LaterTurn,
            Phase::Shared => {
                self.phase = Phase::LaterTurn;
                self.run("SAVEPOINT turn").await?;
            }
            _ => {
                self.phase = Phase::Beginning;
                // Immediate: a transaction that reads first and then writes could fail at once.
                self.run("BEGIN IMMEDIATE").await?;
                self.phase = Phase::FirstTurn;
            }
        }
        Ok(())
    }

    /// Undoes what a dropped turn left, wherever it stopped. If that undoes other turns too, they get an error.
    async fn recover(&mut self) {
        match self.phase {
            Phase::Idle | Phase::Shared | Phase::SharedWithSavepoint | Phase::Broken => {}
            Phase::Beginning => {
                let _ = self.run("ROLLBACK").await; // fails if the transaction did not begin
                self.phase = Phase::Idle;
            }
            Phase::FirstTurn => {
                self.phase = if self.run("ROLLBACK").await.is_ok() { Phase::Idle } else { Phase::Broken };
            }
            Phase::LaterTurn => self.undo_later_turn().await,
        }
        if self.phase == Phase::Broken {
            self.ended.clear();
        }
    }

    async fn undo_later_turn(&mut self) {
        if self.run("ROLLBACK TO turn").await.is_ok() {
            self.phase = if self.run("RELEASE turn").await.is_ok() { Phase::Shared } else { Phase::Broken };
            return;
        }
        // Either the turn never set its savepoint or has released it; or an error ended the whole transaction, and then
        // another one can begin. Until the answer is here, assume the worst: this future may be dropped.
        self.phase = Phase::Broken;
        if self.run("BEGIN").await.is_err() {
            self.phase = Phase::Shared;
        }
    }

    /// Commits the transaction of the file, if turns wait for that.
    async fn finish(&mut self) {
        self.recover().await;
        if !matches!(self.phase, Phase::Shared | Phase::SharedWithSavepoint) {
            return;
        }
        let outcome = self.run("COMMIT").await;
        self.phase = if outcome.is_ok() { Phase::Idle } else { Phase::Broken };
        match &outcome {
            Ok(()) => self.writable.wrote(),
            Err(error) => self.writable.failed(error),
        }
        let outcome = outcome.map_err(Arc::new);
        for ended in self.ended.drain(..) {
            let _ = ended.send(outcome.clone()); // the caller may be gone
        }
    }
}

impl WriteTurn {
    /// The connection to run queries on.
    pub(crate) fn connection(&mut self) -> &mut SqliteConnection {
        &mut self.state.connection
    }

    /// Ends the turn. Returns when everything that it wrote is on disk.
    pub(crate) async fn commit(mut self) -> Result<()> {
        if self.state.phase == Phase::LaterTurn {
            // The next turn probably waits already: setting its savepoint here saves a round trip to SQLite's thread.
            self.state.run("RELEASE turn; SAVEPOINT turn").await?;
            self.state.phase = Phase::SharedWithSavepoint;
        } else {
            self.state.phase = Phase::Shared;
        }
        let (sender, committed) = oneshot::channel();
        self.state.ended.push(sender);
        self.has_ended = true;
        let is_first = self.state.ended.len() == 1;
        let writer = self.writer.clone();
        drop(self); // the next turn begins
        if is_first {
            writer.finish_soon();
        }
        committed.await.map_err(|_| sqlx::Error::WorkerCrashed)?.map_err(StoreError::Commit)
    }
}

impl Drop for WriteTurn {
    fn drop(&mut self) {
        // Turns that wait for the commit recover on their way to it; without any, the file must not stay locked.
        if !self.has_ended && self.state.ended.is_empty() {
            self.writer.clone().finish_soon();
        }
    }
}
