//! Sums over the return requests of a time.

use crate::engine::{
    Db, Result,
    stored::{from_json, named},
};
use domain::{AccountId, Currency, PurchaseId, Timestamp, costs::CostBreakdown, policy::Resolution};
use uuid::Uuid;

/// Selects from the requests that were completed from `$2` to before `$3`: a part of the index `return_requests_completed`.
macro_rules! select_completed {
    ($columns:literal, $rest:literal) => {
        concat!(
            "SELECT ",
            $columns,
            " FROM return_requests r WHERE r.account_id = $1 AND r.stage = 'Resolution: Completed'
             AND r.stage_since >= $2 AND r.stage_since < $3 ",
            $rest
        )
    };
}

statements! {
    in figures;
    SUM_RECEIVED = "SELECT CAST(COALESCE(SUM(units), 0) AS BIGINT) FROM receipts
        WHERE account_id = $1 AND at >= $2 AND at < $3";
    SUM_COMPLETED = select_completed!(
        "r.currency, r.requested_resolution, COUNT(*), CAST(SUM(r.resolution_value) AS BIGINT), CAST(SUM(r.value) AS BIGINT)",
        "GROUP BY r.currency, r.requested_resolution"
    );
    LIST_TIMES = select_completed!(
        "r.stage_since - r.created_at AS took",
        "ORDER BY took LIMIT $4 OFFSET $5"
    );
    /// The costs are `NULL` where they have no bonus: most have none, and costs are long.
    LIST_CREDIT_COSTS = select_completed!(
        "r.purchase_id, (SELECT w.cost_breakdown FROM return_orders w
          WHERE w.account_id = r.account_id AND w.id = r.return_order_id
           AND w.cost_breakdown LIKE '%StoreCreditBonus%') AS cost_breakdown",
        "AND r.requested_resolution = 'StoreCredit'"
    );
}

/// A time: from a moment to before another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Period {
    pub from: Timestamp,
    pub to: Timestamp,
}

/// Completed requests of one currency and resolution.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Completed {
    pub currency: Currency,
    pub resolution: Resolution,
    pub requests: i64,
    /// The sum of what they gave, minor units.
    pub given: i64,
    /// The sum of what their units had cost, minor units.
    pub value: i64,
}

/// What the requests of a time add up to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PeriodSums {
    pub received_units: i64,
    pub completed: Vec<Completed>,
    /// The bonuses of store credit, by currency, minor units.
    pub bonuses: Vec<(Currency, i64)>,
    /// The time in the middle from creation to completion, seconds.
    pub median_seconds: Option<i64>,
}

/// The units that arrived.
pub async fn received_units(mut db: Db<'_>, account: AccountId, period: Period) -> Result<i64> {
    Ok(on!(&mut db, c => sqlx::query_scalar(SUM_RECEIVED)
        .bind(account.0)
        .bind(period.from.micros())
        .bind(period.to.micros())
        .fetch_one(&mut **c).await?))
}

/// The requests that were completed, by currency and resolution.
pub async fn completed(mut db: Db<'_>, account: AccountId, period: Period) -> Result<Vec<Completed>> {
    let rows: Vec<(String, String, i64, i64, i64)> = on!(&mut db, c => sqlx::query_as(SUM_COMPLETED)
        .bind(account.0)
        .bind(period.from.micros())
        .bind(period.to.micros())
        .fetch_all(&mut **c).await?);
    let completed = |(currency, resolution, requests, given, value): (String, String, i64, i64, i64)| {
        Ok(Completed {
            currency: named("return_requests.currency", Currency::from_code(&currency))?,
            resolution: named("return_requests.requested_resolution", Resolution::from_name(&resolution))?,
            requests,
            given,
            value,
        })
    };
    rows.into_iter().map(completed).collect()
}

/// Times from creation to completion, the shortest first, in microseconds: at most `most` after the first `skipped`.
pub async fn total_times(
    mut db: Db<'_>,
    account: AccountId,
    period: Period,
    most: i64,
    skipped: i64,
) -> Result<Vec<i64>> {
    Ok(on!(&mut db, c => sqlx::query_scalar(LIST_TIMES)
        .bind(account.0)
        .bind(period.from.micros())
        .bind(period.to.micros())
        .bind(most)
        .bind(skipped)
        .fetch_all(&mut **c).await?))
}

/// The costs of the returns with store credit that was given with a bonus, each with its purchase.
pub async fn credit_costs(
    mut db: Db<'_>,
    account: AccountId,
    period: Period,
) -> Result<Vec<(PurchaseId, CostBreakdown)>> {
    let rows: Vec<(Uuid, Option<String>)> = on!(&mut db, c => sqlx::query_as(LIST_CREDIT_COSTS)
        .bind(account.0)
        .bind(period.from.micros())
        .bind(period.to.micros())
        .fetch_all(&mut **c).await?);
    let with_bonus = rows.into_iter().filter_map(|(purchase, costs)| Some((purchase, costs?)));
    let costs = |(purchase, costs): (Uuid, String)| {
        Ok((PurchaseId(purchase), from_json("return_orders.cost_breakdown", &costs)?))
    };
    with_bonus.map(costs).collect()
}
