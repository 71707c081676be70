//! What staff do with return requests: they change stages, count receipts and record inspections.

use crate::{
    base::{
        Begun, Done, Error, IdempotencyKey, OrBroken, Result, Retour, Staff, again_on_deadlock, conclude, detached,
    },
    merchant::{
        handle::MerchantHandle,
        returns::{
            decisions::{check_agent_limit, check_override_limit, scope_for},
            staff_action::{Instead, Receipt, StaffAction, StatusUpdate},
        },
        version::check_version,
    },
    returning::{
        change::{Change, Returned},
        worked::record_work,
    },
    view::{self, redaction::SeenByStaff as _},
};
use domain::party::Party;
use domain::{
    Refusal, RefusalCode, ReturnOrderId, ReturnRequestId,
    order::{ExchangeOption, Units},
    policy::Resolution,
    returning::{ReturnRequest, WarehouseStepKind},
    stage::{Inspection, Move, StageName, StageTarget, Step},
};
use std::collections::BTreeMap;
use store::{Writing, receipts, return_requests, settlements, warehouse_steps};

impl MerchantHandle<'_> {
    /// Moves a request to a stage. A request that is already in that stage does not change.
    pub async fn update_status(
        self,
        id: ReturnRequestId,
        update: StatusUpdate,
        key: Option<IdempotencyKey>,
    ) -> Result<Done<view::ReturnRequestView>> {
        self.staff.check(scope_for(update.stage))?;
        self.retour.do_with(&self.staff, id, StaffAction::Update(update), key).await
    }

    /// Counts units of a request that arrived. A delivery with a known reference is not counted again.
    pub async fn receive(
        self,
        id: ReturnRequestId,
        receipt: Receipt,
        key: Option<IdempotencyKey>,
    ) -> Result<Done<view::ReturnRequestView>> {
        self.retour.do_with(&self.staff, id, StaffAction::Receive { receipt, version: None }, key).await
    }

    /// Records the warehouse's inspection. A request that waits for it moves on.
    pub async fn inspect(
        self,
        id: ReturnRequestId,
        inspection: Inspection,
        key: Option<IdempotencyKey>,
    ) -> Result<Done<view::ReturnRequestView>> {
        self.retour.do_with(&self.staff, id, StaffAction::Inspect(inspection), key).await
    }

    /// Cancels a whole return order for the merchant.
    pub async fn cancel_return_order(
        self,
        id: ReturnOrderId,
        key: Option<IdempotencyKey>,
    ) -> Result<Done<view::ReturnOrderView>> {
        self.retour.cancel_return(self.staff.account(), Party::Staff(self.staff), id, key).await
    }

    /// The receipts of a request, oldest first.
    pub async fn receipts(self, id: ReturnRequestId) -> Result<Vec<view::ReceiptView>> {
        let mut reading = self.retour.store.read().await?;
        let request = return_requests::find(reading.db(), self.staff.account(), id).await?.ok_or(Error::NotFound)?;
        let account = self.staff.account();
        let receipts = receipts::list_of_return_request(reading.db(), account, request.id).await?;
        let steps = warehouse_steps::list_of_return_order(reading.db(), account, request.return_order_id).await?;
        let id = |reference: &str| {
            let own =
                steps.iter().filter(|step| step.return_request_id == id && step.kind == WarehouseStepKind::Receipt);
            own.filter(|step| step.external_reference == reference).map(|step| step.id).next()
        };
        Ok(receipts
            .into_iter()
            .map(|receipt| view::ReceiptView::new(id(&receipt.external_reference), receipt))
            .collect())
    }

    /// The inspection of a request, if it has been inspected.
    pub async fn inspection(self, id: ReturnRequestId) -> Result<Inspection> {
        let mut reading = self.retour.store.read().await?;
        let request = return_requests::find(reading.db(), self.staff.account(), id).await?;
        request.and_then(|request| request.state.inspection).ok_or(Error::NotFound)
    }

    /// The inspections of a return order's requests, of those that have been inspected.
    pub async fn inspections(self, order: ReturnOrderId) -> Result<BTreeMap<ReturnRequestId, Inspection>> {
        let mut reading = self.retour.store.read().await?;
        let requests = return_requests::list_of_return_orders(reading.db(), self.staff.account(), &[order]).await?;
        let inspected = |request: ReturnRequest| Some((request.id, request.state.inspection?));
        Ok(requests.into_iter().filter_map(inspected).collect())
    }

    /// The timeline of a request, oldest first.
    pub async fn timeline(self, id: ReturnRequestId) -> Result<Vec<view::TimelineEntryView>> {
        let mut reading = self.retour.store.read().await?;
        let request = return_requests::find(reading.db(), self.staff.account(), id).await?.ok_or(Error::NotFound)?;
        let order = request.return_order_id;
        let entries = store::timeline::list_of_return_order(reading.db(), self.staff.account(), order).await?;
        let own = entries.into_iter().filter(|entry| entry.return_request_id == id);
        Ok(own.map(|entry| view::TimelineEntryView::from(entry).seen_by_staff(&self.staff)).collect())
    }
}

impl Retour {
    /// Counts units of a request that arrived, unless the request has changed since the caller read it.
    pub(crate) async fn receive_unchanged(
        &self,
        staff: &Staff,
        seen: &ReturnRequest,
        receipt: Receipt,
        key: Option<IdempotencyKey>,
    ) -> Result<()> {
        let action = StaffAction::Receive { receipt, version: Some(seen.version) };
        self.do_with(staff, seen.id, action, key).await.map(drop)
    }

    async fn do_with(
        &self,
        staff: &Staff,
        id: ReturnRequestId,
        action: StaffAction,
        key: Option<IdempotencyKey>,
    ) -> Result<Done<view::ReturnRequestView>> {
        action.check_texts()?;
        let mut action = action;
        if let StaffAction::Receive { receipt, .. } = &mut action {
            receipt.external_reference.get_or_insert_with(|| self.source.id().to_string());
        }
        let (retour, staff) = (self.clone(), *staff);
        detached(async move { again_on_deadlock(|| retour.do_once(staff, id, &action, key.as_ref())).await }).await
    }

    async fn do_once(
        &self,
        staff: Staff,
        id: ReturnRequestId,
        action: &StaffAction,
        key: Option<&IdempotencyKey>,
    ) -> Result<Done<view::ReturnRequestView>> {
        let account = staff.account();
        // A decision about one request may release the whole return, which then needs a label.
        let parcel = match action {
            StaffAction::Update(_) => Some(self.parcel_number(account).await?),
            _ => None,
        };
        let now = self.now();
        let mut writing = match self.begin(account, key).await? {
            Begun::New(writing) => writing,
            Begun::Before(done) => return Ok(done),
        };
        let mut returned = Returned::lock_with(&mut writing, account, id).await?.ok_or(Error::NotFound)?;
        let index = returned.index_of(id)?;
        let settings = store::accounts::find(writing.db(), account).await?.or_broken()?;
        let comment = match action {
            StaffAction::Update(update) => comment(update, returned.request(index)?),
            _ => String::new(),
        };
        let change = Change { now, parcel, ..self.change_by(&staff, &settings, comment) };
        if change.make(&staff, &mut writing, &mut returned, index, action).await? {
            change.follow_up(&mut writing, &mut returned).await?;
            record_work(&mut writing, &staff, returned.order.id, now).await?;
        }
        let Returned { order, requests, .. } = returned;
        let request = requests.into_iter().nth(index).or_broken()?;
        let shown = view::ReturnRequestView::from(request).seen_by_staff(&staff);
        let done = conclude(writing, account, key, 200, shown).await;
        if order.status.is_over() {
            self.finish_erasures_soon();
        }
        done
    }
}

impl Change<'_> {
    /// Carries out the action. `false` if it was carried out before.
    pub(super) async fn make(
        &self,
        staff: &Staff,
        writing: &mut Writing,
        returned: &mut Returned,
        index: usize,
        action: &StaffAction,
    ) -> Result<bool> {
        check_version(action.seen_version(), returned.request(index)?.version)?;
        if let StaffAction::Update(update) = action {
            check_stage(update, returned.request(index)?)?;
            check_agent_limit(staff, update.stage, returned.request(index)?, &self.account.policy)?;
            check_override_limit(staff, update.stage, returned, index)?;
            self.change_resolution(writing, returned, index, update).await?;
        }
        let units = self.purchase_units(writing, returned, index).await?;
        let request = returned.request(index)?;
        let Some(step) = self.step(writing, request, action, units).await? else { return Ok(false) };
        if step.repeated {
            return Ok(false);
        }
        self.take_units_again(writing, request.purchase_id, step.taken, units).await?;
        let is_tried_again = step.state.stage.name() == StageName::ResolutionProcessing
            && returned.request(index)?.state.stage.name() == StageName::ResolutionFailed;
        if is_tried_again {
            self.check_money_left(writing, returned, index).await?;
        }
        match action.recorded() {
            Some(recorded) => self.write_warehouse_step(writing, returned, index, step, recorded).await?,
            None => self.write_step(writing, returned, index, step, self.actor).await?,
        }
        // The step may have added outbound shipping.
        if let StaffAction::Update(update) = action {
            check_agent_limit(staff, update.stage, returned.request(index)?, &self.account.policy)?;
        }
        Ok(true)
    }

    /// Replaces the resolution after a failure. The shop gets the new one under a new transaction id.
    async fn change_resolution(
        &self,
        writing: &mut Writing,
        returned: &mut Returned,
        index: usize,
        update: &StatusUpdate,
    ) -> Result<()> {
        let request = returned.request(index)?;
        let Some(Instead { resolution, exchange_for }) = &update.instead else { return Ok(()) };
        if !is_another(request, update.instead.as_ref()) {
            return Ok(()); // a retry keeps its transaction id
        }
        let goes_on = matches!(update.stage, StageName::ResolutionProcessing | StageName::ResolutionCompleted);
        if !goes_on || request.state.stage.name() != StageName::ResolutionFailed {
            let message = "requestedResolution can only change together with the stage, from Resolution: Failed to \
                           Resolution: Processing or Resolution: Completed.";
            return Err(Refusal::new(RefusalCode::IllegalTransition, message).into());
        }
        if returned.consumer.credentials.is_gift() && !resolution.is_for_gifts() {
            let message = "expected StoreCredit or Exchange: gifts are not refunded in money";
            return Err(Error::invalid("requestedResolution", RefusalCode::NotAllowed, message));
        }
        let asked = settlements::find_of_request(writing.db(), self.account.id, request.id).await?;
        if update.stage == StageName::ResolutionProcessing && asked.is_some_and(|asked| asked.is_open()) {
            let message = "The shop may have carried out the resolution, or may still do so. Request it again with the \
                           stage Resolution: Processing, without requestedResolution, until the shop reports a failure. \
                           Or carry it out by hand, then set the stage Resolution: Completed.";
            return Err(Refusal::new(RefusalCode::StageConflict, message).into());
        }
        settlements::delete(writing.db(), self.account.id, request.id).await?;
        let exchange_for = exchange_for.clone().map(|sku| ExchangeOption { sku, name: String::new() });
        Self::replace_resolution(returned, index, *resolution, exchange_for)
    }

    async fn step(
        &self,
        writing: &mut Writing,
        request: &ReturnRequest,
        action: &StaffAction,
        purchase: Units,
    ) -> Result<Option<Step>> {
        let state = &request.state;
        let mv = match action {
            StaffAction::Update(update) => {
                let target = StageTarget {
                    stage: update.stage,
                    comment: update.comment.clone(),
                    external_reference: update.external_reference.clone(),
                };
                match state.move_to(&target, &self.account.policy, purchase)? {
                    Some(mv) => mv,
                    None => return Ok(None),
                }
            }
            StaffAction::Receive { receipt, .. } => {
                let (reference, units) = (receipt.reference(), receipt.quantity);
                let account = self.account.id;
                if !receipts::insert(writing.db(), account, request.id, reference, units, self.now).await? {
                    let known = receipts::find_units(writing.db(), account, request.id, reference).await?;
                    return if known == Some(units) { Ok(None) } else { Err(another_receipt(known)) };
                }
                writing.changes_figures(account);
                Move::Receive { units, purchase }
            }
            StaffAction::Inspect(inspection) => Move::Inspect(inspection.clone()),
        };
        state.apply(&mv, &self.context()).map(Some).map_err(|refusal| match refusal.code {
            RefusalCode::Mismatch => Error::invalid("accepted", refusal.code, refusal.message),
            RefusalCode::Required => Error::invalid("comment", refusal.code, refusal.message),
            _ => refusal.into(),
        })
    }
}

/// Whether the update asks for a different resolution or product.
fn is_another(request: &ReturnRequest, instead: Option<&Instead>) -> bool {
    let sku = request.exchange_for.as_ref().map(|wanted| &wanted.sku);
    instead.is_some_and(|new| (new.resolution, new.exchange_for.as_ref()) != (request.requested_resolution, sku))
}

/// The comment on the timeline, with the new resolution if it changes.
fn comment(update: &StatusUpdate, request: &ReturnRequest) -> String {
    let Some(new) = update.instead.as_ref().filter(|new| is_another(request, Some(new))) else {
        return update.comment.clone();
    };
    let named = |resolution: Resolution, sku: Option<&str>| match sku {
        Some(sku) => format!("{} ({sku})", resolution.name()),
        None => resolution.name().to_owned(),
    };
    let before = named(request.requested_resolution, request.exchange_for.as_ref().map(|wanted| wanted.sku.as_str()));
    let now = named(new.resolution, new.exchange_for.as_deref());
    format!("{now} instead of {before}. {}", update.comment).trim_end().to_owned()
}

/// Checks that the request is in the stage that the caller expects.
fn check_stage(update: &StatusUpdate, request: &ReturnRequest) -> Result<()> {
    let now = request.state.stage.name();
    match update.from_stage {
        Some(believed) if believed != now => {
            let message = format!("The return request is in stage {now}, not in {believed}.");
            Err(Refusal::new(RefusalCode::StageConflict, message).into())
        }
        _ => Ok(()),
    }
}

fn another_receipt(known: Option<u32>) -> Error {
    let known = known.unwrap_or(0);
    let allowed = format!("already recorded with quantity {known}: use a new reference");
    Error::invalid("externalReference", RefusalCode::Mismatch, allowed)
}
