//! Return orders, return requests, shipments and timelines, as the API shows them.

use super::{
    consumer::Consumer,
    costs::{CostFields, Costs},
    drafts::Draft,
    evidence::EvidenceView,
    expandable::Expandable,
    shipments::ShipmentView,
};
use domain::{
    ConsumerId, DraftReturnOrderId, Money, PaymentId, PurchaseId, ReturnOrderId, ReturnReasonId, ReturnRequestId,
    ShippingOptionId, Timestamp,
    order::{ExchangeOption, Product},
    party,
    payment::{Checkout, CheckoutState, Payment, PaymentKind, PaymentState, PaymentStatus},
    policy::{Resolution, question::QuestionAnswer},
    returning::{self, ReturnOrder, ReturnOrderStatus, ReturnRequest},
    stage::{ReviewReason, Stage, StageGroup, StageName},
};
use schemars::JsonSchema;
use serde::Serialize;

/// A return order: purchases that a consumer returns together.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "ReturnOrder")]
pub struct ReturnOrderView {
    /// Unique identifier of the return order.
    pub id: ReturnOrderId,
    /// A short number for people to refer to, unique in the account.
    pub number: String,
    /// The consumer's id, or the whole consumer with `expand=consumer`.
    pub consumer_id: Expandable<ConsumerId, Consumer>,
    /// The id of the draft that was submitted, or the whole draft with `expand=draftReturnOrder`.
    pub draft_return_order_id: Expandable<DraftReturnOrderId, Draft>,
    /// The numbers of the sales orders that the items are from.
    pub purchase_order_numbers: Vec<String>,
    /// The chosen shipping option; `null` if nothing is sent.
    pub shipping_option_id: Option<ShippingOptionId>,
    /// The costs of the return.
    #[serde(flatten)]
    #[schemars(with = "CostFields")]
    pub costs: Costs,
    /// The state of the return order as a whole.
    pub status: ReturnOrderStatus,
    /// The state of the payment, if one is due.
    pub payment_status: PaymentStatus,
    /// The payment that is due or was made; `null` if there is none.
    pub payment: Option<PaymentView>,
    /// The way in which the return order was created.
    pub source: returning::ReturnSource,
    /// When the return order was created.
    pub created_at: Timestamp,
    /// When the return order last changed.
    pub updated_at: Timestamp,
    /// The version of the return order, from 1: it grows with each change and is the `ETag`.
    pub version: i64,
    /// The shipments of the order, with `expand=shipments`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shipments: Option<Vec<ShipmentView>>,
    /// The return requests of the order, with `expand=returnRequests`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub return_requests: Option<Vec<ReturnRequestView>>,
}

/// The payment of a return order.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Payment")]
pub struct PaymentView {
    /// Unique identifier of the payment.
    pub id: PaymentId,
    /// The provider that takes the payment.
    pub kind: PaymentKind,
    /// The state of the payment.
    pub status: PaymentState,
    /// The amount to pay.
    pub amount: Money,
    /// The part of the amount that must be or was refunded.
    pub refund_due: Money,
    /// The part of the amount that was refunded.
    pub refunded: Money,
    /// Whether the consumer paid with a method that takes days, and the payment has not arrived yet.
    pub on_its_way: bool,
    /// Where the consumer pays: a path of this server. `null` when no payment is expected.
    pub checkout_url: Option<String>,
    /// The last moment at which the payment is accepted.
    pub due_at: Timestamp,
    /// When the payment was created.
    pub created_at: Timestamp,
    /// Checkouts at the provider's pages, oldest first; none with `simulated`.
    pub checkouts: Vec<CheckoutView>,
    /// Why calls to the provider fail, or why the provider refuses. Only for staff. `null`: nothing is wrong.
    pub error_message: Option<String>,
    /// The number of calls to the provider that have failed since the last success. Only for staff.
    pub failed_attempts: u32,
    /// When Retour calls the provider again after a failure; `null`: nothing is wrong, or Retour calls when the
    /// consumer wants to pay.
    pub next_attempt_at: Option<Timestamp>,
}

/// An attempt to pay on a provider's page. One checkout settles the payment; money from any other is refunded.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "PaymentCheckout")]
pub struct CheckoutView {
    /// The state of the checkout: `Begun`, `Open`, `Processing`, `Paid` or `Closed`.
    pub status: &'static str,
    /// The provider's id of the checkout, to find it on the provider's pages. Only for staff. `null` if there is none
    /// yet.
    pub external_id: Option<String>,
    /// Whether this checkout paid the amount.
    pub settled: bool,
    /// The part of the amount that was refunded.
    pub refunded: Money,
    /// When the checkout was opened.
    pub created_at: Timestamp,
}

impl From<Payment> for PaymentView {
    fn from(payment: Payment) -> Self {
        let checkout = |one: &Checkout| CheckoutView {
            status: one.state.name(),
            external_id: one.state.id().map(str::to_owned),
            settled: payment.settled_by == Some(one.number),
            refunded: Money::new(one.refunded, payment.amount.currency),
            created_at: one.begun_at,
        };
        let checkouts = payment.checkouts.iter().map(checkout).collect();
        let is_processing = |one: &Checkout| matches!(one.state, CheckoutState::Processing { .. });
        let on_its_way = payment.state == PaymentState::Pending && payment.checkouts.iter().any(is_processing);
        Self {
            id: payment.id,
            kind: payment.kind,
            status: payment.state,
            amount: payment.amount,
            refund_due: Money::new(payment.refund_due, payment.amount.currency),
            refunded: Money::new(payment.refunded, payment.amount.currency),
            on_its_way,
            checkout_url: (payment.state == PaymentState::Pending && !on_its_way).then_some(payment.checkout),
            due_at: payment.due,
            created_at: payment.created_at,
            checkouts,
            error_message: (!payment.last_error.is_empty()).then_some(payment.last_error),
            failed_attempts: payment.failed_attempts,
            next_attempt_at: payment.next_attempt_at,
        }
    }
}

impl PaymentView {
    /// The payment as its consumer sees it: without the fields for staff.
    #[must_use]
    fn seen_by_consumer(self) -> Self {
        let checkouts = self.checkouts.into_iter().map(|one| CheckoutView { external_id: None, ..one });
        Self { checkouts: checkouts.collect(), error_message: None, failed_attempts: 0, next_attempt_at: None, ..self }
    }
}

impl ReturnOrderView {
    /// The return order as its consumer sees it: without the fields for staff, and for gifts without amounts.
    #[must_use]
    pub(crate) fn seen_by(self, consumer: &store::consumers::Consumer) -> Self {
        let payment = self.payment.map(PaymentView::seen_by_consumer);
        Self {
            costs: self.costs.seen_by(consumer),
            // Gift recipients never pay.
            payment: payment.filter(|_| !consumer.credentials.is_gift()),
            return_requests: self
                .return_requests
                .map(|requests| requests.into_iter().map(|request| request.seen_by(consumer)).collect()),
            ..self
        }
    }
}

impl From<ReturnOrder> for ReturnOrderView {
    fn from(order: ReturnOrder) -> Self {
        let payment_status = order.payment_status();
        Self {
            id: order.id,
            number: order.number,
            consumer_id: Expandable::Id(order.consumer_id),
            draft_return_order_id: Expandable::Id(order.draft_return_order_id),
            purchase_order_numbers: order.order_numbers,
            shipping_option_id: order.shipping_option.map(|option| option.id),
            costs: Costs::CostBreakdown(order.cost_breakdown),
            status: order.status,
            payment_status,
            payment: order.payment.map(Into::into),
            source: order.source,
            created_at: order.created_at,
            updated_at: order.updated_at,
            version: order.version,
            shipments: None,
            return_requests: None,
        }
    }
}

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
    /// The number of units to return.
    pub quantity: u32,
    /// The number of units that have arrived.
    pub received_quantity: u32,
    /// Further units that arrived: more than `quantity`, or no longer returnable on arrival. They are not refunded.
    pub surplus_quantity: u32,
    /// The product, as it was when the return was submitted.
    pub product: Product,
    /// The price of the returned units. Absent for gifts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub purchase_price: Option<Money>,
    /// The decision on the request, once there is one.
    pub resolution: ResolutionView,
    /// Why a person decides about the request, regardless of the policy; `null`: the policy decides. Absent for gifts.
    pub review_reason: Option<ReviewReason>,
    /// Photos and documents of the request, oldest first.
    pub evidence: Vec<EvidenceView>,
    /// When the return request was created.
    pub created_at: Timestamp,
    /// When the return request last changed.
    pub updated_at: Timestamp,
    /// The version of the return request, from 1: it grows with each change and is the `ETag`.
    pub version: i64,
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
    /// Absent for gifts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<Money>,
    /// The same without the limit of what is left of the order: more than `value` if the limit applies. A person
    /// decides then. Absent for gifts.
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
            consumer_id: Expandable::Id(request.consumer_id),
            return_reason_id: request.return_reason_id,
            return_reason_comment: request.return_reason_comment,
            answers: request.answers,
            requested_resolution: request.requested_resolution,
            exchange_for: request.exchange_for,
            stage,
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
    fn seen_by(mut self, consumer: &store::consumers::Consumer) -> Self {
        let order = self.return_order_id;
        self.evidence = self.evidence.into_iter().map(|file| file.seen_by_consumer(consumer.id, order)).collect();
        (self.resolution.error_message, self.resolution.failed_attempts) = (None, 0);
        self.resolution.next_attempt_at = None;
        if consumer.credentials.is_gift() {
            self.purchase_price = None;
            (self.resolution.value, self.resolution.full_value, self.review_reason) = (None, None, None);
        }
        self
    }
}

/// Units that arrived in one delivery.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Receipt")]
pub struct ReceiptView {
    /// The reference in the report, or an id that Retour made if the report has none.
    pub external_reference: String,
    /// The number of units that arrived, including those that do not count towards the request.
    pub quantity: u32,
    /// When the receipt was reported.
    pub received_at: Timestamp,
}

impl From<store::receipts::Receipt> for ReceiptView {
    fn from(receipt: store::receipts::Receipt) -> Self {
        Self { external_reference: receipt.external_reference, quantity: receipt.units, received_at: receipt.at }
    }
}

/// One stage that a return request entered. Or a failed call to the shop, carrier or payment provider, while the
/// request stayed in its stage: then `fromStage` and `toStage` are the same.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "TimelineEntry")]
pub struct TimelineEntryView {
    /// The return request that moved.
    pub return_request_id: ReturnRequestId,
    /// When the return request entered the stage.
    pub at: Timestamp,
    /// The party that moved the return request.
    pub actor: party::Actor,
    /// The user or service user who moved it, if staff did.
    pub actor_id: Option<uuid::Uuid>,
    /// The stage before; `null` for the first entry.
    pub from_stage: Option<StageName>,
    /// The stage that the return request entered.
    pub to_stage: StageName,
    /// The reason for the move, or for the failed attempt; may be empty.
    pub comment: String,
}

impl From<returning::TimelineEntry> for TimelineEntryView {
    fn from(entry: returning::TimelineEntry) -> Self {
        Self {
            return_request_id: entry.return_request_id,
            at: entry.at,
            actor: entry.actor,
            actor_id: entry.actor_id,
            from_stage: entry.from,
            to_stage: entry.to,
            comment: entry.comment,
        }
    }
}
