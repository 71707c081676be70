//! Changes of many return requests, as the API shows them.

use crate::base::Staff;
use domain::{
    BulkRunId, Money, RefusalCode, ReturnOrderId, ReturnRequestId, Timestamp,
    returning::{BatchOutcome, BulkAction, ReturnRequest},
    stage::StageName,
};
use schemars::JsonSchema;
use serde::Serialize;
use store::bulk_runs;

/// A change of many return requests, and how far it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct BulkRun {
    /// Unique identifier of the run.
    pub id: BulkRunId,
    /// What it does to each of its return requests.
    pub action: BulkAction,
    /// The number of its return requests.
    pub total: u32,
    /// The number of those that have a result.
    pub done: u32,
    /// The number of those that were not changed.
    pub failed: u32,
    /// Whether an instance works on it now.
    pub is_running: bool,
    /// Whether it can be continued: it has items without a result, and began less than 23 hours ago.
    pub can_continue: bool,
    /// A result for each of its return requests that has one, in their order. Absent in lists.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub results: Option<Vec<BulkRunResult>>,
    /// When the run began.
    pub created_at: Timestamp,
    /// When its progress was last recorded.
    pub updated_at: Timestamp,
}

/// The result of a bulk run for one return request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct BulkRunResult {
    /// The return request.
    pub return_request_id: ReturnRequestId,
    /// Whether it was changed.
    pub outcome: BatchOutcome,
    /// Why a rule refused the change, for programs; `null`: no rule did.
    pub code: Option<RefusalCode>,
    /// Why it was not changed, as a sentence for people; `null`: it was, or `outcome` says all.
    pub message: Option<String>,
}

impl BulkRun {
    pub(crate) fn new(run: bulk_runs::BulkRun, now: Timestamp, can_continue: bool) -> Self {
        let results = run.items.iter().zip(run.results).map(|(item, result)| BulkRunResult {
            return_request_id: item.return_request_id,
            outcome: result.outcome,
            code: result.code,
            message: result.message,
        });
        Self {
            id: run.id,
            action: run.change.action,
            total: run.total,
            done: run.done,
            failed: run.failed,
            is_running: run.leased_until > now,
            can_continue,
            results: Some(results.collect()),
            created_at: run.created_at,
            updated_at: run.updated_at,
        }
    }
}

/// What a bulk run would do to one return request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct BulkPlanItem {
    /// The return request.
    pub return_request_id: ReturnRequestId,
    /// Its return order.
    pub return_order_id: ReturnOrderId,
    /// The number of the return order.
    pub return_number: String,
    /// The name of the product; its SKU, if it has no name.
    pub product_name: String,
    /// The stage that the return request is in.
    pub stage: StageName,
    /// The value of its resolution. Absent for staff who see no amounts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<Money>,
    /// Why the action cannot change it now; `null`: it can.
    pub obstacle: Option<BulkObstacle>,
}

impl BulkPlanItem {
    pub(crate) fn new(request: ReturnRequest, obstacle: Option<BulkObstacle>, staff: &Staff) -> Self {
        let value = Money::new(request.resolution_value, request.currency());
        let product = request.product;
        Self {
            return_request_id: request.id,
            return_order_id: request.return_order_id,
            return_number: request.return_number,
            product_name: if product.name.is_empty() { product.sku } else { product.name },
            stage: request.state.stage.name(),
            value: staff.sees_money().then_some(value),
            obstacle,
        }
    }
}

/// Why a bulk run cannot change a return request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
pub enum BulkObstacle {
    /// Its stage does not allow the action.
    Stage,
    /// Its return order is left out of such changes (`leaveOutOfBulk`).
    LeftOut,
    /// The caller lacks the scope for it.
    Forbidden,
    /// Its value is above the policy's `agentLimit`.
    AgentLimit,
    /// All of its units are counted.
    AllCounted,
}
