//! The costs of a return during its progress: the draft's amounts, less units that were rejected, missing or refused.
//! Outbound shipping is added with the request that completes an order.

use super::{
    approval::AcceptedStep,
    change::{Change, Returned},
    postage::{Postage, Shipping, counts, is_same_order, promised_shipping, shipping},
};
use crate::base::{OrBroken, Result};
use domain::{
    AccountId, PurchaseId,
    costs::{CountedUnits, RequestOutcome, revise},
    order::ExchangeOption,
    policy::Resolution,
    returning::{DraftItem, ReturnRequest},
};
use store::{
    Db, Writing,
    completeness::{self, FreedUnits},
    orders,
};

/// The part of a purchase's value that is not refunded because of the approval's limit, in minor units.
#[derive(Clone, Copy)]
pub(super) struct ApprovedLimit {
    purchase: PurchaseId,
    limit: i64,
}

impl Change<'_> {
    /// Recalculates the costs of a return after a step of a request. The value of a request is fixed when its
    /// resolution is approved: what it was worth, limited to what is left of its order.
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
            // Not positive if the shop now reports a lower payment for outbound shipping.
            let amount = left + promised_shipping(returned, purchase).amount;
            if amount > 0 {
                paid.insert(purchase, Postage { amount, limit: 0 });
            }
        }
        let approved = accepted.left.zip(counted.value()).map(|(left, value)| {
            let whole = value + paid.get(&purchase).map_or(0, |postage| postage.amount);
            ApprovedLimit { purchase, limit: (whole - left).clamp(0, whole) }
        });
        let found = awaited(writing.db(), self.id(), (&after, &returned.draft.items), &paid, promised, None).await?;
        found.released.release(writing, self.id()).await?;
        let with: Shipping = found.shipping.into_iter().chain(paid.clone()).collect();
        let costs = revise(&returned.draft.cost_breakdown, &outcomes(returned, &after, &with, approved)?);
        let request = returned.requests.get_mut(index).or_broken()?;
        let (with_shipping, limit) = (paid.contains_key(&purchase), costs.limit_of(purchase));
        request.resolution_value = costs.value_of(purchase, with_shipping);
        request.refund_limit = if with_shipping { limit.total() } else { limit.items };
        returned.order.cost_breakdown = costs;
        Ok(())
    }

    /// Replaces the requested resolution of a request with another one, at the value that the draft fixed.
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
}

/// Recalculates the costs of a return whose draft has changed, before a resolution of it is approved. `freed`: units that it
/// gives back with the change. Writes nothing: the caller releases the promised outbound shipping.
pub(crate) async fn revise_costs(
    db: Db<'_>,
    account: AccountId,
    returned: &mut Returned,
    freed: Option<FreedUnits>,
) -> Result<ReleasedShipping> {
    let (_, promised) = shipping(returned);
    let (requests, items) = (&returned.requests, &returned.draft.items);
    let found = awaited(db, account, (requests, items), &Shipping::new(), promised, freed).await?;
    let costs = revise(&returned.draft.cost_breakdown, &outcomes(returned, requests, &found.shipping, None)?);
    for request in &mut returned.requests {
        if counts(request, &request.state, items)?.value().is_some() {
            request.resolution_value = costs.value_of(request.purchase_id, false);
            request.refund_limit = costs.limit_of(request.purchase_id).items;
        }
    }
    returned.order.cost_breakdown = costs;
    Ok(found.released)
}

/// The promised outbound shipping that can still be refunded with a return, and the rest of the promise.
struct AwaitedShipping {
    shipping: Shipping,
    released: ReleasedShipping,
}

/// Promised outbound shipping that a return no longer refunds, in minor units, by a purchase of its order. Other returns of
/// the order may promise it once it is released.
#[must_use]
pub(crate) struct ReleasedShipping(Vec<(PurchaseId, i64)>);

impl ReleasedShipping {
    /// No shipping.
    pub(crate) fn none() -> Self {
        Self(Vec::new())
    }

    /// Takes the promises back.
    pub(crate) async fn release(self, writing: &mut Writing, account: AccountId) -> Result<()> {
        for (purchase, amount) in self.0 {
            orders::take_promise_back(writing.db(), account, purchase, amount).await?;
        }
        Ok(())
    }
}

/// The promised outbound shipping that can still be refunded with these requests: all of the order is being returned, and
/// one of its requests is not approved yet.
async fn awaited(
    mut db: Db<'_>,
    account: AccountId,
    (requests, items): (&[ReturnRequest], &[DraftItem]),
    paid: &Shipping,
    promised: Shipping,
    freed: Option<FreedUnits>,
) -> Result<AwaitedShipping> {
    let (mut awaited, mut released) = (Shipping::new(), Vec::new());
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
        let is_complete = is_whole
            && match freed {
                None => completeness::is_order_complete(db.reborrow(), account, purchase).await?,
                Some(freed) => completeness::is_order_complete_without(db.reborrow(), account, purchase, freed).await?,
            };
        match last {
            Some(last) if is_complete => {
                awaited.insert(last, postage);
            }
            _ => released.push((purchase, postage.amount)),
        }
    }
    Ok(AwaitedShipping { shipping: awaited, released: ReleasedShipping(released) })
}

/// The outcome of each request of a return, with the outbound shipping that is refunded with it and the part that is
/// not refunded.
pub(super) fn outcomes(
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
            adjustment: request.adjustment,
        })
    };
    requests.iter().map(outcome).collect()
}

/// The part of a request's items that is not refunded, in minor units: as approved, or as the draft fixed. Missing
/// units reduce the value first, so only the excess over that remains.
fn items_limit(returned: &Returned, request: &ReturnRequest, counts: CountedUnits) -> Result<i64> {
    let purchase = request.purchase_id;
    if request.state.approved_units.is_some() {
        return Ok(returned.order.cost_breakdown.limit_of(purchase).items);
    }
    let drafted = returned.draft.cost_breakdown.limit_of(purchase).items;
    let missing = returned.item(purchase)?.value - counts.value().unwrap_or(0);
    Ok((drafted - missing).max(0))
}
