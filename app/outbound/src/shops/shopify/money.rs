//! Shopify's amounts, which are decimals in text.
//!
//! We read only the amounts in the currency that the shopper paid in ("presentment"): a refund pays that currency back. The
//! shop's own currency only tells whether two prices are equal.

use domain::{Currency, Money};
use serde::Deserialize;

/// An amount in both currencies, of which we ask for one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct MoneyBag {
    presentment_money: ShopMoney,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(try_from = "RawMoney")]
struct ShopMoney(Money);

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct RawMoney {
    amount: String,
    currency_code: Currency,
}

impl TryFrom<RawMoney> for ShopMoney {
    type Error = &'static str;

    fn try_from(RawMoney { amount, currency_code }: RawMoney) -> Result<Self, Self::Error> {
        let minor = rounded(&amount, currency_code.exponent()).ok_or("expected an amount that can be paid")?;
        Ok(Self(Money::new(minor, currency_code)))
    }
}

impl MoneyBag {
    /// The amount in minor units, rounded half away from zero.
    pub fn minor(self) -> i64 {
        self.presentment_money.0.minor
    }
}

/// The sum of amounts, in minor units.
pub(super) fn sum(amounts: impl Iterator<Item = MoneyBag>) -> i64 {
    amounts.fold(0, |sum, amount| sum.saturating_add(amount.minor()))
}

/// A decimal in thousandths, to compare amounts of one currency however many decimals they are written with.
pub(super) fn thousandths(text: &str) -> Option<i64> {
    rounded(text, 3)
}

/// A decimal in minor units of a currency.
pub(super) fn minor(text: &str, currency: Currency) -> Option<i64> {
    rounded(text, currency.exponent())
}

/// A decimal in minor units. Shopify sends more decimals than the currency has only for averages, such as a unit's price.
fn rounded(text: &str, exponent: u32) -> Option<i64> {
    let (is_negative, digits) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, "0"));
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if !is_number(whole) || !is_number(fraction) {
        return None;
    }
    let exponent = usize::try_from(exponent).ok()?;
    let (kept, rest) = fraction.split_at_checked(exponent.min(fraction.len()))?;
    let minor: i64 = format!("{whole}{kept:0<exponent$}").parse().ok()?;
    let minor = if rest.as_bytes().first().is_some_and(|digit| *digit >= b'5') { minor.checked_add(1)? } else { minor };
    Some(if is_negative { -minor } else { minor })
}

#[cfg(test)]
mod tests {
    use super::rounded;

    #[test]
    fn amounts_are_exact_and_averages_are_rounded() {
        for (text, exponent, minor) in [
            ("29.99", 2, Some(2999)),
            ("10.0", 2, Some(1000)),
            ("10", 2, Some(1000)),
            ("1000.0", 0, Some(1000)),
            ("0.005", 3, Some(5)),
            ("-3.5", 2, Some(-350)),
            ("6.665", 2, Some(667)),
            ("6.664999", 2, Some(666)),
            ("-0.005", 2, Some(-1)),
            ("", 2, None),
            (".5", 2, None),
            ("5.", 2, None),
            ("1e3", 2, None),
            ("99999999999999999999", 2, None),
        ] {
            assert_eq!(rounded(text, exponent), minor, "{text}");
        }
    }
}
