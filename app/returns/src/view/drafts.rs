//! Drafts of returns, as the API shows them.

use super::costs::{CostFields, Costs};
use domain::{
    ConsumerId, DraftReturnOrderId, PurchaseId, ReturnOrderId, ReturnReasonId, ShippingOptionId, Timestamp,
    order::ExchangeOption,
    policy::{Resolution, question::QuestionAnswer},
    returning::{self, DraftReturnOrder, DraftStatus, Override},
    stage::ReviewReason,
};
use schemars::JsonSchema;
use serde::Serialize;
use store::consumers::Consumer;

/// A return that has not been submitted yet.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "DraftReturnOrder")]
pub struct Draft {
    /// Unique identifier of the draft return order.
    pub id: DraftReturnOrderId,
    /// The consumer who returns the items.
    pub consumer_id: ConsumerId,
    /// The status of the draft: whether it can still be submitted.
    pub status: DraftStatus,
    /// The return order that the draft became; `null` until it is submitted.
    pub return_order_id: Option<ReturnOrderId>,
    /// The purchases to return, with quantities and reasons.
    pub selected_purchases: Vec<SelectedPurchase>,
    /// Whether the return waits for a person first, regardless of the policy.
    pub needs_review: bool,
    /// The chosen shipping option, once one is chosen.
    pub shipping_option_id: Option<ShippingOptionId>,
    /// The rules that staff overrode for the draft. Only for staff.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub overrides: Vec<Override>,
    /// The costs of the return.
    #[serde(flatten)]
    #[schemars(with = "CostFields")]
    pub costs: Costs,
    /// When the draft return order was created.
    pub created_at: Timestamp,
    /// When the draft return order last changed.
    pub updated_at: Timestamp,
    /// When the draft's amounts stop being valid.
    pub expires_at: Timestamp,
}

/// One purchase of a draft, with quantity and reason.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SelectedPurchase {
    /// The purchase to return.
    pub purchase_id: PurchaseId,
    /// The number of units to return.
    pub quantity: u32,
    /// The return reason that the consumer chose.
    pub return_reason_id: ReturnReasonId,
    /// The consumer's own words about the reason; may be empty.
    pub return_reason_comment: String,
    /// The consumer's answers to the reason's questions.
    pub answers: Vec<QuestionAnswer>,
    /// The resolution that the consumer asks for.
    pub requested_resolution: Resolution,
    /// For an exchange: the product wanted instead; `null` if none was named.
    pub exchange_for: Option<ExchangeOption>,
    /// Whether the consumer keeps the item and is refunded anyway.
    pub keep_item: bool,
    /// Why a person decides about the return, regardless of the policy; `null`: the policy decides. Absent for gifts.
    pub review_reason: Option<ReviewReason>,
}

impl Draft {
    /// The draft as its consumer sees it.
    #[must_use]
    pub(crate) fn seen_by(self, consumer: &Consumer) -> Self {
        let Self {
            id,
            consumer_id,
            status,
            return_order_id,
            selected_purchases,
            needs_review,
            shipping_option_id,
            overrides: _,
            costs,
            created_at,
            updated_at,
            expires_at,
        } = self;
        Self {
            id,
            consumer_id,
            status,
            return_order_id,
            selected_purchases: selected_purchases.into_iter().map(|selected| selected.seen_by(consumer)).collect(),
            needs_review,
            shipping_option_id,
            overrides: Vec::new(),
            costs: costs.seen_by(consumer),
            created_at,
            updated_at,
            expires_at,
        }
    }
}

impl SelectedPurchase {
    /// The purchase as its consumer sees it: for gifts without the reason of a review, which may tell of amounts.
    fn seen_by(self, consumer: &Consumer) -> Self {
        let Self {
            purchase_id,
            quantity,
            return_reason_id,
            return_reason_comment,
            answers,
            requested_resolution,
            exchange_for,
            keep_item,
            review_reason,
        } = self;
        Self {
            purchase_id,
            quantity,
            return_reason_id,
            return_reason_comment,
            answers,
            requested_resolution,
            exchange_for,
            keep_item,
            review_reason: review_reason.filter(|_| !consumer.credentials.is_gift()),
        }
    }
}

impl From<DraftReturnOrder> for Draft {
    fn from(draft: DraftReturnOrder) -> Self {
        let selected = |item: returning::DraftItem| SelectedPurchase {
            purchase_id: item.purchase_id,
            quantity: item.taken.units,
            return_reason_id: item.return_reason_id,
            return_reason_comment: item.return_reason_comment,
            answers: item.answers,
            requested_resolution: item.requested_resolution,
            exchange_for: item.exchange_for,
            keep_item: item.kept,
            review_reason: item.review,
        };
        Self {
            id: draft.id,
            consumer_id: draft.consumer_id,
            status: draft.status,
            return_order_id: draft.return_order_id,
            needs_review: draft.items.iter().any(|item| item.review.is_some()),
            overrides: draft.items.first().map(|item| item.overrides.clone()).unwrap_or_default(),
            selected_purchases: draft.items.into_iter().map(selected).collect(),
            shipping_option_id: draft.shipping_option_id,
            costs: Costs::CostBreakdown(draft.cost_breakdown),
            created_at: draft.created_at,
            updated_at: draft.updated_at,
            expires_at: draft.expires_at,
        }
    }
}
