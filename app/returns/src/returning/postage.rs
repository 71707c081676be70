//! Outbound shipping of sales orders, and the units of a request that count.

use super::change::Returned;
use crate::base::{OrBroken, Result};
use domain::{
    PurchaseId,
    costs::{CountedUnits, LineKind},
    order::TakenUnits,
    returning::{DraftItem, ReturnRequest},
    stage::{RequestState, StageGroup, StageName},
};
use std::collections::BTreeMap;

/// Outbound shipping by the purchase whose request it is refunded with.
pub(crate) type Shipping = BTreeMap<PurchaseId, Postage>;

/// The outbound shipping of an order, in minor units.
#[derive(Clone, Copy, Default)]
pub(crate) struct Postage {
    pub amount: i64,
    /// The part of it that is not refunded.
    pub limit: i64,
}

/// Outbound shipping that was granted with approved requests, and what is only promised.
pub(crate) fn shipping(returned: &Returned) -> (Shipping, Shipping) {
    let costs = &returned.order.cost_breakdown;
    let lines = costs.lines.iter().filter(|line| line.kind == LineKind::OutboundShippingRefund);
    let is_approved = |purchase| {
        let mut requests = returned.requests.iter();
        requests.any(|request| request.purchase_id == purchase && request.state.approved_units.is_some())
    };
    let postage = |purchase, amount| Postage { amount, limit: costs.limit_of(purchase).shipping };
    lines
        .map(|line| (line.purchase_id, postage(line.purchase_id, line.amount.minor)))
        .partition(|&(purchase, _)| is_approved(purchase))
}

/// The outbound shipping that a return promises for the order of a purchase.
pub(crate) fn promised_shipping(returned: &Returned, purchase: PurchaseId) -> Postage {
    let (_, promised) = shipping(returned);
    let of_order = promised.iter().filter(|(other, _)| is_same_order(&returned.draft.items, **other, purchase));
    of_order.fold(Postage::default(), |sum, (_, postage)| Postage {
        amount: sum.amount + postage.amount,
        limit: sum.limit + postage.limit,
    })
}

pub(crate) fn is_same_order(items: &[DraftItem], one: PurchaseId, other: PurchaseId) -> bool {
    let order = |id| items.iter().find(|item| item.purchase_id == id).map(|item| item.order_id);
    order(one) == order(other)
}

/// The units of a request that count in a state.
pub(crate) fn counts(request: &ReturnRequest, state: &RequestState, items: &[DraftItem]) -> Result<CountedUnits> {
    let name = state.stage.name();
    let taken = match name {
        StageName::RequestedRejected | StageName::ClosedCancelled | StageName::ClosedExpired => {
            return Ok(CountedUnits::Nothing);
        }
        StageName::ResolutionDenied => TakenUnits { units: 0, remainder_units: 0 },
        // From this stage on it is known how many units arrived and were accepted.
        _ if name.group() == StageGroup::Resolution => state.taken.first(state.refundable_units()),
        _ => state.taken,
    };
    let item = items.iter().find(|item| item.purchase_id == request.purchase_id).or_broken()?;
    Ok(CountedUnits::Units { units: taken.units, value: item.seen.value(taken) })
}
