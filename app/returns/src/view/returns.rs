//! Return orders, receipts and timelines, as the API shows them.

use super::{
    consumer::Consumer,
    costs::{CostFields, Costs},
    drafts::Draft,
    expandable::Expandable,
    payments::PaymentView,
    return_requests::ReturnRequestView,
    shipments::ShipmentView,
};
use domain::{
    ConsumerId, DraftReturnOrderId, ReturnOrderId, ReturnRequestId, ShippingOptionId, Timestamp, UserId,
    WarehouseStepId, party,
    payment::PaymentStatus,
    returning::{self, ReturnOrder, ReturnOrderStatus},
    stage::StageName,
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
    /// The user who has the return order; `null`: nobody. Only for staff.
    pub assignee_id: Option<UserId>,
    /// Words of the staff to find the return order by. Only for staff.
    pub flags: Vec<String>,
    /// Whether changes of many return requests at once leave the return order out. Only for staff.
    pub leave_out_of_bulk: bool,
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

impl ReturnOrderView {
    /// The return order as its consumer sees it: without the fields for staff, and for gifts without amounts.
    #[must_use]
    pub(crate) fn seen_by(self, consumer: &store::consumers::Consumer) -> Self {
        let Self {
            id,
            number,
            consumer_id,
            draft_return_order_id,
            purchase_order_numbers,
            shipping_option_id,
            costs,
            status,
            payment_status,
            payment,
            assignee_id: _,
            flags: _,
            leave_out_of_bulk: _,
            source,
            created_at,
            updated_at,
            version,
            shipments,
            return_requests,
        } = self;
        Self {
            id,
            number,
            consumer_id,
            draft_return_order_id,
            purchase_order_numbers,
            shipping_option_id,
            costs: costs.seen_by(consumer),
            status,
            payment_status,
            // Gift recipients never pay.
            payment: payment.filter(|_| !consumer.credentials.is_gift()).map(PaymentView::seen_by_consumer),
            assignee_id: None,
            flags: Vec::new(),
            leave_out_of_bulk: false,
            source,
            created_at,
            updated_at,
            version,
            shipments,
            return_requests: return_requests
                .map(|requests| requests.into_iter().map(|request| request.seen_by(consumer)).collect()),
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
            assignee_id: order.assignee_id,
            flags: order.flags,
            leave_out_of_bulk: order.leave_out_of_bulk,
            source: order.source,
            created_at: order.created_at,
            updated_at: order.updated_at,
            version: order.version,
            shipments: None,
            return_requests: None,
        }
    }
}

/// Units that arrived in one delivery.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Receipt")]
pub struct ReceiptView {
    /// Identifies the receipt to take it back; `null` if it is too old for that.
    pub id: Option<WarehouseStepId>,
    /// The reference in the report, or an id that Retour made if the report has none.
    pub external_reference: String,
    /// The number of units that arrived, including those that do not count towards the request.
    pub quantity: u32,
    /// When the receipt was reported.
    pub received_at: Timestamp,
}

impl ReceiptView {
    pub(crate) fn new(id: Option<WarehouseStepId>, receipt: store::receipts::Receipt) -> Self {
        Self { id, external_reference: receipt.external_reference, quantity: receipt.units, received_at: receipt.at }
    }
}

/// One stage that a return request entered. Or a failed call to the shop, carrier or payment provider, a change of its
/// value or of what it asks for by staff, or a receipt or an inspection that was taken back, while the request stayed in its stage: then
/// `fromStage` and `toStage` are the same.
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
