//! The course of an import: an export, its file, and the orders in it.

use super::{
    ShopImportError, ShopImportReport, ShopImportStep, ShopImportWish,
    batch::{OrderBatch, answer},
    lease::ImportLease,
    report::UnreadableOrder,
    waiting::WaitingOrders,
};
use crate::{
    base::{Error, Result, Retour, again_on_deadlock},
    integrations::health::problems,
};
use domain::Timestamp;
use outbound::{
    bridge::{BridgeError, contract::Purchases},
    http::CallError,
    shops::shopify::{
        ExportError, ExportFile, ExportFilter, ExportLoss, ExportState, ExportedContent, ExportedOrder,
        IncompleteOrder, Shopify,
    },
};
use std::time::Duration;
use store::shop_imports::{self, CompletedImport, ShopExport, StoredPart};
use tokio::time::sleep;

/// How often Shopify is asked how far the export is: seldom if it takes long.
const FIRST_POLL: Duration = Duration::from_millis(250);
const SLOWEST_POLL: Duration = Duration::from_secs(5);
/// How often a call or a download is repeated before the import ends.
const RETRIES: u32 = 5;
/// The wait before the first repetition. It doubles each time.
const FIRST_RETRY: Duration = Duration::from_millis(500);
/// Shopify's search index may be late, and clocks differ, in seconds.
const OVERLAP_SECONDS: i64 = 600;

/// An import in progress.
pub(super) struct ShopImportRun<'a> {
    retour: &'a Retour,
    shopify: &'a Shopify,
    lease: &'a ImportLease,
    tell: &'a mut (dyn FnMut(ShopImportStep) + Send + Sync),
    report: ShopImportReport,
    batches: u32,
}

impl<'a> ShopImportRun<'a> {
    pub fn new(
        retour: &'a Retour,
        shopify: &'a Shopify,
        lease: &'a ImportLease,
        tell: &'a mut (dyn FnMut(ShopImportStep) + Send + Sync),
    ) -> Self {
        Self { retour, shopify, lease, tell, report: ShopImportReport::default(), batches: 0 }
    }

    /// Continues the export that is recorded, or starts one, and stores its orders.
    pub async fn run(mut self, wish: ShopImportWish) -> Result<ShopImportReport, ShopImportError> {
        let key = self.lease.key();
        let mut reading = self.retour.store.read().await?;
        let known = shop_imports::find(reading.db(), key.account, key.shop).await?;
        drop(reading);
        let (recorded, completed) = known.map_or((None, None), |known| (known.export, known.completed));
        let recorded = recorded.filter(|_| !wish.all);
        let mut is_recorded = recorded.is_some();
        let mut export = match recorded {
            Some(export) => {
                (self.tell)(ShopImportStep::Continues { asked_at: export.asked_at, orders: export.stored.orders });
                export
            }
            None => {
                let filter = filter(wish, completed);
                if let Some(completed) = completed.filter(|_| filter.changed_since.is_some()) {
                    (self.tell)(ShopImportStep::OnlyChanged { completed_at: completed.ended_at });
                }
                self.start(filter).await?
            }
        };
        loop {
            match self.store_export(&mut export).await {
                Ok(()) => return self.complete(&export).await,
                Err(ShopImportError::Lost(loss)) if is_recorded => {
                    (self.tell)(ShopImportStep::StartsOver(loss));
                    is_recorded = false;
                    let ShopExport { created_since, changed_since, .. } = export;
                    export = self.start(ExportFilter { created_since, changed_since }).await?;
                }
                Err(ShopImportError::Lost(loss)) => {
                    self.abandon().await?;
                    return Err(ShopImportError::Lost(loss));
                }
                Err(error) => return Err(error),
            }
        }
    }

    /// Starts an export, and records it.
    async fn start(&mut self, filter: ExportFilter) -> Result<ShopExport, ShopImportError> {
        let asked_at = self.retour.now();
        let mut retries = Retries::default();
        let operation_id = loop {
            match self.shopify.start_export(filter, self.retour.now()).await {
                Ok(id) => break id,
                Err(error) if is_temporary(&error) => retries.wait_or(error).await?,
                Err(error) => return Err(error.into()),
            }
        };
        let ExportFilter { created_since, changed_since } = filter;
        let export = ShopExport { operation_id, created_since, changed_since, asked_at, stored: StoredPart::default() };
        let is_ours = again_on_deadlock(|| async {
            let mut writing = self.retour.store.write_in_one().await?;
            let is_ours = shop_imports::begin_export(writing.db(), self.lease.key(), &export).await?;
            writing.commit().await?;
            Ok(is_ours)
        });
        if is_ours.await? { Ok(export) } else { Err(ShopImportError::TakenOver) }
    }

    /// Stores the orders of an export, as soon as its file is there.
    async fn store_export(&mut self, export: &mut ShopExport) -> Result<(), ShopImportError> {
        let Some((file, total)) = self.wait_for_file(export).await? else { return Ok(()) };
        let mut retries = Retries::default();
        while export.stored.bytes < file.bytes {
            let before = export.stored.bytes;
            match self.store_file(&file, total, export).await {
                Ok(()) => return Ok(()),
                Err(ShopImportError::Export(ExportError::Gone)) => {
                    return Err(ShopImportError::Lost(ExportLoss::Expired));
                }
                Err(ShopImportError::Export(error)) if is_temporary(&error) => {
                    if export.stored.bytes > before {
                        retries = Retries::default();
                    }
                    retries.wait_or(error).await?;
                }
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Waits until Shopify has written the file. Returns it with the number of its orders; `None` if there are none.
    async fn wait_for_file(&mut self, export: &ShopExport) -> Result<Option<(ExportFile, u64)>, ShopImportError> {
        let (mut retries, mut poll) = (Retries::default(), FIRST_POLL);
        loop {
            match self.shopify.export_state(&export.operation_id, self.retour.now()).await {
                Ok(ExportState::Done { orders, file }) => return Ok(file.map(|file| (file, orders))),
                Ok(ExportState::Lost(loss)) => return Err(ShopImportError::Lost(loss)),
                Ok(ExportState::Running { orders }) => {
                    retries = Retries::default();
                    (self.tell)(ShopImportStep::Exporting { orders });
                    sleep(poll).await;
                    poll = poll.mul_f32(1.5).min(SLOWEST_POLL);
                }
                Err(error) if is_temporary(&error) => retries.wait_or(error).await?,
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// Stores the orders of the file from where it is stored already. If the download breaks off, the orders before are
    /// stored.
    async fn store_file(
        &mut self,
        file: &ExportFile,
        total: u64,
        export: &mut ShopExport,
    ) -> Result<(), ShopImportError> {
        let mut orders = self.shopify.open_export(file, export.stored.bytes).await?;
        let (mut batch, mut waiting) = (OrderBatch::after(export.stored), WaitingOrders::default());
        loop {
            let next = orders.next_order().await;
            if let Ok(Some(order)) = next {
                waiting.push(order);
                if waiting.is_ready() {
                    batch = self.add_all(batch, waiting.take(), total, export).await?;
                }
                continue;
            }
            batch = self.add_all(batch, waiting.take(), total, export).await?;
            match next {
                Ok(_) => {
                    batch.part.bytes = file.bytes;
                    self.store_batch(batch, export).await?;
                    (self.tell)(ShopImportStep::Storing { done: export.stored.orders, total });
                    return Ok(());
                }
                Err(error) => {
                    self.store_batch(batch, export).await?;
                    return Err(error.into());
                }
            }
        }
    }

    /// Adds orders to the batch, and stores it whenever it is full.
    async fn add_all(
        &mut self,
        mut batch: OrderBatch,
        orders: Vec<ExportedOrder>,
        total: u64,
        export: &mut ShopExport,
    ) -> Result<OrderBatch, ShopImportError> {
        for order in self.completed(orders).await? {
            batch = self.add(batch, order, export).await?;
            if batch.is_full() {
                batch = self.store_batch(batch, export).await?;
                (self.tell)(ShopImportStep::Storing { done: export.stored.orders, total });
            }
        }
        Ok(batch)
    }

    /// Reads the fulfilments that the file lacks.
    async fn completed(&mut self, mut orders: Vec<ExportedOrder>) -> Result<Vec<ExportedOrder>, ShopImportError> {
        let incomplete: Vec<IncompleteOrder> = orders.iter().filter_map(|order| order.incomplete().cloned()).collect();
        let (mut contents, mut retries) = (Vec::new(), Retries::default());
        while let Some(rest) = incomplete.get(contents.len()..).filter(|rest| !rest.is_empty()) {
            match self.shopify.complete_orders(rest, self.retour.now()).await {
                Ok(completed) => {
                    retries = Retries::default();
                    contents.extend(completed);
                }
                Err(BridgeError::BadAnswer(_)) => contents.extend(rest.iter().map(IncompleteOrder::to_be_read)),
                Err(error @ BridgeError::Unavailable(_)) => retries.wait_or(error.into()).await?,
                Err(error) => return Err(ExportError::from(error).into()),
            }
        }
        self.report.fulfilments_read += incomplete.len() as u64;
        let places = orders.iter_mut().filter(|order| order.incomplete().is_some());
        for (order, content) in places.zip(contents) {
            order.content = content;
        }
        Ok(orders)
    }

    /// Adds an order to the batch. Stores the batch before, if it has the order already.
    async fn add(
        &mut self,
        mut batch: OrderBatch,
        ExportedOrder { end, content }: ExportedOrder,
        export: &mut ShopExport,
    ) -> Result<OrderBatch, ShopImportError> {
        let found = match content {
            ExportedContent::Order(found) => Ok(Some(*found)),
            ExportedContent::NotShown => Ok(None),
            ExportedContent::ToBeRead { id, name } => self.read_alone(&id, name).await?,
            // Has been completed before.
            ExportedContent::Incomplete(_) => return Err(Error::broken().into()),
            ExportedContent::Unreadable { name, problem } => Err(UnreadableOrder { name, problem }),
        };
        match found {
            Ok(Some(found)) => {
                let answer = answer(&found, export.asked_at);
                if batch.has(&answer) {
                    batch = self.store_batch(batch, export).await?;
                }
                batch.add(answer);
            }
            Ok(None) => batch.part.left_out += 1,
            Err(unreadable) => {
                batch.part.unreadable += 1;
                batch.unreadable.push(unreadable);
            }
        }
        batch.part.orders += 1;
        batch.part.bytes = end;
        Ok(batch)
    }

    /// Reads one order as a look-up does.
    async fn read_alone(
        &mut self,
        id: &str,
        name: String,
    ) -> Result<Result<Option<Purchases>, UnreadableOrder>, ShopImportError> {
        let mut retries = Retries::default();
        loop {
            match self.shopify.read_order(id, self.retour.now()).await {
                Ok(found) => return Ok(Ok(found)),
                Err(error @ BridgeError::BadAnswer(_)) => {
                    return Ok(Err(UnreadableOrder { name, problem: problems(&error).join("; ") }));
                }
                Err(error @ BridgeError::Unavailable(_)) => retries.wait_or(error.into()).await?,
                Err(error) => return Err(ExportError::from(error).into()),
            }
        }
    }

    /// Stores a batch; returns the next one.
    async fn store_batch(&mut self, batch: OrderBatch, export: &mut ShopExport) -> Result<OrderBatch, ShopImportError> {
        let stored = batch.store(self.retour, self.lease.key(), &export.operation_id, export.asked_at).await?;
        export.stored = stored.part;
        self.report.changed += stored.changed;
        self.report.add_unreadable(stored.unreadable);
        self.report.add_refused(stored.refused);
        self.batches += 1;
        // After 1, 4, 16, … batches, as the import of a file.
        if self.batches.is_power_of_two() && self.batches.trailing_zeros().is_multiple_of(2) {
            self.retour.store.refresh_statistics().await;
        }
        Ok(OrderBatch::after(export.stored))
    }

    async fn complete(mut self, export: &ShopExport) -> Result<ShopImportReport, ShopImportError> {
        let is_ours = again_on_deadlock(|| async {
            let mut writing = self.retour.store.write_in_one().await?;
            let is_ours = shop_imports::complete(writing.db(), self.lease.key(), self.retour.now()).await?;
            writing.commit().await?;
            Ok(is_ours)
        });
        if !is_ours.await? {
            return Err(ShopImportError::TakenOver);
        }
        let StoredPart { orders, left_out, unreadable, .. } = export.stored;
        self.report.orders = orders;
        self.report.left_out = left_out;
        self.report.unreadable_count = unreadable;
        self.report.created_since = export.created_since;
        self.report.changed_since = export.changed_since;
        Ok(self.report)
    }

    /// Forgets an export without a file, so that the next import starts another one.
    async fn abandon(&self) -> Result<()> {
        again_on_deadlock(|| async {
            let mut writing = self.retour.store.write_in_one().await?;
            shop_imports::abandon(writing.db(), self.lease.key()).await?;
            Ok(writing.commit().await?)
        })
        .await
    }
}

/// The orders to export. After an import that covers the wanted orders, only those that have changed since.
fn filter(wish: ShopImportWish, completed: Option<CompletedImport>) -> ExportFilter {
    match completed {
        Some(completed) if !wish.all && covers(completed.complete_from, wish.since) => ExportFilter {
            created_since: completed.complete_from,
            changed_since: Some(completed.complete_until.plus_seconds(-OVERLAP_SECONDS)),
        },
        _ => ExportFilter { created_since: wish.since, changed_since: None },
    }
}

/// Whether Retour has all orders that are wanted. Without a wish, those that it has are meant.
fn covers(complete_from: Option<Timestamp>, wanted: Option<Timestamp>) -> bool {
    match (complete_from, wanted) {
        (None, _) | (Some(_), None) => true,
        (Some(from), Some(wanted)) => wanted >= from,
    }
}

/// Whether the same call may succeed a little later.
fn is_temporary(error: &ExportError) -> bool {
    match error {
        ExportError::Shop(BridgeError::Unavailable(_)) | ExportError::OtherSize => true,
        ExportError::Download(error) => {
            matches!(
                error,
                CallError::TimedOut | CallError::BrokenOff | CallError::NotConnected | CallError::UnknownHost
            )
        }
        ExportError::FileStatus(status) => matches!(status, 408 | 429 | 500..),
        _ => false,
    }
}

/// The repetitions of a call.
#[derive(Debug, Default)]
struct Retries(u32);

impl Retries {
    /// Waits before the next repetition, or returns the error of the last one.
    async fn wait_or(&mut self, error: ExportError) -> Result<(), ShopImportError> {
        if self.0 >= RETRIES {
            return Err(error.into());
        }
        sleep(FIRST_RETRY.saturating_mul(1 << self.0)).await;
        self.0 += 1;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DAY: i64 = 86_400;
    const NOW: Timestamp = Timestamp::from_seconds(1_772_366_400);

    fn completed(complete_from: Option<Timestamp>) -> CompletedImport {
        CompletedImport { ended_at: NOW.plus_seconds(DAY), orders: 7, complete_from, complete_until: NOW }
    }

    #[test]
    fn after_an_import_only_changed_orders_are_exported() {
        let (march, april) = (Some(NOW.plus_seconds(-60 * DAY)), Some(NOW.plus_seconds(-30 * DAY)));
        let changed = Some(NOW.plus_seconds(-OVERLAP_SECONDS));
        for (since, all, before, expected) in [
            (None, false, None, (None, None)),
            (march, false, None, (march, None)),
            (None, false, Some(completed(None)), (None, changed)),
            (april, false, Some(completed(None)), (None, changed)),
            (None, false, Some(completed(march)), (march, changed)),
            (april, false, Some(completed(march)), (march, changed)),
            (march, false, Some(completed(april)), (march, None)),
            (None, true, Some(completed(march)), (None, None)),
            (april, true, Some(completed(None)), (april, None)),
        ] {
            let ExportFilter { created_since, changed_since } = filter(ShopImportWish { since, all }, before);
            assert_eq!((created_since, changed_since), expected, "{since:?} {all} {before:?}");
        }
    }
}
