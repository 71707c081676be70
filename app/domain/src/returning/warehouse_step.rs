//! What the warehouse recorded, with the request before and after, so that it can be taken back.

use crate::{
    base::{
        id::{ReceivingId, ReturnOrderId, ReturnRequestId, WarehouseStepId},
        timestamp::Timestamp,
    },
    costs::CostBreakdown,
    stage::RequestState,
};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// A receipt or an inspection of a return request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WarehouseStep {
    /// Identifier.
    pub id: WarehouseStepId,
    /// The return order of the request.
    pub return_order_id: ReturnOrderId,
    /// The request.
    pub return_request_id: ReturnRequestId,
    /// The parcel that it was counted with; `None` if the request was recorded alone.
    pub receiving_id: Option<ReceivingId>,
    /// What was recorded.
    pub kind: WarehouseStepKind,
    /// The reference of the receipt; empty for an inspection.
    pub external_reference: String,
    /// The units that arrived.
    pub units: u32,
    /// The units that were refused.
    pub refused: u32,
    /// The request before.
    pub before: RequestSnapshot,
    /// The request after.
    pub after: RequestSnapshot,
    /// The user or program that recorded it; `None` for the operator.
    pub actor_id: Option<Uuid>,
    /// When it was recorded.
    pub created_at: Timestamp,
}

named_enum! {
    /// What a step of the warehouse recorded.
    WarehouseStepKind {
        /// Units that arrived, with their inspection if there was one.
        Receipt,
        /// An inspection of units that had arrived before.
        Inspection,
    }
}

/// A return request at one moment. Stored as JSON.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RequestSnapshot {
    /// Its state.
    pub state: RequestState,
    /// The amount given for it, in minor units.
    pub resolution_value: i64,
    /// The part cut from that, in minor units.
    pub refund_limit: i64,
    /// The costs of its return order; `None` if the step did not change them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub costs: Option<CostBreakdown>,
}
