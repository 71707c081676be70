//! Ways of sending things back.

use crate::{Currency, ReturnLocationId, ShippingOptionId, Translated, money::Prices, policy::Address};
use serde::{Deserialize, Serialize};

/// One way of sending things back, at a price.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ShippingOption {
    /// Identifier.
    pub id: ShippingOptionId,
    /// What the consumer reads first.
    pub name: Translated,
    /// How it works, in a sentence.
    pub description: Translated,
    /// What the consumer has to do.
    pub method: ShippingMethod,
    /// What it costs; offered only in these currencies.
    pub prices: Prices,
    /// From which value of what goes back it costs nothing, in the currencies that have an amount here.
    #[serde(default)]
    pub free_from: Prices,
    /// Where it is offered: two letters of ISO 3166-1 each; empty: everywhere.
    #[serde(default)]
    pub countries: Vec<String>,
    /// Its place among the others; those of one place come by age.
    #[serde(default)]
    pub position: u32,
    /// Where its parcels go, other than to the account's default.
    #[serde(default)]
    pub return_location_id: Option<ReturnLocationId>,
}

impl ShippingOption {
    /// Whether it is offered to who lives there. Where that is not known, nothing is held against anybody.
    pub fn serves(&self, country: &str) -> bool {
        self.countries.is_empty()
            || country.trim().is_empty()
            || self.countries.iter().any(|one| one.eq_ignore_ascii_case(country.trim()))
    }

    /// What it costs to send goods of this value, minor units; `None`: it is not offered in this currency.
    pub fn price(&self, currency: Currency, value: i64) -> Option<i64> {
        let price = self.prices.minor(currency)?;
        let is_free = self.free_from.minor(currency).is_some_and(|least| value >= least);
        Some(if is_free { 0 } else { price })
    }
}

/// Where parcels go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReturnLocation {
    /// Identifier.
    pub id: ReturnLocationId,
    /// What the merchant calls it.
    pub name: String,
    /// What stands on labels.
    pub address: Address,
    /// Whether parcels go there unless their way of sending says otherwise.
    pub is_default: bool,
}

/// How a parcel gets on its way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(remote = "ShippingMethod")]
pub enum ShippingMethod {
    /// Print our label and hand the parcel in.
    Label,
    /// Show a code; the label is printed there.
    Paperless,
    /// Bring it to a shop of the merchant; no parcel.
    InStore,
    /// The consumer sends it on their own.
    OwnCarrier,
}

words!(ShippingMethod);

impl ShippingMethod {
    /// Every one of them.
    pub const ALL: [Self; 4] = [Self::Label, Self::Paperless, Self::InStore, Self::OwnCarrier];

    /// The name in JSON and SQL.
    pub fn name(self) -> &'static str {
        match self {
            Self::Label => "Label",
            Self::Paperless => "Paperless",
            Self::InStore => "InStore",
            Self::OwnCarrier => "OwnCarrier",
        }
    }

    /// The method of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.name() == name)
    }

    /// Whether we draw a label for it.
    pub fn has_label(self) -> bool {
        matches!(self, Self::Label | Self::Paperless)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Money;

    fn option() -> ShippingOption {
        let euro = |minor| Prices::new([Money::new(minor, Currency::from_code("EUR").unwrap())]).unwrap();
        ShippingOption {
            id: ShippingOptionId(uuid::Uuid::nil()),
            name: Translated::en("Post"),
            description: Translated::default(),
            method: ShippingMethod::Label,
            prices: euro(495),
            free_from: euro(10_000),
            countries: vec!["DE".to_owned(), "AT".to_owned()],
            position: 1,
            return_location_id: None,
        }
    }

    #[test]
    fn it_is_free_from_an_amount_on_and_has_no_price_in_other_currencies() {
        let [euro, pound] = ["EUR", "GBP"].map(|code| Currency::from_code(code).unwrap());
        assert_eq!([0, 9_999, 10_000, 10_001].map(|value| option().price(euro, value)), [495, 495, 0, 0].map(Some));
        assert_eq!(option().price(pound, 10_000), None);
        let never = ShippingOption { free_from: Prices::default(), ..option() };
        assert_eq!(never.price(euro, i64::MAX), Some(495));
    }

    #[test]
    fn it_is_offered_where_it_goes_and_where_nobody_knows() {
        assert_eq!(
            ["DE", "at", " DE ", "", "FR"].map(|country| option().serves(country)),
            [true, true, true, true, false]
        );
        assert!(ShippingOption { countries: Vec::new(), ..option() }.serves("FR"));
    }
}
