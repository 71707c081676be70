//! Reconstructs what was paid for a line after some of its units were cancelled.
//!
//! Putting returned units into stock cancels them, and Vendure then recalculates the line's price for the units that are
//! left. This module reconstructs the price of all units, so that a later look-up shows the same amounts as before.

use super::responses::{OrderLine, PlacedOrder, is_settled};
use domain::money::allocate;

/// What was paid for all ordered units, after discounts, with tax: per line, in the shop's unit.
///
/// A complete line has the shop's own amount. For other lines, the amount of the remaining units is extrapolated. The
/// difference to what was paid for the whole order then corrects the rounding: exactly if one line is incomplete, and
/// within a cent per unit if several are.
pub(super) fn paid(order: &PlacedOrder) -> Vec<i64> {
    let mut paid: Vec<i64> = order.lines.iter().map(estimate).collect();
    let missing = paid_for_lines(order).saturating_sub(paid.iter().fold(0, |sum, part| sum.saturating_add(*part)));
    // A line without remaining units does not show its discount, so the difference is assigned to such lines first.
    let cancelled: Vec<u64> = weights(order, &paid, |line| line.quantity == 0);
    let partly: Vec<u64> = weights(order, &paid, |line| line.quantity > 0 && line.quantity < line.ordered());
    let has_cancelled = cancelled.iter().any(|weight| *weight > 0);
    let (weights, plausible) = if has_cancelled {
        let undiscounted = cancelled.iter().fold(0, |sum: u64, weight| sum.saturating_add(*weight));
        (cancelled, missing <= 0 && missing.unsigned_abs() <= undiscounted)
    } else {
        let units =
            order.lines.iter().filter(|line| line.quantity < line.ordered()).map(|line| u64::from(line.ordered()));
        (partly, missing.unsigned_abs() <= units.sum())
    };
    // A larger difference is not rounding: the order was changed, or its shipping was refunded.
    if plausible && weights.iter().any(|weight| *weight > 0) {
        let parts = allocate::by_weight(missing, &weights);
        paid.iter_mut().zip(parts).for_each(|(paid, part)| *paid = paid.saturating_add(part).max(0));
    }
    paid
}

/// What was paid for goods: the payments without shipping and surcharges.
fn paid_for_lines(order: &PlacedOrder) -> i64 {
    let payments = order.payments.iter().flatten().filter(|payment| is_settled(&payment.state));
    let paid = payments.fold(0, |sum: i64, payment| sum.saturating_add(payment.amount));
    let surcharges = order.surcharges.iter().map(|surcharge| surcharge.price_with_tax);
    surcharges.fold(paid.saturating_sub(order.shipping_with_tax), i64::saturating_sub)
}

/// The price of all units of a line, extrapolated from the remaining ones.
fn estimate(line: &OrderLine) -> i64 {
    let (left, ordered) = (i64::from(line.quantity), i64::from(line.ordered()));
    if left == ordered {
        line.prorated_line_price_with_tax.max(0)
    } else if left == 0 {
        line.unit_price_with_tax.max(0).saturating_mul(ordered)
    } else {
        share(line.prorated_line_price_with_tax.max(0), ordered, left)
    }
}

fn weights(order: &PlacedOrder, paid: &[i64], counts: impl Fn(&OrderLine) -> bool) -> Vec<u64> {
    let weight = |(line, paid): (&OrderLine, &i64)| if counts(line) { u64::try_from(*paid).unwrap_or(0) } else { 0 };
    order.lines.iter().zip(paid).map(weight).collect()
}

/// `amount × of / all`, rounded half up; 0 if `all` is 0.
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
    fn halves_are_rounded_up() {
        assert_eq!([share(4491, 3, 2), share(2246, 3, 1), share(1, 1, 3), share(7, 1, 0)], [6737, 6738, 0, 0]);
    }
}
