//! Orders as a shop sends them, before they are stored.

use super::{
    ineligible::IneligibleCode,
    product::Product,
    sums::{OrderReview, OrderSums},
};
use crate::{address::Address, base::timestamp::Timestamp, money::Currency};

/// An order as it is taken in from a shop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewOrder {
    /// The shop's own id; unique in the account.
    pub external_id: String,
    /// The number people know.
    pub number: String,
    /// Who ordered; may be empty.
    pub email: String,
    /// Where it was delivered to; empty where unknown.
    pub address: Address,
    /// What everything is priced in.
    pub currency: Currency,
    /// When it was placed.
    pub ordered_at: Timestamp,
    /// What was paid for sending it, minor units.
    pub shipping_paid: i64,
    /// What was paid and given back in all.
    pub sums: OrderSums,
    /// Whether some of its lines were left out here: then its shipping is not refunded without a person.
    pub is_partial: bool,
    /// Why a person decides about its returns.
    pub review: Option<OrderReview>,
    /// The postal code of the bill: a proof where there is no address of delivery, and never printed. May be empty.
    pub billing_postal_code: String,
    /// The shop's tags.
    pub tags: Vec<String>,
    /// What was bought.
    pub lines: Vec<NewPurchase>,
}

/// A line of an order as it is taken in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewPurchase {
    /// The shop's own id of the line; unique in the account.
    pub external_id: String,
    /// Position in the order, from 1.
    pub position: u32,
    /// What it is.
    pub product: Product,
    /// Units bought; at least 1.
    pub quantity: u32,
    /// Units sent; at most `quantity`.
    pub fulfilled: u32,
    /// Units that the shop refunded itself.
    pub shop_refunded: u32,
    /// What was paid for all units, minor units: after discount, tax included.
    pub total: i64,
    /// The tax within `total`.
    pub tax: i64,
    /// What was taken off before `total`.
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
}

/// A person's name, reduced to what it is found by: lower case, single spaces; empty where there is none.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NameKeys {
    /// All of it.
    pub whole: String,
    /// Its last word.
    pub last: String,
}

impl NameKeys {
    /// The keys of a name.
    pub fn new(name: &str) -> Self {
        let words: Vec<String> = name.split_whitespace().map(str::to_lowercase).collect();
        Self { whole: words.join(" "), last: words.last().cloned().unwrap_or_default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_by_all_of_them_and_by_their_last_word() {
        let keys = NameKeys::new("  Ada  KING-Noel ");
        assert_eq!((keys.whole.as_str(), keys.last.as_str()), ("ada king-noel", "king-noel"));
        assert_eq!(NameKeys::new(" "), NameKeys::default());
    }
}
