//! The parts of Vendure's responses that we read. Amounts are in the shop's unit: see `money.rs`.

use domain::{Currency, Timestamp};
use serde::Deserialize;
use serde_json::Value;

/// The response to `HEALTH`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct HealthResponse {
    #[serde(rename = "globalSettings")]
    _global_settings: GlobalSettings,
    #[serde(rename = "orders")]
    _orders: Value,
}

/// The response to `LOOK_UP`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct LookUpResponse {
    pub global_settings: GlobalSettings,
    pub orders: List<PlacedOrder>,
}

/// The response to `STATE`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct StateResponse {
    pub global_settings: GlobalSettings,
    pub order: Option<Order>,
}

/// The response to a mutation: what it changed, or why it was refused.
#[derive(Deserialize)]
pub(super) struct MutationResponse {
    pub done: MutationResult,
}

#[derive(Deserialize)]
#[serde(untagged)]
pub(super) enum MutationResult {
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
    /// The decimals of every amount, whatever its currency.
    pub money_strategy_precision: u32,
}

#[derive(Deserialize)]
pub(super) struct List<T> {
    pub items: Vec<T>,
}

/// An order for a look-up.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct PlacedOrder {
    pub id: String,
    pub code: String,
    pub state: String,
    /// Whether it is still a shopping cart.
    pub active: bool,
    pub order_placed_at: Option<Timestamp>,
    pub currency_code: Currency,
    pub shipping_with_tax: i64,
    pub customer: Option<Customer>,
    pub shipping_address: Option<Address>,
    pub billing_address: Option<Address>,
    pub surcharges: Vec<Surcharge>,
    pub lines: Vec<OrderLine>,
    pub fulfillments: Option<Vec<Fulfillment>>,
    pub payments: Option<Vec<PlacedPayment>>,
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
pub(super) struct OrderLine {
    pub id: String,
    pub created_at: Timestamp,
    /// The units that were not cancelled.
    pub quantity: u32,
    /// The units when the order was placed; 0 on a line that was added later.
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

/// A payment of a [`PlacedOrder`].
#[derive(Deserialize)]
pub(super) struct PlacedPayment {
    pub state: String,
    pub amount: i64,
    pub refunds: Vec<PlacedRefund>,
}

/// A refund of a [`PlacedPayment`], with its units.
#[derive(Deserialize)]
pub(super) struct PlacedRefund {
    pub state: String,
    pub total: i64,
    pub lines: Vec<LineQuantity>,
}

/// An order for a resolution.
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

/// An entry of the order's history. The shape of `data` depends on the type.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct HistoryEntry {
    #[serde(rename = "type")]
    pub kind: String,
    pub data: Value,
    pub created_at: Timestamp,
}

impl PlacedOrder {
    /// Whether the order was placed, and not cancelled before anything was sent. An order whose units all came back is
    /// `Cancelled` too; its shopper still wants to see the state of the return.
    pub fn can_be_returned(&self) -> bool {
        let was_never_sent = self.state == "Cancelled" && self.sent().next().is_none();
        !self.active && self.order_placed_at.is_some() && !was_never_sent
    }

    /// The fulfilments that were sent.
    pub fn sent(&self) -> impl Iterator<Item = &Fulfillment> {
        self.fulfillments
            .iter()
            .flatten()
            .filter(|fulfillment| matches!(fulfillment.state.as_str(), "Shipped" | "Delivered"))
    }

    /// Sorts the lines by the time they were added: the shop returns them in any order.
    pub fn sorted(mut self) -> Self {
        self.lines.sort_by(|one, other| (one.created_at, &one.id).cmp(&(other.created_at, &other.id)));
        self
    }

    /// What was paid so far, without payments that are only authorized.
    pub fn paid(&self) -> i64 {
        let settled = self.payments.iter().flatten().filter(|payment| is_settled(&payment.state));
        settled.map(|payment| payment.amount).fold(0, i64::saturating_add)
    }

    /// The refunds so far, including pending ones.
    pub fn refunds(&self) -> impl Iterator<Item = &PlacedRefund> {
        let all = self.payments.iter().flatten().flat_map(|payment| &payment.refunds);
        all.filter(|refund| moves_money(&refund.state))
    }
}

impl OrderLine {
    /// The ordered units, including cancelled ones.
    pub fn ordered(&self) -> u32 {
        self.quantity.max(self.order_placed_quantity)
    }
}

impl LineCount {
    /// The ordered units, including cancelled ones.
    pub fn ordered(&self) -> u32 {
        self.quantity.max(self.order_placed_quantity)
    }
}

/// Whether a payment's money arrived.
pub(super) fn is_settled(state: &str) -> bool {
    state == "Settled"
}

/// Whether a refund has moved its money, or is about to.
pub(super) fn moves_money(state: &str) -> bool {
    state != "Failed"
}

impl Payment {
    /// What can still be refunded of it.
    pub fn refundable(&self) -> i64 {
        let refunded = self.refunds.iter().filter(|refund| moves_money(&refund.state)).map(|refund| refund.total);
        refunded.fold(self.amount, i64::saturating_sub)
    }
}

impl HistoryEntry {
    /// A text or a number of the entry's data.
    pub fn field(&self, name: &str) -> String {
        match self.data.get(name) {
            Some(Value::String(text)) => text.clone(),
            Some(Value::Number(number)) => number.to_string(),
            _ => String::new(),
        }
    }
}
