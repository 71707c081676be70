//! Pending evidence: photos and documents that a consumer adds to a purchase before the submit. The submit turns them
//! into evidence of the return request. Files of returns that are not submitted are deleted after two days.

use super::handle::ConsumerHandle;
use crate::{
    base::{
        Begun, Done, Error, IdempotencyKey, Result, Retour, Shopper, again_on_deadlock, conclude, detached,
        uploads::{self, Download, StoredFile, Upload},
    },
    view,
};
use domain::{EvidenceId, PurchaseId, Refusal, RefusalCode, returning::MAX_EVIDENCE};
use store::{
    Db, accounts, consumers,
    pending_evidence::{self, PendingEvidence},
    purchases,
};

/// The maximum number of pending files of one consumer. An order may have thousands of lines, and the disk is finite.
const MOST_OF_CONSUMER: usize = 100;

impl ConsumerHandle<'_> {
    /// Adds a photo or document to one of the consumer's purchases. The same file again returns the existing one.
    pub async fn add_pending_evidence(
        self,
        purchase: PurchaseId,
        upload: Upload,
        key: Option<IdempotencyKey>,
    ) -> Result<Done<view::PendingEvidenceView>> {
        let (retour, shopper) = (self.retour.clone(), self.shopper);
        detached(async move { retour.take_pending_evidence(shopper, purchase, upload, key).await }).await
    }

    /// All pending evidence of the consumer, oldest first.
    pub async fn pending_evidence(self) -> Result<Vec<view::PendingEvidenceView>> {
        let mut reading = self.retour.store.read().await?;
        let files =
            pending_evidence::list_of_consumer(reading.db(), self.shopper.account, self.shopper.consumer).await?;
        Ok(files.into_iter().map(Into::into).collect())
    }

    /// The pending evidence of one of the consumer's purchases, oldest first.
    pub async fn pending_evidence_of(self, purchase: PurchaseId) -> Result<Vec<view::PendingEvidenceView>> {
        let Shopper { account, consumer } = self.shopper;
        let mut reading = self.retour.store.read().await?;
        check_own_purchase(reading.db(), &self.shopper, purchase).await?;
        let files = pending_evidence::list_of_purchase(reading.db(), account, consumer, purchase).await?;
        Ok(files.into_iter().map(Into::into).collect())
    }

    /// The content of a pending file.
    pub async fn pending_evidence_file(self, purchase: PurchaseId, id: EvidenceId) -> Result<Download> {
        let mut reading = self.retour.store.read().await?;
        let file = laid(reading.db(), &self.shopper, purchase, id).await?;
        drop(reading);
        self.retour.download(self.shopper.account, id, file.name, file.media_type).await
    }

    /// Deletes a pending file.
    pub async fn delete_pending_evidence(self, purchase: PurchaseId, id: EvidenceId) -> Result<()> {
        let (retour, shopper) = (self.retour.clone(), self.shopper);
        detached(async move {
            again_on_deadlock(|| retour.delete_pending_once(shopper, purchase, id)).await?;
            retour.delete_file(shopper.account, id.0).await
        })
        .await
    }
}

impl Retour {
    async fn delete_pending_once(&self, shopper: Shopper, purchase: PurchaseId, id: EvidenceId) -> Result<()> {
        let mut writing = self.store.write().await?;
        laid(writing.db(), &shopper, purchase, id).await?;
        // A submit may have turned it into evidence since the check; then the file stays.
        if !pending_evidence::delete(writing.db(), shopper.account, shopper.consumer, id).await? {
            return Err(Error::NotFound);
        }
        Ok(writing.commit().await?)
    }

    async fn take_pending_evidence(
        &self,
        shopper: Shopper,
        purchase: PurchaseId,
        upload: Upload,
        key: Option<IdempotencyKey>,
    ) -> Result<Done<view::PendingEvidenceView>> {
        let Shopper { account, consumer: consumer_id } = shopper;
        let mut reading = self.store.read().await?;
        if let Some(done) = self.answered(&mut reading, account, key.as_ref()).await? {
            return Ok(done);
        }
        check_own_purchase(reading.db(), &shopper, purchase).await?;
        // Before the file is written, so that repeated uploads of the same file cost no more than this check.
        let (sha256, upload) = uploads::checksum(upload).await?;
        let all = pending_evidence::list_of_consumer(reading.db(), account, consumer_id).await?;
        drop(reading);
        if let Some(known) = find_or_make_room(&all, purchase, &sha256)? {
            return again_on_deadlock(|| self.add_pending_once(shopper, known, key.as_ref())).await;
        }
        let StoredFile { id, name, media_type, bytes, sha256, created_at } = self.write_upload(account, upload).await?;
        let file =
            PendingEvidence { id, consumer_id, purchase_id: purchase, name, media_type, bytes, sha256, created_at };
        let done = again_on_deadlock(|| self.add_pending_once(shopper, &file, key.as_ref())).await;
        self.delete_unless_kept(account, id, &done).await;
        done
    }

    async fn add_pending_once(
        &self,
        shopper: Shopper,
        file: &PendingEvidence,
        key: Option<&IdempotencyKey>,
    ) -> Result<Done<view::PendingEvidenceView>> {
        let Shopper { account, consumer } = shopper;
        let mut writing = match self.begin(account, key).await? {
            Begun::New(writing) => writing,
            Begun::Before(done) => return Ok(done),
        };
        // Locks the consumer, so that concurrent uploads are all counted. An erased consumer can add nothing.
        if !consumers::hold(writing.db(), account, consumer).await? {
            return Err(Error::NotFound);
        }
        let all = pending_evidence::list_of_consumer(writing.db(), account, consumer).await?;
        if let Some(known) = find_or_make_room(&all, file.purchase_id, &file.sha256)? {
            return conclude(writing, account, key, 200, known.clone().into()).await;
        }
        pending_evidence::insert(writing.db(), account, file).await?;
        conclude(writing, account, key, 201, file.clone().into()).await
    }
}

/// Returns the existing file, or refuses if the limit is reached.
fn find_or_make_room<'a>(
    all: &'a [PendingEvidence],
    purchase: PurchaseId,
    sha256: &[u8],
) -> Result<Option<&'a PendingEvidence>> {
    let there = || all.iter().filter(|known| known.purchase_id == purchase);
    if let Some(known) = there().find(|known| known.sha256 == sha256) {
        return Ok(Some(known));
    }
    let message = if there().count() >= MAX_EVIDENCE {
        format!("A purchase can have at most {MAX_EVIDENCE} files. Delete one first.")
    } else if all.len() >= MOST_OF_CONSUMER {
        format!("All purchases together can have at most {MOST_OF_CONSUMER} files.")
    } else {
        return Ok(None);
    };
    Err(Refusal::new(RefusalCode::LimitReached, message).into())
}

/// Refuses a purchase that is not the consumer's.
async fn check_own_purchase(mut db: Db<'_>, shopper: &Shopper, id: PurchaseId) -> Result<()> {
    let account = accounts::find(db.reborrow(), shopper.account).await?.ok_or(Error::NotFound)?;
    let consumer = consumers::find(db.reborrow(), shopper.account, shopper.consumer).await?.ok_or(Error::NotFound)?;
    let (proof, shop) = (&consumer.credentials, account.bridge.shop_key());
    purchases::find(db, shopper.account, proof, id, &shop).await?.map(drop).ok_or(Error::NotFound)
}

/// Returns the pending file of that purchase.
async fn laid(db: Db<'_>, shopper: &Shopper, purchase: PurchaseId, id: EvidenceId) -> Result<PendingEvidence> {
    let found = pending_evidence::find(db, shopper.account, shopper.consumer, id).await?;
    found.filter(|file| file.purchase_id == purchase).ok_or(Error::NotFound)
}
