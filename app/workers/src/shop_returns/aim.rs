//! What a shop should show of a return.

use domain::{
    Locale, ReturnRequestId,
    policy::Resolution,
    returning::{DraftReturnOrder, ReturnRequest, Shipment, ShipmentStatus},
    stage::{Disposition, RequestState, StageName},
};
use outbound::shops::shopify::{MirroredDecision, MirroredItem, MirroredParcel, MirroredReturn, MirroredUnits};
use returns::{Result, internals::OrBroken};
use std::collections::{BTreeMap, btree_map::Entry};
use store::{
    Db, drafts, purchases, return_orders, return_reasons, return_requests, shipments, shop_returns::ShopReturn,
};

/// The language of reasons in the shop's admin.
const LANGUAGE: &str = "en";

/// What a shop should show of a return order, as far as it concerns one sales order.
pub(crate) struct Aim {
    pub asked: MirroredReturn,
    /// The requests that it comes from.
    pub requests: Vec<ReturnRequestId>,
    /// Whether nothing more happens with any of them.
    pub is_over: bool,
}

impl Aim {
    pub(crate) async fn read(mut db: Db<'_>, one: &ShopReturn) -> Result<Self> {
        let account = one.account_id;
        let order = return_orders::find(db.reborrow(), account, one.return_order_id).await?.or_broken()?;
        let (owner, draft) = (order.consumer_id, order.draft_return_order_id);
        let draft = drafts::find(db.reborrow(), account, owner, draft).await?.or_broken()?;
        let ids = [one.return_order_id];
        let mut requests = return_requests::list_of_return_orders(db.reborrow(), account, &ids).await?;
        // What consumers keep does not come back.
        requests.retain(|request| {
            let item = draft.items.iter().find(|item| item.purchase_id == request.purchase_id);
            item.is_some_and(|item| item.order_id == one.order_id) && !request.state.kept
        });
        let first = requests.first().or_broken()?.purchase_id;
        let bought = purchases::find_whole(db.reborrow(), account, first).await?.or_broken()?;
        let mut reasons = BTreeMap::new();
        for request in &requests {
            let id = request.return_reason_id;
            if let Entry::Vacant(place) = reasons.entry(id) {
                let reason = return_reasons::find(db.reborrow(), account, id).await?.or_broken()?;
                place.insert(reason.value.description.get(&Locale(LANGUAGE.to_owned())).to_owned());
            }
        }
        let parcels = shipments::list_of_return_orders(db, account, &ids).await?;
        let reason_of = |request: &ReturnRequest| reasons.get(&request.return_reason_id).cloned().unwrap_or_default();
        Ok(Self {
            asked: MirroredReturn {
                order_id: bought.order_external_id,
                return_order_number: order.number,
                external_id: one.external_id.clone(),
                items: requests.iter().map(|request| item(request, &draft, reason_of(request))).collect(),
                parcels: parcels.into_iter().filter_map(parcel).collect(),
                refused: one.refused.clone(),
            },
            is_over: requests.iter().all(|request| request.state.stage.name().is_end()),
            requests: requests.iter().map(|request| request.id).collect(),
        })
    }
}

fn item(request: &ReturnRequest, draft: &DraftReturnOrder, reason: String) -> MirroredItem {
    let exchange_sku = exchange_sku(request);
    let submitted = draft.items.iter().find(|item| item.purchase_id == request.purchase_id);
    let submitted_sku = submitted.and_then(|item| item.exchange_for.as_ref()).map(|wanted| wanted.sku.clone());
    MirroredItem {
        purchase_id: request.purchase_external_id.clone(),
        quantity: request.quantity,
        reason,
        dropped_exchange_sku: submitted_sku.filter(|sku| exchange_sku.as_ref() != Some(sku)),
        exchange_sku,
        decision: decision(&request.state),
        units: units(&request.state),
        is_over: request.state.stage.name().is_end(),
    }
}

/// What is sent instead, if the shopper gets an exchange and it is known what.
fn exchange_sku(request: &ReturnRequest) -> Option<String> {
    let stage = request.state.stage.name();
    let is_given = !stage.is_end() || stage == StageName::ResolutionCompleted;
    let is_exchange = is_given && request.requested_resolution == Resolution::Exchange;
    let wanted = request.exchange_for.as_ref().filter(|_| is_exchange);
    wanted.map(|wanted| wanted.sku.clone())
}

fn decision(state: &RequestState) -> MirroredDecision {
    match state.stage.name() {
        stage if stage.is_undecided() => MirroredDecision::Open,
        StageName::RequestedRejected => MirroredDecision::Refused,
        StageName::ClosedCancelled | StageName::ClosedExpired if state.received == 0 => MirroredDecision::Refused,
        _ => MirroredDecision::Approved,
    }
}

/// The dispositions of units, once the decision about the resolution can no longer be taken back: the shop cannot take them back.
/// Only units that are refunded go back into stock.
fn units(state: &RequestState) -> MirroredUnits {
    let stage = state.stage.name();
    if !(stage.is_approved() || stage.is_end()) {
        return MirroredUnits::default();
    }
    let arrived = state.received.min(state.quantity);
    let disposition = state.inspection.as_ref().and_then(|inspection| inspection.disposition);
    let is_restocked = stage.is_approved() && disposition == Some(Disposition::Restock);
    let restocked = if is_restocked { arrived.min(state.refundable_units()) } else { 0 };
    let refunded = if stage == StageName::ResolutionCompleted { state.refundable_units() } else { 0 };
    let missing = if stage.is_end() { state.quantity.saturating_sub(arrived.max(refunded)) } else { 0 };
    MirroredUnits { restocked, not_restocked: arrived.saturating_sub(restocked), missing }
}

/// A parcel that has a number to follow it by.
fn parcel(shipment: Shipment) -> Option<MirroredParcel> {
    let is_sent =
        !matches!(shipment.status, ShipmentStatus::New | ShipmentStatus::LabelFailed | ShipmentStatus::Cancelled);
    let Shipment { tracking_number, tracking_url, .. } = shipment;
    (is_sent && !tracking_number.is_empty()).then_some(MirroredParcel { tracking_number, tracking_url })
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::{
        order::TakenUnits,
        stage::{Inspection, Stage},
    };

    fn state(stage: Stage, received: u32) -> RequestState {
        RequestState {
            stage,
            quantity: 3,
            taken: TakenUnits { units: 3, remainder_units: 0 },
            kept: false,
            scanned: false,
            received,
            surplus: 0,
            inspection: None,
            without_receipt: false,
            undecided: false,
            approved_units: None,
            review: None,
        }
    }

    fn inspected(stage: Stage, received: u32, accepted: u32, disposition: Disposition) -> RequestState {
        let refused = received - accepted;
        let inspection = Inspection { accepted, refused, condition: None, disposition: Some(disposition), note: None };
        RequestState { inspection: Some(inspection), approved_units: Some(accepted), ..state(stage, received) }
    }

    fn counted(state: &RequestState) -> (u32, u32, u32) {
        let MirroredUnits { restocked, not_restocked, missing } = units(state);
        (restocked, not_restocked, missing)
    }

    #[test]
    fn units_are_told_once_the_resolution_is_decided() {
        let done = || Stage::ResolutionCompleted { external_reference: None };
        assert_eq!(counted(&state(Stage::InspectionPending, 3)), (0, 0, 0));
        assert_eq!(counted(&state(Stage::ResolutionApproved, 3)), (0, 3, 0));
        assert_eq!(counted(&inspected(Stage::ResolutionApproved, 2, 2, Disposition::Restock)), (2, 0, 0));
        assert_eq!(counted(&inspected(done(), 2, 1, Disposition::Restock)), (1, 1, 1));
        assert_eq!(counted(&inspected(done(), 3, 3, Disposition::Dispose)), (0, 3, 0));
        let denied = Stage::ResolutionDenied { reason: String::new() };
        assert_eq!(counted(&inspected(denied, 3, 0, Disposition::Restock)), (0, 3, 0));
        let early = RequestState { without_receipt: true, ..state(done(), 0) };
        assert_eq!(counted(&early), (0, 0, 0), "an early refund");
        for end in [Stage::RequestedRejected { reason: String::new() }, Stage::ClosedCancelled, Stage::ClosedExpired] {
            assert_eq!(counted(&state(end, 0)), (0, 0, 3), "they can be returned again");
        }
    }

    #[test]
    fn a_return_is_refused_if_it_ended_before_anything_arrived() {
        for (state, expected) in [
            (state(Stage::RequestedReview, 0), MirroredDecision::Open),
            (state(Stage::RequestedApproved, 0), MirroredDecision::Approved),
            (state(Stage::RequestedRejected { reason: String::new() }, 0), MirroredDecision::Refused),
            (state(Stage::ClosedCancelled, 0), MirroredDecision::Refused),
            (state(Stage::ClosedExpired, 1), MirroredDecision::Approved),
            (state(Stage::ShipmentInTransit, 0), MirroredDecision::Approved),
        ] {
            assert_eq!(decision(&state), expected, "{:?}", state.stage);
        }
    }
}
