//! What a return comes to as it goes on: the draft's figures, less what was rejected, short or refused, and what sending
//! a sales order cost, with the request that brings the last of it back.

use super::{
    approval::AcceptedStep,
    change::{Change, Returned},
    postage::{Postage, Shipping, counts, is_same_order, promised_shipping, shipping},
};
use crate::base::{OrBroken, Result};
use domain::{
    PurchaseId,
    costs::{CountedUnits, RequestOutcome, revise},
    order::ExchangeOption,
    policy::Resolution,
    returning::{DraftItem, ReturnRequest},
};
use store::{Writing, completeness, orders};

/// What does not come back of a purchase whose request is approved now, minor units.
#[derive(Clone, Copy)]
struct ApprovedLimit {
    purchase: PurchaseId,
    limit: i64,
}

impl Change<'_> {
    /// Reckons what a return comes to once a request of it has made this step. What a request comes to is fixed once
    /// its resolution is approved: it is what it was worth, within what is then left of its order.
    pub(crate) async fn recalculate_costs(
        &self,
        writing: &mut Writing,
        returned: &mut Returned,
        index: usize,
        accepted: &AcceptedStep,
    ) -> Result<()> {
        let (mut paid, promised) = shipping(returned);
        let before = returned.request(index)?;
        let (purchase, step) = (before.purchase_id, &accepted.step);
        let is_approval = step.approval().is_some();
        let items = &returned.draft.items;
        let counted = counts(before, &step.state, items)?;
        if !is_approval && counted == counts(before, &before.state, items)? {
            return Ok(());
        }
        let mut after = returned.requests.clone();
        after.get_mut(index).or_broken()?.state.clone_from(&step.state);
        if let Some(left) = accepted.shipping {
            // Not above 0 where the shop says by now that less was paid for sending it.
            let amount = left + promised_shipping(returned, purchase).amount;
            if amount > 0 {
                paid.insert(purchase, Postage { amount, limit: 0 });
            }
        }
        let approved = accepted.left.zip(counted.value()).map(|(left, value)| {
            let whole = value + paid.get(&purchase).map_or(0, |postage| postage.amount);
            ApprovedLimit { purchase, limit: (whole - left).clamp(0, whole) }
        });
        let awaited = self.awaited(writing, &after, &paid, promised, &returned.draft.items).await?;
        let with: Shipping = awaited.into_iter().chain(paid.clone()).collect();
        let costs = revise(&returned.draft.cost_breakdown, &outcomes(returned, &after, &with, approved)?);
        let request = returned.requests.get_mut(index).or_broken()?;
        let (with_shipping, limit) = (paid.contains_key(&purchase), costs.limit_of(purchase));
        request.resolution_value = costs.value_of(purchase, with_shipping);
        request.refund_limit = if with_shipping { limit.total() } else { limit.items };
        returned.order.cost_breakdown = costs;
        Ok(())
    }

    /// Gives something else for a request than what was asked for, at what the draft reckoned it to be worth.
    pub(crate) fn replace_resolution(
        returned: &mut Returned,
        index: usize,
        resolution: Resolution,
        exchange_for: Option<ExchangeOption>,
    ) -> Result<()> {
        let request = returned.requests.get_mut(index).or_broken()?;
        (request.requested_resolution, request.exchange_for) = (resolution, exchange_for);
        let (paid, promised) = shipping(returned);
        let with: Shipping = promised.into_iter().chain(paid).collect();
        let outcomes = outcomes(returned, &returned.requests, &with, None)?;
        let draft = &returned.draft.cost_breakdown;
        let value = outcomes.get(index).or_broken()?.value(draft);
        returned.order.cost_breakdown = revise(draft, &outcomes);
        returned.requests.get_mut(index).or_broken()?.resolution_value = value;
        Ok(())
    }

    /// What of the promised shipping can still come back with this return: all of the order is on its way, and a
    /// request of it is left to be approved. The rest can be promised to other returns again.
    async fn awaited(
        &self,
        writing: &mut Writing,
        requests: &[ReturnRequest],
        paid: &Shipping,
        promised: Shipping,
        items: &[DraftItem],
    ) -> Result<Shipping> {
        let account = self.account.id;
        let mut awaited = Shipping::new();
        for (purchase, postage) in promised {
            if paid.keys().any(|&paid| is_same_order(items, paid, purchase)) {
                continue;
            }
            let mut last = None;
            let mut is_whole = true;
            for request in requests.iter().filter(|other| is_same_order(items, other.purchase_id, purchase)) {
                is_whole &= matches!(counts(request, &request.state, items)?, CountedUnits::Units { units, .. } if units == request.quantity);
                if request.state.approved_units.is_none() {
                    last = Some(request.purchase_id);
                }
            }
            match last {
                Some(last) if is_whole && completeness::is_order_complete(writing.db(), account, purchase).await? => {
                    awaited.insert(last, postage);
                }
                _ => orders::take_promise_back(writing.db(), account, purchase, postage.amount).await?,
            }
        }
        Ok(awaited)
    }
}

/// What became of each request of a return, what sending its order cost where that comes back with it, and what does not come
/// back.
fn outcomes(
    returned: &Returned,
    requests: &[ReturnRequest],
    shipping: &Shipping,
    approved: Option<ApprovedLimit>,
) -> Result<Vec<RequestOutcome>> {
    let outcome = |request: &ReturnRequest| {
        let purchase_id = request.purchase_id;
        let counts = counts(request, &request.state, &returned.draft.items)?;
        let postage = shipping.get(&purchase_id).copied().unwrap_or_default();
        let limit = match approved.filter(|approved| approved.purchase == purchase_id) {
            Some(approved) => approved.limit,
            None => postage.limit + items_limit(returned, request, counts)?,
        };
        Ok(RequestOutcome {
            purchase_id,
            resolution: request.requested_resolution,
            drafted: returned.item(purchase_id)?.requested_resolution,
            counts,
            outbound_shipping: postage.amount,
            limit,
        })
    };
    requests.iter().map(outcome).collect()
}

/// What does not come back of a request's items, minor units: what was approved, or what the draft fixed. Of units that came
/// short, only what is then still too much.
fn items_limit(returned: &Returned, request: &ReturnRequest, counts: CountedUnits) -> Result<i64> {
    let purchase = request.purchase_id;
    if request.state.approved_units.is_some() {
        return Ok(returned.order.cost_breakdown.limit_of(purchase).items);
    }
    let drafted = returned.draft.cost_breakdown.limit_of(purchase).items;
    let missing = returned.item(purchase)?.value - counts.value().unwrap_or(0);
    Ok((drafted - missing).max(0))
}
