//! Orders as they are read from a shop, before they are stored.

use super::{
    ineligible::IneligibleCode,
    product::Product,
    sums::{OrderReview, OrderSums},
};
use crate::{address::Address, base::timestamp::Timestamp, money::Currency};

/// An order as it is read from a shop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewOrder {
    /// The shop's own id; unique in the account.
    pub external_id: String,
    /// The order number that people see.
    pub number: String,
    /// The customer's e-mail address; may be empty.
    pub email: String,
    /// The delivery address; empty if unknown.
    pub address: Address,
    /// The currency of all amounts.
    pub currency: Currency,
    /// When it was placed.
    pub ordered_at: Timestamp,
    /// The shipping that the customer paid, minor units.
    pub shipping_paid: i64,
    /// Payments and refunds of the whole order.
    pub sums: OrderSums,
    /// Whether some of its lines are missing. Its shipping is then refunded only by a person.
    pub is_partial: bool,
    /// Why a person decides about its returns.
    pub review: Option<OrderReview>,
    /// The billing postal code: it proves the order if there is no delivery address, and is never printed. May be
    /// empty.
    pub billing_postal_code: String,
    /// The shop's tags.
    pub tags: Vec<String>,
    /// The lines of the order.
    pub lines: Vec<NewPurchase>,
}

impl NewOrder {
    /// The price of its lines and its shipping, minor units.
    pub fn cost(&self) -> i64 {
        self.lines.iter().map(|line| line.total).fold(self.shipping_paid, i64::saturating_add)
    }
}

/// A line of an order as it is read from a shop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewPurchase {
    /// The shop's own id of the line; unique in the account.
    pub external_id: String,
    /// Position in the order, from 1.
    pub position: u32,
    /// The product.
    pub product: Product,
    /// Units bought; at least 1.
    pub quantity: u32,
    /// Units sent; at most `quantity`.
    pub fulfilled: u32,
    /// Units that the shop refunded without Retour.
    pub shop_refunded: u32,
    /// The price paid for all units, minor units: after discount, including tax.
    pub total: i64,
    /// The tax within `total`.
    pub tax: i64,
    /// The import duties within `total`.
    pub duties: i64,
    /// The discount deducted before `total`.
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
}

/// The search keys of a person's name: lower case, single spaces; empty without a name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NameKeys {
    /// The full name.
    pub full: String,
    /// Its last word.
    pub last: String,
}

impl NameKeys {
    /// The keys of a name.
    pub fn new(name: &str) -> Self {
        let words: Vec<String> = name.split_whitespace().map(str::to_lowercase).collect();
        Self { full: words.join(" "), last: words.last().cloned().unwrap_or_default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(total: i64) -> NewPurchase {
        NewPurchase {
            external_id: String::new(),
            position: 1,
            product: Product::default(),
            quantity: 1,
            fulfilled: 1,
            shop_refunded: 0,
            total,
            tax: 0,
            duties: 0,
            discount: 0,
            final_sale: false,
            requires_shipping: true,
            removed: 0,
            obstacle: None,
            fulfilled_at: None,
            delivered_at: None,
        }
    }

    #[test]
    fn an_order_costs_its_lines_and_its_shipping() {
        let order = |lines: Vec<NewPurchase>| NewOrder {
            external_id: String::new(),
            number: "1001".into(),
            email: String::new(),
            address: Address::default(),
            currency: Currency::from_code("EUR").unwrap(),
            ordered_at: Timestamp::from_seconds(0),
            shipping_paid: 495,
            sums: OrderSums::default(),
            is_partial: false,
            review: None,
            billing_postal_code: String::new(),
            tags: Vec::new(),
            lines,
        };
        assert_eq!(order(vec![line(1000), line(250)]).cost(), 1745);
        assert_eq!(order(vec![line(i64::MAX)]).cost(), i64::MAX);
    }

    #[test]
    fn a_name_has_a_full_key_and_a_last_word_key() {
        let keys = NameKeys::new("  Ada  KING-Noel ");
        assert_eq!((keys.full.as_str(), keys.last.as_str()), ("ada king-noel", "king-noel"));
        assert_eq!(NameKeys::new(" "), NameKeys::default());
    }
}
