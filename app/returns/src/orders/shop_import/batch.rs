//! The orders of an export that are stored in one transaction.

use super::{ShopImportError, report::UnreadableOrder};
use crate::{
    base::{Result, Retour, Staff, again_on_deadlock, audit},
    integrations::health::problems,
    orders::shop_answer::{KeptAnswers, ShopAnswer},
};
use domain::{Timestamp, audit::AuditAction};
use outbound::bridge::{BridgeError, contract::Purchases};
use serde_json::json;
use std::{
    collections::HashSet,
    time::{Duration, Instant},
};
use store::{
    import::OrderSource,
    shop_imports::{self, ImportKey, StoredPart},
};

/// The most orders in a transaction. They are in memory, and other writers wait for it.
const MAX_ORDERS: usize = 500;
/// The most lines in a transaction.
const MAX_LINES: usize = 5_000;
/// After this time a batch is stored although it is not full: orders that are read one by one are slow.
const LONGEST: Duration = Duration::from_secs(5);

/// Orders that wait for their transaction.
pub(super) struct OrderBatch {
    answers: Vec<ShopAnswer>,
    /// The name of the order of each answer.
    names: Vec<String>,
    ids: HashSet<String>,
    lines: usize,
    began: Instant,
    /// How far the file is stored once the batch is.
    pub part: StoredPart,
    pub unreadable: Vec<UnreadableOrder>,
}

/// The result of a batch.
#[derive(Debug)]
pub(super) struct StoredBatch {
    /// How far the file is stored.
    pub part: StoredPart,
    /// How many lines were new or changed.
    pub changed: u64,
    pub unreadable: Vec<UnreadableOrder>,
    /// The numbers of orders that were not stored.
    pub refused: Vec<String>,
}

impl OrderBatch {
    /// An empty batch. `part`: how far the file is stored.
    pub fn after(part: StoredPart) -> Self {
        Self {
            answers: Vec::new(),
            names: Vec::new(),
            ids: HashSet::new(),
            lines: 0,
            began: Instant::now(),
            part,
            unreadable: Vec::new(),
        }
    }

    pub fn is_full(&self) -> bool {
        self.answers.len() >= MAX_ORDERS || self.lines >= MAX_LINES || self.began.elapsed() >= LONGEST
    }

    /// Whether the order, or one of its lines, is in the batch. A statement cannot change a row twice.
    pub fn has(&self, answer: &ShopAnswer) -> bool {
        let mut ids = answer.order_ids().chain(answer.line_ids().iter().map(String::as_str));
        ids.any(|id| self.ids.contains(id))
    }

    pub fn add(&mut self, answer: ShopAnswer) {
        self.lines += answer.line_ids().len();
        self.ids.extend(answer.order_ids().map(str::to_owned));
        self.ids.extend(answer.line_ids().iter().cloned());
        self.names.push(answer.name().to_owned());
        self.answers.push(answer);
    }

    /// Stores the orders, and how far the file is stored, in one transaction.
    pub async fn store(
        self,
        retour: &Retour,
        key: ImportKey<'_>,
        operation_id: &str,
        asked_at: Timestamp,
    ) -> Result<StoredBatch, ShopImportError> {
        let stored = again_on_deadlock(|| self.try_to_store(retour, key, operation_id, asked_at)).await?;
        let Some((part, kept)) = stored else { return Err(ShopImportError::TakenOver) };
        let mut unreadable = self.unreadable;
        unreadable.extend(kept.contradicting.into_iter().filter_map(|(place, found)| {
            let problem = problems(&BridgeError::BadAnswer(found)).join("; ");
            Some(UnreadableOrder { name: self.names.get(place)?.clone(), problem })
        }));
        Ok(StoredBatch { part, changed: kept.changed, unreadable, refused: kept.refused })
    }

    /// `None` if another command has taken the import over.
    async fn try_to_store(
        &self,
        retour: &Retour,
        key: ImportKey<'_>,
        operation_id: &str,
        asked_at: Timestamp,
    ) -> Result<Option<(StoredPart, KeptAnswers)>> {
        let mut writing = retour.store.write().await?;
        let by = OrderSource { shop: key.shop, asked_at };
        let kept = retour.keep_all(&mut writing, key.account, by, &self.answers).await?;
        let mut part = self.part;
        part.unreadable += kept.contradicting.len() as u64;
        if !shop_imports::advance(writing.db(), key, operation_id, part).await? {
            return Ok(None);
        }
        if kept.changed > 0 {
            let (staff, after) = (Staff::operator(key.account), json!({"changedOrders": kept.changed}));
            let action = AuditAction::OrdersImported;
            audit::record(&mut writing, &staff, retour.now(), action, key.account, None, Some(after));
        }
        writing.commit().await?;
        Ok(Some((part, kept)))
    }
}

/// The answer that a look-up by staff would have stored.
pub(super) fn answer(found: &Purchases, asked_at: Timestamp) -> ShopAnswer {
    ShopAnswer::new(found, None, asked_at)
}
