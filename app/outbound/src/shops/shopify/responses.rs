//! The parts of Shopify's responses to a look-up that we read.

use super::{
    duties::{Duty, RefundOfDuties},
    money::MoneyBag,
};
use domain::{Currency, Timestamp};
use serde::Deserialize;

/// The response to `LOOK_UP`.
#[derive(Deserialize)]
pub(super) struct LookUpResponse {
    pub orders: Page<PlacedOrder>,
}

/// The response to `NAMES`.
#[derive(Deserialize)]
pub(super) struct NamesResponse {
    pub orders: Nodes<NamedOrder>,
}

/// The response to `BY_ID`.
#[derive(Deserialize)]
pub(super) struct ByIdResponse {
    pub order: Option<PlacedOrder>,
}

/// The response to `MORE_LINES`.
#[derive(Deserialize)]
pub(super) struct MoreLinesResponse {
    pub order: Option<OrderLines>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct OrderLines {
    pub line_items: Page<OrderLine>,
}

#[derive(Deserialize)]
pub(super) struct NamedOrder {
    pub id: String,
    pub name: String,
}

/// What the app may do in the shop.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Installation {
    pub access_scopes: Vec<Scope>,
}

#[derive(Deserialize)]
pub(super) struct Scope {
    pub handle: String,
}

impl Installation {
    /// Whether the app has a scope. A scope to write contains the scope to read.
    pub fn has(&self, scope: &str) -> bool {
        let writing = scope.strip_prefix("read_").map(|what| format!("write_{what}"));
        self.access_scopes.iter().any(|granted| granted.handle == scope || Some(&granted.handle) == writing.as_ref())
    }
}

#[derive(Debug, Clone, Deserialize)]
pub(super) struct Nodes<T> {
    pub nodes: Vec<T>,
}

/// A part of a list.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Page<T> {
    pub nodes: Vec<T>,
    pub page_info: PageInfo,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct PageInfo {
    pub has_next_page: bool,
    pub end_cursor: Option<String>,
}

/// An order for a look-up.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct PlacedOrder {
    pub id: String,
    /// What people call the order's number, with the shop's prefix and suffix.
    pub name: String,
    pub processed_at: Timestamp,
    pub cancelled_at: Option<Timestamp>,
    pub email: Option<String>,
    pub customer_locale: Option<String>,
    pub tags: Vec<String>,
    /// Whether prices include tax; otherwise tax was paid on top.
    pub taxes_included: bool,
    /// The currency that the shopper paid in.
    pub presentment_currency_code: Currency,
    pub billing_address: Option<Address>,
    pub shipping_address: Option<Address>,
    /// The sum of all shipping costs.
    pub shipping_line: Option<ShippingLine>,
    pub total_tip_received_set: MoneyBag,
    pub total_received_set: MoneyBag,
    pub total_refunded_set: MoneyBag,
    /// Whether prices include duties; otherwise duties were paid beside them.
    #[serde(default)]
    pub duties_included: bool,
    #[serde(default)]
    pub refunds: Vec<RefundOfDuties>,
    pub fulfillments: Vec<Fulfillment>,
    pub line_items: Page<OrderLine>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Address {
    pub first_name: Option<String>,
    pub last_name: Option<String>,
    pub company: Option<String>,
    #[serde(rename = "address1")]
    pub street: Option<String>,
    #[serde(rename = "address2")]
    pub additional: Option<String>,
    pub zip: Option<String>,
    pub city: Option<String>,
    pub province: Option<String>,
    #[serde(rename = "countryCodeV2")]
    pub country_code: Option<String>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ShippingLine {
    /// After all discounts; with tax if the order's prices include tax.
    pub discounted_price_set: MoneyBag,
    pub tax_lines: Vec<TaxLine>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct TaxLine {
    pub price_set: MoneyBag,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Fulfillment {
    pub status: String,
    pub created_at: Timestamp,
    pub delivered_at: Option<Timestamp>,
    #[serde(rename = "fulfillmentLineItems")]
    pub line_items: Nodes<FulfilledLine>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct FulfilledLine {
    pub quantity: Option<u32>,
    pub line_item: LineId,
}

#[derive(Debug, Clone, Deserialize)]
pub(super) struct LineId {
    pub id: String,
}

/// A line of a [`PlacedOrder`].
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct OrderLine {
    pub id: String,
    pub title: String,
    pub sku: Option<String>,
    /// All ordered units, including those that were refunded or removed since.
    pub quantity: u32,
    /// The units that were neither refunded nor removed.
    pub current_quantity: u32,
    /// The units that are still to be sent.
    pub unfulfilled_quantity: u32,
    pub is_gift_card: bool,
    pub requires_shipping: bool,
    pub image: Option<Image>,
    /// The product as it is now; `None` if the shop has deleted it, and for lines without a product, such as a tip.
    pub product: Option<Product>,
    pub variant: Option<Variant>,
    pub weight: Option<Weight>,
    /// Before discounts.
    pub original_unit_price_set: MoneyBag,
    /// The same in the shop's own currency, in which it shows the prices of variants. An export has none.
    #[serde(default)]
    pub sold_for: Option<SoldFor>,
    /// The average price of a unit after all discounts, which may be rounded.
    pub discounted_unit_price_after_all_discounts_set: MoneyBag,
    /// The discounts on all ordered units.
    pub discount_allocations: Vec<DiscountAllocation>,
    /// The tax on all ordered units.
    pub tax_lines: Vec<TaxLine>,
    #[serde(default)]
    pub duties: Vec<Duty>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SoldFor {
    pub shop_money: ShopAmount,
}

#[derive(Deserialize)]
pub(super) struct ShopAmount {
    pub amount: String,
}

#[derive(Deserialize)]
pub(super) struct Image {
    pub url: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Product {
    pub id: String,
    pub tags: Vec<String>,
    /// The metafield `custom.final_sale`; `None` if the product has none.
    pub final_sale: Option<Metafield>,
}

#[derive(Deserialize)]
pub(super) struct Metafield {
    /// Text, whatever the metafield's type is.
    pub value: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Variant {
    pub barcode: Option<String>,
    /// What customs want to know.
    pub inventory_item: CustomsData,
    pub selected_options: Vec<SelectedOption>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct CustomsData {
    pub harmonized_system_code: Option<String>,
    pub country_code_of_origin: Option<String>,
}

#[derive(Deserialize)]
pub(super) struct SelectedOption {
    pub name: String,
    pub value: String,
}

#[derive(Deserialize)]
pub(super) struct Weight {
    pub unit: String,
    pub value: f64,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct DiscountAllocation {
    pub allocated_amount_set: MoneyBag,
}

impl PlacedOrder {
    /// Whether the order can be shown: it was not cancelled before anything was sent.
    pub fn can_be_returned(&self) -> bool {
        self.cancelled_at.is_none() || self.sent().next().is_some()
    }

    /// The fulfilments that were sent.
    pub fn sent(&self) -> impl Iterator<Item = &Fulfillment> {
        self.fulfillments.iter().filter(|fulfillment| is_sent(&fulfillment.status))
    }
}

/// Whether a fulfilment's units were sent. Others failed, were cancelled, or wait for a third party.
pub(super) fn is_sent(status: &str) -> bool {
    status == "SUCCESS"
}

impl Fulfillment {
    /// The units of a line.
    pub fn units_of(&self, line: &OrderLine) -> u32 {
        let own = self.line_items.nodes.iter().filter(|one| one.line_item.id == line.id);
        own.filter_map(|one| one.quantity).fold(0, u32::saturating_add)
    }
}
