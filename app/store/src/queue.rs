//! What waits for workers of every instance: work that is due, held by whoever is at it, in turns between accounts.

use crate::{Db, Result};
use domain::{AccountId, Timestamp};
use sqlx::{FromRow, postgres::PgRow, sqlite::SqliteRow};
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

/// The statements by which the work of a table is claimed.
pub(crate) struct Claiming {
    /// Whoever claims at the same time waits for the transaction to end.
    pub turn: &'static str,
    /// What is due by `$1`, at most `$2` rows, of the account `$3`.
    pub due: &'static str,
    /// Holds what has the id `$2` in the account `$1` until `$3`.
    pub hold: &'static str,
}

/// A row that can be claimed.
pub(crate) trait Claimable: for<'r> FromRow<'r, SqliteRow> + for<'r> FromRow<'r, PgRow> + Send + Unpin {
    /// Account and id: of whom, and which.
    fn ids(&self) -> (Uuid, Uuid);
}

/// What is due, held until a moment: nobody else is given it before. So many of each account at most, in this order of
/// accounts, and so many in all.
pub(crate) async fn claim<R: Claimable>(
    mut db: Db<'_>,
    claiming: &Claiming,
    (now, until): (Timestamp, Timestamp),
    (shares, most): (&[(AccountId, usize)], usize),
) -> Result<Vec<R>> {
    execute!(db, sqlx::query(claiming.turn));
    let mut claimed = Vec::new();
    for (account, share) in shares {
        let left = most.saturating_sub(claimed.len()).min(*share);
        if left == 0 {
            continue;
        }
        let left = i64::try_from(left).unwrap_or(i64::MAX);
        let rows: Vec<R> = on!(&mut db, c => sqlx::query_as(claiming.due)
            .bind(now.micros())
            .bind(left)
            .bind(account.0)
            .fetch_all(&mut **c).await?);
        for row in rows {
            let (account, id) = row.ids();
            execute!(db, sqlx::query(claiming.hold).bind(account).bind(id).bind(until.micros()));
            claimed.push(row);
        }
    }
    Ok(claimed)
}
