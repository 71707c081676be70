//! Return requests: one purchase each.

use super::evidence::EvidenceFile;
use crate::{
    base::{
        id::{ConsumerId, PurchaseId, ReturnOrderId, ReturnReasonId, ReturnRequestId},
        timestamp::Timestamp,
    },
    money::{Currency, Money},
    order::{ExchangeOption, Product},
    policy::{Resolution, question::Answer},
    stage,
};

/// One purchase within a return order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReturnRequest {
    /// Identifier.
    pub id: ReturnRequestId,
    /// What it belongs to.
    pub return_order_id: ReturnOrderId,
    /// Whose.
    pub consumer_id: ConsumerId,
    /// What goes back.
    pub purchase_id: PurchaseId,
    /// The shop's own id of it.
    pub purchase_external_id: String,
    /// The sales order it was bought in.
    pub purchase_order_number: String,
    /// Why it goes back.
    pub return_reason_id: ReturnReasonId,
    /// In the consumer's words; may be empty.
    pub return_reason_comment: String,
    /// What they answered to the reason's questions.
    pub answers: Vec<Answer>,
    /// What for.
    pub requested_resolution: Resolution,
    /// With an exchange: what is to be sent in its place; `None` where people see to that.
    pub exchange_for: Option<ExchangeOption>,
    /// Units.
    pub quantity: u32,
    /// What they cost.
    pub purchase_price: Money,
    /// What is given for it, less its share of the fees, minor units: its lines of the return's costs.
    pub resolution_value: i64,
    /// What is missing from that because no more is left of what was paid for the order, minor units.
    pub refund_limit: i64,
    /// What it is, as it was then.
    pub product: Product,
    /// Where it stands.
    pub state: stage::Request,
    /// Photos and papers that were added to it, oldest first.
    pub evidence: Vec<EvidenceFile>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// Counts changes, from 1.
    pub version: i64,
}

impl ReturnRequest {
    /// What its amounts are in.
    pub fn currency(&self) -> Currency {
        self.purchase_price.currency
    }
}
