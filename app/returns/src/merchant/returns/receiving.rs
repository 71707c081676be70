//! Receives a whole parcel at once: receipts and inspections of all its items in one transaction.

use crate::{
    base::{
        Begun, Done, Error, IdempotencyKey, OrBroken, Result, Retour, Staff, again_on_deadlock, conclude, detached,
        error::check,
    },
    merchant::handle::MerchantHandle,
    returning::{
        change::{Change, Returned},
        warehouse::Recorded,
        worked::record_work,
    },
    view::{self, redaction::SeenByStaff as _},
};
use domain::{
    Problems, ReceivingId, Refusal, RefusalCode, ReturnOrderId, ReturnRequestId,
    returning::{ReturnRequest, WarehouseStepKind},
    stage::{Condition, Count, Disposition, Findings, Step},
};
use schemars::JsonSchema;
use serde::Deserialize;
use std::collections::BTreeSet;
use store::{Writing, receipts, warehouse_steps};

/// The most return requests in one parcel.
const MAX_ITEMS: usize = 500;
const MAX_UNITS: u32 = 1_000_000;
const MAX_REFERENCE_CHARS: usize = 200;
const MAX_NOTE_CHARS: usize = 2_000;

/// A parcel that the warehouse has counted.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewReceiving {
    /// The warehouse's own id of this parcel. Each id counts once for a return request.
    #[schemars(length(min = 1, max = 200))]
    pub external_reference: Option<String>,
    /// What is in the parcel: each return request at most once.
    #[schemars(length(min = 1, max = 500))]
    pub items: Vec<ReceivedItem>,
}

/// The units of one return request in a parcel.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ReceivedItem {
    /// The return request, one of the return order.
    pub return_request_id: ReturnRequestId,
    /// The number of units that arrived, at least 1. Units beyond those that were requested are surplus.
    #[schemars(range(min = 1, max = 1_000_000))]
    pub quantity: u32,
    /// Whether no more units are to come: missing units are given up, and can be returned again.
    #[serde(default)]
    pub is_last: bool,
    /// The number of units that had arrived when you read the return request: its `receivedQuantity` and `surplusQuantity`
    /// together. If another number has arrived since, nothing is counted, and the answer is 409 `StageConflict`. Without it,
    /// the parcel is counted in addition to whatever has arrived.
    pub from_arrived_quantity: Option<u32>,
    /// The inspection of all units that count, if they were inspected. It decides about the refund under every
    /// `resolveOn`. The units that are not refused are accepted.
    pub inspection: Option<ReceivedInspection>,
}

/// The inspection of units in a parcel.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ReceivedInspection {
    /// The number of units that are not refunded. The `note` says why.
    #[serde(default)]
    pub refused: u32,
    /// The condition that the units are in.
    pub condition: Option<Condition>,
    /// What the warehouse does with the units.
    pub disposition: Option<Disposition>,
    /// Why units are refused, or another note for the merchant's staff. Required if units are refused.
    #[schemars(length(max = 2000))]
    pub note: Option<String>,
}

impl NewReceiving {
    fn problems(&self) -> Problems {
        let mut problems = Problems::default();
        if let Some(reference) = &self.external_reference {
            problems.check_text("externalReference", reference, 1..=MAX_REFERENCE_CHARS);
        }
        if self.items.is_empty() || self.items.len() > MAX_ITEMS {
            problems.add("items", RefusalCode::OutOfRange, format!("expected 1 to {MAX_ITEMS} items"));
        }
        let mut seen = BTreeSet::new();
        for (index, item) in self.items.iter().enumerate().take(MAX_ITEMS) {
            if !seen.insert(item.return_request_id) {
                let message = "duplicate: expected each return request once";
                problems.add(format!("items[{index}].returnRequestId"), RefusalCode::Mismatch, message);
            }
            problems.add_parts(&format!("items[{index}]"), item.problems());
        }
        problems
    }
}

impl ReceivedItem {
    fn problems(&self) -> Problems {
        let mut problems = Problems::default();
        if !(1..=MAX_UNITS).contains(&self.quantity) {
            let message = format!("expected a whole number from 1 to {MAX_UNITS}");
            problems.add("quantity", RefusalCode::OutOfRange, message);
        }
        let Some(inspection) = &self.inspection else { return problems };
        let least = usize::from(inspection.refused > 0);
        if inspection.note.is_some() || least > 0 {
            let note = inspection.note.as_deref().unwrap_or_default().replace(['\n', '\r', '\t'], " ");
            problems.check_text("inspection.note", &note, least..=MAX_NOTE_CHARS);
        }
        problems
    }

    fn count(&self) -> Count {
        let findings = self.inspection.clone().map(|inspection| {
            let ReceivedInspection { refused, condition, disposition, note } = inspection;
            Findings { refused, condition, disposition, note }
        });
        Count { units: self.quantity, is_last: self.is_last, findings }
    }

    fn refused(&self) -> u32 {
        self.inspection.as_ref().map_or(0, |inspection| inspection.refused)
    }
}

impl MerchantHandle<'_> {
    /// Receives a parcel: everything in it, or nothing. A parcel with a known reference is not counted again.
    pub async fn create_receiving(
        self,
        order: ReturnOrderId,
        parcel: NewReceiving,
        key: Option<IdempotencyKey>,
    ) -> Result<Done<view::Receiving>> {
        check(parcel.problems())?;
        let (retour, staff) = (self.retour.clone(), self.staff);
        let reference = parcel.external_reference.clone().unwrap_or_else(|| retour.source.id().to_string());
        detached(async move {
            again_on_deadlock(|| retour.receive_parcel_once(staff, order, &parcel, &reference, key.as_ref())).await
        })
        .await
    }
}

impl Retour {
    async fn receive_parcel_once(
        &self,
        staff: Staff,
        order: ReturnOrderId,
        parcel: &NewReceiving,
        reference: &str,
        key: Option<&IdempotencyKey>,
    ) -> Result<Done<view::Receiving>> {
        let account = staff.account();
        let now = self.now();
        let mut writing = match self.begin(account, key).await? {
            Begun::New(writing) => writing,
            Begun::Before(done) => return Ok(done),
        };
        let mut returned = Returned::lock(&mut writing, account, order).await?.ok_or(Error::NotFound)?;
        let settings = store::accounts::find(writing.db(), account).await?.or_broken()?;
        let change = Change { now, ..self.change_by(&staff, &settings, String::new()) };
        let steps = warehouse_steps::list_of_return_order(writing.db(), account, order).await?;
        let before = steps.iter().find(|step| step.receiving_id.is_some() && step.external_reference == reference);
        let (known, received_at) = before.map_or((None, now), |step| (step.receiving_id, step.created_at));
        let receiving = known.unwrap_or_else(|| ReceivingId(self.source.id()));
        let mut is_new = false;
        for (place, item) in parcel.items.iter().enumerate() {
            is_new |= change.receive_item(&mut writing, &mut returned, item, place, reference, receiving).await?;
        }
        if is_new {
            change.follow_up(&mut writing, &mut returned).await?;
            record_work(&mut writing, &staff, returned.order.id, now).await?;
        }
        let Returned { order, requests, .. } = returned;
        let is_over = order.status.is_over();
        let shown = |request: view::ReturnRequestView| request.seen_by_staff(&staff);
        let view = view::Receiving {
            id: known.or_else(|| is_new.then_some(receiving)),
            return_order_id: order.id,
            return_order_number: order.number,
            external_reference: reference.to_owned(),
            received_at,
            return_requests: requests.into_iter().map(view::ReturnRequestView::from).map(shown).collect(),
        };
        let done = conclude(writing, account, key, if is_new { 201 } else { 200 }, view).await;
        if is_over {
            self.finish_erasures_soon();
        }
        done
    }
}

impl Change<'_> {
    /// Counts one item of a parcel. `false` if it was counted before.
    async fn receive_item(
        &self,
        writing: &mut Writing,
        returned: &mut Returned,
        item: &ReceivedItem,
        place: usize,
        reference: &str,
        receiving: ReceivingId,
    ) -> Result<bool> {
        let account = self.account.id;
        let id = item.return_request_id;
        let Some(index) = returned.requests.iter().position(|request| request.id == id) else {
            let message = "expected the id of a return request of this return order";
            return Err(Error::invalid(format!("items[{place}].returnRequestId"), RefusalCode::NotAllowed, message));
        };
        if !receipts::insert(writing.db(), account, id, reference, item.quantity, self.now).await? {
            let known = receipts::find_units(writing.db(), account, id, reference).await?.unwrap_or(0);
            if known == item.quantity {
                return Ok(false);
            }
            let message = format!("already recorded with quantity {known}: use a new externalReference");
            return Err(Error::invalid(format!("items[{place}].quantity"), RefusalCode::Mismatch, message));
        }
        writing.changes_figures(account);
        check_arrived(item, returned.request(index)?, place)?;
        let units = self.purchase_units(writing, returned, index).await?;
        let request = returned.request(index)?;
        let counted = request.state.count(&item.count(), units, &self.context());
        let step: Step = counted.map_err(|refusal| of_item(refusal, place))?;
        self.take_units_again(writing, request.purchase_id, step.taken, units).await?;
        let recorded = Recorded {
            kind: WarehouseStepKind::Receipt,
            external_reference: reference,
            units: item.quantity,
            refused: item.refused(),
            receiving_id: Some(receiving),
        };
        self.write_warehouse_step(writing, returned, index, step, recorded).await?;
        Ok(true)
    }
}

/// Checks that as many units have arrived as the caller expects.
fn check_arrived(item: &ReceivedItem, request: &ReturnRequest, place: usize) -> Result<()> {
    let now = request.state.received.saturating_add(request.state.surplus);
    match item.from_arrived_quantity {
        Some(believed) if believed != now => {
            let message = format!("items[{place}]: the number of units that have arrived is {now}, not {believed}.");
            Err(Refusal::new(RefusalCode::StageConflict, message).into())
        }
        _ => Ok(()),
    }
}

/// A refusal that names the item of the parcel.
fn of_item(refusal: Refusal, place: usize) -> Error {
    match refusal.code {
        RefusalCode::Mismatch => {
            Error::invalid(format!("items[{place}].inspection.refused"), refusal.code, refusal.message)
        }
        code => Refusal::new(code, format!("items[{place}]: {}", refusal.message)).into(),
    }
}
