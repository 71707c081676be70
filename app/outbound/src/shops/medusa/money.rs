//! Conversion between the shop's decimal amounts and our money.
//!
//! Medusa computes in decimals of the major unit and never rounds: 3 bags at 24.95 with 10 % off are 67.365. JSON carries
//! these amounts as numbers; parsing turns them into whole billionths.

use domain::{Currency, Money};
use serde::{
    Deserialize, Deserializer,
    de::{Error, Visitor},
};
use serde_json::Number;
use std::fmt;

const ONE: i128 = 1_000_000_000;
const DECIMALS: usize = 9;
/// The most digits before the decimal point. An amount with more digits is an error.
const MAX_DIGITS: usize = 15;

/// An amount or a rate, in billionths.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Decimal(i128);

impl Decimal {
    /// Parses `-12.345`, rounded to billionths.
    pub fn parse(text: &str) -> Option<Self> {
        let (negative, digits) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
        let (whole, rest) = digits.split_once('.').unwrap_or((digits, ""));
        let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        if whole.is_empty() || whole.len() > MAX_DIGITS || !is_digits(whole) || !is_digits(rest) {
            return None;
        }
        let kept: String = rest.chars().chain("0000000000".chars()).take(DECIMALS + 1).collect();
        let tenths: i128 = format!("{whole}{kept}").parse().ok()?;
        let value = (tenths + 5) / 10;
        Some(Self(if negative { -value } else { value }))
    }

    /// A whole number.
    pub fn whole(number: u32) -> Self {
        Self(i128::from(number) * ONE)
    }

    /// Converts minor units.
    pub fn from_minor(minor: i64, currency: Currency) -> Self {
        Self(i128::from(minor) * ONE / 10_i128.pow(currency.exponent()))
    }

    /// Converts to minor units, rounded half up.
    pub fn minor(self, currency: Currency) -> i64 {
        let minor = (self.0 * 10_i128.pow(currency.exponent()) + ONE / 2).div_euclid(ONE);
        i64::try_from(minor).unwrap_or(if minor < 0 { i64::MIN } else { i64::MAX })
    }

    /// The weight for distributing a total: ten-thousandths of the minor unit; 0 for negative amounts.
    pub fn weight(self, currency: Currency) -> u64 {
        u64::try_from((self.0 * 10_i128.pow(currency.exponent() + 4) / ONE).max(0)).unwrap_or(u64::MAX)
    }

    /// The sum.
    pub fn plus(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }

    /// The difference.
    pub fn minus(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }

    /// `self × of / all`, rounded down to billionths; 0 if `all` is 0.
    pub fn share(self, of: Self, all: Self) -> Self {
        let product = self.0.checked_mul(of.0);
        Self(product.and_then(|product| product.checked_div(all.0)).unwrap_or(0))
    }

    /// The JSON number.
    pub fn number(self) -> Number {
        let (whole, rest) = (self.0.unsigned_abs() / ONE.unsigned_abs(), self.0.unsigned_abs() % ONE.unsigned_abs());
        let text = format!("{}{whole}.{rest:09}", if self.0 < 0 { "-" } else { "" });
        let text = text.trim_end_matches('0').trim_end_matches('.');
        text.parse().unwrap_or_else(|_| Number::from(0))
    }
}

/// The sum of amounts.
pub(super) fn sum(amounts: impl Iterator<Item = Decimal>) -> Decimal {
    amounts.fold(Decimal::default(), Decimal::plus)
}

/// One of our amounts, as text.
pub(super) fn text(minor: i64, currency: Currency) -> String {
    format!("{} {currency}", Money::new(minor, currency).decimal())
}

impl<'de> Deserialize<'de> for Decimal {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_f64(DecimalVisitor)
    }
}

/// Reads a JSON number through its shortest text, which is the text that the shop sent.
struct DecimalVisitor;

impl Visitor<'_> for DecimalVisitor {
    type Value = Decimal;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an amount")
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Decimal, E> {
        Decimal::parse(&value.to_string()).ok_or_else(|| E::custom("expected an amount that can be paid"))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Decimal, E> {
        Decimal::parse(&value.to_string()).ok_or_else(|| E::custom("expected an amount that can be paid"))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Decimal, E> {
        Decimal::parse(&value.to_string()).ok_or_else(|| E::custom("expected an amount that can be paid"))
    }
}
