//! The queues of a merchant's staff, as the API shows them.

use domain::{Timestamp, stage::Queue};
use schemars::JsonSchema;
use serde::Serialize;
use store::queues::Waiting;

/// A queue of the merchant's staff: what waits for a person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "QueueCount")]
pub struct QueueView {
    /// The name of the queue.
    pub queue: Queue,
    /// The number of rows that wait.
    #[schemars(range(min = 0))]
    pub count: i64,
    /// Whether there may be more: counting ends at 1,000 rows.
    pub is_capped: bool,
    /// Since when the oldest of them waits; `null`: nothing waits, or the queue has no order.
    pub oldest_since: Option<Timestamp>,
    /// The number of rows that wait longer than the target.
    #[schemars(range(min = 0))]
    pub over_target: i64,
    /// The target in working hours, as `policy.queueTargets` has it; `null`: none.
    pub target_hours: Option<u32>,
    /// The list that has the rows, as in its path.
    #[schemars(extend("examples" = ["return-requests"]))]
    pub list: &'static str,
    /// The filters of that list that find the rows.
    #[schemars(extend("examples" = [["queue:ToDecide"]]))]
    pub filters: Vec<String>,
}

impl QueueView {
    pub(crate) fn new(
        queue: Queue,
        waiting: Waiting,
        target_hours: Option<u32>,
        list: &'static str,
        filters: Vec<String>,
    ) -> Self {
        let Waiting { rows, is_capped, oldest, over_target } = waiting;
        Self { queue, count: rows, is_capped, oldest_since: oldest, over_target, target_hours, list, filters }
    }
}
