//! What a return comes to as it goes on: the draft's figures, less what was rejected, short or refused, and what sending
//! a sales order cost, with the request that brings the last of it back.

use crate::{
    Error, Result,
    change::{Change, Returned},
};
use domain::{
    PurchaseId,
    costs::{Counts, LineKind, Outcome, revise},
    order::ExchangeOption,
    policy::Resolution,
    quantity::TakenUnits,
    returning::{DraftItem, ReturnRequest},
    stage::{Request, StageGroup, StageName, Step},
};
use std::collections::BTreeMap;
use store::{Writing, orders, purchases};

/// What sending an order cost, minor units, by the purchase whose request it comes back with.
type Shipping = BTreeMap<PurchaseId, i64>;

impl Change<'_> {
    /// Reckons what a return comes to once a request of it has made this step. What a request comes to is fixed once
    /// its resolution is approved.
    pub(crate) async fn reckon(
        &self,
        writing: &mut Writing,
        returned: &mut Returned,
        (index, step): (usize, &Step),
    ) -> Result<()> {
        let (mut paid, promised) = shipping(returned);
        let before = returned.request(index)?;
        let (purchase, is_approval) = (before.purchase_id, step.approval().is_some());
        let items = &returned.draft.items;
        if !is_approval && counts(before, &step.state, items)? == counts(before, &before.state, items)? {
            return Ok(());
        }
        let mut after = returned.requests.clone();
        after.get_mut(index).ok_or(Error::Broken)?.state.clone_from(&step.state);
        // What sending a gift cost was paid by somebody else.
        let is_gift = returned.consumer.credentials.is_gift();
        if is_approval
            && !is_gift
            && let Some(left) = orders::claim_shipping(writing.db(), self.account.id, purchase).await?
        {
            let own: i64 = promised
                .iter()
                .filter(|(other, _)| is_same_order(&returned.draft.items, **other, purchase))
                .map(|(_, own)| own)
                .sum();
            // Not above 0 where the shop says by now that less was paid for sending it.
            if left + own > 0 {
                paid.insert(purchase, left + own);
            }
        }
        let awaited = self.awaited(writing, &after, (&paid, promised), &returned.draft.items).await?;
        let with: Shipping = awaited.into_iter().chain(paid.clone()).collect();
        let costs = revise(&returned.draft.cost_breakdown, &outcomes(returned, &after, &with)?);
        let request = returned.requests.get_mut(index).ok_or(Error::Broken)?;
        request.resolution_value = costs.value_of(purchase, paid.contains_key(&purchase));
        returned.order.cost_breakdown = costs;
        Ok(())
    }

    /// Gives something else for a request than what was asked for, at what the draft reckoned it to be worth.
    pub(crate) fn give_instead(
        returned: &mut Returned,
        index: usize,
        resolution: Resolution,
        exchange_for: Option<ExchangeOption>,
    ) -> Result<()> {
        let request = returned.requests.get_mut(index).ok_or(Error::Broken)?;
        (request.requested_resolution, request.exchange_for) = (resolution, exchange_for);
        let (paid, promised) = shipping(returned);
        let with: Shipping = promised.into_iter().chain(paid).collect();
        let outcomes = outcomes(returned, &returned.requests, &with)?;
        let draft = &returned.draft.cost_breakdown;
        let value = outcomes.get(index).ok_or(Error::Broken)?.value(draft);
        returned.order.cost_breakdown = revise(draft, &outcomes);
        returned.requests.get_mut(index).ok_or(Error::Broken)?.resolution_value = value;
        Ok(())
    }

    /// What of the promised shipping can still come back with this return: all of the order is on its way, and a
    /// request of it is left to be approved. The rest can be promised to other returns again.
    async fn awaited(
        &self,
        writing: &mut Writing,
        requests: &[ReturnRequest],
        (paid, promised): (&Shipping, Shipping),
        items: &[DraftItem],
    ) -> Result<Shipping> {
        let account = self.account.id;
        let mut awaited = Shipping::new();
        for (purchase, amount) in promised {
            if paid.keys().any(|&paid| is_same_order(items, paid, purchase)) {
                continue;
            }
            let mut last = None;
            let mut is_whole = true;
            for request in requests.iter().filter(|other| is_same_order(items, other.purchase_id, purchase)) {
                is_whole &= matches!(counts(request, &request.state, items)?, Counts::Units { units, .. } if units == request.quantity);
                if request.state.approved_units.is_none() {
                    last = Some(request.purchase_id);
                }
            }
            match last {
                Some(last) if is_whole && purchases::is_order_complete(writing.db(), account, purchase).await? => {
                    awaited.insert(last, amount);
                }
                _ => orders::take_promise_back(writing.db(), account, purchase, amount).await?,
            }
        }
        Ok(awaited)
    }
}

/// What became of each request of a return, and what sending its order cost where that comes back with it.
fn outcomes(returned: &Returned, requests: &[ReturnRequest], shipping: &Shipping) -> Result<Vec<Outcome>> {
    let outcome = |request: &ReturnRequest| {
        Ok(Outcome {
            purchase_id: request.purchase_id,
            resolution: request.requested_resolution,
            drafted: returned.item(request.purchase_id)?.requested_resolution,
            counts: counts(request, &request.state, &returned.draft.items)?,
            outbound_shipping: shipping.get(&request.purchase_id).copied().unwrap_or(0),
        })
    };
    requests.iter().map(outcome).collect()
}

/// What of the shipping was given with requests that are approved, and what is only promised.
fn shipping(returned: &Returned) -> (Shipping, Shipping) {
    let lines = returned.order.cost_breakdown.lines.iter();
    let lines = lines.filter(|line| line.kind == LineKind::OutboundShippingRefund);
    let is_approved = |purchase| {
        let mut requests = returned.requests.iter();
        requests.any(|request| request.purchase_id == purchase && request.state.approved_units.is_some())
    };
    lines.map(|line| (line.purchase_id, line.amount.minor)).partition(|&(purchase, _)| is_approved(purchase))
}

fn is_same_order(items: &[DraftItem], one: PurchaseId, other: PurchaseId) -> bool {
    let order = |id| items.iter().find(|item| item.purchase_id == id).map(|item| item.order_id);
    order(one) == order(other)
}

/// What counts of a request in a state.
fn counts(request: &ReturnRequest, state: &Request, items: &[DraftItem]) -> Result<Counts> {
    let name = state.stage.name();
    let taken = match name {
        StageName::RequestedRejected | StageName::ClosedCancelled | StageName::ClosedExpired => {
            return Ok(Counts::Nothing);
        }
        StageName::ResolutionDenied => TakenUnits { units: 0, dear: 0 },
        // From here on it is known what came and what was accepted.
        _ if name.group() == StageGroup::Resolution => state.taken.first(state.refundable_units()),
        _ => state.taken,
    };
    let item = items.iter().find(|item| item.purchase_id == request.purchase_id).ok_or(Error::Broken)?;
    Ok(Counts::Units { units: taken.units, value: item.seen.value(taken) })
}
