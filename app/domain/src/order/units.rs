//! Units of a purchase: how many can still be returned, and what each is worth.
//!
//! A purchase of *n* units for a total of *T* has `T mod n` remainder units, which cost one minor unit more than the
//! others. Requests take the remainder units first and give back what they took, so that all refunds of a purchase
//! together are exactly *T*.

use serde::{Deserialize, Serialize};

/// The units of a purchase and their whereabouts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Units {
    /// Units bought; at least 1.
    pub bought: u32,
    /// Units sent to the consumer.
    pub fulfilled: u32,
    /// Units in returns, open or settled.
    pub taken: u32,
    /// How many of the taken units are remainder units.
    #[serde(rename = "takenDear")]
    pub taken_remainder_units: u32,
    /// How many of the taken units are settled.
    pub settled: u32,
    /// Units that the shop refunded without Retour.
    pub shop_refunded: u32,
    /// The price of all units together, minor units.
    pub total: i64,
}

/// The units that a request takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TakenUnits {
    /// All units, including the remainder units.
    pub units: u32,
    /// How many of them are remainder units.
    #[serde(rename = "dear")]
    pub remainder_units: u32,
}

impl Units {
    /// Units that can still be returned: those sent, less those in open returns, less those settled here or refunded
    /// by the shop, whichever is more, because the shop may be reporting our own refunds.
    pub fn returnable(&self) -> u32 {
        let open = self.taken.saturating_sub(self.settled);
        self.fulfilled.saturating_sub(open).saturating_sub(self.settled.max(self.shop_refunded))
    }

    /// The price of a unit that is not a remainder unit, minor units.
    pub fn unit_price(&self) -> i64 {
        self.total / i64::from(self.bought.max(1))
    }

    /// How many units cost one minor unit more.
    pub fn remainder_units(&self) -> u32 {
        u32::try_from(self.total % i64::from(self.bought.max(1))).unwrap_or(0)
    }

    /// The units that a request of `units` would take: remainder units first. `None` if there are not that many.
    pub fn take(&self, units: u32) -> Option<TakenUnits> {
        let left = self.remainder_units().saturating_sub(self.taken_remainder_units);
        (units >= 1 && units <= self.returnable()).then(|| TakenUnits { units, remainder_units: units.min(left) })
    }

    /// The price of these units, minor units.
    pub fn value(&self, taken: TakenUnits) -> i64 {
        self.unit_price() * i64::from(taken.units) + i64::from(taken.remainder_units)
    }
}

impl TakenUnits {
    /// The first `units` of them, at most all: remainder units first, as they were taken.
    #[must_use]
    pub fn first(self, units: u32) -> Self {
        let units = units.min(self.units);
        Self { units, remainder_units: self.remainder_units.min(units) }
    }

    /// The rest without a part of it.
    #[must_use]
    pub fn without(self, part: Self) -> Self {
        Self {
            units: self.units.saturating_sub(part.units),
            remainder_units: self.remainder_units.saturating_sub(part.remainder_units),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn bought(units: u32, total: i64) -> Units {
        Units {
            bought: units,
            fulfilled: units,
            taken: 0,
            taken_remainder_units: 0,
            settled: 0,
            shop_refunded: 0,
            total,
        }
    }

    #[test]
    fn the_shops_own_refunds_count_once() {
        let units = Units { taken: 3, settled: 2, shop_refunded: 2, ..bought(6, 600) };
        assert_eq!(units.returnable(), 3);
        assert_eq!(Units { shop_refunded: 4, ..units }.returnable(), 1);
        assert_eq!(Units { fulfilled: 2, ..units }.returnable(), 0);
        assert!(units.take(4).is_none() && units.take(0).is_none());
    }

    proptest! {
        /// Takes and give-backs in any order: never more than was bought, and a full return refunds exactly T.
        #[test]
        fn refunds_of_a_purchase_sum_to_what_was_paid(
            n in 1_u32..50,
            total in 0_i64..100_000,
            moves in prop::collection::vec((any::<bool>(), 1_u32..10), 0..60),
        ) {
            let mut units = bought(n, total);
            let mut held: Vec<TakenUnits> = Vec::new();
            for (give_back, count) in moves {
                if give_back && !held.is_empty() {
                    let whole = held.remove(count as usize % held.len());
                    let kept = whole.first(count.min(whole.units) - 1);
                    let freed = whole.without(kept);
                    units.taken -= freed.units;
                    units.taken_remainder_units -= freed.remainder_units;
                    if kept.units > 0 {
                        held.push(kept);
                    }
                } else if let Some(taken) = units.take(count) {
                    units.taken += taken.units;
                    units.taken_remainder_units += taken.remainder_units;
                    held.push(taken);
                }
                prop_assert!(units.taken <= n && units.taken_remainder_units <= units.remainder_units());
            }
            if let Some(rest) = units.take(units.returnable()) {
                held.push(rest);
            }
            prop_assert_eq!(held.iter().map(|&taken| units.value(taken)).sum::<i64>(), total);
        }
    }
}
