//! The queues of a merchant's staff: how many rows wait, and since when. A count reads at most as many rows as it shows.

use crate::engine::{Db, Result, time_limit::in_time};
use domain::{
    AccountId, Timestamp, UserId,
    returning::{FoundParcelStatus, ProposalKind, ReturnOrderStatus},
    stage::{QueuePart, StageName},
    withdrawal::WithdrawalStatus,
};
use sqlx::AssertSqlSafe;

statements! {
    in queues;
    /// Reads the index alone. A row of the previous version has no age until the next housekeeping: it counts as old.
    COUNT_PART = "SELECT COUNT(*) AS read, COUNT(*) AS waiting, MIN(waiting_since) AS oldest,
        COUNT(*) FILTER (WHERE waiting_since < $4) AS over_target
        FROM (SELECT stage_since AS waiting_since FROM return_requests
         WHERE account_id = $1 AND stage = $2 AND COALESCE(stage_since, 0) < $3 ORDER BY staged LIMIT $5) AS first";
    /// Only requests whose parcels have not changed since `$5`. Reads two indexes alone; the stage is a word of the statement, so
    /// that SQLite takes the one that has no other stages.
    COUNT_SILENT_PART = "SELECT COUNT(*), COUNT(*) FILTER (WHERE silent = 1),
        MIN(waiting_since) FILTER (WHERE silent = 1), COUNT(*) FILTER (WHERE silent = 1 AND waiting_since < $3)
        FROM (SELECT stage_since AS waiting_since, CASE WHEN (SELECT COUNT(*) FROM shipments p
          WHERE p.account_id = $1 AND p.return_order_id = r.return_order_id AND p.updated_at >= $5) > 0 THEN 0 ELSE 1 END AS silent
         FROM return_requests r
         WHERE r.account_id = $1 AND r.stage = 'Shipment: In Transit' AND COALESCE(r.stage_since, 0) < $2 ORDER BY r.staged LIMIT $4) AS first";
    /// Of each kind the first ones, so that no more rows are read than counted.
    COUNT_PROPOSALS = "SELECT COUNT(*), COUNT(*), MIN(waiting_since),
        COUNT(*) FILTER (WHERE waiting_since < $3)
        FROM (SELECT proposed_at AS waiting_since FROM return_requests
         WHERE account_id = $1 AND proposal_kind = $2 ORDER BY seq LIMIT $4) AS first";
    COUNT_WITHDRAWN = "SELECT COUNT(*), COUNT(*), MIN(waiting_since),
        COUNT(*) FILTER (WHERE waiting_since < $3)
        FROM (SELECT created_at AS waiting_since FROM withdrawals
         WHERE account_id = $1 AND status = $2 ORDER BY seq LIMIT $4) AS first";
    COUNT_FOUND_PARCELS = "SELECT COUNT(*), COUNT(*), MIN(waiting_since),
        COUNT(*) FILTER (WHERE waiting_since < $3)
        FROM (SELECT created_at AS waiting_since FROM found_parcels
         WHERE account_id = $1 AND status = $2 ORDER BY seq LIMIT $4) AS first";
    COUNT_FLAGGED = "SELECT COUNT(*) FROM (SELECT 1 AS one FROM return_orders
        WHERE account_id = $1 AND status IN ($2, $3, $4) AND flags <> '[]' LIMIT $5) AS first";
    COUNT_ASSIGNED = "SELECT COUNT(*) FROM (SELECT 1 AS one FROM return_orders
        WHERE account_id = $1 AND status IN ($2, $3, $4) AND assignee_id = $6 LIMIT $5) AS first";
}

/// [`COUNT_PART`] for many parts, as Postgres gets it: a stage, a time before which requests entered it, and a target each.
const COUNT_PARTS: &str =
    "SELECT counted.* FROM UNNEST((SELECT $2::text[]), (SELECT $3::bigint[]), (SELECT $4::bigint[]))
    WITH ORDINALITY AS part (stage, entered_before, target, number) CROSS JOIN LATERAL (";

/// The rows of a queue, counted up to a limit, the longest waiting first.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Waiting {
    /// How many rows wait.
    pub rows: i64,
    /// Whether there may be more.
    pub is_capped: bool,
    /// Since when the oldest of them waits.
    pub oldest: Option<Timestamp>,
    /// How many of them wait longer than the target.
    pub over_target: i64,
}

impl Waiting {
    /// Of the rows of both, counted up to `most`.
    #[must_use]
    pub fn and(self, other: Self, most: i64) -> Self {
        let rows = self.rows + other.rows;
        Self {
            rows: rows.min(most),
            is_capped: self.is_capped || other.is_capped || rows > most,
            oldest: [self.oldest, other.oldest].into_iter().flatten().min(),
            over_target: (self.over_target + other.over_target).min(most),
        }
    }

    fn of((read, rows, oldest, over_target): CountedRow, most: i64) -> Self {
        let nothing = Self::default();
        let oldest = oldest.map(Timestamp::from_micros);
        nothing.and(Self { rows, is_capped: read > most, oldest, over_target }, most)
    }

    /// Of rows that wait for nothing in particular.
    fn of_number(rows: i64, most: i64) -> Self {
        Self::default().and(Self { rows, ..Self::default() }, most)
    }
}

/// The rows that were read, those that wait, the oldest time and those over the target.
type CountedRow = (i64, i64, Option<i64>, i64);

/// The requests of a part of a queue. Those that wait since before the target are over it.
#[derive(Debug, Clone, Copy)]
pub struct CountedPart {
    /// The part.
    pub part: QueuePart,
    /// The target; `None`: there is none.
    pub target: Option<Timestamp>,
}

impl CountedPart {
    fn entered_before(&self) -> i64 {
        self.part.entered_before.map_or(i64::MAX, Timestamp::micros)
    }

    fn target(&self) -> i64 {
        self.target.map_or(i64::MIN, Timestamp::micros)
    }
}

/// Counts the requests of each part up to `most`.
pub async fn count_parts(mut db: Db<'_>, account: AccountId, parts: &[CountedPart], most: i64) -> Result<Vec<Waiting>> {
    let silent = |part: &CountedPart| Some((part.part.stage, part.part.without_news_since?));
    if let Some(connection) = db.counts_in_one_statement()
        && parts.iter().all(|part| silent(part).is_none())
    {
        let of_one =
            COUNT_PART.replace("$2", "part.stage").replace("$3", "part.entered_before").replace("$4", "part.target");
        let sql = AssertSqlSafe(format!("{COUNT_PARTS}{of_one} OFFSET 0) AS counted ORDER BY part.number"));
        let stages: Vec<&str> = parts.iter().map(|part| part.part.stage.as_str()).collect();
        let entered: Vec<i64> = parts.iter().map(CountedPart::entered_before).collect();
        let targets: Vec<i64> = parts.iter().map(CountedPart::target).collect();
        let query = sqlx::query_as(sql).bind(account.0).bind(stages).bind(entered).bind(targets).bind(most + 1);
        let rows: Vec<CountedRow> = in_time(async { Ok(query.fetch_all(connection).await?) }).await?;
        return Ok(rows.into_iter().map(|row| Waiting::of(row, most)).collect());
    }
    let mut counted = Vec::with_capacity(parts.len());
    for part in parts {
        let row: CountedRow = on!(&mut db, c => match silent(part) {
            Some((StageName::ShipmentInTransit, since)) => sqlx::query_as(COUNT_SILENT_PART)
                .bind(account.0)
                .bind(part.entered_before())
                .bind(part.target())
                .bind(most + 1)
                .bind(since.micros())
                .fetch_one(&mut **c).await?,
            _ => sqlx::query_as(COUNT_PART)
                .bind(account.0)
                .bind(part.part.stage.as_str())
                .bind(part.entered_before())
                .bind(part.target())
                .bind(most + 1)
                .fetch_one(&mut **c).await?,
        });
        counted.push(Waiting::of(row, most));
    }
    Ok(counted)
}

/// Counts the return requests with a proposal.
pub async fn count_proposals(
    mut db: Db<'_>,
    account: AccountId,
    target: Option<Timestamp>,
    most: i64,
) -> Result<Waiting> {
    let target = target.map_or(i64::MIN, Timestamp::micros);
    let mut all = Waiting::default();
    for kind in ProposalKind::all() {
        let row: CountedRow = on!(&mut db, c => sqlx::query_as(COUNT_PROPOSALS)
            .bind(account.0)
            .bind(kind.name())
            .bind(target)
            .bind(most + 1)
            .fetch_one(&mut **c).await?);
        all = all.and(Waiting::of(row, most), most);
    }
    Ok(all)
}

/// Counts the withdrawals that nobody has dealt with.
pub async fn count_withdrawn(
    mut db: Db<'_>,
    account: AccountId,
    target: Option<Timestamp>,
    most: i64,
) -> Result<Waiting> {
    let target = target.map_or(i64::MIN, Timestamp::micros);
    let mut all = Waiting::default();
    for status in [WithdrawalStatus::Received, WithdrawalStatus::OrderFound] {
        let row: CountedRow = on!(&mut db, c => sqlx::query_as(COUNT_WITHDRAWN)
            .bind(account.0)
            .bind(status.name())
            .bind(target)
            .bind(most + 1)
            .fetch_one(&mut **c).await?);
        all = all.and(Waiting::of(row, most), most);
    }
    Ok(all)
}

/// Counts the parcels without papers that belong to no return yet.
pub async fn count_found_parcels(
    mut db: Db<'_>,
    account: AccountId,
    target: Option<Timestamp>,
    most: i64,
) -> Result<Waiting> {
    let row: CountedRow = on!(&mut db, c => sqlx::query_as(COUNT_FOUND_PARCELS)
        .bind(account.0)
        .bind(FoundParcelStatus::Open.name())
        .bind(target.map_or(i64::MIN, Timestamp::micros))
        .bind(most + 1)
        .fetch_one(&mut **c).await?);
    Ok(Waiting::of(row, most))
}

/// Counts the return orders in progress that have a flag.
pub async fn count_flagged(mut db: Db<'_>, account: AccountId, most: i64) -> Result<Waiting> {
    let [first, second, third] = ReturnOrderStatus::IN_PROGRESS.map(ReturnOrderStatus::name);
    let rows: i64 = on!(&mut db, c => sqlx::query_scalar(COUNT_FLAGGED)
        .bind(account.0)
        .bind(first)
        .bind(second)
        .bind(third)
        .bind(most + 1)
        .fetch_one(&mut **c).await?);
    Ok(Waiting::of_number(rows, most))
}

/// Counts the return orders in progress that a user has.
pub async fn count_assigned(mut db: Db<'_>, account: AccountId, assignee: UserId, most: i64) -> Result<Waiting> {
    let [first, second, third] = ReturnOrderStatus::IN_PROGRESS.map(ReturnOrderStatus::name);
    let rows: i64 = on!(&mut db, c => sqlx::query_scalar(COUNT_ASSIGNED)
        .bind(account.0)
        .bind(first)
        .bind(second)
        .bind(third)
        .bind(most + 1)
        .bind(assignee.0)
        .fetch_one(&mut **c).await?);
    Ok(Waiting::of_number(rows, most))
}
