//! Photos and documents of return requests, for the merchant.

use crate::{
    base::{
        Done, Error, IdempotencyKey, Result, again_on_deadlock, detached,
        uploads::{Download, Upload},
    },
    merchant::handle::MerchantHandle,
    returning::evidence::EvidenceAccess,
    view,
};
use domain::party::Party;
use domain::{EvidenceId, ReturnRequestId};
use store::evidence;

impl MerchantHandle<'_> {
    /// Adds evidence to a request. The same file counts once. A request that waits for evidence moves on to the review.
    pub async fn add_evidence(
        self,
        request: ReturnRequestId,
        upload: Upload,
        key: Option<IdempotencyKey>,
    ) -> Result<Done<view::EvidenceView>> {
        let (retour, access) = (self.retour.clone(), EvidenceAccess(Party::Staff(self.staff)));
        detached(async move { retour.take_evidence(access, request, upload, key).await }).await
    }

    /// The evidence of a request, oldest first.
    pub async fn evidence(self, request: ReturnRequestId) -> Result<Vec<view::EvidenceView>> {
        let mut reading = self.retour.store.read().await?;
        let request = EvidenceAccess(Party::Staff(self.staff)).request(reading.db(), request).await?;
        Ok(request.evidence.into_iter().map(Into::into).collect())
    }

    /// The content of a file.
    pub async fn evidence_file(self, request: ReturnRequestId, id: EvidenceId) -> Result<Download> {
        let mut reading = self.retour.store.read().await?;
        let found = evidence::find(reading.db(), self.staff.account(), id).await?;
        drop(reading);
        let file = found.filter(|file| file.return_request_id == request).ok_or(Error::NotFound)?;
        self.retour.download(self.staff.account(), file.id, file.name, file.media_type).await
    }

    /// Deletes evidence and its file. The request stays in its stage.
    pub async fn delete_evidence(self, request: ReturnRequestId, id: EvidenceId) -> Result<()> {
        let (retour, staff, account) = (self.retour.clone(), self.staff, self.staff.account());
        detached(async move {
            again_on_deadlock(|| retour.forget_evidence(&staff, request, id)).await?;
            retour.delete_file(account, id.0).await
        })
        .await
    }
}
