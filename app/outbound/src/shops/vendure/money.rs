//! Conversion between the shop's whole numbers and our money.
//!
//! Vendure stores amounts as whole numbers with the decimals of the shop's `MoneyStrategy`, 2 by default, **for every
//! currency alike**: 1,000 yen are 100000. What the other side cannot represent is rounded down in both directions (a fils
//! has 3 decimals), so that we never refund more than was paid.

use crate::bridge::BridgeError;
use domain::{Currency, Money, Problems, RefusalCode};

/// The most decimals that leave room for an amount in 64 bits.
const MAX_DECIMALS: u32 = 9;

/// The shop's unit of one currency.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scale {
    currency: Currency,
    decimals: u32,
}

impl Scale {
    /// An error for more than [`MAX_DECIMALS`] decimals.
    pub fn new(currency: Currency, decimals: u32) -> Result<Self, BridgeError> {
        if decimals <= MAX_DECIMALS {
            return Ok(Self { currency, decimals });
        }
        let path = "data.globalSettings.serverConfig.moneyStrategyPrecision";
        let mut problems = Problems::default();
        problems.add(path, RefusalCode::OutOfRange, "expected at most 9 decimals");
        Err(BridgeError::BadAnswer(problems))
    }

    /// An amount of the shop's, rounded down. An amount that is too large stays too large.
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
