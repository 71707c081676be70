//! Products.

use crate::{
    address::is_country,
    base::refusal::{Problems, RefusalCode},
};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashSet};

/// A product as the shop describes it. All texts may be empty.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Product {
    /// The product's name, as the shop calls it.
    pub name: String,
    /// The shop's stock-keeping unit.
    pub sku: String,
    /// The GTIN or another bar code.
    pub barcode: String,
    /// URLs of pictures, the best first.
    pub image_urls: Vec<String>,
    /// The attributes of the variant, such as colour and size.
    pub attributes: BTreeMap<String, String>,
    /// The items that it can be exchanged for, at the same price. Omitted if there are none: consumers then cannot ask
    /// for an exchange.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "openapi", schemars(length(max = 250)))]
    pub exchange_options: Vec<ExchangeOption>,
    /// The weight of one unit, grams: 1 to 1,000,000. Omitted if unknown; the policy's `defaultWeight` then applies.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schemars(range(min = 1, max = 1_000_000)))]
    pub weight: Option<u32>,
    /// For customs: the code in the Harmonized System, 6 to 12 digits, optionally in groups (`6109.10`). Omitted if
    /// unknown.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub hs_code: String,
    /// For customs: the country of origin, two letters of ISO 3166-1. Omitted if unknown.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub origin_country: String,
}

/// An item that can be sent in exchange.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ExchangeOption {
    /// The shop's stock-keeping unit.
    pub sku: String,
    /// The name for people; may be empty if a program of the merchant set the option.
    #[serde(default)]
    pub name: String,
}

/// The maximum number of exchange options.
const MAX_EXCHANGE_OPTIONS: usize = 250;

/// Checks the exchange options of a product, by stock-keeping unit and name.
pub fn check_exchange_options<'a>(options: impl ExactSizeIterator<Item = (&'a str, &'a str)>) -> Problems {
    let mut problems = Problems::default();
    if options.len() > MAX_EXCHANGE_OPTIONS {
        let message = format!("expected at most {MAX_EXCHANGE_OPTIONS} of them");
        problems.add("exchangeOptions", RefusalCode::OutOfRange, message);
    }
    let mut seen = HashSet::new();
    for (index, (sku, name)) in options.enumerate().take(MAX_EXCHANGE_OPTIONS) {
        let field = |name| format!("exchangeOptions[{index}].{name}");
        problems.check_text(&field("sku"), sku, 1..=MAX_EXCHANGE_CHARS);
        problems.check_text(&field("name"), name, 1..=MAX_EXCHANGE_CHARS);
        if !seen.insert(sku) {
            problems.add(field("sku"), RefusalCode::Mismatch, "duplicate: expected each once");
        }
    }
    problems
}

/// The longest stock-keeping unit or name of an exchange option, characters.
pub const MAX_EXCHANGE_CHARS: usize = 500;

/// The heaviest unit, grams: a tonne.
pub const MAX_WEIGHT: u32 = 1_000_000;

/// Checks the facts that carriers and customs use.
pub fn check_parcel_facts(weight: Option<u32>, hs_code: &str, origin_country: &str) -> Problems {
    let mut problems = Problems::default();
    if weight.is_some_and(|grams| !(1..=MAX_WEIGHT).contains(&grams)) {
        problems.add(
            "weight",
            RefusalCode::OutOfRange,
            format!("expected a whole number from 1 to {MAX_WEIGHT}: grams"),
        );
    }
    if !(hs_code.is_empty() || is_hs_code(hs_code)) {
        let message = "expected 6 to 12 digits of the Harmonized System, such as 6109.10";
        problems.add("hsCode", RefusalCode::NotAllowed, message);
    }
    if !(origin_country.is_empty() || is_country(origin_country)) {
        let message = "expected two letters of ISO 3166-1, such as NL";
        problems.add("originCountry", RefusalCode::NotAllowed, message);
    }
    problems
}

/// Twelve digits with a separator after every other one fit.
const MAX_HS_CODE_CHARS: usize = 20;

/// The first six digits are international; countries add up to six of their own.
fn is_hs_code(text: &str) -> bool {
    let digits = text.chars().filter(char::is_ascii_digit).count();
    text.len() <= MAX_HS_CODE_CHARS
        && (6..=12).contains(&digits)
        && text.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | ' '))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_that_no_carrier_could_use_are_refused_by_field() {
        let fields = |weight, hs_code, country| {
            let problems = check_parcel_facts(weight, hs_code, country).0;
            problems.into_iter().map(|(field, _)| field).collect::<Vec<_>>()
        };
        for hs_code in ["", "610910", "6109.10", "6109 10 00 10", "610910001234"] {
            assert!(fields(Some(1), hs_code, "NL").is_empty(), "{hs_code}");
        }
        for hs_code in ["61091", "6109100012345", "T-shirt", "6109-10", "......"] {
            assert_eq!(fields(None, hs_code, ""), ["hsCode"], "{hs_code}");
        }
        assert_eq!(fields(Some(0), "", "Holland"), ["weight", "originCountry"]);
        assert_eq!(fields(Some(MAX_WEIGHT + 1), "", "nl"), ["weight", "originCountry"]);
    }

    #[test]
    fn exchange_options_are_bounded_and_listed_once() {
        let fields = |options: &[(&str, &str)]| {
            let problems = check_exchange_options(options.iter().copied()).0;
            problems.into_iter().map(|(field, _)| field).collect::<Vec<_>>()
        };
        let long = "x".repeat(MAX_EXCHANGE_CHARS + 1);
        assert!(fields(&[]).is_empty() && fields(&[("S", "Small"), (&long[1..], &long[1..])]).is_empty());
        assert_eq!(fields(&[("S", "Small"), ("S", "Short")]), ["exchangeOptions[1].sku"]);
        assert_eq!(
            fields(&[("", ""), (long.as_str(), long.as_str())]),
            ["exchangeOptions[0].sku", "exchangeOptions[0].name", "exchangeOptions[1].sku", "exchangeOptions[1].name",]
        );
        let skus: Vec<String> = (0..=MAX_EXCHANGE_OPTIONS).map(|number| number.to_string()).collect();
        let many: Vec<(&str, &str)> = skus.iter().map(|sku| (sku.as_str(), "One")).collect();
        assert_eq!(fields(&many), ["exchangeOptions"]);
        assert!(fields(&many[1..]).is_empty());
    }
}
