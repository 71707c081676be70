//! Drafts: returns that are being put together.

use crate::{
    base::{
        id::{ConsumerId, DraftReturnOrderId, OrderId, PurchaseId, ReturnOrderId, ReturnReasonId, ShippingOptionId},
        timestamp::Timestamp,
    },
    costs::CostBreakdown,
    order::{ExchangeOption, TakenUnits, Units},
    policy::{Resolution, question::Answer, reason::ReasonRules},
    shipping::customs::CustomsFact,
    stage::ReviewReason,
};
use serde::{Deserialize, Serialize};

/// How long a draft holds its figures.
pub const DRAFT_LIFE_HOURS: u32 = 24;

/// A return that is being put together. It holds no units: submitting takes them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DraftReturnOrder {
    /// Identifier.
    pub id: DraftReturnOrderId,
    /// Whose.
    pub consumer_id: ConsumerId,
    /// How far it got.
    pub status: DraftStatus,
    /// The return order that it became, as of when it was read; `None` until it is accepted.
    pub return_order_id: Option<ReturnOrderId>,
    /// What is to go back, each purchase once.
    pub items: Vec<DraftItem>,
    /// How, once that is chosen.
    pub shipping_option_id: Option<ShippingOptionId>,
    /// At what cost.
    pub cost_breakdown: CostBreakdown,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// When its figures stop holding.
    pub expires_at: Timestamp,
}

named_enum! {
    /// The states of a draft return order.
    DraftStatus {
        /// The draft can be submitted.
        Open,
        /// The draft was submitted and is now a return order.
        Accepted,
        /// The merchant rejected the draft.
        Rejected,
        /// The draft is older than 24 hours.
        Expired,
    }
}

/// One purchase in a draft, with the figures that the draft fixed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DraftItem {
    /// Which.
    pub purchase_id: PurchaseId,
    /// The sales order that it is of.
    #[serde(default = "unknown_order")]
    pub order_id: OrderId,
    /// Which of its units.
    pub taken: TakenUnits,
    /// The purchase's units when the draft was made: the price holds while they cost the same and as many dear ones
    /// are gone.
    pub seen: Units,
    /// What they cost, minor units.
    pub value: i64,
    /// Their share of the outbound shipping that is paid back, minor units.
    pub outbound_shipping: i64,
    /// What of both does not come back, because no more is left of the order, minor units.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub limit: i64,
    /// What the shop had given back of the order without Retour when the draft was made, minor units.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub refunded_by_shop: i64,
    /// Why a person decides about it, whatever the policy says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub review: Option<ReviewReason>,
    /// What they weigh together, grams.
    #[serde(default)]
    pub weight: u64,
    /// What customs would want to know of them and nobody has said.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unknown_to_customs: Vec<CustomsFact>,
    /// Why.
    pub return_reason_id: ReturnReasonId,
    /// What the reason entailed when the draft was made.
    pub rules: ReasonRules,
    /// In the consumer's words; may be empty.
    pub return_reason_comment: String,
    /// What they answered to the reason's questions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub answers: Vec<Answer>,
    /// What for.
    pub requested_resolution: Resolution,
    /// With an exchange: what is wanted in its place, where the shop offers a choice.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exchange_for: Option<ExchangeOption>,
    /// Whether the consumer keeps it and is refunded all the same.
    pub kept: bool,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks for it; of 4-byte pointers clippy does not complain")]
fn is_zero(amount: &i64) -> bool {
    *amount == 0
}

/// Of drafts from before it was kept.
fn unknown_order() -> OrderId {
    OrderId(uuid::Uuid::nil())
}
