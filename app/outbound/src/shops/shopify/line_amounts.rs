//! What was paid for a line, in minor units of the currency that the shopper paid in.

use super::{
    money::sum,
    responses::{OrderLine, TaxLine},
};

/// The amounts of all ordered units of a line, including those that were refunded or removed since.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct LineAmounts {
    /// After all discounts; with tax if prices include tax.
    pub paid: i64,
    /// The tax, within `paid` or on top of it.
    pub tax: i64,
    pub discount: i64,
}

impl LineAmounts {
    /// `paid` is the price of all units less the discounts on them, which is exact. Shopify also has the average price of a
    /// unit after all discounts, which may be rounded by half a minor unit. If the two differ by more than rounding explains,
    /// the smaller amount counts: too small a refund can be corrected, too large a refund cannot.
    pub fn new(line: &OrderLine, taxes_included: bool) -> Self {
        let units = i64::from(line.quantity);
        let before = line.original_unit_price_set.minor().saturating_mul(units);
        let allocated = sum(line.discount_allocations.iter().map(|allocation| allocation.allocated_amount_set));
        let exact = before.saturating_sub(allocated);
        let average = line.discounted_unit_price_after_all_discounts_set.minor().saturating_mul(units);
        let is_rounding = exact.abs_diff(average).saturating_mul(2) <= u64::from(line.quantity);
        let paid = if is_rounding { exact } else { exact.min(average) }.max(0);
        let tax = tax_of(&line.tax_lines).max(0);
        Self {
            paid,
            tax: if taxes_included { tax.min(paid) } else { tax },
            discount: before.saturating_sub(paid).max(0),
        }
    }
}

/// The sum of taxes.
pub(super) fn tax_of(lines: &[TaxLine]) -> i64 {
    sum(lines.iter().map(|line| line.price_set))
}
