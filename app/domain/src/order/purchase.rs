//! Purchases: lines of orders as they are stored.

use super::{
    ineligible::IneligibleCode,
    product::Product,
    sums::{OrderReview, OrderSums},
    units::Units,
};
use crate::{
    base::{
        id::{OrderId, PurchaseId},
        timestamp::Timestamp,
    },
    money::{Currency, Money},
};

/// A line of an order, as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Purchase {
    /// Identifier.
    pub id: PurchaseId,
    /// The shop's own id of the line.
    pub external_id: String,
    /// Its order.
    pub order: OrderSummary,
    /// Position in the order, from 1.
    pub position: u32,
    /// The product.
    pub product: Product,
    /// Number of units, their price, and how many are in returns.
    pub units: Units,
    /// The tax within the total, minor units.
    pub tax: i64,
    /// The import duties within the total, minor units.
    pub duties: i64,
    /// The discount deducted before the total, minor units.
    pub discount: i64,
    /// Whether the shop sold it as not returnable.
    pub final_sale: bool,
    /// Whether it is sent in a parcel: gift cards and downloads are not.
    pub requires_shipping: bool,
    /// Units that were removed from the order before they were sent.
    pub removed: u32,
    /// Why the shop refuses a return of it, if it does.
    pub obstacle: Option<IneligibleCode>,
    /// When it was sent.
    pub fulfilled_at: Option<Timestamp>,
    /// When it arrived.
    pub delivered_at: Option<Timestamp>,
    /// Whether its dispatch date is unknown while other units of its order are still unsent.
    pub is_undated_part: bool,
}

impl Purchase {
    /// An amount of minor units in this purchase's currency.
    pub fn money(&self, minor: i64) -> Money {
        Money::new(minor, self.order.currency)
    }
}

/// The parts of an order that each of its purchases carries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrderSummary {
    /// Identifier.
    pub id: OrderId,
    /// The order number that people see.
    pub number: String,
    /// When it was placed.
    pub ordered_at: Timestamp,
    /// The currency of its prices.
    pub currency: Currency,
    /// Outbound shipping that was paid and is not yet promised back, minor units.
    pub shipping_left: i64,
    /// Payments and refunds of the whole order.
    pub sums: OrderSums,
    /// Whether some of its lines are missing.
    pub is_partial: bool,
    /// Why a person decides about its returns.
    pub review: Option<OrderReview>,
    /// The shop's tags.
    pub tags: Vec<String>,
}
