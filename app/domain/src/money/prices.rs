//! Prices: one amount per currency.

use super::{
    amount::{MAX_AMOUNT, Money},
    currency::Currency,
};
use crate::base::refusal::{Problems, Refusal, RefusalCode};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};
use std::collections::BTreeMap;

/// Prices or fees: at most one amount per currency. Without an amount in a currency, the fee is not charged and the
/// option is not offered: nothing is converted. In JSON a list of amounts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Prices(BTreeMap<Currency, i64>);

impl Prices {
    /// Collects the amounts. Refuses a currency that occurs twice and amounts below 0.
    pub fn new(amounts: impl IntoIterator<Item = Money>) -> Result<Self, Refusal> {
        let mut prices = BTreeMap::new();
        for Money { minor, currency } in amounts {
            if minor < 0 {
                return Err(Refusal::new(
                    RefusalCode::OutOfRange,
                    format!("expected amounts of 0 or more: the one in {currency} is negative"),
                ));
            }
            if prices.insert(currency, minor).is_some() {
                return Err(Refusal::new(
                    RefusalCode::Mismatch,
                    format!("expected one amount per currency: {currency} has several"),
                ));
            }
        }
        Ok(Self(prices))
    }

    /// The amount in a currency, in minor units.
    pub fn minor(&self, currency: Currency) -> Option<i64> {
        self.0.get(&currency).copied()
    }

    /// All amounts, ordered by currency.
    pub fn iter(&self) -> impl Iterator<Item = Money> {
        self.0.iter().map(|(&currency, &minor)| Money { minor, currency })
    }
}

impl Problems {
    /// Adds a problem for each amount above [`MAX_AMOUNT`], so that sums cannot overflow.
    pub fn check_prices(&mut self, field: &str, prices: &Prices) {
        for money in prices.iter().filter(|money| money.minor > MAX_AMOUNT) {
            let most = Money::new(MAX_AMOUNT, money.currency).decimal();
            self.add(field, RefusalCode::OutOfRange, format!("expected at most {most} {}", money.currency));
        }
    }
}

impl Serialize for Prices {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl<'de> Deserialize<'de> for Prices {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::new(Vec::<Money>::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn currency(code: &str) -> Currency {
        Currency::from_code(code).unwrap()
    }

    #[test]
    fn prices_are_read_and_bounded() {
        let text = r#"[{"value":"1.00","currency":"EUR"},{"value":"150","currency":"JPY"}]"#;
        let prices: Prices = serde_json::from_str(text).unwrap();
        let minor = ["EUR", "JPY", "USD"].map(|code| prices.minor(currency(code)));
        assert_eq!((minor, prices.iter().count()), ([Some(100), Some(150), None], 2));
        assert_eq!(serde_json::to_string(&prices).unwrap(), text);
        for (amount, expected) in [(MAX_AMOUNT, vec![]), (MAX_AMOUNT + 1, vec!["fee"])] {
            let mut problems = Problems::default();
            problems.check_prices("fee", &Prices::new([Money::new(amount, currency("EUR"))]).unwrap());
            let fields: Vec<&str> = problems.0.iter().map(|(field, _)| field.as_str()).collect();
            assert_eq!(fields, expected, "{amount}");
        }
    }

    #[test]
    fn prices_hold_one_amount_a_currency() {
        let twice = r#"[{"value":"1.00","currency":"EUR"},{"value":"2.00","currency":"EUR"}]"#;
        assert!(serde_json::from_str::<Prices>(twice).is_err());
        assert!(serde_json::from_str::<Prices>(r#"[{"value":"-1.00","currency":"EUR"}]"#).is_err());
    }
}
