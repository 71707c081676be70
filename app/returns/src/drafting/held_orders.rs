//! Limits of a whole sales order, checked during a submit: its outbound shipping, kept items and refundable amount.

use super::submitting::{Submitting, outdated};
use crate::base::Result;
use domain::{
    OrderId, PurchaseId,
    order::{OrderSummary, OrderSums, Purchase},
    returning::{OverriddenRule, is_overridden},
    stage::ReviewReason,
};
use std::collections::BTreeMap;
use store::{Writing, completeness, ledgers, orders};

/// The part of one sales order in a return order, in minor units.
struct OrderPart<'a> {
    order: &'a OrderSummary,
    /// The purchases of the order in this return; at least one.
    purchases: Vec<PurchaseId>,
    /// One of them that is sent in a parcel. The order's outbound shipping can be refunded with it.
    sent: Option<PurchaseId>,
    shipping: i64,
    kept: i64,
}

/// The orders whose returns wait for a person, and why.
pub(crate) type Reviews = BTreeMap<OrderId, ReviewReason>;

impl Submitting<'_> {
    /// Checks the limits of each sales order: its outbound shipping is refunded once, kept items stay below the
    /// policy's limit, and refunds stay within what was paid. Concurrent submits of the same order wait here.
    pub(crate) async fn hold_orders(&self, writing: &mut Writing, purchases: &[Purchase]) -> Result<Reviews> {
        let mut parts: BTreeMap<OrderId, OrderPart<'_>> = BTreeMap::new();
        for (item, purchase) in self.draft.items.iter().zip(purchases) {
            let part = parts.entry(purchase.order.id).or_insert_with(|| OrderPart {
                order: &purchase.order,
                purchases: Vec::new(),
                sent: None,
                shipping: 0,
                kept: 0,
            });
            part.purchases.push(purchase.id);
            part.sent = Some(purchase.id).filter(|_| purchase.requires_shipping).or(part.sent);
            part.shipping += item.outbound_shipping;
            // Staff may let a consumer keep what is above the limit.
            let is_limited = item.kept && !is_overridden(&item.overrides, OverriddenRule::SendingBack);
            part.kept += if is_limited { item.value } else { 0 };
        }
        let mut reviews = Reviews::new();
        for part in parts.values() {
            if part.order.shipping_left > 0 || part.kept > 0 {
                self.hold_shipping(writing, part).await?;
            }
            if let Some(reason) = self.hold_money(writing, part).await? {
                reviews.insert(part.order.id, reason);
            }
        }
        Ok(reviews)
    }

    async fn hold_shipping(&self, writing: &mut Writing, part: &OrderPart<'_>) -> Result<()> {
        let (account, order) = (self.change.account.id, part.order.id);
        let currency = self.draft.cost_breakdown.currency;
        let keep_below = self.change.account.policy.keep_item_below.minor(currency).unwrap_or(0);
        if !orders::promise_shipping(writing.db(), account, order, part.shipping).await? {
            return Err(outdated("Another return already refunds the shipping costs of this order. Make a new draft."));
        }
        // Two drafts may each leave a part of the order; the second to be submitted completes it. For a gift, outbound
        // shipping is refunded to nobody.
        if !self.settings.is_gift
            && let (0, true, Some(purchase)) = (part.shipping, part.order.shipping_left > 0, part.sent)
            && completeness::is_order_complete(writing.db(), account, purchase).await?
        {
            return Err(outdated(
                "With this return, the whole order comes back, so its shipping costs are refunded too. Make a new \
                 draft.",
            ));
        }
        let kept_before = store::return_requests::sum_kept(writing.db(), account, order).await?;
        if part.kept > 0 && kept_before + part.kept >= keep_below {
            return Err(outdated("These items now have to be sent back. Make a new draft."));
        }
        Ok(())
    }

    /// Guards against refunding more than is left of an order: its returns' promises are added up while the order is
    /// locked. Returns why a person has to decide about this return, if so.
    async fn hold_money(&self, writing: &mut Writing, part: &OrderPart<'_>) -> Result<Option<ReviewReason>> {
        let review = part.order.review.map(ReviewReason::from);
        let Some(&purchase) = part.purchases.first().filter(|_| part.order.sums != OrderSums::default()) else {
            return Ok(review);
        };
        let account = self.change.account.id;
        let Some(money) = ledgers::hold(writing.db(), account, purchase).await? else { return Ok(review) };
        let ledger = ledgers::of_others(writing.db(), account, &money, None).await?;
        let (mut claimed, mut limited) = (0_i64, 0_i64);
        for purchase in &part.purchases {
            let costs = &self.draft.cost_breakdown;
            claimed = claimed.saturating_add(costs.claim_of(*purchase).total());
            limited = limited.saturating_add(costs.limit_of(*purchase).total());
        }
        // If less is left than when the draft was made, the draft promises too much; if more, too little.
        if ledger.left().is_some_and(|left| claimed != claimed.saturating_add(limited).min(left)) {
            return Err(outdated("The refundable amount of this order has changed. Make a new draft."));
        }
        let is_of_order = |id| part.purchases.contains(&id);
        let mut items = self.draft.items.iter().filter(|item| is_of_order(item.purchase_id));
        let reason = if limited > 0 {
            Some(ReviewReason::RefundLimit)
        } else if items.any(|item| ledger.refunded_by_shop() > item.refunded_by_shop) {
            Some(ReviewReason::RefundedByShop)
        } else if ledger.is_left_unknown() {
            Some(ReviewReason::SumsDiffer)
        } else {
            money.review.map(ReviewReason::from)
        };
        Ok(reason)
    }
}
