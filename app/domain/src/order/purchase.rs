//! Lines of orders as they are stored.

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

/// A line of an order as we hold it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Purchase {
    /// Identifier.
    pub id: PurchaseId,
    /// The shop's own id of the line.
    pub external_id: String,
    /// Whose order.
    pub order: OrderSummary,
    /// Position in the order, from 1.
    pub position: u32,
    /// What it is.
    pub product: Product,
    /// How many, for how much, and how many of them are on their way back.
    pub units: Units,
    /// The tax within the total, minor units.
    pub tax: i64,
    /// What was taken off before the total, minor units.
    pub discount: i64,
    /// Whether it was sold for good.
    pub final_sale: bool,
    /// Whether it travels in a parcel: gift cards and downloads do not.
    pub requires_shipping: bool,
    /// Units that were taken out of the order before they were sent.
    pub removed: u32,
    /// Why the shop itself does not take it back, if it does not.
    pub obstacle: Option<IneligibleCode>,
    /// When it was sent.
    pub fulfilled_at: Option<Timestamp>,
    /// When it arrived.
    pub delivered_at: Option<Timestamp>,
    /// Whether nobody says when it was sent, and units of its order are still to be sent.
    pub is_undated_part: bool,
}

impl Purchase {
    /// An amount of minor units in this purchase's currency.
    pub fn money(&self, minor: i64) -> Money {
        Money::new(minor, self.order.currency)
    }
}

/// What each line needs to know of its order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrderSummary {
    /// Identifier.
    pub id: OrderId,
    /// The number people know.
    pub number: String,
    /// When it was placed.
    pub ordered_at: Timestamp,
    /// What it is priced in.
    pub currency: Currency,
    /// What was paid for sending it and not promised back yet, minor units.
    pub shipping_left: i64,
    /// What was paid and given back in all.
    pub sums: OrderSums,
    /// Whether some of its lines are not known here.
    pub is_partial: bool,
    /// Why a person decides about its returns.
    pub review: Option<OrderReview>,
    /// The shop's tags.
    pub tags: Vec<String>,
}
