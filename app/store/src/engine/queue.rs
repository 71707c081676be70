//! Tables of tasks that the workers of every instance share: a worker claims due tasks with a lease, fairly among
//! accounts.
//!
//! Such a table has `due_at` (NULL: waits for a person or an event), `held_until` (the end of the lease) and `seq`.

use super::{batches::in_few_sizes, db::Db, error::Result, template::SqlTemplate, time_limit::in_time};
use domain::{AccountId, Timestamp};
use sqlx::{FromRow, PgConnection, QueryBuilder, postgres::PgRow, sqlite::SqliteRow};
use uuid::Uuid;

/// How many due tasks are read to learn which accounts have some: twice what a worker starts at a time; then more.
const TASKS_READ: [usize; 2] = [64, 512];

/// Whether these accounts, each with a number of due tasks, suffice for a worker: then it looks for no others.
pub type IsEnough<'a> = &'a (dyn Fn(&[(AccountId, usize)]) -> bool + Sync);

/// How many tasks each account gets at most, and how many a worker claims in all. The accounts keep this order, and
/// each has a due task.
pub type Shares<'a> = (&'a [(AccountId, usize)], usize);

/// The accounts of the first `$2` due tasks, the longest due first, with the number of tasks read of each. An optional
/// condition restricts the rows `s`.
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

/// All accounts with a due task, the longest due first. Steps through the index from one account to the next, so that
/// the number of tasks does not matter; visits every account that has a task, due or not. An optional condition
/// restricts the rows `s`.
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

/// Leases the row of the account `$1` and the key `$2` until `$3`. For many rows the condition is repeated.
macro_rules! lease_rows {
    ($table:literal, $key:literal) => {
        concat!("UPDATE ", $table, " SET held_until = $3 WHERE (account_id = $1 AND ", $key, " = $2)")
    };
}

/// A whole claim as one statement of Postgres. Takes the worker's turn, and leases until `$2` tasks that are due by
/// `$1`: of each account in `$3` as many as `$4` says at its place, and `$5` in all. Skips what another transaction has
/// locked since the statement began.
///
/// `LIMIT … * turn.one`: `one` is 1, and no row is read before the turn is taken. `MATERIALIZED`: due tasks are read
/// once. Postgres would otherwise read them again for each row of a table that it believes to be empty, and find others
/// each time.
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

/// Until when a task that is given back stays leased.
#[derive(Debug, Clone, Copy)]
pub enum Lease {
    /// As long as before: the external system may still be executing the request.
    Stays,
    /// Not at all: no request is running.
    Ends,
    /// Until a moment: the external system has said how long the request will run.
    Until(Timestamp),
}

impl Lease {
    /// As it is stored; `None` leaves the stored value.
    pub(crate) fn micros(self) -> Option<i64> {
        match self {
            Self::Stays => None,
            Self::Ends => Some(0),
            Self::Until(at) => Some(at.micros()),
        }
    }
}

/// The statements that find accounts with a due task.
pub(crate) struct Waiting {
    /// Made by `first_waiting_accounts!`: its cost depends on the due tasks that it reads.
    pub first: &'static str,
    /// Made by `waiting_accounts!`: an account with many tasks hides no other. For when more is due than the first
    /// statement reads and the worker has not found enough.
    pub all: &'static str,
}

/// Accounts with a due task that nobody holds, the longest due first.
pub(crate) async fn waiting(
    mut db: Db<'_>,
    waiting: &Waiting,
    now: Timestamp,
    is_enough: IsEnough<'_>,
) -> Result<Vec<AccountId>> {
    for tasks_read in TASKS_READ {
        let first: Vec<(Uuid, i64, i64)> = on!(&mut db, c => sqlx::query_as(waiting.first)
            .bind(now.micros())
            .bind(limit(tasks_read))
            .fetch_all(&mut **c).await?);
        let of_account = |(id, due, _)| (AccountId(id), usize::try_from(due).unwrap_or(0));
        let first: Vec<_> = first.into_iter().map(of_account).collect();
        let is_all = first.iter().map(|(_, due)| due).sum::<usize>() < tasks_read;
        if is_all || is_enough(&first) {
            return Ok(first.into_iter().map(|(id, _)| id).collect());
        }
    }
    let ids: Vec<Uuid> =
        on!(&mut db, c => sqlx::query_scalar(waiting.all).bind(now.micros()).fetch_all(&mut **c).await?);
    Ok(ids.into_iter().map(AccountId).collect())
}

/// The statements that claim tasks of a table.
pub(crate) struct Claiming {
    /// The whole claim in one statement, for Postgres, made by `claim_in_one!`. Without it, or on SQLite, the other
    /// three run.
    pub in_one: Option<&'static str>,
    /// Takes the worker's turn: others that claim wait until the transaction ends.
    pub turn: &'static str,
    /// Tasks that are due by `$1`, at most `$2`, of the account `$3`.
    pub due: &'static str,
    /// made by `lease_rows!`.
    pub lease: &'static str,
}

/// A row that can be claimed.
pub(crate) trait Claimable: for<'r> FromRow<'r, SqliteRow> + for<'r> FromRow<'r, PgRow> + Send + Unpin {
    /// The account and the key.
    fn ids(&self) -> (Uuid, Uuid);
}

/// Which tasks a claim takes, and until when it leases them.
#[derive(Clone, Copy)]
pub(crate) struct Claim<'a> {
    pub now: Timestamp,
    pub until: Timestamp,
    /// At most `most` of them count.
    pub shares: &'a [(AccountId, usize)],
    pub most: usize,
}

impl<'a> Claim<'a> {
    pub fn new(now: Timestamp, until: Timestamp, shares: Shares<'a>) -> Self {
        let (shares, most) = shares;
        Self { now, until, shares: shares.get(..most).unwrap_or(shares), most }
    }
}

/// Claims due tasks: until the lease ends, no other claim gets them.
pub(crate) async fn claim<R: Claimable>(mut db: Db<'_>, claiming: &Claiming, claim: Claim<'_>) -> Result<Vec<R>> {
    if let Some(sql) = claiming.in_one
        && let Some(connection) = db.claims_in_one_statement()
    {
        return in_time(claim_in_one(connection, sql, claim)).await;
    }
    execute!(db, sqlx::query(claiming.turn));
    let rows = due::<R>(db.reborrow(), claiming.due, claim).await?;
    let ids: Vec<(Uuid, Uuid)> = rows.iter().map(Claimable::ids).collect();
    lease(db, claiming.lease, claim.until, &ids).await?;
    Ok(rows)
}

async fn claim_in_one<R: Claimable>(
    connection: &mut PgConnection,
    sql: &'static str,
    claim: Claim<'_>,
) -> Result<Vec<R>> {
    let accounts: Vec<Uuid> = claim.shares.iter().map(|(account, _)| account.0).collect();
    let counts: Vec<i64> = claim.shares.iter().map(|(_, share)| limit(*share)).collect();
    let query = sqlx::query_as(sql)
        .bind(claim.now.micros())
        .bind(claim.until.micros())
        .bind(accounts)
        .bind(counts)
        .bind(limit(claim.most));
    Ok(query.fetch_all(connection).await?)
}

fn limit(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

/// The due tasks of all accounts, by one statement: a `UNION ALL` of one part for each account.
async fn due<R: Claimable>(mut db: Db<'_>, sql: &'static str, claim: Claim<'_>) -> Result<Vec<R>> {
    let Some((last, _)) = claim.shares.last() else { return Ok(Vec::new()) };
    // Padded to a power of two with parts that return nothing, so that the cache holds few statements.
    let padding = std::iter::repeat((*last, 0));
    let parts = claim.shares.iter().copied().chain(padding).take(claim.shares.len().next_power_of_two());
    let template = SqlTemplate::parse(sql);
    Ok(on!(&mut db, c => {
        let mut query = QueryBuilder::new("SELECT * FROM (");
        for (at, (account, share)) in parts.enumerate() {
            query.push(if at == 0 { "SELECT * FROM (" } else { " UNION ALL SELECT * FROM (" });
            template.push_to(&mut query, |query, number| {
                match number {
                    1 => query.push_bind(claim.now.micros()),
                    2 => query.push_bind(limit(share)),
                    _ => query.push_bind(account.0),
                };
            });
            query.push(") AS of_account");
        }
        query.push(") AS due LIMIT ").push_bind(limit(claim.most));
        query.build_query_as().fetch_all(&mut **c).await?
    }))
}

async fn lease(mut db: Db<'_>, sql: &'static str, until: Timestamp, ids: &[(Uuid, Uuid)]) -> Result<()> {
    let (set, condition) = sql.split_once(" WHERE ").unwrap_or((sql, ""));
    let (set, condition) = (SqlTemplate::parse(set), SqlTemplate::parse(condition));
    for part in in_few_sizes(ids) {
        on!(&mut db, c => {
            let mut query = set.query(|query, _| { query.push_bind(until.micros()); });
            for (at, (account, key)) in part.iter().enumerate() {
                query.push(if at == 0 { " WHERE " } else { " OR " });
                condition.push_to(&mut query, |query, number| {
                    query.push_bind(if number == 1 { *account } else { *key });
                });
            }
            query.build().execute(&mut **c).await?;
        });
    }
    Ok(())
}
