//! Amounts: whole minor units and their currency.

use super::currency::Currency;
use crate::base::refusal::{Refusal, RefusalCode};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

/// An amount: whole minor units (cents, yen, fils) and their currency.
/// In JSON `{"value": "12.50", "currency": "EUR"}`, with exactly the currency's decimals.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Money {
    /// Minor units; negative for a deduction.
    pub minor: i64,
    /// The currency of the amount (ISO 4217).
    pub currency: Currency,
}

impl Money {
    /// An amount in minor units.
    pub const fn new(minor: i64, currency: Currency) -> Self {
        Self { minor, currency }
    }

    /// Parses a decimal such as `12.5` or `-3`. Decimals beyond the currency's are accepted only if they are zeros:
    /// nothing is rounded silently.
    pub fn parse(value: &str, currency: Currency) -> Result<Self, Refusal> {
        parse_minor(value, currency.exponent()).map(|minor| Self { minor, currency }).ok_or_else(|| {
            let message = format!("expected an amount such as {} in {currency}", Self::new(1250, currency).decimal());
            Refusal::new(RefusalCode::OutOfRange, message)
        })
    }

    /// The amount as a decimal with all of the currency's decimals: `12.50`, `-3`, `0.005`.
    pub fn decimal(self) -> String {
        let exponent = self.currency.exponent();
        let sign = if self.minor < 0 { "-" } else { "" };
        let unit = 10_u64.pow(exponent);
        let (whole, rest) = (self.minor.unsigned_abs() / unit, self.minor.unsigned_abs() % unit);
        if exponent == 0 {
            return format!("{sign}{whole}");
        }
        format!("{sign}{whole}.{rest:0width$}", width = exponent as usize)
    }
}

fn parse_minor(value: &str, exponent: u32) -> Option<i64> {
    if value.len() > MAX_DECIMAL_CHARS {
        return None;
    }
    let (negative, digits) = value.strip_prefix('-').map_or((false, value), |rest| (true, rest));
    let (whole, rest) = digits.split_once('.').unwrap_or((digits, ""));
    let all_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || !all_digits(whole) || !all_digits(rest) || (digits.contains('.') && rest.is_empty()) {
        return None;
    }
    let exponent = exponent as usize;
    let (kept, extra) = rest.split_at_checked(exponent.min(rest.len()))?;
    if extra.bytes().any(|byte| byte != b'0') {
        return None;
    }
    let minor: i64 = format!("{whole}{kept:0<exponent$}").parse().ok()?;
    Some(if negative { -minor } else { minor })
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct MoneyJson<'a> {
    #[serde(borrow)]
    value: std::borrow::Cow<'a, str>,
    currency: Currency,
}

impl Serialize for Money {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        MoneyJson { value: self.decimal().into(), currency: self.currency }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Money {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let MoneyJson { value, currency } = MoneyJson::deserialize(deserializer)?;
        Self::parse(&value, currency).map_err(D::Error::custom)
    }
}

/// The longest accepted decimal, characters: any amount with zeros to spare.
pub(crate) const MAX_DECIMAL_CHARS: usize = 24;

/// The largest accepted amount, minor units: the sum of 10,000 of them still fits 64 bits.
pub const MAX_AMOUNT: i64 = 100_000_000_000_000;

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn currency(code: &str) -> Currency {
        Currency::from_code(code).unwrap()
    }

    #[test]
    fn nothing_is_rounded_silently() {
        let eur = currency("EUR");
        assert_eq!(Money::parse("12.5", eur).unwrap().minor, 1250);
        assert_eq!(Money::parse("12.5000", eur).unwrap().minor, 1250);
        let longest = format!("{:0>MAX_DECIMAL_CHARS$}", "12.50");
        assert_eq!(Money::parse(&longest, eur).unwrap().minor, 1250);
        for bad in [
            "12.505",
            "",
            ".",
            "1.",
            ".5",
            "1e3",
            "+1",
            "--1",
            "99999999999999999999",
            "１",
            "-000000000000000000000001.5",
        ] {
            assert!(Money::parse(bad, eur).is_err(), "{bad}");
        }
        assert!(Money::parse("1.5", currency("JPY")).is_err());
    }

    proptest! {
        #[test]
        fn every_amount_of_every_currency_survives_json(
            minor in -9_000_000_000_000_000_i64..9_000_000_000_000_000,
            currency in prop::sample::select(Currency::all().collect::<Vec<_>>()),
        ) {
            let money = Money::new(minor, currency);
            let json = serde_json::to_string(&money).unwrap();
            prop_assert_eq!(serde_json::from_str::<Money>(&json).unwrap(), money);
        }
    }
}
