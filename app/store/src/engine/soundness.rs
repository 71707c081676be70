//! Whether SQLite's answer "no such row" can be trusted.
//!
//! A SQLite file has no checksums. If half a page of an index was lost, SQLite finds nothing in it and reports no
//! error: it would call a valid API key wrong. So before a credential is rejected, the tables of the look-up are
//! checked. Checks take at most a hundredth of the time. Postgres has checksums of its own.

use super::{
    error::{Result, StoreError, note_damage},
    readers::Readers,
};
use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};
use tokio::time::timeout;

/// How long a look-up waits for a check. Without a result, the tables count as sound.
const CHECK_PATIENCE: Duration = Duration::from_secs(1);
/// A result counts for at least this long.
const LEAST_VALIDITY: Duration = Duration::from_secs(1);
/// A result counts for this many times as long as the check took.
const VALIDITY_FACTOR: u32 = 100;

/// What a look-up searched for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Lookup {
    /// An account, by its id or slug.
    ForAccount,
    /// A service user, by its key.
    ForServiceUser,
    /// A consumer, by their token.
    ForConsumer,
    /// A user, by their e-mail address or token.
    ForUser,
    /// An order, by what proves it.
    ForOrder,
}

impl Lookup {
    fn checks(self) -> &'static [&'static str] {
        match self {
            Self::ForAccount => &["PRAGMA integrity_check(accounts)"],
            Self::ForServiceUser => &["PRAGMA integrity_check(service_users)"],
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

/// The results of checks. Clones share them.
#[derive(Debug, Clone, Default)]
pub(crate) struct Soundness(Arc<Mutex<HashMap<Lookup, LastCheck>>>);

/// Locked by the task that checks.
type LastCheck = Arc<tokio::sync::Mutex<Option<CheckResult>>>;

#[derive(Debug, Clone, Copy)]
struct CheckResult {
    at: Instant,
    took: Duration,
    is_damaged: bool,
}

impl CheckResult {
    fn is_valid(&self) -> bool {
        self.at.elapsed() < LEAST_VALIDITY.max(self.took.saturating_mul(VALIDITY_FACTOR))
    }
}

impl Soundness {
    /// Confirms that a look-up without a result is right. [`StoreError::Damaged`]: its tables are corrupt.
    pub(crate) async fn confirm_missing(&self, readers: &Readers, lookup: Lookup) -> Result<()> {
        let is_damaged = timeout(CHECK_PATIENCE, self.is_damaged(readers, lookup)).await.unwrap_or(false);
        if is_damaged { Err(StoreError::Damaged) } else { Ok(()) }
    }

    fn last_check(&self, lookup: Lookup) -> LastCheck {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).entry(lookup).or_default().clone()
    }

    async fn is_damaged(&self, readers: &Readers, lookup: Lookup) -> bool {
        let mut last = self.last_check(lookup).lock_owned().await;
        if let Some(result) = last.as_ref().filter(|result| result.is_valid()) {
            return result.is_damaged;
        }
        let readers = readers.clone();
        // Continues when its caller stops waiting: the next caller has the result.
        let checking = tokio::spawn(async move {
            let began = Instant::now();
            let is_damaged = match find_damage(&readers, lookup).await {
                Ok(is_damaged) => is_damaged,
                // All readers are busy: the result is unknown.
                Err(StoreError::Sql(sqlx::Error::PoolTimedOut)) => return false,
                Err(error) => {
                    tracing::error!(%error, looked = ?lookup, "a check of the database failed");
                    true
                }
            };
            if is_damaged {
                note_damage();
            }
            *last = Some(CheckResult { at: Instant::now(), took: began.elapsed(), is_damaged });
            is_damaged
        });
        checking.await.unwrap_or(false)
    }
}

async fn find_damage(readers: &Readers, lookup: Lookup) -> Result<bool> {
    let mut reader = readers.get().await?;
    for check in lookup.checks() {
        let findings: Vec<String> = sqlx::query_scalar(*check).fetch_all(&mut *reader).await?;
        if findings != ["ok"] {
            tracing::error!(
                found = findings.len(),
                looked = ?lookup,
                "the database is damaged: {check} finds something"
            );
            return Ok(true);
        }
    }
    Ok(false)
}
