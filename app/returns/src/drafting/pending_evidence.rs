//! Turns pending evidence into evidence of return requests, on submit.

use crate::base::Result;
use domain::{
    AccountId, PurchaseId,
    policy::reason::EvidenceRule,
    returning::{DraftReturnOrder, ReturnRequest, ReturnSource},
};
use std::collections::{BTreeMap, BTreeSet};
use store::{
    Writing, evidence, files,
    pending_evidence::{self, PendingEvidence},
};

/// Pending evidence of a draft's purchases, which becomes evidence.
#[derive(Debug, Default)]
pub(crate) struct PendingFiles(BTreeMap<PurchaseId, Vec<PendingEvidence>>);

impl PendingFiles {
    /// Takes the pending evidence of the draft's purchases, and discards the files of items whose reason asks for no
    /// evidence. If the merchant submits, all files stay pending, because the consumer may still be preparing a return.
    pub async fn take(
        writing: &mut Writing,
        account: AccountId,
        draft: &DraftReturnOrder,
        source: ReturnSource,
    ) -> Result<Self> {
        let mut taken = Self::default();
        if source == ReturnSource::Merchant {
            return Ok(taken);
        }
        let consumer = draft.consumer_id;
        let all = pending_evidence::list_of_consumer(writing.db(), account, consumer).await?;
        let beside: BTreeSet<PurchaseId> = all.iter().map(|file| file.purchase_id).collect();
        for item in draft.items.iter().filter(|item| beside.contains(&item.purchase_id)) {
            let laid = pending_evidence::take(writing.db(), account, consumer, item.purchase_id).await?;
            if item.rules.evidence == EvidenceRule::None {
                for file in laid {
                    files::discard(writing.db(), account, file.id.0).await?;
                }
            } else if !laid.is_empty() {
                taken.0.insert(item.purchase_id, laid);
            }
        }
        Ok(taken)
    }

    /// Whether there are files for the request of a purchase.
    pub fn is_beside(&self, purchase: PurchaseId) -> bool {
        self.0.contains_key(&purchase)
    }

    /// Moves the files of a purchase into its new request.
    pub fn become_evidence_of(&mut self, request: &mut ReturnRequest) {
        let laid = self.0.remove(&request.purchase_id).unwrap_or_default();
        request.evidence = laid.into_iter().map(|file| file.of_request(request.id)).collect();
    }

    /// Stores the evidence of a new request.
    pub async fn keep(writing: &mut Writing, account: AccountId, request: &ReturnRequest) -> Result<()> {
        for file in &request.evidence {
            evidence::insert(writing.db(), account, file).await?;
        }
        Ok(())
    }
}
