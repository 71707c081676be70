//! Calculates what each line of a Shopify order really cost.
//!
//! The export has prices and line discounts by line, but the order's own discount and its taxes only as sums. Refunds
//! need them by line, exact to the minor unit. They are split in proportion to what each line costs (largest
//! remainder), so that the lines together cost what was paid for the goods.
//!
//! The file does not say which lines are tips, which were removed, and whether prices include taxes. [`reading`] finds
//! the one interpretation in which the lines add up to the order's sums. If there is none, or more than one, a person
//! decides about the order's returns.

mod reading;
#[cfg(test)]
mod tests;

use domain::{
    money::allocate::by_weight,
    order::{IneligibleCode, NewOrder, NewPurchase, OrderReview},
};
use reading::{Kind, Reading, Sums};

/// An order's sums, in minor units.
#[derive(Debug, Default)]
pub struct Bill {
    /// The price of the goods after all discounts, as the shop counts it.
    pub subtotal: Option<i64>,
    /// The order's discount codes; `None` if the file does not say.
    pub discount: Option<i64>,
    /// All taxes.
    pub taxes: i64,
    /// Import duties.
    pub duties: i64,
    /// The price of the whole order.
    pub total: Option<i64>,
    /// The sum of lines with a negative price, which are discounts.
    pub deducted: i64,
    /// Whether everything that will be sent was sent: the other units are no longer part of the order.
    pub all_sent: bool,
    /// Facts about each line besides its price.
    pub facts: Vec<LineFacts>,
}

/// Facts about a line besides its price.
#[derive(Debug, Clone, Copy)]
pub struct LineFacts {
    /// Whether the line is taxed.
    pub taxable: bool,
    /// Whether discount codes apply to the line: they do not apply to gift cards, fees and tips.
    pub bears_discounts: bool,
    /// Whether the line can be a tip, which the subtotal leaves out.
    pub tip: Tip,
    /// Whether no unit of the line was sent.
    pub unsent: bool,
}

/// Whether a line can be a tip.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tip {
    /// It is taxed, sent, or has a SKU, and is not named as a tip.
    No,
    /// It looks like a tip, or is named as one. The sums decide.
    Perhaps,
    /// It looks like a tip and is named as one.
    Named,
}

/// The prices of an order's lines and shipping, in minor units.
#[derive(Debug)]
struct BillFigures {
    lines: Vec<LineFigures>,
    shipping: i64,
}

/// The price of a line, in minor units.
#[derive(Debug, Clone, Copy, Default)]
struct LineFigures {
    total: i64,
    tax: i64,
    /// The line's share of the order's discount.
    off: i64,
}

impl BillFigures {
    /// The price of each line, and at the end that of shipping.
    fn worth(&self) -> Vec<i64> {
        self.lines.iter().map(|line| line.total).chain([self.shipping]).collect()
    }
}

impl Bill {
    /// Changes `order.lines` from list price and own discount to what was paid. `complete`: these are all lines of the
    /// order. If the sums do not add up, the order waits for a person.
    pub fn settle(&self, order: &mut NewOrder, complete: bool) {
        for line in &mut order.lines {
            line.total -= line.discount;
        }
        let sums = Sums::new(self, order);
        let (reading, is_sure) = if complete { sums.read() } else { sums.read_part() };
        let figures = self.figures(&sums, &reading);
        order.shipping_paid = figures.shipping;
        for ((line, figures), kind) in order.lines.iter_mut().zip(&figures.lines).zip(&reading.kinds) {
            (line.total, line.tax) = (figures.total, figures.tax);
            line.discount += figures.off;
            match kind {
                Kind::Goods => {}
                Kind::Tip => (line.requires_shipping, line.obstacle) = (false, Some(IneligibleCode::NotShippable)),
                Kind::Removed => line.removed = line.quantity,
            }
        }
        if !is_sure {
            order.review = Some(OrderReview::SumsDiffer);
            limit(order, self.total);
        }
    }

    /// The prices of lines and shipping in an interpretation.
    fn figures(&self, sums: &Sums<'_>, reading: &Reading) -> BillFigures {
        let own = sums.nets.iter().zip(&reading.kinds).map(|(&net, kind)| match kind {
            Kind::Goods | Kind::Tip => LineFigures { total: net, ..LineFigures::default() },
            Kind::Removed => LineFigures::default(),
        });
        let mut figures = BillFigures { lines: own.collect(), shipping: sums.shipping - reading.shipping_off };
        let rest = self.take_discount_off(&mut figures, reading);
        self.share_taxes(&mut figures, reading, rest);
        figures
    }

    /// Splits the order's discount. Returns the price of the lines that are missing in the file.
    fn take_discount_off(&self, figures: &mut BillFigures, reading: &Reading) -> i64 {
        let goods = |wanted: &dyn Fn(&LineFacts) -> bool| -> Vec<i64> {
            let lines = figures.lines.iter().zip(&reading.kinds).zip(&self.facts);
            let weight = |((line, kind), facts): ((&LineFigures, &Kind), &LineFacts)| {
                if *kind == Kind::Goods && wanted(facts) { line.total } else { 0 }
            };
            lines.map(weight).collect()
        };
        let mut bearing = goods(&|facts| facts.bears_discounts);
        let mut others = goods(&|facts| !facts.bears_discounts);
        bearing.push(reading.rest);
        others.push(0);
        let first = reading.off.min(bearing.iter().sum());
        let second = (reading.off - first).min(others.iter().sum());
        let mut parts: Vec<i64> =
            split(first, &bearing).into_iter().zip(split(second, &others)).map(|(one, other)| one + other).collect();
        let rest = reading.rest - parts.pop().unwrap_or(0);
        for (line, part) in figures.lines.iter_mut().zip(parts) {
            line.total -= part;
            line.off = part;
        }
        rest
    }

    /// Splits the taxes over the taxable lines.
    ///
    /// The export does not show the tax on shipping separately. It is split over the goods, in the consumer's favour,
    /// unless nothing taxable was paid for: then it can only belong to shipping.
    fn share_taxes(&self, figures: &mut BillFigures, reading: &Reading, rest: i64) {
        let goods = figures.lines.iter().zip(&reading.kinds).zip(&self.facts);
        let weight = |((line, kind), facts): ((&LineFigures, &Kind), &LineFacts), all: bool| {
            if *kind == Kind::Goods && (all || facts.taxable) { line.total } else { 0 }
        };
        let weights = |all| goods.clone().map(move |line| weight(line, all)).chain([rest]).collect::<Vec<i64>>();
        let is_taxed = weights(false).iter().any(|&total| total > 0);
        let weights = weights(!is_taxed);
        let sum: i64 = weights.iter().sum();
        if sum == 0 || (!is_taxed && figures.shipping > 0) {
            figures.shipping += if reading.taxes_inside { 0 } else { self.taxes };
            return;
        }
        // The tax that is included in a price cannot exceed the price.
        let taxes = if reading.taxes_inside { self.taxes.min(sum) } else { self.taxes };
        for (line, part) in figures.lines.iter_mut().zip(split(taxes, &weights)) {
            line.tax = part;
            if !reading.taxes_inside {
                line.total += part;
            }
        }
    }
}

/// Limits lines and shipping together to the price of the whole order. Shipping is reduced first.
pub fn limit(order: &mut NewOrder, total: Option<i64>) {
    let Some(total) = total else { return };
    let goods: i64 = order.lines.iter().map(|line| line.total).sum();
    let excess = (goods + order.shipping_paid - total).max(0);
    let off_shipping = excess.min(order.shipping_paid);
    order.shipping_paid -= off_shipping;
    take_off(order.lines.iter_mut(), excess - off_shipping);
}

/// Takes an amount, at most their total, off lines in proportion to their prices.
pub fn take_off<'l>(lines: impl Iterator<Item = &'l mut NewPurchase>, amount: i64) {
    let lines: Vec<&mut NewPurchase> = lines.collect();
    let weights: Vec<i64> = lines.iter().map(|line| line.total).collect();
    for (line, part) in lines.into_iter().zip(split(amount, &weights)) {
        if part != 0 {
            let left = i128::from(line.total - part) * i128::from(line.tax) / i128::from(line.total.max(1));
            line.tax = i64::try_from(left).unwrap_or(0);
            line.total -= part;
            line.discount += part;
        }
    }
}

fn split(whole: i64, weights: &[i64]) -> Vec<i64> {
    let weights: Vec<u64> = weights.iter().map(|&weight| u64::try_from(weight).unwrap_or(0)).collect();
    by_weight(whole, &weights)
}
