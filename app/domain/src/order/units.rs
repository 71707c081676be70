//! Units of a purchase: how many can still go back, and what each is worth.
//!
//! A purchase of *n* units for *T* has `T mod n` units that are one minor unit dearer. Requests take the dear
//! ones first and give back what they took, so that all refunds of a purchase together are exactly *T*.

use serde::{Deserialize, Serialize};

/// The units of a purchase and where they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Units {
    /// Units bought; at least 1.
    pub bought: u32,
    /// Units sent to the consumer.
    pub fulfilled: u32,
    /// Units in returns of ours, open or settled.
    pub taken: u32,
    /// How many of the taken ones are dear.
    pub taken_dear: u32,
    /// How many of the taken ones are settled.
    pub settled: u32,
    /// Units that the shop refunded without us.
    pub shop_refunded: u32,
    /// What all units together cost, minor units.
    pub total: i64,
}

/// Units that a request takes: how many, and how many of them are the dear ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TakenUnits {
    /// Units.
    pub units: u32,
    /// Of which dear.
    pub dear: u32,
}

impl Units {
    /// Units that can still go back: sent, less those on their way, less those that were settled here or
    /// refunded by the shop, whichever is more (the shop may be telling of our own refunds).
    pub fn returnable(&self) -> u32 {
        let open = self.taken.saturating_sub(self.settled);
        self.fulfilled.saturating_sub(open).saturating_sub(self.settled.max(self.shop_refunded))
    }

    /// What a cheap unit costs, minor units.
    pub fn unit_price(&self) -> i64 {
        self.total / i64::from(self.bought.max(1))
    }

    /// How many units are one minor unit dearer.
    pub fn dear(&self) -> u32 {
        u32::try_from(self.total % i64::from(self.bought.max(1))).unwrap_or(0)
    }

    /// Which units a request of `units` would get: the dear ones first. `None` when there are not that many.
    pub fn take(&self, units: u32) -> Option<TakenUnits> {
        let dear_left = self.dear().saturating_sub(self.taken_dear);
        (units >= 1 && units <= self.returnable()).then(|| TakenUnits { units, dear: units.min(dear_left) })
    }

    /// What such units cost, minor units.
    pub fn value(&self, taken: TakenUnits) -> i64 {
        self.unit_price() * i64::from(taken.units) + i64::from(taken.dear)
    }
}

impl TakenUnits {
    /// The part of it that `units` (at most as many) make: dear ones first, as they were taken.
    #[must_use]
    pub fn first(self, units: u32) -> Self {
        let units = units.min(self.units);
        Self { units, dear: self.dear.min(units) }
    }

    /// What is left of it without another part of it.
    #[must_use]
    pub fn without(self, part: Self) -> Self {
        Self { units: self.units.saturating_sub(part.units), dear: self.dear.saturating_sub(part.dear) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn bought(units: u32, total: i64) -> Units {
        Units { bought: units, fulfilled: units, taken: 0, taken_dear: 0, settled: 0, shop_refunded: 0, total }
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
        /// Takes and give-backs in any order: never more than bought, and a full return gives back exactly T.
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
                    units.taken_dear -= freed.dear;
                    if kept.units > 0 {
                        held.push(kept);
                    }
                } else if let Some(taken) = units.take(count) {
                    units.taken += taken.units;
                    units.taken_dear += taken.dear;
                    held.push(taken);
                }
                prop_assert!(units.taken <= n && units.taken_dear <= units.dear());
            }
            if let Some(rest) = units.take(units.returnable()) {
                held.push(rest);
            }
            prop_assert_eq!(held.iter().map(|&taken| units.value(taken)).sum::<i64>(), total);
        }
    }
}
