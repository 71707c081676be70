//! Approves refunds, guarded by the order's units and money.

use super::{
    change::{Change, Returned},
    postage::{counts, promised_shipping},
};
use crate::base::{OrBroken, Result};
use domain::{
    PurchaseId, Refusal, RefusalCode,
    order::Ledger,
    policy::Resolution,
    stage::{Approval, ReviewReason, Step},
};
use store::{
    Writing,
    ledgers::{self, OrderMoney},
    orders, purchases,
};

/// A step of a request, and the limits of its approval.
pub(crate) struct AcceptedStep {
    /// The step; without the approval if a person has to decide.
    pub step: Step,
    /// The maximum that is left of the order's money, in minor units; `None` without a limit, or if nothing is
    /// approved.
    pub left: Option<i64>,
    /// Outbound shipping that is refunded with this request beyond what its return promised, in minor units.
    pub shipping: Option<i64>,
}

impl AcceptedStep {
    fn nothing(step: Step) -> Self {
        Self { step, left: None, shipping: None }
    }
}

impl Change<'_> {
    /// Records what a step approves, with its order locked, so that approvals of one order do not overlap. A rule never
    /// approves units that the shop may have refunded already, nor more than the order's money.
    pub(crate) async fn accept(
        &self,
        writing: &mut Writing,
        returned: &Returned,
        index: usize,
        step: Step,
    ) -> Result<AcceptedStep> {
        let Some(approval) = step.approval() else { return Ok(AcceptedStep::nothing(step)) };
        let (account, purchase) = (self.account.id, returned.request(index)?.purchase_id);
        let units = step.state.approved_units.unwrap_or(0);
        // Locks the lines before their order, in the order in which a submit locks them.
        if !purchases::accept(writing.db(), account, purchase, units).await? {
            return match approval {
                Approval::ByRule => Ok(AcceptedStep::nothing(step.held_for_review(ReviewReason::RefundedByShop))),
                Approval::ByPerson => {
                    let message = "The shop has refunded some of these units itself, or says that fewer were sent. Deny \
                                   the resolution, or record an inspection that accepts only the others.";
                    Err(Refusal::new(RefusalCode::QuantityExceeded, message).into())
                }
            };
        }
        let money = ledgers::hold(writing.db(), account, purchase).await?.or_broken()?;
        let ledger = if money.is_silent() { None } else { Some(self.ledger(writing, returned, index, &money).await?) };
        let shipping = self.claim_shipping(writing, returned, purchase).await?;
        let promised = promised(returned, purchase, shipping.is_some());
        let left = ledger.and_then(|ledger| ledger.left_for(promised));
        if approval == Approval::ByRule {
            let counted = counts(returned.request(index)?, &step.state, &returned.draft.items)?;
            let with_it = shipping.map_or(0, |left| (left + promised_shipping(returned, purchase).amount).max(0));
            let value = counted.value().unwrap_or(0).saturating_add(with_it);
            let is_too_little = left.is_some_and(|left| value > left);
            let reason = self.reason_to_wait(writing, returned, index, units, &money, ledger.as_ref()).await?;
            if let Some(reason) = reason.or_else(|| is_too_little.then_some(ReviewReason::RefundLimit)) {
                purchases::take_acceptance_back(writing.db(), account, purchase, units).await?;
                if let Some(left) = shipping {
                    orders::take_promise_back(writing.db(), account, purchase, left).await?;
                }
                return Ok(AcceptedStep::nothing(step.held_for_review(reason)));
            }
        }
        if let Some(ledger) = &ledger
            && ledger.before_next_approval() != money.refunded_before
        {
            ledgers::set_refunded_before(writing.db(), account, money.order, ledger.before_next_approval()).await?;
        }
        Ok(AcceptedStep { step, left, shipping })
    }

    /// Refuses to retry a failed resolution if the order's money no longer suffices, because the shop may have refunded
    /// it since.
    pub(crate) async fn check_money_left(
        &self,
        writing: &mut Writing,
        returned: &Returned,
        index: usize,
    ) -> Result<()> {
        let purchase = returned.request(index)?.purchase_id;
        let money = ledgers::hold(writing.db(), self.account.id, purchase).await?.or_broken()?;
        let ledger = self.ledger(writing, returned, index, &money).await?;
        let claim = returned.order.cost_breakdown.claim_of(purchase).total();
        if ledger.left_for(claim).is_none_or(|left| left >= claim) {
            return Ok(());
        }
        let message = "The shop has refunded part of this order, so the refundable amount is lower than this return. \
                       Carry out the resolution by hand, then set the stage Resolution: Completed.";
        Err(Refusal::new(RefusalCode::StageConflict, message).into())
    }

    /// What is left of an order's outbound shipping, if this request completes the order. The shipping of a gift was
    /// paid by the buyer, so recipients get nothing.
    async fn claim_shipping(
        &self,
        writing: &mut Writing,
        returned: &Returned,
        purchase: PurchaseId,
    ) -> Result<Option<i64>> {
        if returned.consumer.credentials.is_gift() {
            return Ok(None);
        }
        Ok(orders::claim_shipping(writing.db(), self.account.id, purchase).await?)
    }

    /// The ledger of a request's order, without the request's own promise. Outbound shipping that its return promises
    /// counts after its approval, because it is limited before the items are.
    async fn ledger(
        &self,
        writing: &mut Writing,
        returned: &Returned,
        index: usize,
        money: &OrderMoney,
    ) -> Result<Ledger> {
        let own = (!returned.is_new).then_some(returned.order.id);
        let mut ledger = ledgers::of_others(writing.db(), self.account.id, money, own).await?;
        let order = returned.item(returned.request(index)?.purchase_id)?.order_id;
        for (_, other) in returned.requests.iter().enumerate().filter(|(place, _)| *place != index) {
            if returned.item(other.purchase_id)?.order_id != order {
                continue;
            }
            let claim = returned.order.cost_breakdown.claim_of(other.purchase_id);
            let is_approved = other.state.stage.name().is_approved();
            ledger.add(if is_approved { claim.total() } else { claim.items }, is_approved);
            if is_approved && other.requested_resolution == Resolution::Refund {
                ledger.approved = ledger.approved.saturating_add(other.resolution_value);
            }
        }
        Ok(ledger)
    }

    /// Why a rule does not approve a refund: the shop has refunded something since the draft was made, or the order's
    /// sums do not add up or do not show what is left.
    async fn reason_to_wait(
        &self,
        writing: &mut Writing,
        returned: &Returned,
        index: usize,
        accepted: u32,
        money: &OrderMoney,
        ledger: Option<&Ledger>,
    ) -> Result<Option<ReviewReason>> {
        if let Some(review) = money.review {
            return Ok(Some(review.into()));
        }
        let item = returned.item(returned.request(index)?.purchase_id)?;
        let units = purchases::refunded_units(writing.db(), self.account.id, item.purchase_id).await?;
        // The shop also reports units that Retour has settled. They are part of the units that were accepted before
        // these.
        let by_shop = units.shop_refunded.saturating_sub(units.accepted.saturating_sub(accepted));
        let is_of_units = by_shop > item.seen.shop_refunded.saturating_sub(item.seen.settled);
        let is_of_money = ledger.is_some_and(|ledger| ledger.refunded_by_shop() > item.refunded_by_shop);
        if is_of_units || is_of_money {
            return Ok(Some(ReviewReason::RefundedByShop));
        }
        Ok(ledger.is_some_and(Ledger::is_left_unknown).then_some(ReviewReason::SumsDiffer))
    }
}

/// What a return promises for a purchase, plus the promised outbound shipping if `with_shipping` is set.
fn promised(returned: &Returned, purchase: PurchaseId, with_shipping: bool) -> i64 {
    let postage = promised_shipping(returned, purchase);
    let shipping = if with_shipping { postage.amount - postage.limit } else { 0 };
    returned.order.cost_breakdown.claim_of(purchase).items.saturating_add(shipping)
}
