//! What a shop answers, as far as it is read. Amounts are the shop's whole numbers; see [`super::money`].

use domain::{Currency, Timestamp};
use serde::Deserialize;
use serde_json::Value;

/// The answer to `HEALTH`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Health {
    #[serde(rename = "globalSettings")]
    _global_settings: GlobalSettings,
    #[serde(rename = "orders")]
    _orders: Value,
}

/// The answer to `LOOK_UP`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Found {
    pub global_settings: GlobalSettings,
    pub orders: List<PlacedOrder>,
}

/// The answer to `STATE`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Stood {
    pub global_settings: GlobalSettings,
    pub order: Option<Order>,
}

/// The answer to whatever changes something: what it made, or why it did not.
#[derive(Deserialize)]
pub(super) struct Changed {
    pub done: Outcome,
}

#[derive(Deserialize)]
#[serde(untagged)]
pub(super) enum Outcome {
    #[serde(rename_all = "camelCase")]
    Refused {
        error_code: String,
    },
    Done {
        id: String,
        state: String,
    },
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct GlobalSettings {
    pub server_config: ServerConfig,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ServerConfig {
    /// Decimals of every amount, whatever its currency.
    pub money_strategy_precision: u32,
}

#[derive(Deserialize)]
pub(super) struct List<T> {
    pub items: Vec<T>,
}

/// An order as it is looked up.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct PlacedOrder {
    pub id: String,
    pub code: String,
    pub state: String,
    /// Whether it is still a basket.
    pub active: bool,
    pub order_placed_at: Option<Timestamp>,
    pub currency_code: Currency,
    pub shipping_with_tax: i64,
    pub customer: Option<Customer>,
    pub shipping_address: Option<Address>,
    pub billing_address: Option<Address>,
    pub surcharges: Vec<Surcharge>,
    pub lines: Vec<Line>,
    pub fulfillments: Option<Vec<Fulfillment>>,
    pub payments: Option<Vec<Paid>>,
    pub history: List<HistoryEntry>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Customer {
    pub email_address: String,
    pub first_name: Option<String>,
    pub last_name: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Address {
    pub full_name: Option<String>,
    pub company: Option<String>,
    #[serde(rename = "streetLine1")]
    pub street_line_1: Option<String>,
    #[serde(rename = "streetLine2")]
    pub street_line_2: Option<String>,
    pub city: Option<String>,
    pub province: Option<String>,
    pub postal_code: Option<String>,
    pub country_code: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Surcharge {
    pub price_with_tax: i64,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Line {
    pub id: String,
    pub created_at: Timestamp,
    /// Units that were not cancelled.
    pub quantity: u32,
    /// Units when the order was placed; 0 on a line that was added later.
    pub order_placed_quantity: u32,
    /// Before discounts, without tax.
    pub unit_price: i64,
    /// Before discounts, with tax.
    pub unit_price_with_tax: i64,
    /// Before discounts, for `quantity` units.
    #[serde(rename = "linePriceWithTax")]
    pub price_with_tax: i64,
    /// After all discounts, for `quantity` units.
    pub prorated_line_price: i64,
    pub prorated_line_price_with_tax: i64,
    pub featured_asset: Option<Asset>,
    pub product_variant: Variant,
}

#[derive(Deserialize)]
pub(super) struct Asset {
    pub preview: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Variant {
    pub sku: String,
    pub product: Product,
    pub options: Vec<VariantOption>,
    pub featured_asset: Option<Asset>,
}

#[derive(Deserialize)]
pub(super) struct Product {
    pub id: String,
    pub name: String,
}

#[derive(Deserialize)]
pub(super) struct VariantOption {
    pub name: String,
    pub group: OptionGroup,
}

#[derive(Deserialize)]
pub(super) struct OptionGroup {
    pub name: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Fulfillment {
    pub id: String,
    pub state: String,
    pub updated_at: Timestamp,
    pub lines: Vec<LineQuantity>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct LineQuantity {
    pub order_line_id: String,
    pub quantity: u32,
}

/// A payment of an order that is looked up.
#[derive(Deserialize)]
pub(super) struct Paid {
    pub state: String,
    pub amount: i64,
    pub refunds: Vec<Returned>,
}

/// A refund: how much, and for which units.
#[derive(Deserialize)]
pub(super) struct Returned {
    pub state: String,
    pub total: i64,
    pub lines: Vec<LineQuantity>,
}

/// An order as it is settled.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Order {
    pub id: String,
    pub currency_code: Currency,
    pub lines: Vec<LineCount>,
    pub payments: Option<Vec<Payment>>,
    pub history: List<HistoryEntry>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct LineCount {
    pub id: String,
    pub quantity: u32,
    pub order_placed_quantity: u32,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Payment {
    pub id: String,
    pub created_at: Timestamp,
    pub state: String,
    pub amount: i64,
    pub refunds: Vec<Refund>,
}

#[derive(Deserialize)]
pub(super) struct Refund {
    pub id: String,
    pub state: String,
    pub total: i64,
    pub reason: Option<String>,
}

/// Its data is of another shape for each type.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct HistoryEntry {
    #[serde(rename = "type")]
    pub kind: String,
    pub data: Value,
    pub created_at: Timestamp,
}

impl PlacedOrder {
    /// Whether it was ever more than a basket, a draft, or something that was called off before it was sent. What was sent
    /// and came back whole is `Cancelled` too, and its shopper wants to see how their return stands.
    pub fn can_be_returned(&self) -> bool {
        let called_off = self.state == "Cancelled" && self.sent().next().is_none();
        !self.active && self.order_placed_at.is_some() && !called_off
    }

    /// Parcels that have left.
    pub fn sent(&self) -> impl Iterator<Item = &Fulfillment> {
        self.fulfillments.iter().flatten().filter(|parcel| matches!(parcel.state.as_str(), "Shipped" | "Delivered"))
    }

    /// Lines in the order in which they were put into the basket: the shop has them in any.
    pub fn sorted(mut self) -> Self {
        self.lines.sort_by(|one, other| (one.created_at, &one.id).cmp(&(other.created_at, &other.id)));
        self
    }

    /// What was paid so far. A payment that is only authorized is none yet.
    pub fn paid(&self) -> i64 {
        let settled = self.payments.iter().flatten().filter(|payment| is_settled(&payment.state));
        settled.map(|payment| payment.amount).fold(0, i64::saturating_add)
    }

    /// What was given back so far, or is about to be.
    pub fn refunds(&self) -> impl Iterator<Item = &Returned> {
        let all = self.payments.iter().flatten().flat_map(|payment| &payment.refunds);
        all.filter(|refund| counts(&refund.state))
    }
}

impl Line {
    /// Units ordered, whatever became of them.
    pub fn ordered(&self) -> u32 {
        self.quantity.max(self.order_placed_quantity)
    }
}

impl LineCount {
    /// Units ordered, whatever became of them.
    pub fn ordered(&self) -> u32 {
        self.quantity.max(self.order_placed_quantity)
    }
}

/// Whether a payment's money arrived.
pub(super) fn is_settled(state: &str) -> bool {
    state == "Settled"
}

/// Whether a refund's money is gone, or going.
pub(super) fn counts(state: &str) -> bool {
    state != "Failed"
}

impl Payment {
    /// What can still be given back of it.
    pub fn left(&self) -> i64 {
        let given = self.refunds.iter().filter(|refund| counts(&refund.state)).map(|refund| refund.total);
        given.fold(self.amount, i64::saturating_sub)
    }
}

impl HistoryEntry {
    /// A text or a number in its data.
    pub fn field(&self, name: &str) -> String {
        match self.data.get(name) {
            Some(Value::String(text)) => text.clone(),
            Some(Value::Number(number)) => number.to_string(),
            _ => String::new(),
        }
    }
}
