//! Orders and purchases as the merchant sees them, and the result of an import of orders.

use super::purchases::EligibilityView;
use domain::{
    Currency, Money, OrderId, PurchaseId, RefusalCode, Timestamp, address::Address, order::Product,
    policy::eligibility::Eligibility, stage::ReviewReason,
};
use schemars::JsonSchema;
use serde::Serialize;
use store::purchases::PurchaseWithOrder;

/// A purchase: one line of a sales order.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Purchase {
    /// Unique identifier of the purchase.
    pub id: PurchaseId,
    /// The shop's own id of the line.
    pub external_id: String,
    /// The number of the sales order.
    pub order_number: String,
    /// When the sales order was placed.
    pub ordered_at: Timestamp,
    /// The sales order that the purchase belongs to.
    pub order: SalesOrder,
    /// The position of the line in its order, from 1.
    pub position: u32,
    /// The product that was bought.
    pub product: Product,
    /// The number of units bought.
    pub quantity: u32,
    /// The number of units sent.
    pub fulfilled_quantity: u32,
    /// The number of units in open or settled returns of Retour.
    pub taken_quantity: u32,
    /// The number of those units that are settled: refunded, credited or exchanged.
    pub settled_quantity: u32,
    /// The number of units that were removed from the order before they were sent.
    pub removed_quantity: u32,
    /// The number of units that the shop reports as refunded, including refunds of Retour's returns.
    pub refunded_quantity: u32,
    /// The number of units that can be returned now.
    pub returnable_quantity: u32,
    /// The price of a unit: after discount, tax included. Some units may cost one minor unit more, so that all units
    /// together cost `totalPrice`.
    pub unit_price: Money,
    /// The price of all units together.
    pub total_price: Money,
    /// The tax contained in `totalPrice`.
    pub tax: Money,
    /// The discount that `totalPrice` already contains.
    pub discount: Money,
    /// Whether the product was sold as not returnable.
    pub final_sale: bool,
    /// Whether the product is sent in a parcel.
    pub requires_shipping: bool,
    /// When the units were sent to the consumer.
    pub fulfilled_at: Option<Timestamp>,
    /// When the units arrived at the consumer.
    pub delivered_at: Option<Timestamp>,
    /// Whether the purchase can be returned, and if not, why.
    pub eligibility: EligibilityView,
}

/// The sales order that a purchase belongs to.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SalesOrder {
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
    /// The currency of all prices of the order.
    pub currency: Currency,
    /// When the order was placed.
    pub ordered_at: Timestamp,
    /// The amount that was paid for delivery.
    pub shipping_paid: Money,
    /// The amount that was paid for the order: its total, less what is outstanding. `null`: the shop does not say, and
    /// returns of the order are not limited.
    pub total_paid: Option<Money>,
    /// The amount that the shop reports as refunded in money, including refunds of returns.
    pub total_refunded: Money,
    /// Why a person decides about returns of the order; `null`: the policy decides.
    pub review_reason: Option<ReviewReason>,
    /// The shop's own tags on the order.
    pub tags: Vec<String>,
}

impl Purchase {
    pub(crate) fn new(bought: PurchaseWithOrder, eligibility: Eligibility) -> Self {
        let PurchaseWithOrder { purchase, order_external_id, email, address, shipping_paid } = bought;
        let order = SalesOrder {
            id: purchase.order.id,
            external_id: order_external_id,
            number: purchase.order.number.clone(),
            email,
            address,
            currency: purchase.order.currency,
            ordered_at: purchase.order.ordered_at,
            shipping_paid: purchase.money(shipping_paid),
            total_paid: purchase.order.sums.paid.map(|minor| purchase.money(minor)),
            total_refunded: purchase.money(purchase.order.sums.refunded),
            review_reason: purchase.order.review.map(ReviewReason::from),
            tags: purchase.order.tags.clone(),
        };
        Self {
            id: purchase.id,
            order_number: purchase.order.number.clone(),
            ordered_at: purchase.order.ordered_at,
            order,
            position: purchase.position,
            quantity: purchase.units.bought,
            fulfilled_quantity: purchase.units.fulfilled,
            taken_quantity: purchase.units.taken,
            settled_quantity: purchase.units.settled,
            removed_quantity: purchase.removed,
            refunded_quantity: purchase.units.shop_refunded,
            returnable_quantity: eligibility.returnable,
            unit_price: purchase.money(purchase.units.unit_price()),
            total_price: purchase.money(purchase.units.total),
            tax: purchase.money(purchase.tax),
            discount: purchase.money(purchase.discount),
            final_sale: purchase.final_sale,
            requires_shipping: purchase.requires_shipping,
            fulfilled_at: purchase.fulfilled_at,
            delivered_at: purchase.delivered_at,
            eligibility: eligibility.into(),
            external_id: purchase.external_id,
            product: purchase.product,
        }
    }
}

/// The result of an import of orders.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ImportReport {
    /// The number of orders that were read.
    pub orders: u64,
    /// The number of lines in those orders.
    pub lines: u64,
    /// The number of lines that were new or changed.
    pub changed: u64,
    /// Rows of a CSV file that were skipped because they could not be used: the first 1,000.
    pub skipped: Vec<SkippedRow>,
    /// The number of all skipped rows.
    pub skipped_count: usize,
    /// The orders that the import refused: the first 1,000.
    pub refused: Vec<RefusedOrder>,
    /// The number of all refused orders.
    pub refused_count: usize,
    /// Orders that shoppers cannot look up: they have none of the fields that the account's `lookUpBy` names.
    pub unprovable: NamedOrders,
    /// The orders for which nothing was paid.
    pub unpaid: NamedOrders,
    /// Orders whose returns wait for a person, because their sums do not add up or do not show what was paid.
    pub in_review: NamedOrders,
    /// Orders that cannot be returned yet: no shipping option has a price in their currency.
    pub without_shipping_option: NamedOrders,
    /// Orders whose id was rounded by a spreadsheet: they are identified by their number.
    pub rounded_ids: NamedOrders,
    /// Whether the file had rows or orders, and none of them was imported.
    pub took_nothing: bool,
    /// Whether this was a dry run (`dryRun`), which writes nothing.
    pub dry_run: bool,
}

/// Orders of one kind, counted and named.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct NamedOrders {
    /// The number of these orders.
    pub count: u64,
    /// The numbers of the first 20 of them.
    pub numbers: Vec<String>,
}

/// A row of the file that the import skipped.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SkippedRow {
    /// The line in the file at which the row starts, from 1.
    pub line: u64,
    /// What is wrong and what is expected.
    pub reason: String,
}

/// An order that the import refused.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RefusedOrder {
    /// The number of the order.
    pub number: String,
    /// `KnownUnderAnotherId`, `OtherCurrency`, or `OtherOrder`: the file gives no id, and an order of another person or
    /// another day has this number. Or such an order has this id, with another number.
    pub reason: RefusalCode,
}
