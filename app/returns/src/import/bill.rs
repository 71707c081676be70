//! What each line of a Shopify order really cost.
//!
//! The export tells prices and line discounts by line, but the order's own discount and its taxes only as a sum.
//! Refunds need them by line, exact to the minor unit: they are split in proportion to what each line costs
//! (largest remainder), so that the lines together cost what was paid for the goods.

use domain::{
    allocate::by_weight,
    order::{NewOrder, NewPurchase},
};

/// An order's sums, minor units.
#[derive(Debug, Default)]
pub struct Bill {
    /// What the goods cost after every discount, as the shop counts it.
    pub subtotal: Option<i64>,
    /// The order's discount codes.
    pub discount: i64,
    /// All taxes.
    pub taxes: i64,
    /// Import duties.
    pub duties: i64,
    /// What was paid.
    pub total: Option<i64>,
    /// Whether tax is charged on each line.
    pub taxable: Vec<bool>,
}

impl Bill {
    /// Turns `order.lines`, which hold price × quantity and their own discount, into what was paid for them.
    /// `complete`: these are all lines of the order.
    pub fn settle(&self, order: &mut NewOrder, complete: bool) {
        for line in &mut order.lines {
            line.total -= line.discount;
        }
        let rest = self.take_discount_off(&mut order.lines, complete);
        let included = self.prices_include_tax(order.shipping_paid);
        let on_shipping = self.share_taxes(order, rest, included);
        if !included {
            order.shipping_paid += on_shipping;
        }
    }

    /// Splits the order's discount. Answers what the lines cost that are not here.
    fn take_discount_off(&self, lines: &mut [NewPurchase], complete: bool) -> i64 {
        let sum: i64 = lines.iter().map(|line| line.total).sum();
        // The subtotal is the truth. `Discount Amount` is not: it may be partly a shipping discount, and may or may
        // not count the discounts of lines again. A subtotal that is higher than the prices holds something that
        // is not in the lines: not a discount.
        let (off, rest) = match self.subtotal {
            Some(subtotal) if complete => ((sum - subtotal).max(0), 0),
            // Some line is not here: what it cost is what is missing to the subtotal. It bears its share too.
            Some(subtotal) => (self.discount, (subtotal + self.discount - sum).max(0)),
            None => (self.discount, 0),
        };
        let off = off.min(sum + rest);
        let mut weights: Vec<i64> = lines.iter().map(|line| line.total).collect();
        weights.push(rest);
        let mut parts = split(off, &weights).into_iter();
        for (line, part) in lines.iter_mut().zip(parts.by_ref()) {
            line.total -= part;
            line.discount += part;
        }
        rest - parts.next().unwrap_or(0)
    }

    /// Shopify's total is either subtotal + shipping + taxes, or subtotal + shipping with the taxes inside. Where
    /// neither adds up (a tip, an edited order), taxes count as inside: then no refund exceeds what was paid.
    fn prices_include_tax(&self, shipping: i64) -> bool {
        let outside = self.subtotal.map(|subtotal| subtotal + shipping + self.taxes);
        self.total.is_none() || !(self.total == outside || self.total == outside.map(|sum| sum + self.duties))
    }

    /// Splits the taxes over the taxable lines. Answers what falls on shipping.
    ///
    /// The export does not tell the tax on shipping apart. It goes with the goods, in the consumer's favour, unless
    /// nothing taxable was paid for: then it can only be shipping's.
    fn share_taxes(&self, order: &mut NewOrder, rest: i64, included: bool) -> i64 {
        let all: Vec<i64> = order.lines.iter().map(|line| line.total).chain([rest]).collect();
        let is_taxable = self.taxable.iter().copied().chain([true]);
        let taxable: Vec<i64> =
            all.iter().zip(is_taxable).map(|(&total, taxable)| if taxable { total } else { 0 }).collect();
        let weights = match (taxable.iter().any(|&total| total > 0), order.shipping_paid > 0) {
            (true, _) => taxable,
            (false, true) => return self.taxes,
            (false, false) => all,
        };
        let sum: i64 = weights.iter().sum();
        if sum == 0 {
            return self.taxes;
        }
        // Inside a price there is no more tax than price.
        let taxes = if included { self.taxes.min(sum) } else { self.taxes };
        for (line, part) in order.lines.iter_mut().zip(split(taxes, &weights)) {
            line.tax = part;
            if !included {
                line.total += part;
            }
        }
        0
    }
}

fn split(whole: i64, weights: &[i64]) -> Vec<i64> {
    let weights: Vec<u64> = weights.iter().map(|&weight| u64::try_from(weight).unwrap_or(0)).collect();
    by_weight(whole, &weights)
}
