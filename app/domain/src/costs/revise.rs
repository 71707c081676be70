//! The costs of a submitted return: the draft's figures, less what was rejected, missing or refused.

use super::{
    breakdown::{CostBreakdown, LineKind},
    request_costs::{RequestCosts, assemble},
};
use crate::{base::id::PurchaseId, policy::Resolution};
use std::ops::RangeInclusive;

/// The outcome of one request of a return.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RequestOutcome {
    /// The purchase that the request returns.
    pub purchase_id: PurchaseId,
    /// The resolution that is given.
    pub resolution: Resolution,
    /// The resolution of the draft; the merchant may have chosen another one since.
    pub drafted: Resolution,
    /// The units that count.
    pub counts: CountedUnits,
    /// Outbound shipping of its order if it is refunded with this request, minor units; else 0.
    pub outbound_shipping: i64,
    /// The part of both that is not refunded, because no more is left of its order; never more than both.
    pub limit: i64,
    /// What staff added to its value, or took off, minor units. Outside of [`RequestOutcome::adjustable`], the nearest
    /// amount within counts.
    pub adjustment: i64,
}

/// The units of a request that count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CountedUnits {
    /// This many units, possibly 0: the others are missing or were refused.
    Units {
        /// The number of units.
        units: u32,
        /// Their price, minor units.
        value: i64,
    },
    /// Nothing, and nothing is charged for it: it was rejected or cancelled.
    Nothing,
}

impl CountedUnits {
    /// The price of the units, minor units; `None` if nothing counts.
    pub fn value(&self) -> Option<i64> {
        match self {
            Self::Units { value, .. } => Some(*value),
            Self::Nothing => None,
        }
    }
}

/// The breakdown of the requests that remain. Each request keeps the share of the fees that the draft fixed for it:
/// nothing new is charged, and no request owes more than its own value.
#[must_use]
pub fn revise(draft: &CostBreakdown, outcomes: &[RequestOutcome]) -> CostBreakdown {
    assemble(draft.currency, outcomes.iter().filter_map(|outcome| part(draft, outcome)).collect())
}

impl RequestOutcome {
    /// The amount given for it after deducted fees, minor units.
    pub fn value(&self, draft: &CostBreakdown) -> i64 {
        part(draft, self).map_or(0, |part| part.gross() - part.deducted())
    }

    /// The adjustments that are possible, minor units: staff can take off all that is given for the units, and can give
    /// back the deducted fees. So the value is never negative, and never more than was paid for the units and is left.
    /// An exchange gives no money.
    pub fn adjustable(&self, draft: &CostBreakdown) -> RangeInclusive<i64> {
        unadjusted(draft, self).map_or(0..=0, |part| adjustable(&part, self.resolution))
    }
}

fn adjustable(part: &RequestCosts, resolution: Resolution) -> RangeInclusive<i64> {
    let deducted = part.deducted();
    match resolution {
        Resolution::Exchange => 0..=0,
        Resolution::Refund | Resolution::StoreCredit => deducted - part.own()..=deducted,
    }
}

fn part(draft: &CostBreakdown, outcome: &RequestOutcome) -> Option<RequestCosts> {
    let mut part = unadjusted(draft, outcome)?;
    let possible = adjustable(&part, outcome.resolution);
    let adjustment = outcome.adjustment.clamp(*possible.start(), *possible.end());
    part.push(LineKind::Adjustment, adjustment, None, None);
    Some(part)
}

fn unadjusted(draft: &CostBreakdown, outcome: &RequestOutcome) -> Option<RequestCosts> {
    let CountedUnits::Units { units, value } = outcome.counts else { return None };
    let resolution = outcome.resolution;
    let before = RequestCosts::of(draft, outcome.purchase_id, outcome.drafted);
    let mut part = RequestCosts::new(outcome.purchase_id, resolution, draft.currency);
    part.push(LineKind::ItemRefund, value, Some(units), None);
    part.push(LineKind::OutboundShippingRefund, outcome.outbound_shipping, None, None);
    part.push(LineKind::RefundLimit, -outcome.limit.min(value + outcome.outbound_shipping).max(0), None, None);
    let (value_before, value) = (before.worth(), part.worth());
    if resolution == Resolution::Exchange {
        part.push(LineKind::ExchangeValue, -value, Some(units), None);
    }
    for line in before.lines() {
        let minor = line.amount.minor;
        let minor = match line.kind {
            LineKind::ItemRefund
            | LineKind::OutboundShippingRefund
            | LineKind::RefundLimit
            | LineKind::ExchangeValue
            | LineKind::FeeWaiver
            | LineKind::Adjustment => continue,
            LineKind::RestockingFee => -share_down(-minor, value, value_before),
            // The bonus was promised for store credit only; a bonus that the draft did not promise is not added.
            LineKind::StoreCreditBonus if resolution != Resolution::StoreCredit => continue,
            LineKind::StoreCreditBonus => minor - share_down(minor, value_before - value, value_before),
            LineKind::ReturnShipping | LineKind::RequestFee => minor,
        };
        part.push(line.kind, minor, None, line.shipping_option_id);
    }
    part.paid = before.paid.min(part.fees);
    let deducted = before.deducted().min(part.fees - part.paid).min(part.own());
    part.waived = part.fees - part.paid - deducted;
    Some(part)
}

/// The share `part / whole` of an amount (not negative), rounded down, and at most the amount.
fn share_down(amount: i64, part: i64, whole: i64) -> i64 {
    if whole <= 0 || part <= 0 {
        return 0;
    }
    let share = i128::from(amount) * i128::from(part) / i128::from(whole);
    i64::try_from(share).map_or(amount, |share| share.min(amount))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        base::id::ShippingOptionId,
        costs::{ChargedItem, Charges, SettledAmounts, calculate},
        money::{Currency, Percent},
        order::{TakenUnits, Units},
        policy::{FeeCollection, reason::Fault},
    };
    use proptest::prelude::*;
    use uuid::Uuid;

    const RESOLUTIONS: [Resolution; 3] = [Resolution::Refund, Resolution::StoreCredit, Resolution::Exchange];

    /// An item to return: its value, number of units and resolution.
    type RequestedItem = (i64, u32, Resolution);

    fn id(number: usize) -> PurchaseId {
        PurchaseId(Uuid::from_u128(u128::try_from(number).unwrap()))
    }

    fn draft(items: &[RequestedItem], shipping: i64, collection: FeeCollection) -> Charges {
        let item = |(number, &(value, quantity, resolution)): (usize, &RequestedItem)| ChargedItem {
            purchase_id: id(number),
            quantity,
            value,
            outbound_shipping: if number + 1 == items.len() { 300 } else { 0 },
            limit: 0,
            resolution,
            restocking_fee: Percent::from_hundredths(1_000).unwrap(),
            fault: Fault::Consumer,
        };
        Charges {
            currency: Currency::from_code("EUR").unwrap(),
            items: items.iter().enumerate().map(item).collect(),
            shipping: Some((ShippingOptionId(Uuid::nil()), shipping)),
            request_fee: 0,
            store_credit_bonus: Percent::from_hundredths(1_000).unwrap(),
            collection,
            least_payable: None,
            waives_fees: false,
        }
    }

    /// The outcome with this many units; more than were bought stands for a rejected request.
    fn outcome(
        number: usize,
        (total, bought, resolution): RequestedItem,
        units: u32,
        outbound_shipping: i64,
    ) -> RequestOutcome {
        let of = Units {
            bought,
            fulfilled: bought,
            taken: 0,
            taken_remainder_units: 0,
            settled: 0,
            shop_refunded: 0,
            total,
        };
        let value = of.value(TakenUnits { units: bought, remainder_units: of.remainder_units() }.first(units));
        let counts = if units > bought { CountedUnits::Nothing } else { CountedUnits::Units { units, value } };
        RequestOutcome {
            purchase_id: id(number),
            resolution,
            drafted: resolution,
            counts,
            outbound_shipping,
            limit: 0,
            adjustment: 0,
        }
    }

    fn outcomes(items: &[RequestedItem], units: &[u32], outbound_shipping: i64) -> Vec<RequestOutcome> {
        let shipping = |number| if number + 1 == items.len() { outbound_shipping } else { 0 };
        let each = items.iter().zip(units).enumerate();
        each.map(|(number, (&asked, &units))| outcome(number, asked, units, shipping(number))).collect()
    }

    #[test]
    fn rejected_requests_drop_out_with_their_lines() {
        let items = [(5_900, 1, Resolution::Refund), (3_751, 3, Resolution::Refund)];
        let before = calculate(&draft(&items, 495, FeeCollection::Deduct));
        let after = revise(&before, &outcomes(&items, &[1, 9], 0));
        assert!(after.lines.iter().all(|line| line.purchase_id == id(0)), "{after:?}");
        // 59.00, less 10 % and its share of 4.95 (61 %), as the draft fixed them.
        assert_eq!(after.total(LineKind::ReturnShipping), -303);
        assert_eq!(after.estimated_refund.minor, 5_900 - 590 - 303);
    }

    #[test]
    fn missing_units_scale_the_lines() {
        let items = [(3_751, 3, Resolution::Refund)];
        let before = calculate(&draft(&items, 0, FeeCollection::Deduct));
        let value = |units| {
            let after = revise(&before, &outcomes(&items, &[units], 0));
            (after.total(LineKind::ItemRefund), after.total(LineKind::RestockingFee), after.lines[0].quantity)
        };
        assert_eq!(value(3), (3_751, -375, Some(3)));
        assert_eq!(
            value(2),
            (2_501, -250, Some(2)),
            "12.51 + 12.50; the fee in proportion, rounded in the consumer's favour"
        );
        assert_eq!(value(1), (1_251, -125, Some(1)));
        assert_eq!(value(0), (0, 0, Some(0)));
    }

    #[test]
    fn only_counted_units_have_a_value() {
        assert_eq!(CountedUnits::Units { units: 0, value: 0 }.value(), Some(0));
        assert_eq!(CountedUnits::Units { units: 2, value: 2_501 }.value(), Some(2_501));
        assert_eq!(CountedUnits::Nothing.value(), None);
    }

    #[test]
    fn a_request_without_value_owes_nothing() {
        let items = [(1_000, 1, Resolution::Refund), (1_000, 1, Resolution::Refund)];
        let before = calculate(&draft(&items, 495, FeeCollection::Deduct));
        let after = revise(&before, &outcomes(&items, &[1, 0], 0));
        assert_eq!(after.total(LineKind::FeeWaiver), 247, "its share of return shipping");
        assert_eq!(after.estimated_refund.minor, 1_000 - 100 - 248);
    }

    #[test]
    fn prepaid_fees_are_not_deducted_again() {
        let items = [(1_000, 2, Resolution::Refund)];
        let before = calculate(&Charges { least_payable: Some(50), ..draft(&items, 495, FeeCollection::Prepay) });
        assert_eq!((before.payable_now.minor, before.value_of(id(0), false)), (595, 1_000));
        let after = revise(&before, &outcomes(&items, &[1], 0));
        assert_eq!((after.payable_now.minor, after.value_of(id(0), false)), (545, 500), "half the restocking fee");
    }

    #[test]
    fn a_refund_in_place_of_an_exchange_charges_no_new_fees() {
        let [refund, credit, exchange] = RESOLUTIONS;
        let after = |(drafted, resolution)| {
            let items = [(2_000, 1, drafted)];
            let before = calculate(&draft(&items, 495, FeeCollection::Deduct));
            let outcome = RequestOutcome { resolution, ..outcome(0, items[0], 1, 0) };
            let costs = revise(&before, &[outcome]);
            (
                costs.estimated_refund.minor,
                costs.estimated_credit.minor,
                costs.total(LineKind::FeeWaiver),
                outcome.value(&before),
            )
        };
        // 200 for restocking and 495 for return shipping, which cannot be deducted from an exchange.
        assert_eq!(after((exchange, refund)), (2_000, 0, 695, 2_000));
        assert_eq!(after((exchange, credit)), (0, 2_000, 695, 2_000), "no bonus that the draft did not promise");
        assert_eq!(after((refund, exchange)), (0, 0, 695, 0));
        assert_eq!(after((credit, refund)), (1_305, 0, 0, 1_305), "no bonus on money");
        assert_eq!(after((refund, credit)), (0, 1_305, 0, 1_305));
    }

    #[test]
    fn an_adjustment_beyond_what_is_possible_counts_up_to_there() {
        let items = [(2_000, 1, Resolution::Refund)];
        let before = calculate(&draft(&items, 495, FeeCollection::Deduct));
        let value = |adjustment| {
            let outcome = RequestOutcome { adjustment, ..outcome(0, items[0], 1, 0) };
            let costs = revise(&before, &[outcome]);
            assert_eq!(outcome.value(&before), costs.estimated_refund.minor);
            (
                costs.estimated_refund.minor,
                costs.total(LineKind::Adjustment),
                costs.settled(id(0), outcome.value(&before)),
            )
        };
        let settled = |items, fees| SettledAmounts { items, shipping: 0, fees };
        // 200 for restocking and 495 for return shipping are deducted.
        assert_eq!(value(0), (1_305, 0, settled(2_000, 695)));
        assert_eq!(value(-305), (1_000, -305, settled(1_695, 695)));
        assert_eq!(value(-9_000), (0, -1_305, settled(695, 695)));
        assert_eq!(value(95), (1_400, 95, settled(2_000, 600)), "fees are given back");
        assert_eq!(value(9_000), (2_000, 695, settled(2_000, 0)), "never more than was paid");
        let exchange =
            RequestOutcome { adjustment: 100, resolution: Resolution::Exchange, ..outcome(0, items[0], 1, 0) };
        assert_eq!((exchange.adjustable(&before), exchange.value(&before)), (0..=0, 0));
    }

    proptest! {
        #[test]
        fn adjustments_are_exact_and_stay_within_what_was_paid(
            picks in prop::collection::vec((0..200_000_i64, 1..7_u32, 0..3_usize, 0..9_u32, -300_000..300_000_i64), 1..6),
            shipping in 0..20_000_i64,
            prepay: bool,
            least in prop::option::of(0..500_i64),
        ) {
            let collection = if prepay { FeeCollection::Prepay } else { FeeCollection::Deduct };
            let items: Vec<RequestedItem> = picks.iter().map(|pick| (pick.0, pick.1, RESOLUTIONS[pick.2])).collect();
            let units: Vec<u32> = picks.iter().map(|pick| if pick.3 > 6 { 9 } else { pick.3.min(pick.1) }).collect();
            let before = calculate(&Charges { least_payable: least, ..draft(&items, shipping, collection) });
            let plain = outcomes(&items, &units, 300);
            let adjusted: Vec<RequestOutcome> = plain
                .iter()
                .zip(&picks)
                .map(|(outcome, pick)| RequestOutcome { adjustment: pick.4, ..*outcome })
                .collect();
            let after = revise(&before, &adjusted);
            let sum: i64 = after.lines.iter().map(|line| line.amount.minor).sum();
            let figures = [after.estimated_refund, after.estimated_credit, after.payable_now, after.fee_total].map(|money| money.minor);
            prop_assert_eq!(sum, figures[0] + figures[1] - figures[2]);
            prop_assert!(figures.iter().all(|&figure| figure >= 0), "{after:?}");
            prop_assert_eq!(adjusted.iter().map(|outcome| outcome.value(&before)).sum::<i64>(), figures[0] + figures[1]);
            for (plain, adjusted) in plain.iter().zip(&adjusted) {
                let (id, possible) = (plain.purchase_id, plain.adjustable(&before));
                let value = adjusted.value(&before);
                prop_assert_eq!(value, plain.value(&before) + adjusted.adjustment.clamp(*possible.start(), *possible.end()));
                let bonus: i64 = after.lines.iter()
                    .filter(|line| line.purchase_id == id && line.kind == LineKind::StoreCreditBonus)
                    .map(|line| line.amount.minor)
                    .sum();
                prop_assert!((0..=after.claim_of(id).total() + bonus).contains(&value), "{after:?}");
                let SettledAmounts { items, shipping, fees } = after.settled(id, value);
                prop_assert_eq!(items + shipping - fees, value);
                prop_assert!(items >= 0 && shipping >= 0 && fees >= 0);
            }
        }

        #[test]
        fn any_other_resolution_sums_up_and_costs_no_more(
            picks in prop::collection::vec((0..200_000_i64, 1..7_u32, 0..3_usize, 0..3_usize, 0..9_u32), 1..6),
            shipping in 0..20_000_i64,
            prepay: bool,
            least in prop::option::of(0..500_i64),
        ) {
            let collection = if prepay { FeeCollection::Prepay } else { FeeCollection::Deduct };
            let items: Vec<RequestedItem> = picks.iter().map(|pick| (pick.0, pick.1, RESOLUTIONS[pick.2])).collect();
            let units: Vec<u32> = picks.iter().map(|pick| if pick.4 > 6 { 9 } else { pick.4.min(pick.1) }).collect();
            let before = calculate(&Charges { least_payable: least, ..draft(&items, shipping, collection) });
            let mut outcomes = outcomes(&items, &units, 300);
            for (outcome, pick) in outcomes.iter_mut().zip(&picks) {
                outcome.resolution = RESOLUTIONS[pick.3];
            }
            let after = revise(&before, &outcomes);
            let sum: i64 = after.lines.iter().map(|line| line.amount.minor).sum();
            let figures = [after.estimated_refund, after.estimated_credit, after.payable_now, after.fee_total].map(|money| money.minor);
            prop_assert_eq!(sum, figures[0] + figures[1] - figures[2]);
            prop_assert!(figures.iter().all(|&figure| figure >= 0), "{after:?}");
            prop_assert!(after.payable_now.minor <= before.payable_now.minor && after.fee_total.minor <= before.fee_total.minor);
            let values: i64 = outcomes.iter().map(|outcome| outcome.value(&before)).sum();
            prop_assert_eq!(values, figures[0] + figures[1], "{:?}", after);
            for outcome in &outcomes {
                let SettledAmounts { items, shipping, fees } = after.settled(outcome.purchase_id, outcome.value(&before));
                prop_assert_eq!(items + shipping - fees, outcome.value(&before));
                prop_assert!(items >= 0 && shipping >= 0 && fees >= 0);
            }
        }

        #[test]
        fn requests_are_independent_and_sum_to_the_total(
            picks in prop::collection::vec((0..200_000_i64, 1..7_u32, 0..3_usize, 0..9_u32), 1..6),
            other in 0..9_u32,
            shipping in 0..20_000_i64,
            prepay: bool,
            least in prop::option::of(0..500_i64),
        ) {
            let collection = if prepay { FeeCollection::Prepay } else { FeeCollection::Deduct };
            let items: Vec<RequestedItem> = picks.iter().map(|&(value, quantity, which, _)| (value, quantity, RESOLUTIONS[which])).collect();
            let units: Vec<u32> = picks.iter().map(|&(_, quantity, _, units)| if units > 6 { 9 } else { units.min(quantity) }).collect();
            let before = calculate(&Charges { least_payable: least, ..draft(&items, shipping, collection) });
            let all: Vec<u32> = items.iter().map(|item| item.1).collect();
            prop_assert_eq!(&revise(&before, &outcomes(&items, &all, 300)), &before, "nothing changes if everything counts");

            let after = revise(&before, &outcomes(&items, &units, 0));
            let sum: i64 = after.lines.iter().map(|line| line.amount.minor).sum();
            let figures = [after.estimated_refund, after.estimated_credit, after.payable_now, after.fee_total].map(|money| money.minor);
            prop_assert_eq!(sum, figures[0] + figures[1] - figures[2]);
            prop_assert!(figures.iter().all(|&figure| figure >= 0), "{after:?}");
            prop_assert!(after.payable_now.minor <= before.payable_now.minor);
            prop_assert!(after.refund_total.minor <= before.refund_total.minor);
            prop_assert!(after.fee_total.minor <= before.fee_total.minor);
            for costs in [&before, &after] {
                let values: i64 = (0..items.len()).map(|number| costs.value_of(id(number), true)).sum();
                prop_assert_eq!(values, costs.estimated_refund.minor + costs.estimated_credit.minor, "{:?}", costs);
            }

            for (costs, number) in [&before, &after].into_iter().flat_map(|costs| (0..items.len()).map(move |number| (costs, number))) {
                let of = |kind| {
                    let lines = costs.lines.iter().filter(move |line| line.purchase_id == id(number) && line.kind == kind);
                    lines.map(|line| line.amount.minor).sum::<i64>()
                };
                for with_shipping in [true, false] {
                    let value = costs.value_of(id(number), with_shipping);
                    let SettledAmounts { items, shipping, fees } = costs.settled(id(number), value);
                    prop_assert_eq!(items + shipping - fees, value, "{:?}", costs);
                    prop_assert!(fees >= 0);
                    prop_assert_eq!(shipping, if with_shipping { of(LineKind::OutboundShippingRefund) } else { 0 });
                    let bought = of(LineKind::ItemRefund) + of(LineKind::StoreCreditBonus) + of(LineKind::ExchangeValue);
                    prop_assert_eq!(items, bought, "the price paid, before any deduction");
                }
            }

            // Whatever happens to the last request, the first has the same result.
            let mut otherwise = units.clone();
            *otherwise.last_mut().unwrap() = other;
            let elsewhere = revise(&before, &outcomes(&items, &otherwise, 0));
            if items.len() > 1 {
                prop_assert_eq!(elsewhere.value_of(id(0), false), after.value_of(id(0), false));
            }
        }
    }
}
