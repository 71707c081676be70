//! Return requests.

use super::{evidence::EvidenceFile, proposal::Proposal};
use crate::{
    base::{
        id::{ConsumerId, PurchaseId, ReturnOrderId, ReturnReasonId, ReturnRequestId},
        timestamp::Timestamp,
    },
    money::{Currency, Money},
    order::{ExchangeOption, Product},
    policy::{Resolution, question::QuestionAnswer},
    stage,
};

/// A return request: one purchase within a return order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReturnRequest {
    /// Identifier.
    pub id: ReturnRequestId,
    /// Its return order.
    pub return_order_id: ReturnOrderId,
    /// The number of the return order.
    pub return_number: String,
    /// The consumer whose request it is.
    pub consumer_id: ConsumerId,
    /// The returned purchase.
    pub purchase_id: PurchaseId,
    /// The shop's own id of the purchase.
    pub purchase_external_id: String,
    /// The number of the sales order.
    pub purchase_order_number: String,
    /// The return reason.
    pub return_reason_id: ReturnReasonId,
    /// A comment in the consumer's words; may be empty.
    pub return_reason_comment: String,
    /// The answers to the reason's questions.
    pub answers: Vec<QuestionAnswer>,
    /// The requested resolution.
    pub requested_resolution: Resolution,
    /// For an exchange: the item to send; `None` if staff decide.
    pub exchange_for: Option<ExchangeOption>,
    /// The number of units.
    pub quantity: u32,
    /// The price of the units.
    pub purchase_price: Money,
    /// The amount given for it, less its share of the fees, minor units: its lines of the return's costs.
    pub resolution_value: i64,
    /// The part cut from that because no more is left of the payment for the order, minor units.
    pub refund_limit: i64,
    /// What staff added to its value, or took off, minor units.
    pub adjustment: i64,
    /// What an agent asks others to approve about it; `None`: nothing.
    pub proposal: Option<Proposal>,
    /// The product, as it was when the return was made.
    pub product: Product,
    /// The state of the request.
    pub state: stage::RequestState,
    /// Its photos and documents, oldest first.
    pub evidence: Vec<EvidenceFile>,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it entered its present stage.
    pub stage_since: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// A version counter, from 1.
    pub version: i64,
}

impl ReturnRequest {
    /// The currency of its amounts.
    pub fn currency(&self) -> Currency {
        self.purchase_price.currency
    }
}
