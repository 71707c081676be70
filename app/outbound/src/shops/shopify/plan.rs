//! What a resolution has to do with an order.

use super::{
    client::ShopifySession,
    documents::STATE,
    line_amounts::tax_of,
    order_state::{LineState, OrderState, Refund, StateResponse, Transaction},
};
use crate::{
    bridge::contract::{Item, ResolveReturn},
    shops::resolution::{EarlyExit, IssuedRefund, amount_owed, total_refunded},
};
use domain::{Money, policy};
use serde_json::json;
use std::collections::HashMap;

pub(super) const LINE_ID: &str = "gid://shopify/LineItem/";
/// The most transactions and refunds of an order, and transactions of a refund, that the documents ask for. A full list may be
/// a part.
const MOST_LISTED: usize = 100;
const MOST_LISTED_OF_REFUND: usize = 20;
const ORDER_ID: &str = "gid://shopify/Order/";
/// The notes of our refunds begin with this.
pub(super) const NOTE: &str = "Return ";

/// The order as the shop shows it, and what has to be done with it.
pub(super) struct ShopifyPlan<'a> {
    pub asked: &'a ResolveReturn,
    pub order: OrderState,
    lines: Vec<LineState>,
    /// What the shopper is owed, in minor units.
    pub owed: i64,
    /// The note of every refund that we create.
    pub reason: String,
    /// The part of `reason` by which we find our refunds again.
    mark: String,
    /// The name of the record on the order.
    pub record_key: String,
}

/// The part of a refund that goes to one payment.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Share<'a> {
    pub payment: &'a Transaction,
    /// In minor units.
    pub amount: i64,
}

impl<'a> ShopifyPlan<'a> {
    /// Reads the order, and rejects a request that does not fit it. `key` is the name of the record on the order.
    pub async fn new(session: &ShopifySession<'_>, asked: &'a ResolveReturn, key: &str) -> Result<Self, EarlyExit> {
        if !asked.order_id.starts_with(ORDER_ID) {
            return Err(EarlyExit::failed("The shop no longer has this order."));
        }
        if asked.items.iter().any(|item| !item.purchase_id.starts_with(LINE_ID)) {
            return Err(EarlyExit::failed("The order no longer has this line."));
        }
        let ids: Vec<&String> = asked.items.iter().map(|item| &item.purchase_id).collect();
        let variables = json!({"id": asked.order_id, "lines": ids, "key": key});
        let StateResponse { order, lines } = session.query(STATE, variables).await?;
        let Some(order) = order else {
            return Err(EarlyExit::failed(
                "The shop no longer has this order, or the app may not read orders that are over 60 days old \
                 (read_all_orders).",
            ));
        };
        if is_maybe_partial(&order) {
            return Err(EarlyExit::failed(
                "The order has too many payments or refunds to be sure what is left. Carry out the resolution by hand.",
            ));
        }
        let owed = amount_owed(asked, order.presentment_currency_code)?;
        let mark = asked.transaction_id.to_string();
        let reason = format!("{NOTE}{} ({mark})", asked.return_order_number);
        let plan = Self {
            asked,
            order,
            lines: lines.into_iter().flatten().collect(),
            owed,
            reason,
            mark,
            record_key: key.to_owned(),
        };
        for item in &asked.items {
            let Some(ordered) = plan.line(item).and_then(|line| line.quantity) else {
                return Err(EarlyExit::failed("The order no longer has this line."));
            };
            if !(1..=ordered).contains(&item.quantity) {
                return Err(EarlyExit::failed("The refund covers more units than were ordered."));
            }
        }
        Ok(plan)
    }

    /// The line of an item.
    pub fn line(&self, item: &Item) -> Option<&LineState> {
        self.lines.iter().find(|line| line.id.as_ref() == Some(&item.purchase_id))
    }

    /// Rejects units that the shop has refunded or removed already: somebody settled them there.
    pub fn check_units(&self) -> Result<(), EarlyExit> {
        for item in &self.asked.items {
            let left = self.line(item).and_then(|line| line.refundable_quantity).unwrap_or(0);
            if left < item.quantity {
                let reason = format!(
                    "In Shopify, {left} of the {} units can still be refunded: the others were refunded or removed there. \
                     Look at the order, and carry out the resolution by hand.",
                    item.quantity
                );
                return Err(EarlyExit::failed(&reason));
            }
        }
        Ok(())
    }

    /// Whether the shopper gets store credit instead of money.
    pub fn is_store_credit(&self) -> bool {
        self.asked.kind == policy::Resolution::StoreCredit
    }

    /// The refunds of this resolution.
    pub fn our_refunds(&self) -> impl Iterator<Item = &Refund> {
        self.order.refunds.iter().filter(|refund| self.is_ours(refund))
    }

    /// Whether a refund belongs to this resolution.
    pub fn is_ours(&self, refund: &Refund) -> bool {
        refund.note.as_deref().is_some_and(|note| note.contains(&self.mark))
    }

    /// An amount in minor units as Shopify reads it.
    pub fn decimal(&self, minor: i64) -> String {
        Money::new(minor, self.order.presentment_currency_code).decimal()
    }

    /// An amount in minor units, as text.
    pub fn text(&self, minor: i64) -> String {
        format!("{} {}", self.decimal(minor), self.order.presentment_currency_code)
    }

    /// Distributes an amount over the order's payments. If the payments do not cover it, nothing is refunded.
    pub fn shares(&self, amount: i64, refunds: &[IssuedRefund]) -> Result<Vec<Share<'_>>, EarlyExit> {
        let refundable = refundable(&self.order.transactions);
        if refundable.is_empty() {
            let reason = "No payment of this order has arrived in the shop, so there is nothing to refund.";
            return Err(self.not_refunded(refunds, reason));
        }
        let left = refundable.iter().fold(0, |sum: i64, share| sum.saturating_add(share.amount));
        shares(refundable, amount).ok_or_else(|| {
            let (amount, left) = (self.text(amount), self.text(left));
            let reason = format!("The refund is {amount}, but only {left} of the payments can still be refunded.");
            self.not_refunded(refunds, &reason)
        })
    }

    /// The part of the shipping costs to record as refunded, in minor units, as Shopify counts it: without a tax that was paid
    /// on top, and no more than has not been refunded yet. The transactions decide what is paid.
    pub fn shipping(&self) -> i64 {
        let Some(line) = &self.order.shipping_line else { return 0 };
        let (price, wanted) = (line.discounted_price_set.minor(), self.asked.shipping_refund.minor);
        let tax = if self.order.taxes_included { 0 } else { tax_of(&line.tax_lines) };
        let whole = i128::from(price.saturating_add(tax));
        if whole <= 0 {
            return 0;
        }
        let without_tax = i128::from(wanted) * i128::from(price) / whole;
        let left = price.saturating_sub(self.order.total_refunded_shipping_set.minor());
        i64::try_from(without_tax).unwrap_or(i64::MAX).min(left).max(0)
    }

    /// Why the shipping costs cannot be refunded: somebody has refunded them in the shop, and Shopify would refund their amount again.
    pub fn check_shipping(&self) -> Result<(), String> {
        let (wanted, left) = (self.asked.shipping_refund.minor, self.shipping_left());
        // A minor unit is rounding: Shopify counts the costs without a tax on top.
        if wanted <= left || (left > 0 && wanted == left.saturating_add(1)) {
            return Ok(());
        }
        Err(format!(
            "The refund contains shipping costs of {}, but only {} of them can still be refunded: the others were refunded in Shopify. \
             Look at the order, and carry out the resolution by hand.",
            self.text(wanted),
            self.text(left)
        ))
    }

    /// The shipping costs that were not refunded yet, with tax, in minor units.
    fn shipping_left(&self) -> i64 {
        let Some(line) = &self.order.shipping_line else { return 0 };
        let tax = if self.order.taxes_included { 0 } else { tax_of(&line.tax_lines) };
        let price = line.discounted_price_set.minor();
        let whole = i128::from(price.saturating_add(tax));
        let refunded = i128::from(self.order.total_refunded_shipping_set.minor()) * whole;
        i64::try_from(whole - refunded.checked_div(i128::from(price)).unwrap_or(0)).unwrap_or(0).max(0)
    }

    /// Nothing was refunded, or only a part. A person has to know about a part.
    pub fn not_refunded(&self, refunds: &[IssuedRefund], reason: &str) -> EarlyExit {
        if refunds.iter().all(|refund| refund.amount == 0) {
            return EarlyExit::failed(reason);
        }
        let (refunded, owed) = (self.text(total_refunded(refunds)), self.text(self.owed));
        EarlyExit::unclear(refunds, format!("Only {refunded} of {owed} were refunded. {reason}"))
    }
}

/// Whether the lists of an order's payments and refunds may lack some.
fn is_maybe_partial(order: &OrderState) -> bool {
    let is_full = |refund: &Refund| refund.transactions.nodes.len() >= MOST_LISTED_OF_REFUND;
    order.transactions.len() >= MOST_LISTED || order.refunds.len() >= MOST_LISTED || order.refunds.iter().any(is_full)
}

/// What can still be refunded of each payment, oldest payment first.
pub(super) fn refundable(transactions: &[Transaction]) -> Vec<Share<'_>> {
    let mut payments: Vec<&Transaction> = transactions.iter().filter(|one| one.is_payment()).collect();
    payments.sort_by_key(|payment| (payment.created_at, &payment.id));
    let mut of_parent: HashMap<&str, i64> = HashMap::new();
    // A refund that names none of the payments counts against all of them.
    let mut of_none = 0_i64;
    for refund in transactions.iter().filter(|one| one.pays_out()) {
        let parent = refund.parent.as_ref().map(|parent| parent.id.as_str());
        let amount = refund.amount_set.minor();
        match parent.filter(|parent| payments.iter().any(|payment| payment.id == *parent)) {
            Some(parent) => {
                let sum = of_parent.entry(parent).or_default();
                *sum = sum.saturating_add(amount);
            }
            None => of_none = of_none.saturating_add(amount),
        }
    }
    let mut shares = Vec::with_capacity(payments.len());
    for payment in payments {
        let refunded = of_parent.get(payment.id.as_str()).copied().unwrap_or(0);
        let left = payment.amount_set.minor().saturating_sub(refunded).max(0);
        let unassigned = of_none.min(left);
        of_none -= unassigned;
        shares.push(Share { payment, amount: left - unassigned });
    }
    shares
}

/// Takes an amount from what can be refunded, in order. `None` if it is not enough.
pub(super) fn shares(refundable: Vec<Share<'_>>, amount: i64) -> Option<Vec<Share<'_>>> {
    let (mut rest, mut shares) = (amount, Vec::new());
    for Share { payment, amount } in refundable {
        let amount = amount.min(rest);
        if amount > 0 {
            rest -= amount;
            shares.push(Share { payment, amount });
        }
    }
    (rest <= 0).then_some(shares)
}
