//! Photos and documents that a consumer or the merchant adds to a return request.

use super::change::{Change, Returned};
use crate::{
    base::{
        Begun, Done, Error, IdempotencyKey, OrBroken, Result, Retour, Shopper, Staff, again_on_deadlock, audit,
        conclude,
        uploads::{StoredFile, Upload},
    },
    view,
};
use domain::party::Party;
use domain::{
    AccountId, EvidenceId, Refusal, RefusalCode, ReturnOrderId, ReturnRequestId,
    audit::AuditAction,
    returning::{EvidenceFile, MAX_EVIDENCE, ReturnRequest},
    stage::Move,
};
use serde_json::json;
use store::{Db, consumers, evidence, return_orders, return_requests};

/// A consumer, within one of their return orders.
#[derive(Debug, Clone, Copy)]
pub(crate) struct OwnReturn {
    pub(crate) shopper: Shopper,
    pub(crate) order: ReturnOrderId,
}

/// Whose evidence may be read and added.
#[derive(Debug, Clone, Copy)]
pub(crate) struct EvidenceAccess(pub(crate) Party<OwnReturn, Staff>);

impl EvidenceAccess {
    pub(crate) fn account(self) -> AccountId {
        match self.0 {
            Party::Staff(staff) => staff.account(),
            Party::Consumer(own) => own.shopper.account,
        }
    }

    /// Whether this party may access a request.
    pub(crate) fn reaches(self, request: &ReturnRequest) -> bool {
        match self.0 {
            Party::Staff(_) => true,
            Party::Consumer(own) => request.consumer_id == own.shopper.consumer && request.return_order_id == own.order,
        }
    }

    /// Returns the request, if it exists and this party may access it.
    pub(crate) async fn request(self, db: Db<'_>, id: ReturnRequestId) -> Result<ReturnRequest> {
        let found = return_requests::find(db, self.account(), id).await?;
        found.filter(|request| self.reaches(request)).ok_or(Error::NotFound)
    }

    /// An uploaded file as evidence of this party.
    pub(crate) fn evidence(self, request: ReturnRequestId, file: StoredFile) -> EvidenceFile {
        let actor = self.0.actor();
        let StoredFile { id, name, media_type, bytes, sha256, created_at } = file;
        EvidenceFile { id, return_request_id: request, name, media_type, bytes, sha256, actor, created_at }
    }

    pub(crate) fn show(self, file: EvidenceFile) -> view::EvidenceView {
        let shown = view::EvidenceView::from(file);
        match self.0 {
            Party::Staff(_) => shown,
            Party::Consumer(own) => shown.seen_by_consumer(own.shopper.consumer, own.order),
        }
    }
}

impl Retour {
    pub(crate) async fn forget_evidence(&self, staff: &Staff, request: ReturnRequestId, id: EvidenceId) -> Result<()> {
        let account = staff.account();
        let mut writing = self.store.write().await?;
        let found = return_requests::find(writing.db(), account, request).await?.ok_or(Error::NotFound)?;
        return_orders::lock(writing.db(), account, found.return_order_id).await?;
        let mut request = return_requests::find(writing.db(), account, request).await?.or_broken()?;
        if !request.evidence.iter().any(|file| file.id == id) {
            return Err(Error::NotFound);
        }
        evidence::delete(writing.db(), account, id).await?;
        request.updated_at = self.now();
        return_requests::update(writing.db(), account, &request).await?;
        let of = Some(json!({"returnRequestId": request.id}));
        audit::record(&mut writing, staff, request.updated_at, AuditAction::EvidenceDeleted, id, of, None);
        Ok(writing.commit().await?)
    }

    pub(crate) async fn take_evidence(
        &self,
        access: EvidenceAccess,
        request: ReturnRequestId,
        upload: Upload,
        key: Option<IdempotencyKey>,
    ) -> Result<Done<view::EvidenceView>> {
        let account = access.account();
        let mut reading = self.store.read().await?;
        if let Some(done) = self.answered(&mut reading, account, key.as_ref()).await? {
            return Ok(done);
        }
        access.request(reading.db(), request).await?;
        drop(reading);
        let file = access.evidence(request, self.write_upload(account, upload).await?);
        let done = again_on_deadlock(|| self.add_once(access, &file, key.as_ref())).await;
        self.delete_unless_kept(account, file.id, &done).await;
        done
    }

    async fn add_once(
        &self,
        access: EvidenceAccess,
        file: &EvidenceFile,
        key: Option<&IdempotencyKey>,
    ) -> Result<Done<view::EvidenceView>> {
        let account = access.account();
        let mut writing = match self.begin(account, key).await? {
            Begun::New(writing) => writing,
            Begun::Before(done) => return Ok(done),
        };
        let found = access.request(writing.db(), file.return_request_id).await?;
        // Locked before the return order, as everywhere. An erased consumer can add nothing.
        if let Party::Consumer(own) = access.0
            && !consumers::hold(writing.db(), account, own.shopper.consumer).await?
        {
            return Err(Error::NotFound);
        }
        let mut returned = Returned::lock(&mut writing, account, found.return_order_id).await?.or_broken()?;
        let index = returned.requests.iter().position(|request| request.id == found.id).or_broken()?;
        let request = returned.requests.get_mut(index).or_broken()?;
        if let Some(known) = request.evidence.iter().find(|known| known.sha256 == file.sha256) {
            let shown = access.show(known.clone());
            return conclude(writing, account, key, 200, shown).await;
        }
        if request.evidence.len() >= MAX_EVIDENCE {
            let message = format!("A return request has at most {MAX_EVIDENCE} files. Delete one first.");
            return Err(Refusal::new(RefusalCode::LimitReached, message).into());
        }
        let settings = store::accounts::find(writing.db(), account).await?.or_broken()?;
        let staff = match access.0 {
            Party::Staff(staff) => {
                let of = Some(json!({"returnRequestId": found.id}));
                audit::record(&mut writing, &staff, self.now(), AuditAction::EvidenceAdded, file.id, None, of);
                staff.actor_id()
            }
            Party::Consumer(_) => None,
        };
        let (now, actor, comment) = (self.now(), file.actor, String::new());
        let change = Change { retour: self, account: &settings, now, actor, staff, comment, parcel: None };
        let step = request.state.apply(&Move::AddEvidence, &change.context())?;
        evidence::insert(writing.db(), account, file).await?;
        request.evidence.push(file.clone());
        change.write_step(&mut writing, &mut returned, index, step, actor).await?;
        conclude(writing, account, key, 201, access.show(file.clone())).await
    }
}
