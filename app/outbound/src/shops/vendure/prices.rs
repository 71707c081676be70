//! What was paid for a line, when the shop has forgotten.
//!
//! Vendure reckons a line's price anew for the units that are left when some are cancelled, as they are when what came
//! back goes into stock. What all units cost is put together again, so that a look-up afterwards says what it said before.

use crate::shops::vendure::responses::{Line, PlacedOrder, is_settled};
use domain::allocate;

/// What was paid for all units ordered, after discounts, with tax: line by line, in the shop's whole numbers. As the shop
/// says for a line that is whole. Of the others, what is left is extrapolated and what rounding did to it put right by
/// what was paid for the order in all: exact where one line is not whole, within its units' cents where several are not.
pub(super) fn paid(order: &PlacedOrder) -> Vec<i64> {
    let mut paid: Vec<i64> = order.lines.iter().map(estimate).collect();
    let missing = for_lines(order).saturating_sub(paid.iter().fold(0, |sum, part| sum.saturating_add(*part)));
    // A line of which nothing is left tells nothing of its discount: what is missing is that, first of all.
    let gone: Vec<u64> = weights(order, &paid, |line| line.quantity == 0);
    let partly: Vec<u64> = weights(order, &paid, |line| line.quantity > 0 && line.quantity < line.ordered());
    let is_gone = gone.iter().any(|weight| *weight > 0);
    let (weights, plausible) = if is_gone {
        let undiscounted = gone.iter().fold(0, |sum: u64, weight| sum.saturating_add(*weight));
        (gone, missing <= 0 && missing.unsigned_abs() <= undiscounted)
    } else {
        let units =
            order.lines.iter().filter(|line| line.quantity < line.ordered()).map(|line| u64::from(line.ordered()));
        (partly, missing.unsigned_abs() <= units.sum())
    };
    // Anything else is no rounding: an order that was changed, or shipping that was given back.
    if plausible && weights.iter().any(|weight| *weight > 0) {
        let parts = allocate::by_weight(missing, &weights);
        paid.iter_mut().zip(parts).for_each(|(paid, part)| *paid = paid.saturating_add(part).max(0));
    }
    paid
}

/// What was paid for goods.
fn for_lines(order: &PlacedOrder) -> i64 {
    let payments = order.payments.iter().flatten().filter(|payment| is_settled(&payment.state));
    let paid = payments.fold(0, |sum: i64, payment| sum.saturating_add(payment.amount));
    let others = order.surcharges.iter().map(|surcharge| surcharge.price_with_tax);
    others.fold(paid.saturating_sub(order.shipping_with_tax), i64::saturating_sub)
}

fn estimate(line: &Line) -> i64 {
    let (left, ordered) = (i64::from(line.quantity), i64::from(line.ordered()));
    if left == ordered {
        line.prorated_line_price_with_tax.max(0)
    } else if left == 0 {
        line.unit_price_with_tax.max(0).saturating_mul(ordered)
    } else {
        share(line.prorated_line_price_with_tax.max(0), ordered, left)
    }
}

fn weights(order: &PlacedOrder, paid: &[i64], counts: impl Fn(&Line) -> bool) -> Vec<u64> {
    let weight = |(line, paid): (&Line, &i64)| if counts(line) { u64::try_from(*paid).unwrap_or(0) } else { 0 };
    order.lines.iter().zip(paid).map(weight).collect()
}

/// `amount × of / all`, rounded half up; 0 of nothing.
pub(super) fn share(amount: i64, of: i64, all: i64) -> i64 {
    if all <= 0 {
        return 0;
    }
    let (amount, of, all) = (i128::from(amount), i128::from(of), i128::from(all));
    i64::try_from((2 * amount * of + all).div_euclid(2 * all)).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::share;

    #[test]
    fn halves_go_up() {
        assert_eq!([share(4491, 3, 2), share(2246, 3, 1), share(1, 1, 3), share(7, 1, 0)], [6737, 6738, 0, 0]);
    }
}
