//! Duties: what a shopper paid to import the units of a line, and what of it was refunded.
//!
//! A connection decides whether units that come back bring their duties back. If so, they are a part of what was paid for the line, and
//! so of its refund. Taxes on duties are left out: Shopify does not say whether a refund of a duty contains them.
//!
//! Shopify takes no amount for a duty: it books all of it, or the share of the units in its price. The money of a refund may contain
//! less, such as after a refund by hand. So the note of each of our refunds says what it really gave ([`DutyRefund::note`]).

use super::{
    money::{self, MoneyBag, sum},
    order_state::{Identified, LineState, Refund},
    plan::{LINE_ID, NOTE, ShopifyPlan},
    responses::{OrderLine, PlacedOrder},
};
use crate::bridge::contract::Item;
use domain::{Currency, integration::ShopifyDuties, policy::Resolution};
use serde::Deserialize;
use serde_json::{Value, json};

/// The duty on all units of a line. A line may have several.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Duty {
    id: String,
    price: MoneyBag,
}

/// A refund of an order, for a look-up.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct RefundOfDuties {
    note: Option<String>,
    duties: Option<Vec<RefundedDuty>>,
}

/// A duty of a refund, with the amount that Shopify has booked.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct RefundedDuty {
    amount_set: MoneyBag,
    original_duty: Option<Identified>,
}

/// What a refund has of the duties of an order.
#[derive(Debug, Clone, Copy)]
struct GivenDuties<'a> {
    note: Option<&'a str>,
    booked: &'a [RefundedDuty],
}

impl<'a> From<&'a RefundOfDuties> for GivenDuties<'a> {
    fn from(refund: &'a RefundOfDuties) -> Self {
        Self { note: refund.note.as_deref(), booked: refund.duties.as_deref().unwrap_or_default() }
    }
}

impl<'a> From<&'a Refund> for GivenDuties<'a> {
    fn from(refund: &'a Refund) -> Self {
        Self { note: refund.note.as_deref(), booked: refund.duties.as_deref().unwrap_or_default() }
    }
}

impl GivenDuties<'_> {
    /// What Shopify has booked of a duty, in minor units.
    fn booked(&self, duty: &Duty) -> i64 {
        let is_own = |one: &&RefundedDuty| one.original_duty.as_ref().is_some_and(|original| original.id == duty.id);
        sum(self.booked.iter().filter(is_own).map(|one| one.amount_set))
    }

    /// What it gave of a line's duties, in minor units: as its note says, or else as Shopify has booked it.
    fn of_line(&self, line: &str, duties: &[Duty], currency: Currency) -> i64 {
        let noted = self.note.and_then(|note| noted(note, line, currency));
        noted.unwrap_or_else(|| duties.iter().map(|duty| self.booked(duty)).fold(0, i64::saturating_add))
    }
}

/// The duties of a line that the note of one of our refunds names, in minor units.
fn noted(note: &str, line: &str, currency: Currency) -> Option<i64> {
    let of_line = format!(" {currency} of line {}", line.strip_prefix(LINE_ID)?);
    let mut parts = note.strip_prefix(NOTE)?.split("; ");
    let amount = parts.find_map(|part| part.strip_prefix("duties ")?.strip_suffix(&of_line))?;
    money::minor(amount, currency).filter(|minor| *minor >= 0)
}

/// What is left of a line's duties, in minor units.
fn left<'a>(line: &str, duties: &[Duty], currency: Currency, refunds: impl Iterator<Item = GivenDuties<'a>>) -> i64 {
    let given = refunds.map(|refund| refund.of_line(line, duties, currency)).fold(0, i64::saturating_add);
    price(duties).saturating_sub(given.max(0)).max(0)
}

fn price(duties: &[Duty]) -> i64 {
    sum(duties.iter().map(|duty| duty.price)).max(0)
}

/// The duties of all units of a line, of which units that come back give their share, in minor units. What was refunded apart from
/// units no longer comes back with units.
pub(super) fn duties_of(order: &PlacedOrder, line: &OrderLine, duties: ShopifyDuties) -> i64 {
    // Prices may include duties: then a refund of the price gives them back.
    if duties == ShopifyDuties::Keep || order.duties_included {
        return 0;
    }
    let refunds = order.refunds.iter().map(GivenDuties::from);
    let left = left(&line.id, &line.duties, order.presentment_currency_code, refunds);
    spread(price(&line.duties), left, line.quantity, line.current_quantity)
}

/// What all units of a line give of its duties, if `left` of them can still be refunded with `remaining` units: those give all that is
/// left together, and no unit gives more than its share of the price.
fn spread(price: i64, left: i64, units: u32, remaining: u32) -> i64 {
    let (units, remaining) = (i128::from(units), i128::from(remaining.min(units)));
    if remaining == 0 {
        return price;
    }
    let all = (i128::from(left) * units + remaining - 1) / remaining;
    i64::try_from(all).unwrap_or(price).min(price)
}

/// The duties of a refund, for Shopify.
#[derive(Debug, Default)]
pub(super) struct DutyRefund {
    /// The `RefundDutyInput` of each duty.
    pub inputs: Vec<Value>,
    /// What is added to the refund's note.
    pub note: String,
}

impl DutyRefund {
    /// The duties that the items of a resolution have. An error says that they are more than is left, and is for a person.
    pub fn of(plan: &ShopifyPlan<'_>) -> Result<Self, String> {
        let mut refund = Self::default();
        if plan.asked.kind == Resolution::Exchange {
            return Ok(refund); // no duties are owed in money
        }
        for item in plan.asked.items.iter().filter(|item| item.duties.minor > 0) {
            if let Some(line) = plan.line(item) {
                refund.add(plan, item, line)?;
            }
        }
        Ok(refund)
    }

    fn add(&mut self, plan: &ShopifyPlan<'_>, item: &Item, line: &LineState) -> Result<(), String> {
        let refunds = || plan.order.refunds.iter().map(GivenDuties::from);
        let left = left(&item.purchase_id, &line.duties, plan.order.presentment_currency_code, refunds());
        if item.duties.minor > left {
            return Err(format!(
                "The refund contains duties of {}, but only {} of the duties of this line can still be refunded: the others were refunded in \
                 Shopify. Look at the order, and carry out the resolution by hand.",
                plan.text(item.duties.minor),
                plan.text(left)
            ));
        }
        for duty in &line.duties {
            let booked = refunds().map(|refund| refund.booked(duty)).fold(0, i64::saturating_add);
            // Shopify rounds the share of some units. The duty of all units is exact.
            let kind = if booked == 0 && Some(item.quantity) == line.quantity { "FULL" } else { "PROPORTIONAL" };
            if booked < duty.price.minor() {
                self.inputs.push(json!({"dutyId": duty.id, "refundType": kind}));
            }
        }
        let line = item.purchase_id.strip_prefix(LINE_ID).unwrap_or_default();
        self.note = format!("{}; duties {} of line {line}", self.note, plan.text(item.duties.minor));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{noted, spread};
    use domain::Currency;
    use proptest::prelude::*;

    const LINE: &str = "gid://shopify/LineItem/17";

    #[test]
    fn duties_that_were_refunded_apart_no_longer_come_back_with_units() {
        for (left, remaining, expected) in [
            (1000, 4, 1000), // nothing was refunded
            (750, 3, 1000),  // a unit with its duty
            (1000, 3, 1000), // a unit without its duty
            (0, 4, 0),       // all of it, apart from units
            (0, 2, 0),       // all of it, with two units
            (400, 4, 400),   // a part, apart from units
            (250, 2, 500),   // two units and a part
            (0, 0, 1000),    // all units
        ] {
            assert_eq!(spread(1000, left, 4, remaining), expected, "{left} {remaining}");
        }
    }

    #[test]
    fn only_notes_of_our_refunds_say_what_they_gave() {
        let eur = Currency::from_code("EUR").unwrap();
        let of = |note: &str| noted(note, LINE, eur);
        assert_eq!(of("Return R-1 (uuid); duties 2.50 EUR of line 17"), Some(250));
        assert_eq!(
            of("Return R-1 (uuid); duties 1.00 EUR of line 16; duties 2.50 EUR of line 17; units: 1"),
            Some(250)
        );
        for other in [
            "Return R-1 (uuid)",
            "duties 2.50 EUR of line 17",
            "Return R-1 (uuid); duties 2.50 EUR of line 1",
            "Return R-1 (uuid); duties 2.50 EUR of line 171",
            "Return R-1 (uuid); duties 2.50 USD of line 17",
            "Return R-1 (uuid); duties -2.50 EUR of line 17",
            "Return R-1 (uuid); duties much EUR of line 17",
        ] {
            assert_eq!(of(other), None, "{other}");
        }
    }

    proptest! {
        /// Whatever came back before: the units that remain never give more than is left, and all of them give all of it.
        #[test]
        fn units_that_remain_give_what_is_left(price in 0_i64..100_000, left in 0_i64..100_000, units in 1_u32..60, remaining in 1_u32..60) {
            let (left, remaining) = (left.min(price), remaining.min(units));
            let all = spread(price, left, units, remaining);
            let given = |count: u32| all * i64::from(count) / i64::from(units); // as `DraftItem::duties_of`
            prop_assert!(all <= price);
            prop_assert!((1..=remaining).all(|count| given(count) <= left));
            prop_assert_eq!(given(remaining), left.min(price * i64::from(remaining) / i64::from(units)));
        }
    }
}
