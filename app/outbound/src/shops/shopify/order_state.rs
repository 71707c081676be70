//! An order's payments and refunds, as a resolution reads them.

use super::{
    duties::{Duty, RefundedDuty},
    money::{MoneyBag, sum},
    responses::{LineId, Nodes, ShippingLine},
};
use domain::{Currency, Timestamp};
use serde::Deserialize;

/// The response to `STATE`.
#[derive(Deserialize)]
pub(super) struct StateResponse {
    pub order: Option<OrderState>,
    /// The lines that were asked for; `None` for each that does not exist.
    pub lines: Vec<Option<LineState>>,
}

/// The response to `PLACES`.
#[derive(Deserialize)]
pub(super) struct PlacesResponse {
    pub order: Option<OrderPlaces>,
}

#[derive(Deserialize)]
pub(super) struct OrderPlaces {
    pub fulfillments: Vec<PlacedFulfillment>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct PlacedFulfillment {
    pub status: String,
    pub location: Option<Identified>,
    pub fulfillment_line_items: Nodes<PlacedLine>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct PlacedLine {
    pub line_item: LineId,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub(super) struct Identified {
    pub id: String,
}

/// The response to `REMEMBER`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct RememberResponse {
    pub metafields_set: Option<UserErrors>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct UserErrors {
    pub user_errors: Vec<UserError>,
}

/// Why Shopify refused a mutation.
#[derive(Deserialize)]
pub(super) struct UserError {
    pub message: String,
}

/// The response to `REFUND_ONCE`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct RefundResponse {
    pub refund_create: Option<RefundPayload>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct RefundPayload {
    pub refund: Option<Refund>,
    pub user_errors: Vec<UserError>,
}

/// An order for a resolution.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct OrderState {
    pub id: String,
    pub presentment_currency_code: Currency,
    pub taxes_included: bool,
    pub shipping_line: Option<ShippingLine>,
    pub total_refunded_shipping_set: MoneyBag,
    pub transactions: Vec<Transaction>,
    pub refunds: Vec<Refund>,
    /// What an earlier call began: see [`super::begun`].
    pub metafield: Option<Metafield>,
}

#[derive(Debug, Clone, Deserialize)]
pub(super) struct Metafield {
    pub value: String,
}

/// A line of an order, or an empty object for something else.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct LineState {
    pub id: Option<String>,
    pub quantity: Option<u32>,
    /// The units that were neither refunded nor removed.
    pub refundable_quantity: Option<u32>,
    #[serde(default)]
    pub duties: Vec<Duty>,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Transaction {
    pub id: String,
    pub kind: String,
    pub status: String,
    pub gateway: Option<String>,
    pub created_at: Timestamp,
    pub amount_set: MoneyBag,
    /// The payment that a refund belongs to.
    #[serde(rename = "parentTransaction")]
    pub parent: Option<Identified>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Refund {
    pub id: String,
    pub note: Option<String>,
    pub total_refunded_set: MoneyBag,
    pub duties: Option<Vec<RefundedDuty>>,
    pub transactions: Nodes<Transaction>,
}

impl Transaction {
    /// Whether money arrived by it.
    pub fn is_payment(&self) -> bool {
        matches!(self.kind.as_str(), "SALE" | "CAPTURE") && self.status == "SUCCESS"
    }

    /// Whether money left by it, or is about to leave: a refund, or the change of a payment in cash.
    pub fn pays_out(&self) -> bool {
        matches!(self.kind.as_str(), "REFUND" | "CHANGE") && !self.has_failed()
    }

    /// Whether it moved no money and will not move any.
    pub fn has_failed(&self) -> bool {
        matches!(self.status.as_str(), "FAILURE" | "ERROR")
    }
}

impl Refund {
    /// The money that left by it, or is about to leave, in minor units.
    pub fn amount(&self) -> i64 {
        if self.transactions.nodes.is_empty() {
            return self.total_refunded_set.minor();
        }
        sum(self.transactions.nodes.iter().filter(|one| one.pays_out()).map(|one| one.amount_set))
    }

    /// Whether a part of the money is still on its way.
    pub fn is_pending(&self) -> bool {
        self.transactions.nodes.iter().any(|one| one.pays_out() && one.status != "SUCCESS")
    }

    /// Whether nothing shows what it gave: it has no amount, and no payment failed. Our refunds always give something, so the
    /// money, or a store credit that Shopify counts elsewhere, may have left.
    pub fn is_unexplained(&self) -> bool {
        self.amount() == 0 && !self.transactions.nodes.iter().any(Transaction::has_failed)
    }

    /// The number at the end of its id, by which staff find it.
    pub fn number(&self) -> &str {
        self.id.rsplit('/').next().unwrap_or(&self.id)
    }
}
