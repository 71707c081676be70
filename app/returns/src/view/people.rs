//! What is held of a person, as the API shows it.

use super::{Consumer, Draft, PendingEvidenceView, ReturnOrderView, TimelineEntryView, Withdrawal};
use domain::{Money, OrderId, PurchaseId, Timestamp, order::Product, order::Purchase, policy::Address};
use schemars::JsonSchema;
use serde::Serialize;
use store::orders::PlacedOrder;

/// All that is held of one person: everybody of their e-mail address.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PersonalData {
    /// Who they were, one for each order that they proved.
    pub consumers: Vec<Consumer>,
    /// What they ordered, as the shop told it.
    pub orders: Vec<OrderData>,
    /// Returns that they put together.
    pub draft_return_orders: Vec<Draft>,
    /// Photos and papers that they laid beside purchases, of returns that they have not sent in.
    pub pending_evidence: Vec<PendingEvidenceView>,
    /// Returns that they made, with requests and parcels.
    pub return_orders: Vec<ReturnOrderView>,
    /// What became of those.
    pub timeline_entries: Vec<TimelineEntryView>,
    /// Contracts that they withdrew from.
    pub withdrawals: Vec<Withdrawal>,
}

/// An order as the shop told it.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct OrderData {
    /// Identifier.
    pub id: OrderId,
    /// The shop's own id.
    pub external_id: String,
    /// The number people know.
    pub number: String,
    /// Who ordered; may be empty.
    pub email: String,
    /// Where it was delivered to; its fields may be empty.
    pub address: Address,
    /// When it was placed.
    pub ordered_at: Timestamp,
    /// What was bought.
    pub lines: Vec<OrderLine>,
}

/// A line of an order.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct OrderLine {
    /// The purchase.
    pub id: PurchaseId,
    /// What it is.
    pub product: Product,
    /// Units bought.
    pub quantity: u32,
    /// What all of them cost.
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
