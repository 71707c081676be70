//! Carries out a change of many return requests, in steps of 50.
//!
//! Each item is a transaction of its own, with a key that is derived from the run. If the instance ends between an item and
//! the record of its step, the step is made again, and the key keeps the item from being changed twice.

use super::{
    batch::failure,
    handling::ReturnOrderChange,
    notes::{Mentions, NoteInput},
    shipments::TrackingReport,
    staff_action::{Receipt, StatusUpdate},
};
use crate::{
    base::{
        Error, IdempotencyKey, OrBroken, Result, Retour, Scope, Staff, StaffMember, again_on_deadlock,
        patch_field::PatchField,
    },
    view::BatchResult,
};
use domain::{
    BulkRunId, Refusal, RefusalCode,
    returning::{
        BatchOutcome, BulkAction, BulkChange, BulkItem, BulkResult, MAX_FLAGS, ReturnOrder, ReturnRequest,
        ShipmentStatus,
    },
    stage::{Scan, StageName},
};
use store::{
    bulk_runs::{self, BulkRun},
    return_orders, return_requests, service_users, shipments, users,
};
use tracing::Instrument as _;

/// Steps that are made before the answer: most changes are smaller, and the caller sees all of their results at once.
const STEPS_AT_ONCE: usize = 2;
/// Items of one step: the progress is recorded after each.
const ITEMS_IN_STEP: usize = 50;
/// How long an instance has for a step, in seconds.
const STEP_SECONDS: i64 = 60;

impl Retour {
    /// Makes the next steps of a run, and the others in the background.
    pub(super) async fn make_bulk_steps(&self, staff: Staff, id: BulkRunId) -> Result<()> {
        for _ in 0..STEPS_AT_ONCE {
            if !self.make_bulk_step(&staff, id).await? {
                return Ok(());
            }
        }
        let retour = self.clone();
        let others = async move {
            loop {
                match retour.make_bulk_step(&staff, id).await {
                    Ok(true) => {}
                    Ok(false) => break,
                    Err(error) => {
                        tracing::warn!(%error, "a bulk run has stopped; its owner can continue it");
                        break;
                    }
                }
            }
        };
        tokio::spawn(others.in_current_span());
        Ok(())
    }

    /// Makes the next step of a run. `false`: no item is left, or another instance works on the run.
    async fn make_bulk_step(&self, staff: &Staff, id: BulkRunId) -> Result<bool> {
        let Some(run) = again_on_deadlock(|| self.claim_bulk_step(staff, id)).await? else { return Ok(false) };
        let mut results = run.results.clone();
        for item in run.items.iter().skip(results.len()).take(ITEMS_IN_STEP) {
            results.push(self.change_item(staff, &run, *item).await);
        }
        let is_finished = results.len() >= run.items.len();
        let change = if is_finished { run.change.clone().without_texts() } else { run.change.clone() };
        let is_recorded = again_on_deadlock(|| self.record_bulk_step(staff, &run, &change, &results)).await?;
        Ok(is_recorded && !is_finished)
    }

    async fn claim_bulk_step(&self, staff: &Staff, id: BulkRunId) -> Result<Option<BulkRun>> {
        let (account, now) = (staff.account(), self.now());
        let mut writing = self.store.write().await?;
        // Somebody who was deleted, or has another role since, changes nothing more. The same holds for a program whose key
        // was revoked, or has other scopes since.
        let may_continue = match staff.who() {
            StaffMember::User(user, role) => {
                users::find(writing.db(), account, user).await?.is_some_and(|now| now.role == role.name())
            }
            StaffMember::Program(program) => service_users::find(writing.db(), account, program)
                .await?
                .is_some_and(|now| now.revoked_at.is_none() && staff.has_scopes_of_key(&Scope::list(&now.scopes))),
            StaffMember::Operator => true,
        };
        if !may_continue {
            return Ok(None);
        }
        if !bulk_runs::claim(writing.db(), account, id, now, now.plus_seconds(STEP_SECONDS)).await? {
            return Ok(None);
        }
        let run = bulk_runs::find(writing.db(), account, id, staff.id()).await?;
        writing.commit().await?;
        Ok(run)
    }

    async fn record_bulk_step(
        &self,
        staff: &Staff,
        run: &BulkRun,
        change: &BulkChange,
        results: &[BulkResult],
    ) -> Result<bool> {
        let mut writing = self.store.write().await?;
        let is_ours = bulk_runs::record(writing.db(), staff.account(), run, change, results, self.now()).await?;
        writing.commit().await?;
        Ok(is_ours)
    }

    async fn change_item(&self, staff: &Staff, run: &BulkRun, item: BulkItem) -> BulkResult {
        match self.try_item(staff, run, item).await {
            Ok(outcome) => BulkResult { outcome, code: None, message: None },
            Err(error) => {
                let BatchResult { outcome, code, message, details, .. } = failure(item.return_request_id, error);
                let detail = details.into_iter().next().map(|detail| detail.message);
                BulkResult { outcome, code, message: detail.or(message) }
            }
        }
    }

    async fn try_item(&self, staff: &Staff, run: &BulkRun, item: BulkItem) -> Result<BatchOutcome> {
        let account = staff.account();
        let mut reading = self.store.read().await?;
        let request = return_requests::find(reading.db(), account, item.return_request_id).await?;
        let request = request.ok_or(Error::NotFound)?;
        let key = key_of(run, &request);
        if self.answered::<()>(&mut reading, account, Some(&key)).await?.is_some() {
            return Ok(BatchOutcome::Done);
        }
        let order = return_orders::find(reading.db(), account, request.return_order_id).await?.or_broken()?;
        drop(reading);
        if order.leave_out_of_bulk {
            return Ok(BatchOutcome::LeftOut);
        }
        match run.change.action {
            BulkAction::Approve | BulkAction::Reject | BulkAction::Complete => {
                self.move_item(staff, run, &request, item.from_stage, key).await?;
            }
            BulkAction::CountAll => self.count_item(staff, run, &request, item.from_stage, key).await?,
            BulkAction::ReportDelivered => self.report_item(staff, &request, &key).await?,
            BulkAction::Assign | BulkAction::Flag => {
                if let Some(change) = handling(&run.change, &order)? {
                    let version = Some(order.version);
                    self.merchant(staff).change_return_order(order.id, change, version, Some(key)).await?;
                }
            }
            BulkAction::Note => {
                let text = NoteInput { text: run.change.note.clone() }.checked()?;
                // One mail tells a user of all the notes.
                let is_first = run.items.first().is_some_and(|first| first.return_request_id == item.return_request_id);
                let mentions = if is_first { Mentions::Mailed } else { Mentions::Silent };
                again_on_deadlock(|| self.add_note_once(*staff, order.id, &text, mentions, Some(&key))).await?;
            }
        }
        Ok(BatchOutcome::Done)
    }

    async fn move_item(
        &self,
        staff: &Staff,
        run: &BulkRun,
        request: &ReturnRequest,
        from: StageName,
        key: IdempotencyKey,
    ) -> Result<()> {
        let stage = run.change.action.target(from).ok_or_else(|| impossible_in(from))?;
        let update = StatusUpdate {
            stage,
            from_stage: Some(from),
            comment: run.change.comment.clone(),
            external_reference: None,
            instead: None,
            version: None,
        };
        self.merchant(staff).update_status(request.id, update, Some(key)).await.map(drop)
    }

    async fn count_item(
        &self,
        staff: &Staff,
        run: &BulkRun,
        request: &ReturnRequest,
        from: StageName,
        key: IdempotencyKey,
    ) -> Result<()> {
        let stage = request.state.stage.name();
        if stage != from {
            let message = format!("The return request is in stage {stage}, not in {from}.");
            return Err(Refusal::new(RefusalCode::StageConflict, message).into());
        }
        let quantity = request.quantity.saturating_sub(request.state.received);
        if quantity == 0 || !BulkAction::CountAll.is_possible_in(stage) {
            return Err(impossible_in(stage));
        }
        let receipt = Receipt { quantity, external_reference: Some(format!("bulk:{}", run.id)) };
        self.receive_unchanged(staff, request, receipt, Some(key)).await
    }

    /// Reports each parcel of the return that is on its way as delivered.
    async fn report_item(&self, staff: &Staff, request: &ReturnRequest, key: &IdempotencyKey) -> Result<()> {
        let mut reading = self.store.read().await?;
        let order = request.return_order_id;
        let parcels = shipments::list_of_return_orders(reading.db(), staff.account(), &[order]).await?;
        drop(reading);
        let is_on_its_way = |status| {
            matches!(status, ShipmentStatus::LabelCreated | ShipmentStatus::InTransit | ShipmentStatus::Exception)
        };
        let on_their_way: Vec<_> = parcels.iter().filter(|parcel| is_on_its_way(parcel.status)).collect();
        let is_delivered = parcels.iter().any(|parcel| parcel.status == ShipmentStatus::Delivered);
        if on_their_way.is_empty() && !is_delivered {
            return Err(Refusal::new(RefusalCode::IllegalTransition, "No parcel of the return is on its way.").into());
        }
        for parcel in on_their_way {
            let key = IdempotencyKey { key: format!("{}/{}", key.key, parcel.id), ..key.clone() };
            self.merchant(staff).track(parcel.id, delivered(), Some(key)).await?;
        }
        Ok(())
    }
}

/// A report without more than that the parcel was delivered.
fn delivered() -> TrackingReport {
    TrackingReport {
        status: Scan::Delivered,
        explanation: String::new(),
        happened_at: None,
        carrier: None,
        tracking_number: None,
        tracking_url: None,
    }
}

/// The change of a return order. `None`: it is as it should be.
fn handling(change: &BulkChange, order: &ReturnOrder) -> Result<Option<ReturnOrderChange>> {
    let none = ReturnOrderChange::default();
    if change.action == BulkAction::Assign {
        let is_other = order.assignee_id != change.assignee_id;
        return Ok(is_other.then_some(ReturnOrderChange { assignee_id: PatchField(Some(change.assignee_id)), ..none }));
    }
    if order.flags.contains(&change.flag) {
        return Ok(None);
    }
    if order.flags.len() >= MAX_FLAGS {
        let message = format!("A return order can have {MAX_FLAGS} flags.");
        return Err(Refusal::new(RefusalCode::LimitReached, message).into());
    }
    let flags = order.flags.iter().chain([&change.flag]).cloned().collect();
    Ok(Some(ReturnOrderChange { flags: PatchField(Some(flags)), ..none }))
}

fn impossible_in(stage: StageName) -> Error {
    Refusal::new(RefusalCode::IllegalTransition, format!("This is not possible in stage {stage}.")).into()
}

/// The key of one item, which no client can send: clients do not choose the credential. Items of one return order share
/// the key of what changes it once.
fn key_of(run: &BulkRun, request: &ReturnRequest) -> IdempotencyKey {
    let of = if run.change.action.is_of_return_order() {
        request.return_order_id.to_string()
    } else {
        request.id.to_string()
    };
    IdempotencyKey { credential: format!("bulkRun:{}", run.id), key: of, fingerprint: run.id.0.as_bytes().to_vec() }
}
