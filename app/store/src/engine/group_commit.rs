//! Writing to SQLite, which has one writer: transactions take turns, and those that come close together share a
//! commit.
//!
//! A commit waits for the disk, and that takes longer than most transactions. So those that are waiting while one
//! writes go on inside the same transaction of the file, each but the first in a savepoint of its own, and one commit
//! makes all of them last. None is told that it has lasted before it has, and nobody waits for company: the first queues for
//! the commit behind those who wait already, and where nobody waits, it commits at once.

use crate::engine::{Result, StoreError, database::PATIENCE, migrate, writable::Writable};
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

/// The one writer of a file.
#[derive(Debug, Clone)]
pub(crate) struct Writer {
    /// Held by whose turn it is. Fair: first come, first served.
    seat: Arc<Mutex<Seat>>,
    /// Whether the log may hold what is to be gone: at first as well, since a program may have been killed before.
    is_stained: Arc<AtomicBool>,
}

#[derive(Debug)]
struct Seat {
    connection: SqliteConnection,
    options: SqliteConnectOptions,
    under_way: UnderWay,
    /// Whoever has done their part in it and waits for the commit.
    done: Vec<oneshot::Sender<Result<(), Arc<sqlx::Error>>>>,
    /// A turn was dropped: what it left has to be looked at before anything else.
    interrupted: bool,
    /// The connection is in a state that nobody can name; the next turn gets a new one.
    broken: bool,
    /// Learns how commits end.
    writable: Writable,
}

/// Whether a transaction of the file is under way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum UnderWay {
    No,
    Yes,
    /// And the next one's savepoint in it is there already.
    Marked,
}

/// What a savepoint would undo is kept in memory rather than written to a file of its own, and pages go from the log to the
/// database every 16 MB rather than every four: each time that is two waits for the disk more.
fn for_writing(options: &SqliteConnectOptions) -> SqliteConnectOptions {
    options.clone().pragma("temp_store", "memory").pragma("wal_autocheckpoint", "4000")
}

/// A turn at writing: to its owner, a transaction. Undone when dropped.
#[derive(Debug)]
pub struct Turn {
    held: OwnedMutexGuard<Seat>,
    writer: Writer,
    ended: bool,
}

impl Writer {
    /// By its `first` connection, and by others when that one is of no more use.
    pub(crate) async fn open(
        first: &SqliteConnectOptions,
        options: SqliteConnectOptions,
        writable: Writable,
    ) -> Result<Self> {
        let connection = for_writing(first).connect().await?;
        let (under_way, done) = (UnderWay::No, Vec::new());
        let seat = Seat { connection, options, under_way, done, interrupted: false, broken: false, writable };
        Ok(Self { seat: Arc::new(Mutex::new(seat)), is_stained: Arc::new(AtomicBool::new(true)) })
    }

    /// Waits for a turn.
    pub(crate) async fn turn(&self) -> Result<Turn> {
        let held = timeout(PATIENCE, self.seat.clone().lock_owned()).await.map_err(|_| sqlx::Error::PoolTimedOut)?;
        // From here on, whoever is dropped says so.
        let mut turn = Turn { held, writer: self.clone(), ended: false };
        turn.held.begin().await?;
        Ok(turn)
    }

    /// Migrates the file, on a connection of its own. Nobody of this program writes meanwhile.
    pub(crate) async fn migrate(&self) -> Result<()> {
        let mut seat = self.seat.lock().await;
        seat.finish().await;
        migrate::migrate_sqlite(&seat.options).await
    }

    /// Moves what was written into the file and empties the log beside it, where old pages lie on until they are written
    /// over. On a connection of its own and not for long: `false` where readers are in the way, or others who write.
    pub(crate) async fn empty_log(&self) -> Result<bool> {
        let options = self.seat.lock().await.options.clone().busy_timeout(Duration::from_secs(1));
        let mut connection = options.connect().await?;
        let (is_busy, _, _): (i64, i64, i64) =
            sqlx::query_as("PRAGMA wal_checkpoint(TRUNCATE)").fetch_one(&mut connection).await?;
        self.is_stained.store(is_busy != 0, Ordering::Relaxed);
        connection.close().await?;
        Ok(is_busy == 0)
    }

    /// Whether the log was emptied since something was to be gone from it.
    pub(crate) fn is_log_clean(&self) -> bool {
        !self.is_stained.load(Ordering::Relaxed)
    }

    pub(crate) async fn close(&self) {
        let mut seat = self.seat.lock().await;
        seat.finish().await;
        if let Ok(nothing) = SqliteConnectOptions::new().in_memory(true).connect().await {
            let _ = std::mem::replace(&mut seat.connection, nothing).close().await;
        }
    }
}

impl Seat {
    async fn run(&mut self, sql: &'static str) -> Result<(), sqlx::Error> {
        sqlx::query(sql).execute(&mut self.connection).await.map(drop)
    }

    /// A savepoint within the transaction of the file; a new transaction, if none is under way.
    async fn begin(&mut self) -> Result<()> {
        self.tidy().await;
        if self.broken {
            self.connection = for_writing(&self.options).connect().await?;
            (self.under_way, self.broken) = (UnderWay::No, false);
        }
        match self.under_way {
            UnderWay::Marked => {}
            UnderWay::Yes => self.run("SAVEPOINT turn").await?,
            // Immediate: a transaction that first reads and then turns to writing could fail at once.
            UnderWay::No => self.run("BEGIN IMMEDIATE").await?,
        }
        self.under_way = UnderWay::Yes;
        Ok(())
    }

    /// Whether whose turn it is has the transaction to themselves.
    fn is_first(&self) -> bool {
        self.done.is_empty()
    }

    /// Undoes what a dropped turn left, wherever it stopped. Should that take others' work with it, they are told.
    async fn tidy(&mut self) {
        if self.interrupted && self.under_way == UnderWay::No {
            let _ = self.run("ROLLBACK").await; // there is something to undo only if it was dropped while it began
        } else if self.interrupted && self.is_first() {
            self.broken |= self.run("ROLLBACK").await.is_err();
            self.under_way = UnderWay::No;
        } else if self.interrupted && self.run("ROLLBACK TO turn").await.is_ok() {
            self.broken |= self.run("RELEASE turn").await.is_err();
        } else if self.interrupted {
            // It had not begun, or it was over; or an error took the whole transaction away, and then one can begin. Whoever
            // is dropped while asking leaves nobody an answer.
            self.broken = true;
            self.broken = self.run("BEGIN").await.is_ok();
        }
        if self.interrupted && self.under_way == UnderWay::Marked {
            self.under_way = UnderWay::Yes;
        }
        self.interrupted = false;
        if self.broken {
            self.done.clear();
        }
    }

    /// Ends the transaction of the file: for good, if anybody did their part in it.
    async fn finish(&mut self) {
        self.tidy().await;
        if self.under_way == UnderWay::No || self.broken {
            return;
        }
        let outcome = self.run(if self.done.is_empty() { "ROLLBACK" } else { "COMMIT" }).await;
        self.under_way = UnderWay::No;
        self.broken = outcome.is_err();
        match &outcome {
            Ok(()) if self.done.is_empty() => {} // nothing was written
            Ok(()) => self.writable.wrote(),
            Err(error) => self.writable.failed(error),
        }
        let outcome = outcome.map_err(Arc::new);
        for done in self.done.drain(..) {
            let _ = done.send(outcome.clone()); // who is no longer there need not know
        }
    }
}

impl Turn {
    /// The connection to run queries on.
    pub(crate) fn connection(&mut self) -> &mut SqliteConnection {
        &mut self.held.connection
    }

    /// Ends the turn; returns when all that was written is on disk.
    pub(crate) async fn commit(mut self) -> Result<()> {
        if !self.held.is_first() {
            // With the savepoint of the next one, who is likely to wait already: one way to SQLite's thread less.
            self.held.run("RELEASE turn; SAVEPOINT turn").await?;
            self.held.under_way = UnderWay::Marked;
        }
        let (sender, lasts) = oneshot::channel();
        self.held.done.push(sender);
        self.ended = true;
        let first = (self.held.done.len() == 1).then(|| self.writer.clone());
        drop(self); // the next one's turn
        if let Some(writer) = first {
            writer.finish_soon();
        }
        lasts.await.map_err(|_| sqlx::Error::WorkerCrashed)?.map_err(StoreError::Commit)
    }
}

impl Writer {
    /// Queues for the commit. In a task of its own: whoever hangs up must not keep others from it.
    fn finish_soon(self) {
        if let Ok(runtime) = Handle::try_current() {
            runtime.spawn(async move { self.seat.lock().await.finish().await });
        }
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        if self.ended {
            return;
        }
        self.held.interrupted = true;
        // Those who did their part see to it with their commit; without any, the file must not stay locked.
        if self.held.done.is_empty() {
            self.writer.clone().finish_soon();
        }
    }
}
