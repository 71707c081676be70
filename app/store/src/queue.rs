//! What waits for workers of every instance: work that is due, held by whoever is at it, in turns between accounts.

use crate::{Db, Result};
use domain::{AccountId, Timestamp};
use uuid::Uuid;

/// Accounts with something due, whose is the oldest first: from one to the next in the index, however much each has.
macro_rules! waiting_accounts {
    ($table:literal) => {
        concat!(
            "WITH RECURSIVE waiting (id) AS (
         SELECT (SELECT account_id FROM ", $table, " WHERE due_at IS NOT NULL ORDER BY account_id LIMIT 1)
         UNION ALL
         SELECT (SELECT s.account_id FROM ", $table, " s WHERE s.due_at IS NOT NULL AND s.account_id > w.id
          ORDER BY s.account_id LIMIT 1) FROM waiting w WHERE w.id IS NOT NULL)
        SELECT id FROM (SELECT id, (SELECT s.due_at FROM ", $table, " s WHERE s.account_id = w.id AND s.due_at IS NOT NULL
          AND s.held_until <= $1 ORDER BY s.due_at LIMIT 1) AS since FROM waiting w WHERE id IS NOT NULL) AS accounts
        WHERE since <= $1 ORDER BY since, id"
        )
    };
}

/// Until when one stays held that is given back.
#[derive(Debug, Clone, Copy)]
pub enum Hold {
    /// As long as it was: something may still be under way where it was asked.
    Stays,
    /// Nothing is under way.
    Ends,
    /// They are at it there.
    Until(Timestamp),
}

impl Hold {
    /// As it is stored; `None`: as it was.
    pub(crate) fn micros(self) -> Option<i64> {
        match self {
            Self::Stays => None,
            Self::Ends => Some(0),
            Self::Until(at) => Some(at.micros()),
        }
    }
}

/// Runs what [`waiting_accounts`] makes.
pub(crate) async fn waiting(mut db: Db<'_>, sql: &'static str, now: Timestamp) -> Result<Vec<AccountId>> {
    let ids: Vec<Uuid> = on!(&mut db, c => sqlx::query_scalar(sql).bind(now.micros()).fetch_all(&mut **c).await?);
    Ok(ids.into_iter().map(AccountId).collect())
}

/// How many of each account may be claimed, so that all together are no more than `most`.
pub(crate) fn left(claimed: usize, share: usize, most: usize) -> Option<i64> {
    let left = most.saturating_sub(claimed).min(share);
    (left > 0).then(|| i64::try_from(left).unwrap_or(i64::MAX))
}
