//! Photos and documents of a consumer's return requests.

use super::handle::ConsumerHandle;
use crate::{
    base::{
        Done, Error, IdempotencyKey, Result, detached,
        uploads::{Download, Upload},
    },
    returning::{
        evidence::{EvidenceAccess, OwnReturn},
        owned::own_order,
    },
    view,
};
use domain::party::Party;
use domain::{EvidenceId, ReturnOrderId, ReturnRequestId};
use store::{evidence, return_requests};

impl ConsumerHandle<'_> {
    /// Adds evidence to a request of the consumer's return order.
    pub async fn add_evidence(
        self,
        order: ReturnOrderId,
        request: ReturnRequestId,
        upload: Upload,
        key: Option<IdempotencyKey>,
    ) -> Result<Done<view::EvidenceView>> {
        let (retour, access) = (self.retour.clone(), self.access(order));
        detached(async move { retour.take_evidence(access, request, upload, key).await }).await
    }

    /// The evidence of the consumer's return order, grouped by request.
    pub async fn evidence(self, order: ReturnOrderId) -> Result<Vec<view::EvidenceView>> {
        let mut reading = self.retour.store.read().await?;
        own_order(reading.db(), &self.shopper, order).await?;
        let requests = return_requests::list_of_return_orders(reading.db(), self.shopper.account, &[order]).await?;
        let files = requests.into_iter().flat_map(|request| request.evidence);
        Ok(files.map(|file| self.access(order).show(file)).collect())
    }

    /// The content of a file of the consumer's return order.
    pub async fn evidence_file(self, order: ReturnOrderId, id: EvidenceId) -> Result<Download> {
        let mut reading = self.retour.store.read().await?;
        let file = evidence::find(reading.db(), self.shopper.account, id).await?.ok_or(Error::NotFound)?;
        self.access(order).request(reading.db(), file.return_request_id).await?;
        drop(reading);
        self.retour.download(self.shopper.account, file.id, file.name, file.media_type).await
    }

    fn access(self, order: ReturnOrderId) -> EvidenceAccess {
        EvidenceAccess(Party::Consumer(OwnReturn { shopper: self.shopper, order }))
    }
}
