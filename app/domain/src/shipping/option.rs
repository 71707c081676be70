//! Shipping options and return locations.

use crate::{
    address::Address,
    base::{
        id::{ReturnLocationId, ShippingOptionId},
        language::Translated,
    },
    money::{Currency, Prices},
};
use serde::{Deserialize, Serialize};

/// A shipping option: one way to send a parcel back, at a price.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ShippingOption {
    /// Unique identifier of the shipping option.
    pub id: ShippingOptionId,
    /// Its name, which the consumer reads first.
    pub name: Translated,
    /// Its explanation in a sentence.
    pub description: Translated,
    /// What the consumer has to do to send the parcel.
    pub method: ShippingMethod,
    /// The prices by currency. It is offered only in these currencies.
    pub prices: Prices,
    /// Prices by weight, replacing `prices` above certain weights, the lightest first.
    #[serde(default)]
    pub weight_prices: Vec<WeightPrice>,
    /// The heaviest parcel that it is offered for, grams; `None`: no limit.
    #[serde(default)]
    pub max_weight: Option<u32>,
    /// Return value from which shipping is free, for each currency that has an amount here.
    #[serde(default)]
    pub free_from: Prices,
    /// The countries where it is offered, as ISO 3166-1 alpha-2 codes; empty: everywhere.
    #[serde(default)]
    pub countries: Vec<String>,
    /// Its position in the list; options with equal positions are ordered by age.
    #[serde(default)]
    pub position: u32,
    /// The return location of its parcels, if not the account's default.
    #[serde(default)]
    pub return_location_id: Option<ReturnLocationId>,
    /// The carrier's service code; empty: karrio's cheapest service.
    #[serde(default)]
    pub carrier_service: String,
}

/// The price of sending above a weight.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct WeightPrice {
    /// Parcels heavier than this, grams.
    #[cfg_attr(feature = "openapi", schemars(range(min = 1, max = 1_000_000)))]
    pub above: u32,
    /// The prices; in other currencies the option is not offered at such a weight.
    pub prices: Prices,
}

impl ShippingOption {
    /// Whether it is offered in a country. An unknown country excludes nothing.
    pub fn serves(&self, country: &str) -> bool {
        self.countries.is_empty()
            || country.trim().is_empty()
            || self.countries.iter().any(|one| one.eq_ignore_ascii_case(country.trim()))
    }

    /// The price for goods of this value, minor units, and weight, grams; `None` if it is not offered for these or in
    /// this currency.
    pub fn price(&self, currency: Currency, value: i64, grams: u64) -> Option<i64> {
        self.fare(currency)?.of(value, grams)
    }

    /// The prices in one currency; `None` if it is not offered in it.
    pub fn fare(&self, currency: Currency) -> Option<Fare> {
        let step = |step: &WeightPrice| (step.above, step.prices.minor(currency));
        Some(Fare {
            price: self.prices.minor(currency)?,
            steps: self.weight_prices.iter().map(step).collect(),
            max_weight: self.max_weight,
            free_from: self.free_from.minor(currency),
        })
    }
}

/// The prices of a shipping option in one currency, minor units.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fare {
    /// The base price.
    pub price: i64,
    /// Prices above weights in grams, the lightest first; `None`: not offered at such a weight.
    pub steps: Vec<(u32, Option<i64>)>,
    /// The heaviest parcel that it is offered for, grams.
    pub max_weight: Option<u32>,
    /// The return value from which it is free.
    pub free_from: Option<i64>,
}

impl Fare {
    /// The price for goods of this value and weight, grams; `None`: it is not offered for these.
    pub fn of(&self, value: i64, grams: u64) -> Option<i64> {
        if self.max_weight.is_some_and(|most| grams > u64::from(most)) {
            return None;
        }
        let step = self.steps.iter().rev().find(|(above, _)| grams > u64::from(*above));
        let price = step.map_or(Some(self.price), |(_, price)| *price)?;
        Some(if self.free_from.is_some_and(|least| value >= least) { 0 } else { price })
    }
}

/// An address that parcels are sent to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReturnLocation {
    /// Unique identifier of the return location.
    pub id: ReturnLocationId,
    /// Its name, for the merchant.
    pub name: String,
    /// The address on labels.
    pub address: Address,
    /// Whether parcels go there by default.
    pub is_default: bool,
}

/// How the carrier gets a parcel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(remote = "ShippingMethod")]
pub enum ShippingMethod {
    /// The consumer prints the label and hands the parcel in.
    Label,
    /// The consumer shows a code; the label is printed at the counter.
    Paperless,
    /// The consumer brings the items to a drop-off point and shows a code; they are packed and labelled there.
    DropOff,
    /// The consumer prints the label; the carrier fetches the parcel.
    PickUp,
    /// The consumer brings the items to a shop of the merchant; no parcel.
    InStore,
    /// The consumer sends the items by a carrier of their own.
    OwnCarrier,
}

string_enum!(ShippingMethod);

enum_names!(ShippingMethod { Label, Paperless, DropOff, PickUp, InStore, OwnCarrier });

impl ShippingMethod {
    /// Whether a label is made for it.
    pub fn has_label(self) -> bool {
        self.needs_printer() || self.shows_code()
    }

    /// Whether the consumer prints something.
    pub fn needs_printer(self) -> bool {
        matches!(self, Self::Label | Self::PickUp)
    }

    /// Whether the consumer shows a code in place of a label.
    pub fn shows_code(self) -> bool {
        matches!(self, Self::Paperless | Self::DropOff)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::money::Money;

    fn option() -> ShippingOption {
        let euro = |minor| Prices::new([Money::new(minor, Currency::from_code("EUR").unwrap())]).unwrap();
        ShippingOption {
            id: ShippingOptionId(uuid::Uuid::nil()),
            name: Translated::en("Post"),
            description: Translated::default(),
            method: ShippingMethod::Label,
            prices: euro(495),
            weight_prices: Vec::new(),
            max_weight: None,
            free_from: euro(10_000),
            countries: vec!["DE".to_owned(), "AT".to_owned()],
            position: 1,
            return_location_id: None,
            carrier_service: String::new(),
        }
    }

    #[test]
    fn an_option_is_free_from_a_value_and_unavailable_in_other_currencies() {
        let [euro, pound] = ["EUR", "GBP"].map(|code| Currency::from_code(code).unwrap());
        assert_eq!(
            [0, 9_999, 10_000, 10_001].map(|value| option().price(euro, value, 500)),
            [495, 495, 0, 0].map(Some)
        );
        assert_eq!(option().price(pound, 10_000, 500), None);
        let never = ShippingOption { free_from: Prices::default(), ..option() };
        assert_eq!(never.price(euro, i64::MAX, 0), Some(495));
    }

    #[test]
    fn weight_steps_set_the_price_up_to_the_maximum_weight() {
        let euro = Currency::from_code("EUR").unwrap();
        let step = |above, minor| WeightPrice { above, prices: Prices::new([Money::new(minor, euro)]).unwrap() };
        let mut option = ShippingOption {
            weight_prices: vec![step(2_000, 695), step(10_000, 1_295)],
            max_weight: Some(31_500),
            ..option()
        };
        let prices = |option: &ShippingOption| {
            [0, 2_000, 2_001, 10_000, 10_001, 31_500, 31_501].map(|grams| option.price(euro, 0, grams))
        };
        let expected = [Some(495), Some(495), Some(695), Some(695), Some(1_295), Some(1_295), None];
        assert_eq!(prices(&option), expected);
        assert_eq!([31_500, 31_501].map(|grams| option.price(euro, 10_000, grams)), [Some(0), None]);
        option.weight_prices[1].prices = Prices::default();
        assert_eq!(option.price(euro, 0, 10_001), None, "no price in this currency at this weight");
    }

    #[test]
    fn shipping_methods_need_a_printer_a_code_or_neither() {
        for (method, has_label, needs_printer, shows_code) in [
            (ShippingMethod::Label, true, true, false),
            (ShippingMethod::PickUp, true, true, false),
            (ShippingMethod::Paperless, true, false, true),
            (ShippingMethod::DropOff, true, false, true),
            (ShippingMethod::InStore, false, false, false),
            (ShippingMethod::OwnCarrier, false, false, false),
        ] {
            let found = (method.has_label(), method.needs_printer(), method.shows_code());
            assert_eq!(found, (has_label, needs_printer, shows_code), "{method:?}");
        }
    }

    #[test]
    fn an_option_serves_its_countries_and_unknown_ones() {
        assert_eq!(
            ["DE", "at", " DE ", "", "FR"].map(|country| option().serves(country)),
            [true, true, true, true, false]
        );
        assert!(ShippingOption { countries: Vec::new(), ..option() }.serves("FR"));
    }
}
