//! A person's data, as the API shows it.

use super::{
    consumer::Consumer,
    drafts::Draft,
    handling::NoteView,
    pending_evidence::PendingEvidenceView,
    returns::{ReturnOrderView, TimelineEntryView},
    withdrawals::Withdrawal,
};
use domain::{
    Money, OrderId, PurchaseId, Timestamp,
    address::Address,
    order::{Product, Purchase},
};
use schemars::JsonSchema;
use serde::Serialize;
use store::orders::PlacedOrder;

/// All data of one person: of everybody with their e-mail address.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PersonalData {
    /// The person's consumers, one for each order that they proved.
    pub consumers: Vec<Consumer>,
    /// The person's orders, as the shop reported them.
    pub orders: Vec<OrderData>,
    /// The person's drafts.
    pub draft_return_orders: Vec<Draft>,
    /// Photos and documents of purchases whose return is not submitted yet.
    pub pending_evidence: Vec<PendingEvidenceView>,
    /// The person's return orders, with requests and shipments.
    pub return_orders: Vec<ReturnOrderView>,
    /// The timeline entries of those return requests.
    pub timeline_entries: Vec<TimelineEntryView>,
    /// The notes of staff about those return orders.
    pub notes: Vec<NoteView>,
    /// The person's withdrawals.
    pub withdrawals: Vec<Withdrawal>,
}

/// A sales order, as the shop reported it.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct OrderData {
    /// Unique identifier of the order.
    pub id: OrderId,
    /// The shop's id of the order.
    pub external_id: String,
    /// The order number that people know, such as `1001`.
    pub number: String,
    /// The e-mail address of the person who ordered; may be empty.
    pub email: String,
    /// The address that the order was delivered to; its fields may be empty.
    pub address: Address,
    /// When the order was placed.
    pub ordered_at: Timestamp,
    /// The lines of the order: what was bought.
    pub lines: Vec<OrderLine>,
}

/// One line of a sales order.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct OrderLine {
    /// Unique identifier of the purchase.
    pub id: PurchaseId,
    /// The product that was bought.
    pub product: Product,
    /// The number of units bought.
    pub quantity: u32,
    /// The price of all units of the line together.
    pub total_price: Money,
}

impl OrderData {
    pub(crate) fn new(order: PlacedOrder, lines: Vec<Purchase>) -> Self {
        let line = |line: Purchase| OrderLine {
            id: line.id,
            quantity: line.units.bought,
            total_price: line.money(line.units.total),
            product: line.product,
        };
        Self {
            id: order.id,
            external_id: order.external_id,
            number: order.number,
            email: order.email,
            address: order.address,
            ordered_at: order.ordered_at,
            lines: lines.into_iter().map(line).collect(),
        }
    }
}
