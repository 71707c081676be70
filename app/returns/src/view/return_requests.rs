//! Return requests, as the API shows them.

use super::{consumer::Consumer, evidence::EvidenceView, expandable::Expandable};
use domain::{
    ConsumerId, Money, PurchaseId, ReturnOrderId, ReturnReasonId, ReturnRequestId, Timestamp,
    costs::CostBreakdown,
    order::{ExchangeOption, Product},
    policy::{Resolution, question::QuestionAnswer},
    returning::{Proposal, ReturnRequest},
    stage::{ReviewReason, Stage, StageGroup, StageName},
};
use schemars::JsonSchema;
use serde::Serialize;

/// A return request: one purchase within a return order.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "ReturnRequest")]
pub struct ReturnRequestView {
    /// Unique identifier of the return request.
    pub id: ReturnRequestId,
    /// The purchase that is returned.
    pub purchase_id: PurchaseId,
    /// The shop's own id of the purchase.
    pub purchase_external_id: String,
    /// The number of the sales order that the purchase belongs to.
    pub purchase_order_number: String,
    /// The return order that the request belongs to.
    pub return_order_id: ReturnOrderId,
    /// The number of the return order.
    pub return_number: String,
    /// The consumer's id, or the whole consumer with `expand=consumer`.
    pub consumer_id: Expandable<ConsumerId, Consumer>,
    /// The return reason that the consumer chose.
    pub return_reason_id: ReturnReasonId,
    /// The consumer's own words; may be empty.
    pub return_reason_comment: String,
    /// The consumer's answers to the reason's questions.
    pub answers: Vec<QuestionAnswer>,
    /// The resolution that the consumer asked for.
    pub requested_resolution: Resolution,
    /// For an exchange: the product to send instead; `null` if staff choose it.
    pub exchange_for: Option<ExchangeOption>,
    /// The stage that the request is in.
    pub stage: StageName,
    /// When Retour moves the return request on by itself, if nothing happens before: it expires, or missing units are given
    /// up. `null`: it waits.
    pub due_at: Option<Timestamp>,
    /// When the request entered this stage.
    pub stage_since: Timestamp,
    /// The number of units to return.
    pub quantity: u32,
    /// The number of units that have arrived.
    pub received_quantity: u32,
    /// Further units that arrived: more than `quantity`, or no longer returnable on arrival. They are not refunded.
    pub surplus_quantity: u32,
    /// The product, as it was when the return was submitted.
    pub product: Product,
    /// The price of the returned units. Absent for gifts, and for staff who see no amounts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub purchase_price: Option<Money>,
    /// The decision on the request, once there is one.
    pub resolution: ResolutionView,
    /// Why a person decides about the request, regardless of the policy; `null`: the policy decides, or the reader sees no
    /// amounts. Absent for gifts.
    pub review_reason: Option<ReviewReason>,
    /// What an agent asks others to approve, because it is above the policy's `agentLimit`. Only for staff who see
    /// amounts. `null`: nothing.
    pub proposal: Option<Proposal>,
    /// Photos and documents of the request, oldest first.
    pub evidence: Vec<EvidenceView>,
    /// When the return request was created.
    pub created_at: Timestamp,
    /// When the return request last changed.
    pub updated_at: Timestamp,
    /// The version of the return request, from 1: it grows with each change and is the `ETag`.
    pub version: i64,
}

/// What a change by staff would make of the costs of a return order.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AmendmentPreview {
    /// The costs of the return order now.
    pub before: CostBreakdown,
    /// The costs of the return order after the change.
    pub after: CostBreakdown,
}

/// The decision on a return request.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Resolution")]
pub struct ResolutionView {
    /// What the consumer gets.
    #[serde(rename = "type")]
    pub kind: Resolution,
    /// The value of the resolution, less the request's share of the fees. It changes when units are approved or refused.
    /// Absent for gifts, and for staff who see no amounts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<Money>,
    /// The same without the limit of what is left of the order: more than `value` if the limit applies. A person
    /// decides then. Absent for gifts, and for staff who see no amounts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub full_value: Option<Money>,
    /// The progress of the resolution: the second half of its stage, once the request is there.
    pub status: Option<&'static str>,
    /// The reason why the request was denied.
    pub denial_reason: Option<String>,
    /// The id of the refund in the system that carried it out.
    pub external_reference: Option<String>,
    /// Why the resolution is not carried out yet, or could not be. Only for staff. `null`: nothing is wrong. In
    /// `Resolution: Processing` it does not say whether the shop has paid.
    pub error_message: Option<String>,
    /// The number of calls to the shop that have failed since its last usable response. Only for staff.
    pub failed_attempts: u32,
    /// When Retour calls the shop again after a failure; `null`: nothing is wrong, or a person has to look.
    pub next_attempt_at: Option<Timestamp>,
}

impl From<ReturnRequest> for ReturnRequestView {
    fn from(request: ReturnRequest) -> Self {
        let stage = request.state.stage.name();
        let (received_quantity, surplus_quantity) = (request.state.received, request.state.surplus);
        // Cancelled and rejected requests give nothing.
        let gives = stage.group() != StageGroup::Closed && stage != StageName::RequestedRejected;
        let money = |minor: i64| Money::new(if gives { minor } else { 0 }, request.purchase_price.currency);
        let value = money(request.resolution_value);
        // An exchange gives no money, with or without the limit.
        let limit = if request.requested_resolution == Resolution::Exchange { 0 } else { request.refund_limit };
        let full_value = money(request.resolution_value.saturating_add(limit));
        let review_reason = request.state.review;
        let due_at = request.state.stage.deadline().map(|(at, _)| at);
        let failed = request.state.failed_attempts().cloned();
        let (failed_attempts, next_attempt_at) =
            failed.as_ref().map_or((0, None), |failed| (failed.count, Some(failed.next_at)));
        let error_message = match &request.state.stage {
            Stage::ResolutionFailed { reason } => Some(reason.clone()),
            _ => failed.map(|failed| failed.message),
        };
        let (denial_reason, external_reference) = match request.state.stage {
            Stage::ResolutionDenied { reason } => (Some(reason), None),
            Stage::ResolutionCompleted { external_reference } => (None, external_reference),
            _ => (None, None),
        };
        Self {
            id: request.id,
            purchase_id: request.purchase_id,
            purchase_external_id: request.purchase_external_id,
            purchase_order_number: request.purchase_order_number,
            return_order_id: request.return_order_id,
            return_number: request.return_number,
            consumer_id: Expandable::Id(request.consumer_id),
            return_reason_id: request.return_reason_id,
            return_reason_comment: request.return_reason_comment,
            answers: request.answers,
            requested_resolution: request.requested_resolution,
            exchange_for: request.exchange_for,
            stage,
            due_at,
            stage_since: request.stage_since,
            quantity: request.quantity,
            received_quantity,
            surplus_quantity,
            product: request.product,
            purchase_price: Some(request.purchase_price),
            resolution: ResolutionView {
                kind: request.requested_resolution,
                value: Some(value),
                full_value: Some(full_value),
                status: stage.as_str().strip_prefix("Resolution: "),
                denial_reason,
                external_reference,
                error_message: error_message.filter(|message| !message.is_empty()),
                failed_attempts,
                next_attempt_at,
            },
            review_reason,
            proposal: request.proposal,
            evidence: request.evidence.into_iter().map(EvidenceView::from).collect(),
            created_at: request.created_at,
            updated_at: request.updated_at,
            version: request.version,
        }
    }
}

impl ReturnRequestView {
    /// The request as its consumer sees it: with paths that the consumer's token may read, and for gifts without
    /// amounts.
    #[must_use]
    pub(super) fn seen_by(self, consumer: &store::consumers::Consumer) -> Self {
        let Self {
            id,
            purchase_id,
            purchase_external_id,
            purchase_order_number,
            return_order_id,
            return_number,
            consumer_id,
            return_reason_id,
            return_reason_comment,
            answers,
            requested_resolution,
            exchange_for,
            stage,
            due_at,
            stage_since,
            quantity,
            received_quantity,
            surplus_quantity,
            product,
            purchase_price,
            resolution,
            review_reason,
            proposal: _,
            evidence,
            created_at,
            updated_at,
            version,
        } = self;
        let sees_amounts = !consumer.credentials.is_gift();
        Self {
            id,
            purchase_id,
            purchase_external_id,
            purchase_order_number,
            return_order_id,
            return_number,
            consumer_id,
            return_reason_id,
            return_reason_comment,
            answers,
            requested_resolution,
            exchange_for,
            stage,
            due_at,
            stage_since,
            quantity,
            received_quantity,
            surplus_quantity,
            product,
            purchase_price: purchase_price.filter(|_| sees_amounts),
            resolution: resolution.seen_by(consumer),
            review_reason: review_reason.filter(|_| sees_amounts),
            proposal: None,
            evidence: evidence.into_iter().map(|file| file.seen_by_consumer(consumer.id, return_order_id)).collect(),
            created_at,
            updated_at,
            version,
        }
    }
}

impl ResolutionView {
    fn seen_by(self, consumer: &store::consumers::Consumer) -> Self {
        let Self {
            kind,
            value,
            full_value,
            status,
            denial_reason,
            external_reference,
            error_message: _,
            failed_attempts: _,
            next_attempt_at: _,
        } = self;
        let sees_amounts = !consumer.credentials.is_gift();
        Self {
            kind,
            value: value.filter(|_| sees_amounts),
            full_value: full_value.filter(|_| sees_amounts),
            status,
            denial_reason,
            external_reference,
            error_message: None,
            failed_attempts: 0,
            next_attempt_at: None,
        }
    }
}
