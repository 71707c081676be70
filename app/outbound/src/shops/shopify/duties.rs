//! Duties: what a shopper paid to import the units of a line, and what of it was refunded.
//!
//! A connection decides whether units that come back bring their duties back. If so, they are a part of what was paid for the line, and
//! so of its refund. Taxes on duties are left out: Shopify does not say whether a refund of a duty contains them.

use super::{
    line_amounts::tax_of,
    money::{MoneyBag, sum},
    order_state::{Identified, LineState},
    plan::ShopifyPlan,
    responses::{OrderLine, PlacedOrder},
};
use crate::{bridge::contract::Item, shops::resolution::EarlyExit};
use domain::{integration::ShopifyDuties, policy::Resolution};
use serde::Deserialize;
use serde_json::{Value, json};

/// The duty on all units of a line. A line may have several.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Duty {
    id: String,
    price: MoneyBag,
}

/// The duties that a refund gave back.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct RefundOfDuties {
    pub duties: Option<Vec<RefundedDuty>>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct RefundedDuty {
    amount_set: MoneyBag,
    original_duty: Option<Identified>,
}

impl Duty {
    /// What refunds gave back of it, in minor units.
    fn refunded<'a>(&self, refunded: impl Iterator<Item = &'a RefundedDuty>) -> i64 {
        let own = refunded.filter(|one| one.original_duty.as_ref().is_some_and(|duty| duty.id == self.id));
        sum(own.map(|one| one.amount_set))
    }
}

/// The duties of all units of a line, of which units that come back give their share, in minor units. What staff refunded apart from
/// units no longer comes back with units.
pub(super) fn duties_of(order: &PlacedOrder, line: &OrderLine, duties: ShopifyDuties) -> i64 {
    // Prices may include duties: then a refund of the price gives them back.
    if duties == ShopifyDuties::Keep || order.duties_included {
        return 0;
    }
    let refunds = || order.refunds.iter().flat_map(|refund| refund.duties.iter().flatten());
    let of_duty =
        |duty: &Duty| spread(duty.price.minor(), duty.refunded(refunds()), line.quantity, line.current_quantity);
    line.duties.iter().map(of_duty).fold(0, i64::saturating_add)
}

/// What all units of a duty give, if `left` of them can still come back and `refunded` was given before.
fn spread(price: i64, refunded: i64, units: u32, left: u32) -> i64 {
    let (units, left) = (i128::from(units.max(1)), i128::from(left.min(units)));
    let (whole, gone) = (i128::from(price.max(0)), units.saturating_sub(left));
    // A minor unit for each unit is rounding.
    let explained = whole * gone / units + gone;
    let refunded = i128::from(refunded.max(0));
    if refunded <= explained {
        return price.max(0);
    }
    let rest = (whole - refunded).max(0) * units;
    i64::try_from(rest.checked_div(left).unwrap_or(0).min(whole)).unwrap_or(0)
}

/// The `RefundDutyInput` of each duty of a resolution's lines. A refund that has more of duties than is left is for a person.
pub(super) fn duties_to_refund(plan: &ShopifyPlan<'_>, duties: ShopifyDuties) -> Result<Vec<Value>, EarlyExit> {
    let order = &plan.order;
    if duties == ShopifyDuties::Keep || order.duties_included || plan.asked.kind == Resolution::Exchange {
        return Ok(Vec::new());
    }
    let mut inputs = Vec::new();
    for item in &plan.asked.items {
        let Some(line) = plan.line(item) else { continue };
        let refunds = || order.refunds.iter().flat_map(|refund| refund.duties.iter().flatten());
        let rounding = i64::from(item.quantity);
        let (mut most, mut is_short) = (0_i64, false);
        for duty in &line.duties {
            let refunded = duty.refunded(refunds());
            let left = duty.price.minor().saturating_sub(refunded).max(0);
            let share = share(duty.price.minor(), item, line);
            most = most.saturating_add(share.min(left));
            is_short |= left.saturating_add(rounding) < share.saturating_sub(rounding);
            // Shopify rounds the share of some units. The duty of all units is exact.
            let kind = if refunded == 0 && Some(item.quantity) == line.quantity { "FULL" } else { "PROPORTIONAL" };
            if left > 0 {
                inputs.push(json!({"dutyId": duty.id, "refundType": kind}));
            }
        }
        // Otherwise more than the goods and duties is a bonus or an addition.
        if is_short && item.amount.minor > goods(plan, item, line).saturating_add(most) {
            let reason = format!(
                "The refund contains duties, but only {} of the duties of these units can still be refunded: the others were refunded in \
                 Shopify. Look at the order, and carry out the resolution by hand.",
                plan.text(most)
            );
            return Err(EarlyExit::failed(&reason));
        }
    }
    Ok(inputs)
}

/// The most that the units of an item are worth without duties.
fn goods(plan: &ShopifyPlan<'_>, item: &Item, line: &LineState) -> i64 {
    let price =
        line.original_unit_price_set.map_or(0, MoneyBag::minor).saturating_mul(i64::from(line.quantity.unwrap_or(0)));
    let off = sum(line.discount_allocations.iter().map(|one| one.allocated_amount_set));
    let tax = if plan.order.taxes_included { 0 } else { tax_of(&line.tax_lines) };
    let whole = price.saturating_sub(off).max(0).saturating_add(tax.max(0));
    share(whole, item, line)
}

/// The share of an item's units in an amount for all units of its line, with a minor unit for each unit, which is rounding.
fn share(amount: i64, item: &Item, line: &LineState) -> i64 {
    let whole = i128::from(amount) * i128::from(item.quantity);
    let share = whole.checked_div(i128::from(line.quantity.unwrap_or(0))).unwrap_or(0);
    i64::try_from(share).unwrap_or(i64::MAX).saturating_add(i64::from(item.quantity))
}

#[cfg(test)]
mod tests {
    use super::spread;

    #[test]
    fn duties_that_were_refunded_apart_no_longer_come_back_with_units() {
        for (refunded, left, expected) in [
            (0, 4, 1000),    // nothing was refunded
            (250, 3, 1000),  // a unit with its duty
            (0, 3, 1000),    // a unit without its duty
            (251, 3, 1000),  // rounding
            (1000, 4, 0),    // all of it, apart from units
            (1000, 2, 0),    // all of it, with two units
            (600, 4, 400),   // a part, apart from units
            (750, 2, 500),   // two units and a part
            (1000, 0, 1000), // all units
        ] {
            assert_eq!(spread(1000, refunded, 4, left), expected, "{refunded} {left}");
        }
    }
}
