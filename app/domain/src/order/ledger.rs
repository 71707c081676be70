//! How much of an order's money can still be refunded: the amount paid, less the shop's own refunds, less what returns
//! promise.
//!
//! The limit applies to the order, not to a line: a shop that refunds part of an order rarely says for which units.
//! Values count before fees, because a deducted fee is paid out of the refund. Refunds, store credit and exchanges all
//! count, because each of them gives away the value of the goods. The bonus on store credit does not count: it was
//! never paid.

use super::sums::OrderSums;
use crate::money::allocate;

/// The money of one order. Amounts are minor units of its currency.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Ledger {
    /// Payments and refunds as the shop reports them.
    pub sums: OrderSums,
    /// The shop's own refunds at the time of Retour's last approval.
    pub refunded_before: i64,
    /// The amount that returns promise or have given, before fees.
    pub promised: i64,
    /// The approved part of `promised`: it does not change any more.
    pub fixed: i64,
    /// The amount approved as money refunds, after fees. The shop may report these refunds later.
    pub approved: i64,
}

impl Ledger {
    /// Adds the amount that a request promises or was approved for.
    pub fn add(&mut self, claim: i64, is_approved: bool) {
        self.promised = self.promised.saturating_add(claim);
        self.fixed = self.fixed.saturating_add(if is_approved { claim } else { 0 });
    }

    /// The shop's own refunds. Refunds reported since the last approval count as Retour's, up to the approved amount,
    /// so that no refund counts twice.
    pub fn refunded_by_shop(&self) -> i64 {
        let since = self.sums.refunded.saturating_sub(self.refunded_before);
        self.sums.refunded.saturating_sub(since.clamp(0, self.approved.max(0)))
    }

    /// Whether the shop has refunded something on its own, but does not report what was paid. Then nobody can calculate
    /// what is left, and a person decides.
    pub fn is_left_unknown(&self) -> bool {
        self.sums.paid.is_none() && self.refunded_by_shop() > 0
    }

    /// The amount that can still be promised; `None` if the shop does not report payments.
    pub fn left(&self) -> Option<i64> {
        self.balance().map(|balance| balance.max(0))
    }

    /// Like [`Self::left`], but negative if more is promised than there is.
    fn balance(&self) -> Option<i64> {
        let paid = self.sums.paid?;
        Some(paid.saturating_sub(self.refunded_by_shop()).saturating_sub(self.promised))
    }

    /// The most that an approval can give. The ledger must not contain the request that is approved, and `promised` is
    /// what was promised to it. The result is more if more is left by now, less if approvals since then leave less.
    /// `None` if there is no limit.
    pub fn left_for(&self, promised: i64) -> Option<i64> {
        let most = self.sums.paid?.saturating_sub(self.refunded_by_shop()).saturating_sub(self.fixed);
        Some(self.balance()?.max(promised).min(most).max(0))
    }

    /// The value of [`Self::refunded_before`] for the next approval. It leaves [`Self::refunded_by_shop`] unchanged.
    pub fn before_next_approval(&self) -> i64 {
        self.refunded_before.max(self.sums.refunded.saturating_sub(self.approved.max(0)))
    }
}

/// The part of its order's money that a purchase claims, minor units.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RefundClaim {
    /// The claim for its units.
    pub items: i64,
    /// The claim for outbound shipping, if that is refunded with this purchase.
    pub shipping: i64,
}

impl RefundClaim {
    /// The sum of both.
    pub fn total(&self) -> i64 {
        self.items.saturating_add(self.shipping)
    }
}

/// The amount by which each claim on one order is cut, so that together they do not exceed `left`. Shipping is cut
/// first, then the items in proportion to their values.
pub fn refund_limits(claims: &[RefundClaim], left: i64) -> Vec<i64> {
    let sum = |of: fn(&RefundClaim) -> i64| claims.iter().map(of).fold(0, i64::saturating_add);
    let weights = |of: fn(&RefundClaim) -> i64| -> Vec<u64> {
        claims.iter().map(|claim| u64::try_from(of(claim)).unwrap_or(0)).collect() // below 0: nothing to cut
    };
    let excess = sum(RefundClaim::total).saturating_sub(left.max(0)).max(0);
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
    fn earlier_refunds_of_the_shop_are_never_taken_for_ours() {
        let partly = ledger(16_000, 7_500);
        assert_eq!(partly.left(), Some(8_500));
        let approved = Ledger {
            refunded_before: partly.before_next_approval(),
            promised: 8_000,
            fixed: 8_000,
            approved: 8_000,
            ..partly
        };
        assert_eq!(approved.left(), Some(500), "the shop has not reported ours yet");
        let reported = |refunded| Ledger { sums: OrderSums { refunded, ..approved.sums }, ..approved };
        assert_eq!(
            (reported(15_500).left(), reported(15_500).refunded_by_shop()),
            (Some(500), 7_500),
            "reported: it counts once"
        );
        assert_eq!(
            (reported(15_600).left(), reported(15_600).refunded_by_shop()),
            (Some(400), 7_600),
            "and 1.00 of its own"
        );
        assert_eq!(reported(7_500).left(), Some(500), "an older report again");
    }

    #[test]
    fn an_unpaid_order_has_nothing_left_and_an_unknown_payment_limits_nothing() {
        assert_eq!(ledger(0, 0).left(), Some(0));
        assert_eq!(ledger(1_000, 2_000).left(), Some(0));
        assert_eq!(Ledger::default().left(), None);
        assert_eq!(refund_limits(&[RefundClaim { items: 10_000, shipping: 0 }], 0), [10_000]);
        assert_eq!(refund_limits(&[RefundClaim { items: 10_000, shipping: 0 }], 10_000), [0]);
    }

    #[test]
    fn a_refund_of_an_unknown_payment_leaves_an_unknown_amount() {
        let sums = OrderSums { paid: None, refunded: 4_000 };
        assert!(Ledger { sums, ..Ledger::default() }.is_left_unknown());
        assert!(!Ledger::default().is_left_unknown() && !ledger(10_000, 4_000).is_left_unknown());
        // The shop reports the refund of a return.
        let approved = Ledger { sums, promised: 4_000, fixed: 4_000, approved: 4_000, ..Ledger::default() };
        assert!(!approved.is_left_unknown());
        assert!(Ledger { approved: 3_999, ..approved }.is_left_unknown());
    }

    #[test]
    fn the_first_approval_gets_what_was_promised() {
        // Two returns were promised 80.00 each; then the shop refunded 80.00 itself.
        let others = Ledger { promised: 8_000, ..ledger(16_000, 8_000) };
        assert_eq!(others.left_for(8_000), Some(8_000));
        let approved = Ledger { fixed: 8_000, approved: 8_000, refunded_before: 8_000, ..others };
        assert_eq!(approved.left_for(8_000), Some(0));
        // A limited return gets more once more is left, but never what others were promised.
        assert_eq!(Ledger { promised: 8_000, ..ledger(16_000, 7_500) }.left_for(500), Some(500));
        assert_eq!(ledger(16_000, 7_500).left_for(500), Some(8_500));
        assert_eq!(Ledger::default().left_for(500), None);
    }

    #[test]
    fn shipping_is_limited_first() {
        let claims = [RefundClaim { items: 5_000, shipping: 0 }, RefundClaim { items: 5_000, shipping: 1_000 }];
        assert_eq!(refund_limits(&claims, 10_000), [0, 1_000]);
        assert_eq!(refund_limits(&claims, 9_999), [1, 1_000], "the first of equals");
        assert_eq!(refund_limits(&claims, -5), [5_000, 6_000]);
    }

    /// Events of an order: the shop refunds something, the shop reports all refunds, a return is made, approved or
    /// cancelled.
    #[derive(Debug, Clone)]
    enum Event {
        Shop(i64),
        Report,
        Return(i64),
        Approve(usize),
        Cancel(usize),
    }

    fn events() -> impl Strategy<Value = Vec<Event>> {
        let one = prop_oneof![
            (1..4_000_i64).prop_map(Event::Shop),
            Just(Event::Report),
            (1..9_000_i64).prop_map(Event::Return),
            any::<usize>().prop_map(Event::Approve),
            any::<usize>().prop_map(Event::Cancel),
        ];
        prop::collection::vec(one, 0..40)
    }

    proptest! {
        #[test]
        fn limits_sum_to_the_excess_and_none_exceeds_its_claim(
            picks in prop::collection::vec((0..200_000_i64, 0..2_000_i64), 1..12),
            left in -1_000..1_000_000_i64,
        ) {
            let claims: Vec<RefundClaim> = picks.iter().map(|&(items, shipping)| RefundClaim { items, shipping }).collect();
            let limits = refund_limits(&claims, left);
            let whole: i64 = claims.iter().map(RefundClaim::total).sum();
            let given: i64 = whole - limits.iter().sum::<i64>();
            prop_assert_eq!(given, whole.min(left.max(0)));
            for (claim, limit) in claims.iter().zip(limits) {
                prop_assert!((0..=claim.total()).contains(&limit));
            }
        }

        /// The shop reports its own refunds at once, and Retour's at some later time.
        #[test]
        fn all_refunds_together_never_exceed_the_payment(paid in 0..20_000_i64, events in events()) {
            let mut ledger = ledger(paid, 0);
            let (mut open, mut own, mut given) = (Vec::new(), 0, 0);
            for event in events {
                match event {
                    // Only while the shop does not overpay. It reports Retour's refunds first, so that its own are not
                    // taken for them.
                    Event::Shop(amount) if own + given + amount <= paid => {
                        own += amount;
                        ledger.sums.refunded = own + given;
                    }
                    Event::Report => ledger.sums.refunded = own + given,
                    Event::Return(amount) => {
                        let claim = amount - refund_limits(&[RefundClaim { items: amount, shipping: 0 }], ledger.left().unwrap())[0];
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
