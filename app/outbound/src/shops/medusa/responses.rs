//! What a shop answers, as far as it is read.

use crate::shops::medusa::money::{Decimal, sum};
use domain::{Currency, Timestamp};
use serde::{Deserialize, Deserializer, de::IgnoredAny};
use serde_json::Value;

/// The answer to a connection test.
#[derive(Deserialize)]
pub(super) struct Stores {
    #[serde(rename = "stores")]
    _stores: Vec<IgnoredAny>,
}

/// The answer to a search for orders.
#[derive(Deserialize)]
pub(super) struct Candidates {
    pub orders: Vec<Candidate>,
    pub count: usize,
}

/// The answer to the request for one order.
#[derive(Deserialize)]
pub(super) struct Single<T> {
    pub order: T,
}

/// What tells whether an order is the one that is asked for.
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

/// An order as it is looked up.
#[derive(Deserialize)]
pub(super) struct PlacedOrder {
    #[serde(flatten)]
    pub candidate: Candidate,
    pub status: String,
    #[serde(deserialize_with = "currency")]
    pub currency_code: Currency,
    pub created_at: Timestamp,
    pub items: Vec<Line>,
    pub shipping_methods: Option<Vec<ShippingMethod>>,
    pub fulfillments: Option<Vec<Parcel>>,
    payment_collections: Option<Vec<Collection>>,
}

impl PlacedOrder {
    /// What was captured so far; `None` where the shop does not show what was.
    pub fn paid(&self) -> Option<Decimal> {
        let captures: Option<Vec<_>> =
            payments(self.payment_collections.as_deref()?).map(|payment| payment.captures.as_deref()).collect();
        Some(sum(captures?.into_iter().flatten().map(|capture| capture.amount)))
    }

    /// What was given back so far, or is about to be.
    pub fn refunded(&self) -> Decimal {
        let payments = payments(self.payment_collections.as_deref().unwrap_or_default());
        sum(payments.flat_map(|payment| payment.refunds.iter().flatten()).map(|refund| refund.amount))
    }
}

fn payments(collections: &[Collection]) -> impl Iterator<Item = &Payment> {
    collections.iter().flat_map(|one| one.payments.iter().flatten())
}

#[derive(Deserialize)]
pub(super) struct Line {
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

/// What was paid for a line, by what became of its units.
#[derive(Deserialize)]
pub(super) struct Totals {
    /// For those that did not come back.
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

/// What became of a line's units.
#[derive(Deserialize)]
#[expect(clippy::struct_field_names, reason = "names of Medusa's")]
pub(super) struct Detail {
    pub fulfilled_quantity: u32,
    return_requested_quantity: u32,
    return_received_quantity: u32,
    return_dismissed_quantity: u32,
    written_off_quantity: u32,
}

impl Detail {
    /// Units that came back, or are about to.
    pub fn gone(&self) -> u32 {
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

/// What a shipping method is for, where it is not for the order itself.
#[derive(Deserialize)]
#[expect(clippy::struct_field_names, reason = "names of Medusa's")]
pub(super) struct ShippingDetail {
    pub return_id: Option<String>,
    pub claim_id: Option<String>,
    pub exchange_id: Option<String>,
}

#[derive(Deserialize)]
pub(super) struct Parcel {
    pub location_id: Option<String>,
    pub shipped_at: Option<Timestamp>,
    pub delivered_at: Option<Timestamp>,
    pub canceled_at: Option<Timestamp>,
    pub items: Option<Vec<ParcelItem>>,
}

#[derive(Deserialize)]
pub(super) struct ParcelItem {
    pub line_item_id: Option<String>,
    pub quantity: u32,
}

impl Parcel {
    /// How many units of a line are in it.
    pub fn units(&self, line: &str) -> u32 {
        let own = self.items.iter().flatten().filter(|item| item.line_item_id.as_deref() == Some(line));
        own.map(|item| item.quantity).fold(0, u32::saturating_add)
    }
}

/// An order as it is settled.
#[derive(Deserialize)]
pub(super) struct Order {
    pub id: String,
    #[serde(deserialize_with = "currency")]
    pub currency_code: Currency,
    /// Whatever the shop's programs write there.
    pub metadata: Option<Value>,
    pub items: Vec<LineCount>,
    pub fulfillments: Option<Vec<Parcel>>,
    pub payment_collections: Option<Vec<Collection>>,
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
pub(super) struct Collection {
    /// What payment providers gave back.
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

/// It stands before the payment provider is asked, and is deleted when that fails.
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
    /// Below 0: what the shop believes that it owes.
    pub pending_difference: Option<Decimal>,
}

/// The answer to the request for returns.
#[derive(Deserialize)]
pub(super) struct Returns {
    pub returns: Vec<Return>,
    pub count: usize,
}

#[derive(Deserialize)]
pub(super) struct Return {
    pub id: String,
    pub order_id: String,
    pub status: String,
    /// Whatever the shop's programs write there.
    pub metadata: Option<Value>,
    pub items: Option<Vec<ReturnItem>>,
}

#[derive(Deserialize)]
pub(super) struct ReturnItem {
    pub item_id: String,
    pub quantity: u32,
}

/// The answer to the request for changes.
#[derive(Deserialize)]
pub(super) struct Changes {
    pub order_changes: Vec<Change>,
}

#[derive(Deserialize)]
pub(super) struct Change {
    pub status: String,
    pub created_at: Timestamp,
}

/// Medusa has codes in lower case.
fn currency<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Currency, D::Error> {
    let code = String::deserialize(deserializer)?;
    code.to_uppercase().parse().map_err(serde::de::Error::custom)
}
