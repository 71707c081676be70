//! Short texts about what a shopper asks for.

use crate::{
    forms::photos::SentPhoto,
    words::{Live, Words},
};
use domain::{
    order::{ExchangeOption, Product},
    policy::Resolution,
};
use ui::{
    components::ProductSummary,
    money,
    text::{format, isolated},
};

/// The name of the replacement of a product.
pub fn replacement<'a>(wanted: &'a ExchangeOption, of: Option<&Product>, words: &'a Live) -> &'a str {
    match of {
        Some(product) if product.sku == wanted.sku => words.same_again,
        _ if wanted.name.is_empty() => &wanted.sku,
        _ => &wanted.name,
    }
}

/// "Refund · qty 2 of 3". `resolution` is the text of the requested resolution.
pub fn quantity_and_resolution(quantity: u32, bought: u32, resolution: &str, words: &Words) -> String {
    let count = |number| money::count(number, words.live());
    if bought > 1 {
        format(words.n_of_m, &[&count(quantity), &count(bought), resolution])
    } else {
        format(words.n, &[&count(quantity), resolution])
    }
}

/// The requested resolution, with the replacement in an exchange.
pub fn requested_resolution(resolution: Resolution, replacement: Option<&str>, words: &Words) -> String {
    match (resolution, replacement) {
        (Resolution::Refund, _) => words.for_refund.to_owned(),
        (Resolution::Exchange, Some(named)) if named == words.live().same_again => words.for_exchange_same.to_owned(),
        (Resolution::Exchange, Some(named)) => format(words.for_exchange_for, &[&isolated(named, words)]),
        (Resolution::Exchange, None) => words.for_exchange.to_owned(),
        (Resolution::StoreCredit, _) => words.for_store_credit.to_owned(),
    }
}

/// An item of a return.
#[derive(Debug, Clone)]
pub struct ReturnItem {
    pub product: ProductSummary,
    /// Quantity and resolution.
    pub what: String,
    pub why: String,
    /// The photos that the shopper has sent of it, unless the form for more shows them.
    pub photos: Vec<SentPhoto>,
}
