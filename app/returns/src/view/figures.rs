//! Figures about the returns of a time, as the API shows them.

use domain::{Currency, Money, Timestamp};
use schemars::JsonSchema;
use serde::Serialize;

/// The figures of the last 28 days and of the 28 days before.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FiguresSummary {
    /// The account's time zone, in which days begin and end.
    #[schemars(extend("examples" = ["Europe/Berlin"]))]
    pub time_zone: String,
    /// The last 28 days, with today.
    pub current: PeriodFigures,
    /// The 28 days before.
    pub previous: PeriodFigures,
}

/// The figures of a time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PeriodFigures {
    /// The first moment of the time.
    pub from: Timestamp,
    /// The moment after the time.
    pub to: Timestamp,
    /// The number of units that arrived.
    #[schemars(range(min = 0))]
    pub received_units: i64,
    /// The number of return requests that were completed.
    #[schemars(range(min = 0))]
    pub completed: i64,
    /// What the completed return requests gave, by currency. Amounts of different currencies are never added.
    pub amounts: Vec<FigureAmounts>,
    /// The median time from the creation of a return request to its completion, in seconds; `null`: none was completed.
    #[schemars(range(min = 0))]
    pub median_total_seconds: Option<i64>,
    /// The filters of the list `return-requests` that find the completed return requests.
    #[schemars(extend("examples" = [["stage:Resolution: Completed"]]))]
    pub completed_filters: Vec<String>,
}

/// What completed return requests gave in one currency.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FigureAmounts {
    /// The currency of the amounts.
    pub currency: Currency,
    /// What was refunded in money.
    pub refunded: Money,
    /// What the shop kept: store credit without its bonus, and what exchanged units had cost.
    pub kept: Money,
    /// The share of `kept` in both, in whole percent; `null`: nothing was given.
    #[schemars(range(min = 0, max = 100))]
    pub kept_percent: Option<i64>,
}
