//! Photos and papers that a consumer or the merchant adds to a return request.

use super::change::{Change, Returned};
use crate::{
    base::{
        Begun, Done, Error, IdempotencyKey, Result, Retour, Shopper, Staff, again_on_deadlock, conclude,
        uploads::{Upload, Written},
    },
    view,
};
use domain::{
    AccountId, EvidenceId, Refusal, RefusalCode, ReturnOrderId, ReturnRequestId,
    returning::{Actor, EvidenceFile, MAX_EVIDENCE, ReturnRequest},
    stage::Move,
};
use store::{Db, consumers, evidence, return_orders, return_requests};

/// Who deals with evidence, and where.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Whose {
    /// The merchant.
    Staff(Staff),
    /// The consumer, within one of their return orders.
    Consumer(Shopper, ReturnOrderId),
}

impl Whose {
    pub(crate) fn account(self) -> AccountId {
        match self {
            Self::Staff(staff) => staff.account(),
            Self::Consumer(shopper, _) => shopper.account,
        }
    }

    /// Whether that request is within reach.
    pub(crate) fn reaches(self, request: &ReturnRequest) -> bool {
        match self {
            Self::Staff(_) => true,
            Self::Consumer(shopper, order) => {
                request.consumer_id == shopper.consumer && request.return_order_id == order
            }
        }
    }

    /// The request, if it is there and within reach.
    pub(crate) async fn request(self, db: Db<'_>, id: ReturnRequestId) -> Result<ReturnRequest> {
        let found = return_requests::find(db, self.account(), id).await?;
        found.filter(|request| self.reaches(request)).ok_or(Error::NotFound)
    }

    /// A file as evidence that they add.
    pub(crate) fn evidence(self, request: ReturnRequestId, file: Written) -> EvidenceFile {
        let actor = match self {
            Self::Staff(_) => Actor::Merchant,
            Self::Consumer(..) => Actor::Consumer,
        };
        let Written { id, name, media_type, bytes, sha256, created_at } = file;
        EvidenceFile { id, return_request_id: request, name, media_type, bytes, sha256, actor, created_at }
    }

    pub(crate) fn show(self, file: EvidenceFile) -> view::EvidenceView {
        let shown = view::EvidenceView::from(file);
        match self {
            Self::Staff(_) => shown,
            Self::Consumer(shopper, order) => shown.seen_by_consumer(shopper.consumer, order),
        }
    }
}

impl Retour {
    pub(crate) async fn forget_evidence(
        &self,
        account: AccountId,
        request: ReturnRequestId,
        id: EvidenceId,
    ) -> Result<()> {
        let mut writing = self.store.write().await?;
        let found = return_requests::find(writing.db(), account, request).await?.ok_or(Error::NotFound)?;
        return_orders::lock(writing.db(), account, found.return_order_id).await?;
        let mut request = return_requests::find(writing.db(), account, request).await?.ok_or(Error::Broken)?;
        if !request.evidence.iter().any(|file| file.id == id) {
            return Err(Error::NotFound);
        }
        evidence::delete(writing.db(), account, id).await?;
        request.updated_at = self.now();
        return_requests::update(writing.db(), account, &request).await?;
        Ok(writing.commit().await?)
    }

    pub(crate) async fn take_evidence(
        &self,
        whose: Whose,
        request: ReturnRequestId,
        upload: Upload,
        key: Option<IdempotencyKey>,
    ) -> Result<Done<view::EvidenceView>> {
        let account = whose.account();
        let mut reading = self.store.read().await?;
        if let Some(done) = self.answered(&mut reading, account, key.as_ref()).await? {
            return Ok(done);
        }
        whose.request(reading.db(), request).await?;
        drop(reading);
        let file = whose.evidence(request, self.write_upload(account, upload).await?);
        let done = again_on_deadlock(|| self.add_once(whose, &file, key.as_ref())).await;
        self.delete_unless_kept(account, file.id, &done).await;
        done
    }

    async fn add_once(
        &self,
        whose: Whose,
        file: &EvidenceFile,
        key: Option<&IdempotencyKey>,
    ) -> Result<Done<view::EvidenceView>> {
        let account = whose.account();
        let mut writing = match self.begin(account, key).await? {
            Begun::New(writing) => writing,
            Begun::Before(done) => return Ok(done),
        };
        let found = whose.request(writing.db(), file.return_request_id).await?;
        // Before the return order, as everywhere. Who is erased adds nothing any more.
        if let Whose::Consumer(shopper, _) = whose
            && !consumers::hold(writing.db(), account, shopper.consumer).await?
        {
            return Err(Error::NotFound);
        }
        let mut returned = Returned::lock(&mut writing, account, found.return_order_id).await?.ok_or(Error::Broken)?;
        let index = returned.requests.iter().position(|request| request.id == found.id).ok_or(Error::Broken)?;
        let request = returned.requests.get_mut(index).ok_or(Error::Broken)?;
        if let Some(known) = request.evidence.iter().find(|known| known.sha256 == file.sha256) {
            let shown = whose.show(known.clone());
            return conclude(writing, account, key, 200, shown).await;
        }
        if request.evidence.len() >= MAX_EVIDENCE {
            let message = format!("A return request has at most {MAX_EVIDENCE} files. Delete one first.");
            return Err(Refusal::new(RefusalCode::LimitReached, message).into());
        }
        let settings = store::accounts::find(writing.db(), account).await?.ok_or(Error::Broken)?;
        let staff = match whose {
            Whose::Staff(staff) => staff.actor_id(),
            Whose::Consumer(..) => None,
        };
        let (now, actor, comment) = (self.now(), file.actor, String::new());
        let change = Change { retour: self, account: &settings, now, actor, staff, comment, parcel: None };
        let step = request.state.apply(&Move::AddEvidence, &change.context())?;
        evidence::insert(writing.db(), account, file).await?;
        request.evidence.push(file.clone());
        change.write_step(&mut writing, &mut returned, (index, step), actor).await?;
        conclude(writing, account, key, 201, whose.show(file.clone())).await
    }
}
