//! What waits for workers of every instance: work that is due, held by whoever is at it, in turns between accounts.

use crate::engine::{Db, Result, macros::{between_parameters, in_few_sizes}, pool};
use domain::{AccountId, Timestamp};
use sqlx::{FromRow, PgConnection, QueryBuilder, postgres::PgRow, sqlite::SqliteRow};
use uuid::Uuid;

/// How many of what is due are looked at to learn whose it is: twice what a worker begins at a time, then more.
const LOOKED_AT: [usize; 2] = [64, 512];

/// Whether these accounts, with so much due of each, suffice whoever asks: then others are not looked for.
pub type IsEnough<'a> = &'a (dyn Fn(&[(AccountId, usize)]) -> bool + Sync);

/// Accounts of what is due, the oldest first, and how much of each was looked at: so many rows in all, whoever's they are.
/// Of rows `s` that meet a condition, if one is given.
macro_rules! first_waiting_accounts {
    ($table:literal $(, $condition:expr)?) => {
        concat!(
            "SELECT account_id, COUNT(*), MIN(due_at) FROM (SELECT account_id, due_at FROM ",
            $table,
            " s WHERE due_at <= $1 AND held_until <= $1", $($condition,)?
            " ORDER BY due_at LIMIT $2) AS first_ones
        GROUP BY account_id ORDER BY MIN(due_at), account_id"
        )
    };
}

/// Accounts with something due, whose is the oldest first: from one to the next in the index, however much each has. Goes by
/// every account that has anything, due or not. Of rows `s` that meet a condition, if one is given.
macro_rules! waiting_accounts {
    ($table:literal $(, $condition:expr)?) => {
        concat!(
            "WITH RECURSIVE waiting (id) AS (
         SELECT (SELECT account_id FROM ", $table, " WHERE due_at IS NOT NULL ORDER BY account_id LIMIT 1)
         UNION ALL
         SELECT (SELECT s.account_id FROM ", $table, " s WHERE s.due_at IS NOT NULL AND s.account_id > w.id
          ORDER BY s.account_id LIMIT 1) FROM waiting w WHERE w.id IS NOT NULL)
        SELECT id FROM (SELECT id, (SELECT s.due_at FROM ", $table, " s WHERE s.account_id = w.id AND s.due_at IS NOT NULL
          AND s.held_until <= $1", $($condition,)? " ORDER BY s.due_at LIMIT 1) AS since FROM waiting w WHERE id IS NOT NULL) AS accounts
        WHERE since <= $1 ORDER BY since, id"
        )
    };
}

/// The whole of a claim in one way to Postgres and back: takes the turn, and with it holds until `$2` what is due by `$1`, of each
/// account in `$3` as many as `$4` says at its place, and `$5` in all. What somebody else took since the statement began is passed by.
/// `one` is 1: no row is looked for before the turn is taken. Materialized: what is due is looked for once. Beside a table that it
/// believes to be empty, Postgres would do so for each of its rows, and each time find others.
macro_rules! claim_in_one {
    ($table:literal, $key:literal, $turn:literal, $columns:expr) => {
        concat!(
            "WITH turn AS (UPDATE worker_turns SET taken = taken + 1 WHERE name = '",
            $turn,
            "' RETURNING 1 AS one),
        due (due_account, due_key) AS MATERIALIZED (SELECT found.* FROM turn
         CROSS JOIN UNNEST($3::uuid[], $4::bigint[]) AS shares (of, share)
         CROSS JOIN LATERAL (SELECT account_id, ",
            $key,
            " FROM ",
            $table,
            " WHERE account_id = shares.of AND due_at <= $1
          AND held_until <= $1 ORDER BY due_at, seq LIMIT shares.share * turn.one FOR UPDATE SKIP LOCKED) AS found
         LIMIT $5)
        UPDATE ",
            $table,
            " SET held_until = $2 FROM due WHERE account_id = due_account AND ",
            $key,
            " = due_key
        RETURNING ",
            $columns
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

/// How accounts with something due are found.
pub(crate) struct Waiting {
    /// What [`first_waiting_accounts`] makes: costs what is due.
    pub first: &'static str,
    /// What [`waiting_accounts`] makes, for when more is due than is looked at, and not enough of it can be had: one account with
    /// much hides no other.
    pub all: &'static str,
}

/// Accounts with something due that nobody is at, whose is the oldest first.
pub(crate) async fn waiting(
    mut db: Db<'_>,
    waiting: &Waiting,
    now: Timestamp,
    is_enough: IsEnough<'_>,
) -> Result<Vec<AccountId>> {
    for looked_at in LOOKED_AT {
        let first: Vec<(Uuid, i64, i64)> = on!(&mut db, c => sqlx::query_as(waiting.first)
            .bind(now.micros())
            .bind(limit(looked_at))
            .fetch_all(&mut **c).await?);
        let of_account = |(id, due, _)| (AccountId(id), usize::try_from(due).unwrap_or(0));
        let first: Vec<_> = first.into_iter().map(of_account).collect();
        if first.iter().map(|(_, due)| due).sum::<usize>() < looked_at || is_enough(&first) {
            return Ok(first.into_iter().map(|(id, _)| id).collect());
        }
    }
    let ids: Vec<Uuid> =
        on!(&mut db, c => sqlx::query_scalar(waiting.all).bind(now.micros()).fetch_all(&mut **c).await?);
    Ok(ids.into_iter().map(AccountId).collect())
}

/// The statements by which the work of a table is claimed.
pub(crate) struct Claiming {
    /// All of it at once on Postgres, as [`claim_in_one`] makes it; the others are what SQLite is asked then.
    pub in_one: Option<&'static str>,
    /// Whoever claims at the same time waits for the transaction to end.
    pub turn: &'static str,
    /// What is due by `$1`, at most `$2` rows, of the account `$3`.
    pub due: &'static str,
    /// Holds until `$3` what has, in brackets, the account `$1` and the id `$2`.
    pub hold: &'static str,
}

/// A row that can be claimed.
pub(crate) trait Claimable: for<'r> FromRow<'r, SqliteRow> + for<'r> FromRow<'r, PgRow> + Send + Unpin {
    /// Account and id: of whom, and which.
    fn ids(&self) -> (Uuid, Uuid);
}

/// What is due, held until a moment: nobody else is given it before. So many of each account at most, in this order of
/// accounts, and so many in all. Each of the accounts has something due.
pub(crate) async fn claim<R: Claimable>(
    mut db: Db<'_>,
    claiming: &Claiming,
    (now, until): (Timestamp, Timestamp),
    (shares, most): (&[(AccountId, usize)], usize),
) -> Result<Vec<R>> {
    let shares = shares.get(..most).unwrap_or(shares);
    if let (Some(sql), Db::Postgres(connection)) = (claiming.in_one, &mut db) {
        return pool::in_time(claim_in_one(connection, sql, (now, until), (shares, most))).await;
    }
    execute!(db, sqlx::query(claiming.turn));
    let rows = due::<R>(db.reborrow(), claiming.due, now, (shares, most)).await?;
    let ids: Vec<(Uuid, Uuid)> = rows.iter().map(Claimable::ids).collect();
    hold(db, claiming.hold, until, &ids).await?;
    Ok(rows)
}

async fn claim_in_one<R: Claimable>(
    connection: &mut PgConnection,
    sql: &'static str,
    (now, until): (Timestamp, Timestamp),
    (shares, most): (&[(AccountId, usize)], usize),
) -> Result<Vec<R>> {
    let accounts: Vec<Uuid> = shares.iter().map(|(account, _)| account.0).collect();
    let counts: Vec<i64> = shares.iter().map(|(_, share)| limit(*share)).collect();
    let query =
        sqlx::query_as(sql).bind(now.micros()).bind(until.micros()).bind(accounts).bind(counts).bind(limit(most));
    Ok(query.fetch_all(connection).await?)
}

fn limit(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

/// What is due of all of them, by one statement.
async fn due<R: Claimable>(
    mut db: Db<'_>,
    sql: &'static str,
    now: Timestamp,
    (shares, most): (&[(AccountId, usize)], usize),
) -> Result<Vec<R>> {
    let Some((last, _)) = shares.last() else { return Ok(Vec::new()) };
    // Filled up with nothing of the last one, so that there are few sizes of the statement.
    let parts = shares.iter().copied().chain(std::iter::repeat((*last, 0))).take(shares.len().next_power_of_two());
    Ok(on!(&mut db, c => {
        let mut query = QueryBuilder::new("SELECT * FROM (");
        for (at, (account, share)) in parts.enumerate() {
            query.push(if at == 0 { "SELECT * FROM (" } else { " UNION ALL SELECT * FROM (" });
            let mut pieces = sql.split('$');
            query.push(pieces.next().unwrap_or_default());
            for piece in pieces {
                let (number, rest) = piece.split_at_checked(1).unwrap_or_default();
                match number {
                    "1" => query.push_bind(now.micros()),
                    "2" => query.push_bind(limit(share)),
                    _ => query.push_bind(account.0),
                };
                query.push(rest);
            }
            query.push(") AS of_account");
        }
        query.push(") AS due LIMIT ").push_bind(limit(most));
        query.build_query_as().fetch_all(&mut **c).await?
    }))
}

async fn hold(mut db: Db<'_>, sql: &'static str, until: Timestamp, ids: &[(Uuid, Uuid)]) -> Result<()> {
    let mut between = between_parameters(sql);
    let mut next = || between.next().unwrap_or_default();
    let (set, condition, and, end) = (next(), next(), next(), next());
    for part in in_few_sizes(ids) {
        on!(&mut db, c => {
            let mut query = QueryBuilder::new(set);
            query.push_bind(until.micros());
            for (at, (account, id)) in part.iter().enumerate() {
                query.push(if at == 0 { condition } else { " OR (account_id = " });
                query.push_bind(*account).push(and).push_bind(*id).push(end);
            }
            query.build().execute(&mut **c).await?;
        });
    }
    Ok(())
}
