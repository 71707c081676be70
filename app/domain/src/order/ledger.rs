//! What of an order's money can still come back: what was paid, less what its shop gave back, less what returns promise.
//!
//! The rule is the order's, never a line's: a shop that gave back a part of an order rarely says for which units. Values count
//! before fees: a fee that is deducted is paid out of the refund. Money, store credit and exchanges all count, because the
//! value of the goods leaves in each of them. The bonus of store credit does not: it was never paid.

use super::sums::OrderSums;
use crate::money::allocate;

/// The money of one order. Amounts are minor units of its currency.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Ledger {
    /// What the shop says.
    pub sums: OrderSums,
    /// What the shop had given back without Retour when Retour last approved a refund.
    pub refunded_before: i64,
    /// What returns promise or gave, before fees.
    pub promised: i64,
    /// What of that is approved, so that it does not change any more.
    pub fixed: i64,
    /// What is approved to go back as money, after fees. The shop may tell of these refunds, sooner or later.
    pub approved: i64,
}

impl Ledger {
    /// Adds what a request promises, or what it was approved for.
    pub fn add(&mut self, claim: i64, is_approved: bool) {
        self.promised = self.promised.saturating_add(claim);
        self.fixed = self.fixed.saturating_add(if is_approved { claim } else { 0 });
    }

    /// What the shop gave back without Retour. What it gave back since the last approval may be what Retour approved, up to
    /// that amount: it counts once.
    pub fn refunded_by_shop(&self) -> i64 {
        let since = self.sums.refunded.saturating_sub(self.refunded_before);
        self.sums.refunded.saturating_sub(since.clamp(0, self.approved.max(0)))
    }

    /// What can still be promised; `None` where the shop does not say what was paid.
    pub fn left(&self) -> Option<i64> {
        self.balance().map(|balance| balance.max(0))
    }

    /// The same, below 0 where more is promised than there is.
    fn balance(&self) -> Option<i64> {
        let paid = self.sums.paid?;
        Some(paid.saturating_sub(self.refunded_by_shop()).saturating_sub(self.promised))
    }

    /// What an approval can give, where the ledger is without the request that is approved: what was promised to that, or more
    /// where more is left by now, and less where what was approved since leaves no more. `None` where there is no limit.
    pub fn left_for(&self, promised: i64) -> Option<i64> {
        let most = self.sums.paid?.saturating_sub(self.refunded_by_shop()).saturating_sub(self.fixed);
        Some(self.balance()?.max(promised).min(most).max(0))
    }

    /// [`Self::refunded_before`] from the next approval on. It changes nothing of [`Self::refunded_by_shop`], whatever is
    /// approved then.
    pub fn before_next_approval(&self) -> i64 {
        self.refunded_before.max(self.sums.refunded.saturating_sub(self.approved.max(0)))
    }
}

/// What a purchase takes of its order's money, minor units.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Claim {
    /// For its units.
    pub items: i64,
    /// For sending the order, where that comes back with it.
    pub shipping: i64,
}

impl Claim {
    /// All of it.
    pub fn whole(&self) -> i64 {
        self.items.saturating_add(self.shipping)
    }
}

/// What does not come back of each of these claims on one order, so that together they come to no more than `left`. Shipping
/// goes first, then the items in proportion to their values.
pub fn refund_limits(claims: &[Claim], left: i64) -> Vec<i64> {
    let sum = |of: fn(&Claim) -> i64| claims.iter().map(of).fold(0, i64::saturating_add);
    let weights = |of: fn(&Claim) -> i64| -> Vec<u64> {
        claims.iter().map(|claim| u64::try_from(of(claim)).unwrap_or(0)).collect() // below 0: nothing to take off
    };
    let excess = sum(Claim::whole).saturating_sub(left.max(0)).max(0);
    let off_shipping = excess.min(sum(|claim| claim.shipping));
    let shipping = allocate::by_weight(off_shipping, &weights(|claim| claim.shipping));
    let items = allocate::by_weight(excess - off_shipping, &weights(|claim| claim.items));
    shipping.into_iter().zip(items).map(|(shipping, items)| shipping + items).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn ledger(paid: i64, refunded: i64) -> Ledger {
        Ledger { sums: OrderSums { paid: Some(paid), refunded }, ..Ledger::default() }
    }

    #[test]
    fn what_the_shop_gave_back_before_is_never_taken_for_ours() {
        let partly = ledger(16_000, 7_500);
        assert_eq!(partly.left(), Some(8_500));
        let approved = Ledger {
            refunded_before: partly.before_next_approval(),
            promised: 8_000,
            fixed: 8_000,
            approved: 8_000,
            ..partly
        };
        assert_eq!(approved.left(), Some(500), "the shop has not told of ours yet");
        let told = |refunded| Ledger { sums: OrderSums { refunded, ..approved.sums }, ..approved };
        assert_eq!((told(15_500).left(), told(15_500).refunded_by_shop()), (Some(500), 7_500), "now it has: once");
        assert_eq!((told(15_600).left(), told(15_600).refunded_by_shop()), (Some(400), 7_600), "and 1.00 of its own");
        assert_eq!(told(7_500).left(), Some(500), "an older file again");
    }

    #[test]
    fn nothing_is_left_of_what_nobody_paid_and_nothing_is_limited_where_nobody_knows() {
        assert_eq!(ledger(0, 0).left(), Some(0));
        assert_eq!(ledger(1_000, 2_000).left(), Some(0));
        assert_eq!(Ledger::default().left(), None);
        assert_eq!(refund_limits(&[Claim { items: 10_000, shipping: 0 }], 0), [10_000]);
        assert_eq!(refund_limits(&[Claim { items: 10_000, shipping: 0 }], 10_000), [0]);
    }

    #[test]
    fn what_was_promised_is_given_to_whoever_is_approved_first() {
        // Two returns of 80.00 each were promised all of it; then the shop gave 80.00 back itself.
        let others = Ledger { promised: 8_000, ..ledger(16_000, 8_000) };
        assert_eq!(others.left_for(8_000), Some(8_000));
        let approved = Ledger { fixed: 8_000, approved: 8_000, refunded_before: 8_000, ..others };
        assert_eq!(approved.left_for(8_000), Some(0));
        // What was limited gets more once more is left, and never what is promised to others.
        assert_eq!(Ledger { promised: 8_000, ..ledger(16_000, 7_500) }.left_for(500), Some(500));
        assert_eq!(ledger(16_000, 7_500).left_for(500), Some(8_500));
        assert_eq!(Ledger::default().left_for(500), None);
    }

    #[test]
    fn shipping_is_limited_first() {
        let claims = [Claim { items: 5_000, shipping: 0 }, Claim { items: 5_000, shipping: 1_000 }];
        assert_eq!(refund_limits(&claims, 10_000), [0, 1_000]);
        assert_eq!(refund_limits(&claims, 9_999), [1, 1_000], "the first of equals");
        assert_eq!(refund_limits(&claims, -5), [5_000, 6_000]);
    }

    /// What happens to an order: the shop gives money back, the shop tells of all refunds, a return of it is made, its
    /// refund is approved.
    #[derive(Debug, Clone)]
    enum Event {
        Shop(i64),
        Told,
        Return(i64),
        Approve(usize),
        Cancel(usize),
    }

    fn events() -> impl Strategy<Value = Vec<Event>> {
        let one = prop_oneof![
            (1..4_000_i64).prop_map(Event::Shop),
            Just(Event::Told),
            (1..9_000_i64).prop_map(Event::Return),
            any::<usize>().prop_map(Event::Approve),
            any::<usize>().prop_map(Event::Cancel),
        ];
        prop::collection::vec(one, 0..40)
    }

    proptest! {
        #[test]
        fn limits_sum_to_what_is_too_much_and_none_is_more_than_its_claim(
            picks in prop::collection::vec((0..200_000_i64, 0..2_000_i64), 1..12),
            left in -1_000..1_000_000_i64,
        ) {
            let claims: Vec<Claim> = picks.iter().map(|&(items, shipping)| Claim { items, shipping }).collect();
            let limits = refund_limits(&claims, left);
            let whole: i64 = claims.iter().map(Claim::whole).sum();
            let given: i64 = whole - limits.iter().sum::<i64>();
            prop_assert_eq!(given, whole.min(left.max(0)));
            for (claim, limit) in claims.iter().zip(limits) {
                prop_assert!((0..=claim.whole()).contains(&limit));
            }
        }

        /// The shop tells of what it gave back by itself at once, and of ours whenever it comes to it.
        #[test]
        fn all_refunds_together_are_never_more_than_was_paid(paid in 0..20_000_i64, events in events()) {
            let mut ledger = ledger(paid, 0);
            let (mut open, mut own, mut given) = (Vec::new(), 0, 0);
            for event in events {
                match event {
                    // As long as the shop is careful itself. It tells of ours first, so that its own is not taken for ours.
                    Event::Shop(amount) if own + given + amount <= paid => {
                        own += amount;
                        ledger.sums.refunded = own + given;
                    }
                    Event::Told => ledger.sums.refunded = own + given,
                    Event::Return(amount) => {
                        let claim = amount - refund_limits(&[Claim { items: amount, shipping: 0 }], ledger.left().unwrap())[0];
                        ledger.promised += claim;
                        open.push((amount, claim));
                    }
                    Event::Approve(which) if !open.is_empty() => {
                        let (whole, claim) = open.remove(which % open.len());
                        ledger.promised -= claim;
                        let left = ledger.left_for(claim).unwrap();
                        let value = whole.min(left);
                        ledger.refunded_before = ledger.before_next_approval();
                        ledger.promised += value;
                        (ledger.fixed, ledger.approved) = (ledger.fixed + value, ledger.approved + value);
                        given += value;
                    }
                    Event::Cancel(which) if !open.is_empty() => ledger.promised -= open.remove(which % open.len()).1,
                    Event::Shop(_) | Event::Approve(_) | Event::Cancel(_) => {}
                }
                prop_assert_eq!(ledger.refunded_by_shop(), own);
                prop_assert!(own + given <= paid);
            }
        }
    }
}
