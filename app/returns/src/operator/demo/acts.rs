//! What happens to the demo's returns: each act is a use case.

use super::{play::Play, story::Act};
use crate::{
    base::{OrBroken, Result, patch_field::PatchField, uploads::Upload},
    merchant::returns::{
        handling::ReturnOrderChange,
        notes::NoteInput,
        shipments::TrackingReport,
        staff_action::{Receipt, StatusUpdate},
    },
    returning::{
        change::{Change, Returned},
        label_outcome::{LabelAttempts, LabelProblem},
    },
};
use domain::{
    ReturnOrderId,
    party::Actor,
    policy::{Policy, ResolveOn},
    returning::ReturnRequest,
    stage::{Inspection, Scan, StageName},
};
use outbound::pictures::Kind;
use store::{Lease, label_requests, return_requests, shipments};

/// Pictures of a broken mug and of its parcel. Each counts once for a request.
const PHOTOS: [&[u8]; 2] = [include_bytes!("photo-1.png"), include_bytes!("photo-2.png")];

/// What happens to returns.
impl Play {
    pub(super) async fn act(&self, order: ReturnOrderId, act: Act) -> Result<()> {
        let requests = self.requests(order).await?;
        match act {
            Act::Photo => self.add_photo(requests.first().or_broken()?).await,
            Act::Approve => self.move_all(&requests, StageName::RequestedApproved, "", None).await,
            Act::Reject(why) => self.move_all(&requests, StageName::RequestedRejected, why, None).await,
            Act::Scan(scan, explanation) => self.scan(order, scan, explanation).await,
            Act::ReceiveSome(units) => self.receive(requests.first().or_broken()?, units).await,
            Act::ReceiveAll => self.receive_all(&requests).await,
            Act::ReceiveToInspect => {
                self.receive_under(&requests, |policy| policy.resolve_on = ResolveOn::Inspection).await
            }
            Act::ReceiveToSettle => self.receive_under(&requests, |policy| policy.auto_resolve = false).await,
            Act::Inspect(refused, condition, disposition, note) => {
                for (place, request) in requests.iter().enumerate() {
                    let refused = if place == 0 { refused } else { 0 };
                    let inspection = Inspection {
                        accepted: request.state.received.saturating_sub(refused),
                        refused,
                        condition: Some(condition),
                        disposition: Some(disposition),
                        note: Some(note.to_owned()).filter(|note| !note.is_empty()),
                    };
                    self.retour.merchant(&self.staff).inspect(request.id, inspection, None).await?;
                }
                Ok(())
            }
            Act::Process => self.move_all(&requests, StageName::ResolutionProcessing, "", None).await,
            Act::Complete(reference) => {
                self.move_all(&requests, StageName::ResolutionCompleted, "", Some(reference)).await
            }
            Act::Fail(why) => self.move_all(&requests, StageName::ResolutionFailed, why, None).await,
            Act::Deny(why) => self.move_all(&requests, StageName::ResolutionDenied, why, None).await,
            Act::Cancel => self.retour.merchant(&self.staff).cancel_return_order(order, None).await.map(drop),
            Act::RefuseLabel(why) => self.refuse_label(order, why).await,
            Act::Note(text) => {
                let note = NoteInput { text: text.to_owned() };
                self.retour.merchant(&self.staff).add_note(order, note, None).await.map(drop)
            }
            Act::Take => {
                let change =
                    ReturnOrderChange { assignee_id: PatchField(Some(self.agent)), ..ReturnOrderChange::default() };
                self.retour.merchant(&self.staff).change_return_order(order, change, None, None).await.map(drop)
            }
            Act::Flag(flag) => {
                let flags = PatchField(Some(vec![flag.to_owned()]));
                let change = ReturnOrderChange { flags, ..ReturnOrderChange::default() };
                self.retour.merchant(&self.staff).change_return_order(order, change, None, None).await.map(drop)
            }
        }
    }

    async fn requests(&self, order: ReturnOrderId) -> Result<Vec<ReturnRequest>> {
        let mut reading = self.retour.store.read().await?;
        Ok(return_requests::list_of_return_orders(reading.db(), self.account.id, &[order]).await?)
    }

    async fn move_all(
        &self,
        requests: &[ReturnRequest],
        stage: StageName,
        comment: &str,
        reference: Option<&str>,
    ) -> Result<()> {
        for request in requests {
            let update = StatusUpdate {
                stage,
                from_stage: None,
                comment: comment.to_owned(),
                external_reference: reference.map(str::to_owned),
                instead: None,
                version: None,
            };
            self.retour.merchant(&self.staff).update_status(request.id, update, None).await?;
        }
        Ok(())
    }

    async fn receive_all(&self, requests: &[ReturnRequest]) -> Result<()> {
        for request in requests {
            self.receive(request, request.state.quantity.saturating_sub(request.state.received)).await?;
        }
        Ok(())
    }

    /// Counts everything while the policy is changed.
    async fn receive_under(&self, requests: &[ReturnRequest], change: impl FnOnce(&mut Policy)) -> Result<()> {
        let usual = Policy { gift_returns: true, ..self.account.policy.clone() };
        let mut changed = usual.clone();
        change(&mut changed);
        self.set_policy(&changed).await?;
        self.receive_all(requests).await?;
        self.set_policy(&usual).await
    }

    async fn receive(&self, request: &ReturnRequest, units: u32) -> Result<()> {
        let receipt = Receipt { quantity: units, external_reference: None };
        self.retour.merchant(&self.staff).receive(request.id, receipt, None).await.map(drop)
    }

    async fn add_photo(&self, request: &ReturnRequest) -> Result<()> {
        let place = request.evidence.len();
        let bytes = PHOTOS.get(place).copied().or_broken()?.to_vec();
        let upload = Upload { name: format!("IMG_{:04}.png", 4_017 + place), kind: Kind::Png, bytes };
        self.retour.merchant(&self.staff).add_evidence(request.id, upload, None).await.map(drop)
    }

    async fn scan(&self, order: ReturnOrderId, scan: Scan, explanation: &str) -> Result<()> {
        let mut reading = self.retour.store.read().await?;
        let parcel =
            shipments::list_of_return_orders(reading.db(), self.account.id, &[order]).await?.pop().or_broken()?;
        drop(reading);
        let is_unnamed = parcel.carrier.is_empty();
        let report = TrackingReport {
            status: scan,
            explanation: explanation.to_owned(),
            happened_at: None,
            carrier: is_unnamed.then(|| "Royal Parcel".to_owned()),
            tracking_number: is_unnamed.then(|| format!("RP{}GB", parcel.sscc.get(8..17).unwrap_or(&parcel.sscc))),
            tracking_url: None,
        };
        self.retour.merchant(&self.staff).track(parcel.id, report, None).await.map(drop)
    }

    async fn refuse_label(&self, order: ReturnOrderId, why: &str) -> Result<()> {
        let mut writing = self.retour.store.write().await?;
        let mut returned = Returned::lock(&mut writing, self.account.id, order).await?.or_broken()?;
        let parcels = shipments::list_of_return_orders(writing.db(), self.account.id, &[order]).await?;
        let parcel = parcels.into_iter().next().or_broken()?;
        let asked = label_requests::find_of_shipment(writing.db(), self.account.id, parcel.id).await?.or_broken()?;
        label_requests::later(writing.db(), &asked, None, 1, Lease::Ends).await?;
        let change = Change {
            retour: &self.retour,
            account: &self.account,
            now: self.source.now(),
            actor: Actor::System,
            staff: None,
            comment: String::new(),
            parcel: None,
        };
        let trouble = LabelProblem { code: "CarrierFailed".to_owned(), message: why.to_owned() };
        let tried = LabelAttempts { failed_attempts: 1, next_attempt_at: None };
        change.label_failed(&mut writing, &mut returned, parcel, &trouble, tried).await?;
        Ok(writing.commit().await?)
    }
}
