//! The shop's whole numbers and our money.
//!
//! Vendure keeps amounts as whole numbers with as many decimals as the shop's `MoneyStrategy` says, 2 unless it was
//! changed, **for every currency alike**: 1,000 yen are 100000. What a currency cannot hold is rounded down when it comes
//! in, and what the shop cannot hold (a fils, with 2 decimals) is rounded down when it goes out: never is more given
//! back than was paid.

use domain::{Currency, Money};

/// The most decimals that leave room for an amount.
const MOST_DECIMALS: u32 = 9;

/// How the shop counts, in one currency.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scale {
    currency: Currency,
    decimals: u32,
}

impl Scale {
    /// None with more decimals than anyone needs.
    pub fn new(currency: Currency, decimals: u32) -> Option<Self> {
        (decimals <= MOST_DECIMALS).then_some(Self { currency, decimals })
    }

    /// An amount of the shop's, rounded down. One that is too large stays too large.
    pub fn money(self, amount: i64) -> Money {
        Money::new(rescaled(amount, self.decimals, self.currency.exponent()), self.currency)
    }

    /// An amount for the shop, rounded down.
    pub fn amount(self, minor: i64) -> i64 {
        rescaled(minor, self.currency.exponent(), self.decimals)
    }
}

fn rescaled(amount: i64, from: u32, to: u32) -> i64 {
    if to >= from {
        amount.saturating_mul(10_i64.saturating_pow(to - from))
    } else {
        amount.div_euclid(10_i64.saturating_pow(from - to))
    }
}
