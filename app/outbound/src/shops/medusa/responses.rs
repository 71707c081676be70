//! The parts of Medusa's responses that we read.

use super::money::{Decimal, sum};
use domain::{Currency, Timestamp};
use serde::{Deserialize, Deserializer, de::IgnoredAny};
use serde_json::Value;

/// The response to the health check.
#[derive(Deserialize)]
pub(super) struct StoresResponse {
    #[serde(rename = "stores")]
    _stores: Vec<IgnoredAny>,
}

/// The response to a search for orders.
#[derive(Deserialize)]
pub(super) struct CandidatesResponse {
    pub orders: Vec<Candidate>,
    pub count: usize,
}

/// The response to the request for one order.
#[derive(Deserialize)]
pub(super) struct OrderResponse<T> {
    pub order: T,
}

/// The fields that decide whether an order is the wanted one.
#[derive(Deserialize)]
pub(super) struct Candidate {
    pub id: String,
    pub display_id: u64,
    pub custom_display_id: Option<String>,
    pub email: Option<String>,
    pub shipping_address: Option<Address>,
    pub billing_address: Option<Address>,
}

#[derive(Deserialize)]
pub(super) struct Address {
    pub first_name: Option<String>,
    pub last_name: Option<String>,
    pub company: Option<String>,
    #[serde(rename = "address_1")]
    pub street: Option<String>,
    #[serde(rename = "address_2")]
    pub additional: Option<String>,
    pub city: Option<String>,
    pub province: Option<String>,
    pub postal_code: Option<String>,
    pub country_code: Option<String>,
}

/// An order for a look-up.
#[derive(Deserialize)]
pub(super) struct PlacedOrder {
    #[serde(flatten)]
    pub candidate: Candidate,
    pub status: String,
    #[serde(deserialize_with = "currency")]
    pub currency_code: Currency,
    pub created_at: Timestamp,
    pub items: Vec<OrderLine>,
    pub shipping_methods: Option<Vec<ShippingMethod>>,
    pub fulfillments: Option<Vec<Fulfillment>>,
    payment_collections: Option<Vec<PaymentCollection>>,
}

impl PlacedOrder {
    /// What was captured so far; `None` if the shop does not show it.
    pub fn paid(&self) -> Option<Decimal> {
        let captures: Option<Vec<_>> =
            payments(self.payment_collections.as_deref()?).map(|payment| payment.captures.as_deref()).collect();
        Some(sum(captures?.into_iter().flatten().map(|capture| capture.amount)))
    }

    /// What was refunded so far, including refunds in progress.
    pub fn refunded(&self) -> Decimal {
        let payments = payments(self.payment_collections.as_deref().unwrap_or_default());
        sum(payments.flat_map(|payment| payment.refunds.iter().flatten()).map(|refund| refund.amount))
    }
}

fn payments(collections: &[PaymentCollection]) -> impl Iterator<Item = &Payment> {
    collections.iter().flat_map(|one| one.payments.iter().flatten())
}

#[derive(Deserialize)]
pub(super) struct OrderLine {
    pub id: String,
    pub created_at: Timestamp,
    pub title: Option<String>,
    pub product_id: Option<String>,
    pub product_title: Option<String>,
    pub variant_sku: Option<String>,
    pub variant_barcode: Option<String>,
    pub variant: Option<Variant>,
    pub thumbnail: Option<String>,
    pub unit_price: Decimal,
    pub is_tax_inclusive: bool,
    pub requires_shipping: Option<bool>,
    pub is_giftcard: Option<bool>,
    pub tax_lines: Option<Vec<TaxLine>>,
    pub quantity: u32,
    #[serde(flatten)]
    pub totals: Totals,
    pub detail: Detail,
}

/// What was paid for a line, split by the state of its units.
#[derive(Deserialize)]
pub(super) struct Totals {
    /// For the units that did not come back.
    total: Decimal,
    return_received_total: Option<Decimal>,
    return_dismissed_total: Option<Decimal>,
}

impl Totals {
    /// For all units.
    pub fn all(&self) -> Decimal {
        let returned = [self.return_received_total, self.return_dismissed_total];
        returned.into_iter().flatten().fold(self.total, Decimal::plus)
    }
}

/// The states of a line's units.
#[derive(Deserialize)]
#[expect(clippy::struct_field_names, reason = "Medusa's own names")]
pub(super) struct Detail {
    pub fulfilled_quantity: u32,
    return_requested_quantity: u32,
    return_received_quantity: u32,
    return_dismissed_quantity: u32,
    written_off_quantity: u32,
}

impl Detail {
    /// The units that came back, or are announced to.
    pub fn returned(&self) -> u32 {
        let returned = [self.return_received_quantity, self.return_dismissed_quantity, self.written_off_quantity];
        returned.into_iter().fold(self.return_requested_quantity, u32::saturating_add)
    }
}

#[derive(Deserialize)]
pub(super) struct TaxLine {
    /// Per cent.
    pub rate: Decimal,
}

#[derive(Deserialize)]
pub(super) struct Variant {
    pub hs_code: Option<String>,
    pub origin_country: Option<String>,
    pub options: Option<Vec<OptionValue>>,
}

#[derive(Deserialize)]
pub(super) struct OptionValue {
    pub value: String,
    pub option: Option<ProductOption>,
}

#[derive(Deserialize)]
pub(super) struct ProductOption {
    pub title: String,
}

#[derive(Deserialize)]
pub(super) struct ShippingMethod {
    pub total: Decimal,
    pub detail: Option<ShippingDetail>,
}

/// The return, claim or exchange that a shipping method belongs to; none, if it belongs to the order itself.
#[derive(Deserialize)]
#[expect(clippy::struct_field_names, reason = "Medusa's own names")]
pub(super) struct ShippingDetail {
    pub return_id: Option<String>,
    pub claim_id: Option<String>,
    pub exchange_id: Option<String>,
}

#[derive(Deserialize)]
pub(super) struct Fulfillment {
    pub location_id: Option<String>,
    pub shipped_at: Option<Timestamp>,
    pub delivered_at: Option<Timestamp>,
    pub canceled_at: Option<Timestamp>,
    pub items: Option<Vec<FulfillmentItem>>,
}

#[derive(Deserialize)]
pub(super) struct FulfillmentItem {
    pub line_item_id: Option<String>,
    pub quantity: u32,
}

impl Fulfillment {
    /// How many units of a line it contains.
    pub fn units(&self, line: &str) -> u32 {
        let own = self.items.iter().flatten().filter(|item| item.line_item_id.as_deref() == Some(line));
        own.map(|item| item.quantity).fold(0, u32::saturating_add)
    }
}

/// An order for a resolution.
#[derive(Deserialize)]
pub(super) struct Order {
    pub id: String,
    #[serde(deserialize_with = "currency")]
    pub currency_code: Currency,
    /// Any JSON: other programs write here too.
    pub metadata: Option<Value>,
    pub items: Vec<LineCount>,
    pub fulfillments: Option<Vec<Fulfillment>>,
    pub payment_collections: Option<Vec<PaymentCollection>>,
    pub credit_lines: Option<Vec<CreditLine>>,
    pub summary: Option<Summary>,
}

#[derive(Deserialize)]
pub(super) struct LineCount {
    pub id: String,
    pub quantity: u32,
    #[serde(flatten)]
    pub totals: Totals,
    pub detail: Detail,
}

#[derive(Deserialize)]
pub(super) struct PaymentCollection {
    /// What payment providers refunded.
    pub refunded_amount: Option<Decimal>,
    pub payments: Option<Vec<Payment>>,
}

#[derive(Deserialize)]
pub(super) struct Payment {
    pub id: String,
    pub created_at: Timestamp,
    pub captures: Option<Vec<Capture>>,
    pub refunds: Option<Vec<Refund>>,
}

#[derive(Deserialize)]
pub(super) struct Capture {
    pub amount: Decimal,
}

/// A refund. Medusa creates it before it calls the payment provider, and deletes it if that call fails.
#[derive(Deserialize)]
pub(super) struct Refund {
    pub id: String,
    pub amount: Decimal,
    pub note: Option<String>,
    pub created_at: Timestamp,
}

#[derive(Deserialize)]
pub(super) struct CreditLine {
    pub reference_id: Option<String>,
}

#[derive(Deserialize)]
pub(super) struct Summary {
    /// Below 0: what the shop owes by its own calculation.
    pub pending_difference: Option<Decimal>,
}

/// The response to the request for returns.
#[derive(Deserialize)]
pub(super) struct ReturnsResponse {
    pub returns: Vec<Return>,
    pub count: usize,
}

#[derive(Deserialize)]
pub(super) struct Return {
    pub id: String,
    pub order_id: String,
    pub status: String,
    /// Any JSON: other programs write here too.
    pub metadata: Option<Value>,
    pub items: Option<Vec<ReturnItem>>,
}

#[derive(Deserialize)]
pub(super) struct ReturnItem {
    pub item_id: String,
    pub quantity: u32,
}

/// The response to the request for changes.
#[derive(Deserialize)]
pub(super) struct ChangesResponse {
    pub order_changes: Vec<OrderChange>,
}

#[derive(Deserialize)]
pub(super) struct OrderChange {
    pub status: String,
    pub created_at: Timestamp,
}

/// Medusa's currency codes are in lower case.
fn currency<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Currency, D::Error> {
    let code = String::deserialize(deserializer)?;
    code.to_uppercase().parse().map_err(serde::de::Error::custom)
}
