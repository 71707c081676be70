//! What the warehouse records of a return, and how it is taken back.

use super::change::{Change, Returned};
use crate::base::{Error, OrBroken, Result};
use domain::{
    OrderId, PurchaseId, ReceivingId, Refusal, RefusalCode, WarehouseStepId,
    costs::{CostBreakdown, LineKind},
    order::{TakenUnits, Units},
    party::Actor,
    returning::{RequestSnapshot, ReturnRequest, TimelineEntry, WarehouseStep, WarehouseStepKind},
    stage::Step,
};
use std::collections::BTreeMap;
use store::{Writing, orders, purchases, receipts, return_requests, settlements, timeline::NewEntry, warehouse_steps};

/// The comment of a timeline entry for what was taken back without a reason.
const TAKEN_BACK: &str = "Taken back.";

/// A request and the costs of its return before a step of the warehouse.
pub(crate) struct BeforeStep {
    request: RequestSnapshot,
    costs: CostBreakdown,
}

impl BeforeStep {
    pub(crate) fn of(returned: &Returned, index: usize) -> Result<Self> {
        let request = snapshot(returned.request(index)?, None);
        Ok(Self { request, costs: returned.order.cost_breakdown.clone() })
    }
}

/// What a step of the warehouse recorded.
pub(crate) struct Recorded<'a> {
    pub kind: WarehouseStepKind,
    pub external_reference: &'a str,
    pub units: u32,
    pub refused: u32,
    pub receiving_id: Option<ReceivingId>,
}

impl Change<'_> {
    /// The units of a request's purchase. If quantity or price has changed since the request, these are not the units
    /// that were requested: a shipment that arrives after the end does not take them again.
    pub(crate) async fn purchase_units(
        &self,
        writing: &mut Writing,
        returned: &Returned,
        index: usize,
    ) -> Result<Units> {
        let request = returned.request(index)?;
        let mut units = purchases::units(writing.db(), self.id(), request.purchase_id).await?.or_broken()?;
        let seen = returned.item(request.purchase_id)?.seen;
        if (units.total, units.bought) != (seen.total, seen.bought) {
            units.fulfilled = 0;
        }
        Ok(units)
    }

    /// Takes the units of a step again, under the same guard as a submit: a shipment arrived after its end.
    pub(crate) async fn take_units_again(
        &self,
        writing: &mut Writing,
        purchase: PurchaseId,
        taken: TakenUnits,
        units: Units,
    ) -> Result<()> {
        if taken.units > 0
            && !purchases::take(writing.db(), self.id(), purchase, taken, units.taken_remainder_units).await?
        {
            let message = "The units of this purchase changed during the request. Send the request again.";
            return Err(Refusal::new(RefusalCode::QuantityExceeded, message).into());
        }
        Ok(())
    }

    /// Writes a step of the warehouse, and records it so that it can be taken back.
    pub(crate) async fn write_warehouse_step(
        &self,
        writing: &mut Writing,
        returned: &mut Returned,
        index: usize,
        step: Step,
        recorded: Recorded<'_>,
    ) -> Result<()> {
        let BeforeStep { request: mut before, costs } = BeforeStep::of(returned, index)?;
        self.write_step(writing, returned, index, step, self.actor).await?;
        let request = returned.request(index)?;
        let mut after = snapshot(request, None);
        if costs != returned.order.cost_breakdown {
            (before.costs, after.costs) = (Some(costs), Some(returned.order.cost_breakdown.clone()));
        }
        let step = WarehouseStep {
            id: WarehouseStepId(self.retour.source.id()),
            return_order_id: request.return_order_id,
            return_request_id: request.id,
            receiving_id: recorded.receiving_id,
            kind: recorded.kind,
            external_reference: recorded.external_reference.to_owned(),
            units: recorded.units,
            refused: recorded.refused,
            before,
            after,
            actor_id: self.staff,
            created_at: self.now,
        };
        Ok(warehouse_steps::insert(writing.db(), self.id(), &step).await?)
    }

    /// Takes a step of the warehouse back: the request, its units and the costs of its return are as before. Refused once
    /// the resolution has begun, or after something that depends on the step.
    pub(crate) async fn take_back(
        &self,
        writing: &mut Writing,
        returned: &mut Returned,
        recorded: &WarehouseStep,
    ) -> Result<()> {
        let place = returned.requests.iter().position(|request| request.id == recorded.return_request_id);
        let index = place.or_broken()?;
        let request = returned.request(index)?.clone();
        let step = request.state.take_back(&recorded.before.state, &recorded.after.state)?;
        let units = purchases::units(writing.db(), self.id(), request.purchase_id).await?.or_broken()?;
        self.take_units_again(writing, request.purchase_id, step.taken, units).await?;
        if step.freed.units > 0 {
            purchases::give_back(writing.db(), self.id(), request.purchase_id, step.freed).await?;
        }
        self.take_approval_back(writing, &request, &step).await?;
        self.take_costs_back(writing, returned, recorded).await?;
        let kept = returned.requests.get_mut(index).or_broken()?;
        let from = kept.state.stage.name();
        kept.state = step.state;
        let before = &recorded.before.state;
        // A value that staff have adjusted since stays.
        let has_its_value = kept.resolution_value == recorded.after.resolution_value;
        if has_its_value && (&kept.state.stage, kept.state.approved_units) == (&before.stage, before.approved_units) {
            kept.resolution_value = recorded.before.resolution_value;
            kept.refund_limit = recorded.before.refund_limit;
        }
        kept.updated_at = self.now;
        if !return_requests::update(writing.db(), self.id(), kept).await? {
            return Err(Error::broken()); // the return order is locked, so no other transaction can have changed it
        }
        kept.version += 1;
        if recorded.kind == WarehouseStepKind::Receipt {
            receipts::delete(writing.db(), self.id(), request.id, &recorded.external_reference).await?;
            writing.changes_figures(self.id());
        }
        warehouse_steps::delete(writing.db(), self.id(), recorded.id).await?;
        let request = returned.request(index)?;
        if step.entered.is_empty() {
            writing.add_timeline_entry(self.taken_back_entry(request));
            return Ok(());
        }
        self.write_stage_events(writing, request, &returned.consumer, Some(from), &step.entered, self.actor)
    }

    /// If the step approved the resolution, its units are no longer accepted, and the shop is not asked to carry it out.
    async fn take_approval_back(&self, writing: &mut Writing, request: &ReturnRequest, step: &Step) -> Result<()> {
        let (account, purchase) = (self.id(), request.purchase_id);
        let Some(units) = request.state.approved_units.filter(|_| step.state.approved_units.is_none()) else {
            return Ok(());
        };
        let asked = settlements::find_of_request(writing.db(), account, request.id).await?;
        if asked.is_some_and(|asked| asked.is_open()) {
            let message = "The shop may be carrying out the resolution. This can no longer be taken back.";
            return Err(Refusal::new(RefusalCode::StageConflict, message).into());
        }
        settlements::delete(writing.db(), account, request.id).await?;
        Ok(purchases::take_acceptance_back(writing.db(), account, purchase, units).await?)
    }

    /// Restores the costs of the return, and what it claims of the outbound shipping of its orders.
    async fn take_costs_back(
        &self,
        writing: &mut Writing,
        returned: &mut Returned,
        recorded: &WarehouseStep,
    ) -> Result<()> {
        let (Some(before), Some(after)) = (&recorded.before.costs, &recorded.after.costs) else { return Ok(()) };
        if returned.order.cost_breakdown != *after {
            let message = "Another item of this return has changed since. Take that back first.";
            return Err(Refusal::new(RefusalCode::StageConflict, message).into());
        }
        // By order: the line of an order's shipping can move from one of its purchases to another.
        let mut claims: BTreeMap<OrderId, (PurchaseId, i64)> = BTreeMap::new();
        for item in &returned.draft.items {
            let (purchase, order) = (item.purchase_id, item.order_id);
            let more = shipping_of(after, purchase) - shipping_of(before, purchase);
            claims.entry(order).or_insert((purchase, 0)).1 += more;
        }
        for (order, (purchase, more)) in claims {
            if more > 0 {
                orders::take_promise_back(writing.db(), self.id(), purchase, more).await?;
            } else if more < 0 && !orders::promise_shipping(writing.db(), self.id(), order, -more).await? {
                let message = "Another return has claimed the shipping of the order since. This can no longer be taken \
                               back.";
                return Err(Refusal::new(RefusalCode::StageConflict, message).into());
            }
        }
        returned.order.cost_breakdown = before.clone();
        Ok(())
    }

    /// An entry for staff: the request stays in its stage.
    fn taken_back_entry(&self, request: &ReturnRequest) -> NewEntry {
        let stage = request.state.stage.name();
        let entry = TimelineEntry {
            return_request_id: request.id,
            at: self.now,
            actor: self.actor,
            actor_id: self.staff.filter(|_| self.actor == Actor::Merchant),
            from: Some(stage),
            to: stage,
            comment: self.comment.clone(),
        };
        NewEntry { account_id: self.id(), return_order_id: request.return_order_id, entry }
    }
}

/// The comment of what is taken back: the reason, if there is one.
pub(crate) fn taken_back_comment(reason: Option<&str>) -> String {
    match reason.map(str::trim).filter(|reason| !reason.is_empty()) {
        Some(reason) => format!("{TAKEN_BACK} {reason}"),
        None => TAKEN_BACK.to_owned(),
    }
}

fn snapshot(request: &ReturnRequest, costs: Option<CostBreakdown>) -> RequestSnapshot {
    let (resolution_value, refund_limit) = (request.resolution_value, request.refund_limit);
    RequestSnapshot { state: request.state.clone(), resolution_value, refund_limit, costs }
}

/// The outbound shipping that is refunded with a purchase, in minor units.
fn shipping_of(costs: &CostBreakdown, purchase: PurchaseId) -> i64 {
    let lines = costs.lines.iter().filter(|line| line.kind == LineKind::OutboundShippingRefund);
    lines.filter(|line| line.purchase_id == purchase).map(|line| line.amount.minor).sum()
}
