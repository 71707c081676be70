//! Changes of many return requests, which run in steps.

use crate::engine::{
    Db, Result,
    stored::{count, from_json, to_json},
};
use domain::{
    AccountId, BulkRunId, Timestamp,
    returning::{BatchOutcome, BulkChange, BulkItem, BulkResult},
};
use uuid::Uuid;

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT id, owner_id, change, items, results, total, done, failed, leased_until, created_at, updated_at \
             FROM bulk_runs ",
            $rest
        )
    };
}

statements! {
    in bulk_runs;
    INSERT = "INSERT INTO bulk_runs (account_id, id, owner_id, change, items, results, total, done, failed,
        leased_until, created_at, updated_at) VALUES ($1, $2, $3, $4, $5, '[]', $6, 0, 0, 0, $7, $7)";
    FIND = select!("WHERE account_id = $1 AND id = $2 AND owner_id = $3");
    /// Without the items and their results.
    LIST_NEWEST = "SELECT id, owner_id, change, '[]' AS items, '[]' AS results, total, done, failed, leased_until,
        created_at, updated_at FROM bulk_runs WHERE account_id = $1 AND owner_id = $2 ORDER BY created_at DESC LIMIT $3";
    /// Of several instances, one gets the next step.
    CLAIM = "UPDATE bulk_runs SET leased_until = $4
        WHERE account_id = $1 AND id = $2 AND done < total AND leased_until <= $3";
    /// Only by the instance that still has the step.
    RECORD = "UPDATE bulk_runs SET results = $5, done = $6, failed = $7, change = $8, leased_until = 0, updated_at = $9
        WHERE account_id = $1 AND id = $2 AND done = $3 AND leased_until = $4";
    PRUNE = "DELETE FROM bulk_runs WHERE (account_id, id) IN
        (SELECT account_id, id FROM bulk_runs WHERE created_at < $1 ORDER BY created_at LIMIT 100)";
}

/// A change of many return requests.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BulkRun {
    pub id: BulkRunId,
    /// The user or service user who started it; nil for the operator.
    pub owner_id: Uuid,
    pub change: BulkChange,
    pub items: Vec<BulkItem>,
    /// The results of the first items.
    pub results: Vec<BulkResult>,
    /// The number of items, also where they are not read.
    pub total: u32,
    /// The number of results, likewise.
    pub done: u32,
    /// The number of items that were not changed, likewise.
    pub failed: u32,
    /// Until when an instance works on it.
    pub leased_until: Timestamp,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

#[derive(sqlx::FromRow)]
struct BulkRunRow {
    id: Uuid,
    owner_id: Uuid,
    change: String,
    items: String,
    results: String,
    total: i64,
    done: i64,
    failed: i64,
    leased_until: i64,
    created_at: i64,
    updated_at: i64,
}

impl BulkRunRow {
    fn bulk_run(self) -> Result<BulkRun> {
        Ok(BulkRun {
            id: BulkRunId(self.id),
            owner_id: self.owner_id,
            change: from_json("bulk_runs.change", &self.change)?,
            items: from_json("bulk_runs.items", &self.items)?,
            results: from_json("bulk_runs.results", &self.results)?,
            total: count("bulk_runs.total", self.total)?,
            done: count("bulk_runs.done", self.done)?,
            failed: count("bulk_runs.failed", self.failed)?,
            leased_until: Timestamp::from_micros(self.leased_until),
            created_at: Timestamp::from_micros(self.created_at),
            updated_at: Timestamp::from_micros(self.updated_at),
        })
    }
}

/// Inserts a run without results.
pub async fn insert(mut db: Db<'_>, account: AccountId, run: &BulkRun) -> Result<()> {
    execute!(
        db,
        sqlx::query(INSERT)
            .bind(account.0)
            .bind(run.id.0)
            .bind(run.owner_id)
            .bind(to_json(&run.change))
            .bind(to_json(&run.items))
            .bind(i64::from(run.total))
            .bind(run.created_at.micros())
    );
    Ok(())
}

/// The run of that id, if this owner started it.
pub async fn find(mut db: Db<'_>, account: AccountId, id: BulkRunId, owner: Uuid) -> Result<Option<BulkRun>> {
    let row: Option<BulkRunRow> = on!(&mut db, c => sqlx::query_as(FIND)
        .bind(account.0)
        .bind(id.0)
        .bind(owner)
        .fetch_optional(&mut **c).await?);
    row.map(BulkRunRow::bulk_run).transpose()
}

/// An owner's newest runs, the newest first, without items and results.
pub async fn list_newest(mut db: Db<'_>, account: AccountId, owner: Uuid, most: i64) -> Result<Vec<BulkRun>> {
    let rows: Vec<BulkRunRow> = on!(&mut db, c => sqlx::query_as(LIST_NEWEST)
        .bind(account.0)
        .bind(owner)
        .bind(most)
        .fetch_all(&mut **c).await?);
    rows.into_iter().map(BulkRunRow::bulk_run).collect()
}

/// Claims the next step of a run until a moment; `false` if all items have results, or another instance has the step.
pub async fn claim(
    mut db: Db<'_>,
    account: AccountId,
    id: BulkRunId,
    now: Timestamp,
    until: Timestamp,
) -> Result<bool> {
    let rows = execute!(db, sqlx::query(CLAIM).bind(account.0).bind(id.0).bind(now.micros()).bind(until.micros()));
    Ok(rows == 1)
}

/// Records the results of a step. `run`: as it was claimed, with `leased_until`. `false` if another instance has taken
/// the step over.
pub async fn record(
    mut db: Db<'_>,
    account: AccountId,
    run: &BulkRun,
    change: &BulkChange,
    results: &[BulkResult],
    now: Timestamp,
) -> Result<bool> {
    let failed = results.iter().filter(|result| result.outcome != BatchOutcome::Done).count();
    let number = |count: usize| i64::try_from(count).unwrap_or(i64::MAX);
    let rows = execute!(
        db,
        sqlx::query(RECORD)
            .bind(account.0)
            .bind(run.id.0)
            .bind(i64::from(run.done))
            .bind(run.leased_until.micros())
            .bind(to_json(&results))
            .bind(number(results.len()))
            .bind(number(failed))
            .bind(to_json(change))
            .bind(now.micros())
    );
    Ok(rows == 1)
}

/// Deletes some runs of every account that began before a moment; returns how many.
pub async fn prune(mut db: Db<'_>, before: Timestamp) -> Result<u64> {
    Ok(execute!(db, sqlx::query(PRUNE).bind(before.micros())))
}
