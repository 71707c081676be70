//! What a return comes to after it was submitted: the draft's figures, less what was rejected, short or refused
//! (design: "Cost breakdown of a draft", last paragraph).

use crate::{
    Money, PurchaseId, allocate,
    costs::{CostBreakdown, CostLine, LineKind},
    policy::{FeeCollection, Resolution},
};

/// What became of one request of a return.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Outcome<'a> {
    /// Whose lines these are.
    pub purchase_id: PurchaseId,
    /// The sales order that it was bought in.
    pub order_number: &'a str,
    /// What is given for it.
    pub resolution: Resolution,
    /// What counts of it.
    pub counts: Counts,
}

/// What counts of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counts {
    /// All of it, as the draft has it.
    All,
    /// So many units: the others did not come, or were refused.
    Units(u32),
    /// Nothing, and nothing is charged for it: it was rejected before anything was sent.
    Nothing,
}

impl Counts {
    /// How many of so many units.
    fn of(self, quantity: u32) -> u32 {
        match self {
            Self::All => quantity,
            Self::Units(units) => units.min(quantity),
            Self::Nothing => 0,
        }
    }
}

/// The breakdown of what is left of a return. Nothing new is charged: what is payable never rises, and a request
/// that came to less than its share of the fees owes no more than it came to.
#[must_use]
pub fn revise(before: &CostBreakdown, outcomes: &[Outcome<'_>], collection: FeeCollection) -> CostBreakdown {
    let parts: Vec<Part> = outcomes.iter().map(|outcome| Part::new(before, outcome, outcomes)).collect();
    let cash: i64 = parts.iter().map(|part| part.cash).sum();
    let credit: i64 = parts.iter().map(|part| part.credit).sum();
    let owed: Vec<i64> = parts.iter().map(|part| part.fees - part.waived).collect();
    let fees: i64 = owed.iter().sum();
    let deducted = match collection {
        FeeCollection::Deduct => fees,
        FeeCollection::Prepay => 0,
    };
    let off_cash = deducted.min(cash);
    let off_credit = (deducted - off_cash).min(credit);
    let left = fees - off_cash - off_credit;
    let payable = left.min(before.payable_now.minor);
    let weights: Vec<u64> = owed.iter().map(|owed| owed.unsigned_abs()).collect();
    let shares = allocate::by_weight(left - payable, &weights);
    let money = |minor| Money::new(minor, before.currency);
    let mut lines: Vec<CostLine> = Vec::new();
    let mut waivers: Vec<CostLine> = Vec::new();
    for (part, share) in parts.into_iter().zip(shares) {
        let waived = part.waived + share;
        if waived != 0 {
            waivers.push(CostLine {
                kind: LineKind::FeeWaiver,
                purchase_id: part.purchase_id,
                quantity: None,
                shipping_option_id: None,
                amount: money(waived),
            });
        }
        lines.extend(part.lines);
    }
    lines.extend(waivers);
    CostBreakdown {
        currency: before.currency,
        lines,
        refund_total: money(cash + credit),
        fee_total: money(fees - (left - payable)),
        estimated_refund: money(cash - off_cash),
        estimated_credit: money(credit - off_credit),
        payable_now: money(payable),
    }
}

/// One request's lines and what they come to, minor units.
struct Part {
    purchase_id: PurchaseId,
    lines: Vec<CostLine>,
    cash: i64,
    credit: i64,
    fees: i64,
    /// What its fees are above what it came to.
    waived: i64,
}

impl Part {
    fn new(before: &CostBreakdown, outcome: &Outcome<'_>, all: &[Outcome<'_>]) -> Self {
        let mut part =
            Self { purchase_id: outcome.purchase_id, lines: Vec::new(), cash: 0, credit: 0, fees: 0, waived: 0 };
        let quantity = quantity(before, outcome.purchase_id);
        let units = outcome.counts.of(quantity);
        let value = before_value(before, outcome.purchase_id);
        let counted = first_units(value, quantity, units);
        let is_whole = all.iter().filter(|other| other.order_number == outcome.order_number).all(|other| {
            let quantity = self::quantity(before, other.purchase_id);
            other.counts.of(quantity) == quantity
        });
        for line in before.lines.iter().filter(|line| line.purchase_id == outcome.purchase_id) {
            let minor = line.amount.minor;
            let (minor, units) = match line.kind {
                LineKind::ItemRefund => (counted, Some(units)),
                LineKind::ExchangeValue => (-counted, Some(units)),
                LineKind::OutboundShippingRefund => (if is_whole { minor } else { 0 }, None),
                LineKind::RestockingFee => (-share_down(-minor, counted, value), None),
                LineKind::StoreCreditBonus => (minor - share_down(minor, value - counted, value), None),
                LineKind::ReturnShipping | LineKind::RequestFee => (minor, None),
                LineKind::FeeWaiver => continue, // reckoned anew
            };
            part.count(line.kind, minor, outcome.resolution);
            if outcome.counts != Counts::Nothing && (minor != 0 || line.kind == LineKind::ItemRefund) {
                let amount = Money::new(minor, before.currency);
                part.lines.push(CostLine { amount, quantity: units, ..line.clone() });
            }
        }
        if outcome.counts == Counts::Nothing {
            return Self {
                purchase_id: outcome.purchase_id,
                lines: Vec::new(),
                cash: 0,
                credit: 0,
                fees: 0,
                waived: 0,
            };
        }
        if units < quantity {
            part.waived = (part.fees - counted).max(0);
        }
        part
    }

    fn count(&mut self, kind: LineKind, minor: i64, resolution: Resolution) {
        match (kind, resolution) {
            (LineKind::ItemRefund, Resolution::Refund) | (LineKind::OutboundShippingRefund, _) => self.cash += minor,
            (LineKind::ItemRefund, Resolution::StoreCredit) | (LineKind::StoreCreditBonus, _) => self.credit += minor,
            // What an exchange is worth goes into goods.
            (LineKind::ItemRefund, Resolution::Exchange) | (LineKind::ExchangeValue | LineKind::FeeWaiver, _) => {}
            (LineKind::RestockingFee | LineKind::ReturnShipping | LineKind::RequestFee, _) => self.fees -= minor,
        }
    }
}

fn item_line(before: &CostBreakdown, purchase: PurchaseId) -> Option<&CostLine> {
    before.lines.iter().find(|line| line.kind == LineKind::ItemRefund && line.purchase_id == purchase)
}

fn quantity(before: &CostBreakdown, purchase: PurchaseId) -> u32 {
    item_line(before, purchase).and_then(|line| line.quantity).unwrap_or(0)
}

fn before_value(before: &CostBreakdown, purchase: PurchaseId) -> i64 {
    item_line(before, purchase).map_or(0, |line| line.amount.minor)
}

/// What the first `units` of `quantity` are worth: the dear ones first, as they were taken.
fn first_units(value: i64, quantity: u32, units: u32) -> i64 {
    let quantity = i64::from(quantity.max(1));
    let units = i64::from(units);
    value / quantity * units + (value % quantity).min(units)
}

/// The part of an amount (not negative) that `part` is of `whole`, rounded down.
fn share_down(amount: i64, part: i64, whole: i64) -> i64 {
    if whole <= 0 {
        return 0;
    }
    let share = i128::from(amount) * i128::from(part) / i128::from(whole);
    i64::try_from(share).unwrap_or(amount)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Currency, Percent, ShippingOptionId,
        costs::{Charges, Item, calculate},
        reason::Fault,
    };
    use proptest::prelude::*;
    use uuid::Uuid;

    const RESOLUTIONS: [Resolution; 3] = [Resolution::Refund, Resolution::StoreCredit, Resolution::Exchange];

    fn id(number: usize) -> PurchaseId {
        PurchaseId(Uuid::from_u128(u128::try_from(number).unwrap()))
    }

    fn draft(items: &[(i64, u32, Resolution)], shipping: i64, collection: FeeCollection) -> Charges {
        let item = |(number, &(value, quantity, resolution)): (usize, &(i64, u32, Resolution))| Item {
            purchase_id: id(number),
            quantity,
            value,
            outbound_shipping: if number == 0 { 300 } else { 0 },
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
        }
    }

    fn outcomes(items: &[(i64, u32, Resolution)], counts: &[Counts]) -> Vec<Outcome<'static>> {
        let both = items.iter().zip(counts).enumerate();
        both.map(|(number, (&(.., resolution), &counts))| Outcome {
            purchase_id: id(number),
            order_number: "1001",
            resolution,
            counts,
        })
        .collect()
    }

    #[test]
    fn what_was_rejected_drops_out_with_its_lines_and_with_the_orders_shipping() {
        let items = [(5_900, 1, Resolution::Refund), (3_751, 3, Resolution::Refund)];
        let before = calculate(&draft(&items, 495, FeeCollection::Deduct));
        let after = revise(&before, &outcomes(&items, &[Counts::All, Counts::Nothing]), FeeCollection::Deduct);
        assert!(after.lines.iter().all(|line| line.purchase_id == id(0)), "{after:?}");
        assert_eq!(after.total(LineKind::OutboundShippingRefund), 0, "not the whole order comes back");
        // 59.00, less 10 % and its share of 4.95 (61 %): what the draft had fixed for it.
        assert_eq!(after.total(LineKind::ReturnShipping), -303);
        assert_eq!(after.estimated_refund.minor, 5_900 - 590 - 303);
    }

    #[test]
    fn of_what_came_short_the_dear_units_count_first() {
        let items = [(3_751, 3, Resolution::Refund)];
        let before = calculate(&draft(&items, 0, FeeCollection::Deduct));
        let value = |units| {
            let after = revise(&before, &outcomes(&items, &[Counts::Units(units)]), FeeCollection::Deduct);
            (after.total(LineKind::ItemRefund), after.total(LineKind::RestockingFee), after.lines[0].quantity)
        };
        assert_eq!(value(3), (3_751, -375, Some(3)));
        assert_eq!(value(2), (2_501, -250, Some(2)), "12.51 + 12.50; the fee in proportion, rounded for the consumer");
        assert_eq!(value(1), (1_251, -125, Some(1)));
        assert_eq!(value(0), (0, 0, Some(0)));
    }

    #[test]
    fn what_came_to_nothing_owes_nothing() {
        let items = [(1_000, 1, Resolution::Refund), (1_000, 1, Resolution::Refund)];
        let before = calculate(&draft(&items, 495, FeeCollection::Deduct));
        let after = revise(&before, &outcomes(&items, &[Counts::All, Counts::Units(0)]), FeeCollection::Deduct);
        assert_eq!(after.total(LineKind::FeeWaiver), 247, "its share of the way back");
        assert_eq!(after.estimated_refund.minor, 1_000 - 100 - 248);
    }

    proptest! {
        #[test]
        fn parts_sum_to_the_whole_and_nothing_new_is_owed(
            picks in prop::collection::vec((0..200_000_i64, 1..7_u32, 0..3_usize, 0..9_u32), 1..6),
            shipping in 0..2_000_i64,
            prepay: bool,
            least in prop::option::of(0..500_i64),
        ) {
            let collection = if prepay { FeeCollection::Prepay } else { FeeCollection::Deduct };
            let items: Vec<_> = picks.iter().map(|&(value, quantity, which, _)| (value, quantity, RESOLUTIONS[which])).collect();
            let counts: Vec<Counts> = picks.iter().map(|&(_, quantity, _, units)| match units {
                7 => Counts::All,
                8 => Counts::Nothing,
                units => Counts::Units(units.min(quantity)),
            }).collect();
            let before = calculate(&Charges { least_payable: least, ..draft(&items, shipping, collection) });
            let all = vec![Counts::All; items.len()];
            prop_assert_eq!(&revise(&before, &outcomes(&items, &all), collection), &before, "what all counts of stays");

            let after = revise(&before, &outcomes(&items, &counts), collection);
            let sum: i64 = after.lines.iter().map(|line| line.amount.minor).sum();
            let figures = [after.estimated_refund, after.estimated_credit, after.payable_now, after.fee_total].map(|money| money.minor);
            prop_assert_eq!(sum, figures[0] + figures[1] - figures[2]);
            prop_assert!(figures.iter().all(|&figure| figure >= 0), "{after:?}");
            prop_assert!(after.payable_now.minor <= before.payable_now.minor);
            prop_assert!(after.refund_total.minor <= before.refund_total.minor);
            prop_assert!(after.fee_total.minor <= before.fee_total.minor);
            let again = revise(&before, &outcomes(&items, &counts), collection);
            prop_assert_eq!(after, again);
        }
    }
}
