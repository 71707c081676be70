//! Whether SQLite can be believed when it says that there is no such row.
//!
//! A file has no checksums. Where half a page of an index was lost, SQLite looks into it, finds nothing and reports no error: a
//! good API key would be called wrong. So before a credential is refused, the tables that it was looked up in are checked, at
//! most so often that checks take a hundredth of the time. Postgres has checksums of its own.

use crate::engine::{Db, Result, Store, StoreError, database::Kind};
use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};
use tokio::time::timeout;

/// How long a look-up waits for a check; without an answer, the tables count as sound.
const PATIENCE: Duration = Duration::from_secs(1);
/// The shortest time between two checks.
const BETWEEN: Duration = Duration::from_secs(1);
/// And no shorter than what a check took, this many times.
const TIMES: u32 = 100;

/// What somebody looked for, and did not find.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Looked {
    /// An account, by its id or name.
    ForAccount,
    /// A program, by its key.
    ForProgram,
    /// A consumer, by their token.
    ForConsumer,
    /// A user, by their e-mail or token.
    ForUser,
    /// An order, by what proves it.
    ForOrder,
}

impl Looked {
    fn checks(self) -> &'static [&'static str] {
        match self {
            Self::ForAccount => &["PRAGMA integrity_check(accounts)"],
            Self::ForProgram => &["PRAGMA integrity_check(service_users)"],
            Self::ForConsumer => &["PRAGMA integrity_check(consumer_tokens)"],
            Self::ForUser => &[
                "PRAGMA integrity_check(users)",
                "PRAGMA integrity_check(user_emails)",
                "PRAGMA integrity_check(user_tokens)",
            ],
            Self::ForOrder => &["PRAGMA integrity_check(orders)"],
        }
    }
}

/// What checks found. Clones share it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Soundness(Arc<Mutex<HashMap<Looked, Place>>>);

/// Held by the task that checks.
type Place = Arc<tokio::sync::Mutex<Option<Checked>>>;

#[derive(Debug, Clone, Copy)]
struct Checked {
    at: Instant,
    took: Duration,
    is_damaged: bool,
}

impl Checked {
    fn still_holds(&self) -> bool {
        self.at.elapsed() < BETWEEN.max(self.took.saturating_mul(TIMES))
    }
}

impl Soundness {
    fn place(&self, looked: Looked) -> Place {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).entry(looked).or_default().clone()
    }
}

impl Store {
    /// Makes sure that what was not found is not there. [`StoreError::Damaged`]: the tables are damaged, and nobody can tell.
    pub async fn make_sure_it_is_missing(&self, looked: Looked) -> Result<()> {
        if self.kind() == Kind::Postgres {
            return Ok(());
        }
        let is_damaged = timeout(PATIENCE, self.is_damaged(looked)).await.unwrap_or(false);
        if is_damaged { Err(StoreError::Damaged) } else { Ok(()) }
    }

    async fn is_damaged(&self, looked: Looked) -> bool {
        let mut place = self.soundness().place(looked).lock_owned().await;
        if let Some(checked) = place.as_ref().filter(|checked| checked.still_holds()) {
            return checked.is_damaged;
        }
        let store = self.clone();
        // Goes on when nobody waits any more: the next one has the answer.
        let checking = tokio::spawn(async move {
            let began = Instant::now();
            let is_damaged = match store.check(looked).await {
                Ok(is_damaged) => is_damaged,
                // Too busy: nobody knows.
                Err(StoreError::Sql(sqlx::Error::PoolTimedOut)) => return false,
                Err(error) => {
                    tracing::error!(%error, ?looked, "a check of the database failed");
                    true
                }
            };
            if is_damaged {
                crate::engine::note_damage();
            }
            *place = Some(Checked { at: Instant::now(), took: began.elapsed(), is_damaged });
            is_damaged
        });
        checking.await.unwrap_or(false)
    }

    async fn check(&self, looked: Looked) -> Result<bool> {
        let mut reading = self.read().await?;
        let Db::Sqlite(connection) = reading.db() else { return Ok(false) };
        for check in looked.checks() {
            let said: Vec<String> = sqlx::query_scalar(*check).fetch_all(&mut *connection).await?;
            if said != ["ok"] {
                tracing::error!(found = said.len(), ?looked, "the database is damaged: {check} finds something");
                return Ok(true);
            }
        }
        Ok(false)
    }
}
