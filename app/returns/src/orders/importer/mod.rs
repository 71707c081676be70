//! Imports orders in batches, one transaction each. Other writers get their turn between batches, and finished batches
//! stay if the file breaks off. Importing a file again is safe: unchanged orders are not written.

use crate::{
    base::{
        Begun, Done, Error, IdempotencyKey, Result, Retour, Staff, again_on_deadlock, audit, detached,
        idempotency::keep,
    },
    orders::import::{FileOrder, ImportError, OrderRef, Parsed},
    view,
};
use domain::{
    AccountId, OrderId, PurchaseId, TimeZone, Timestamp,
    audit::AuditAction,
    order::NewOrder,
    proof::{EmailKey, ProvingPostalCode},
};
use report::Facts;
use serde_json::json;
use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};
use store::{
    Db, Writing, completeness, erasures,
    import::{Incoming, OrderSource, RefusedBecause},
    known_lines::{self, KnownOrder},
};
use tokio::sync::Mutex;

pub use report::{ImportSummary, OrderSample};
mod report;
mod same_lines;

/// The maximum number of lines in one transaction: enough to use the disk well, and few enough to let other writers in.
const LINES_A_TRANSACTION: usize = 10_000;
/// The maximum size of the rows in one transaction, in bytes. They are held in memory until it is written.
const BYTES_A_TRANSACTION: usize = 8 * 1024 * 1024;
/// How far two dates of one order may differ, in seconds: they may be in different time zones.
const SAME_DATE: i64 = 26 * 3_600;

/// An import in progress.
#[derive(Debug)]
pub struct Importer {
    retour: Retour,
    staff: Staff,
    is_dry_run: bool,
    is_at_once: bool,
    facts: Facts,
    batch: Batch,
    report: ImportSummary,
    /// The number of full batches that were written.
    batches: u32,
    /// The orders and lines that are in the database.
    written: Written,
}

/// The part of a file that is in the database.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Written {
    /// The number of orders.
    pub orders: u64,
    /// The number of their lines.
    pub lines: u64,
}

impl Retour {
    /// Imports orders. Known orders are updated, and a repeated import changes nothing.
    pub(crate) async fn import(
        &self,
        account: AccountId,
        file: impl Iterator<Item = Result<Parsed, ImportError>> + Send,
    ) -> Result<ImportSummary> {
        let mut importer = self.importer(Staff::operator(account), false).await?;
        for parsed in file {
            importer.take(parsed).await?;
        }
        importer.finish().await
    }

    /// Starts an import. `is_dry_run`: each batch is rolled back after its changes are counted.
    pub(crate) async fn importer(&self, staff: Staff, is_dry_run: bool) -> Result<Importer> {
        let account = staff.account();
        let mut reading = self.store.read().await?;
        let known = store::accounts::find(reading.db(), account).await?.ok_or(Error::UnknownAccount)?;
        let options = store::shipping_options::list_offered(reading.db(), account).await?;
        let facts = Facts { look_up_by: known.policy.look_up_by, time_zone: known.time_zone, options };
        let (batch, report) = (Batch::default(), ImportSummary { is_dry_run, ..ImportSummary::default() });
        Ok(Importer {
            retour: self.clone(),
            staff,
            is_dry_run,
            is_at_once: false,
            facts,
            batch,
            report,
            batches: 0,
            written: Written::default(),
        })
    }

    /// Whether this key has a stored response, of this request or of another one.
    pub(crate) async fn is_answered(&self, account: AccountId, key: &IdempotencyKey) -> Result<bool> {
        let mut reading = self.store.read().await?;
        let found = store::idempotency::find(reading.db(), account, key, self.now()).await?;
        Ok(found != store::idempotency::KeyClaim::New)
    }

    /// The stored response of this request. Fails if the key belongs to another request.
    pub(crate) async fn answer_to_import(
        &self,
        account: AccountId,
        key: &IdempotencyKey,
    ) -> Result<Option<Done<view::ImportReport>>> {
        let mut reading = self.store.read().await?;
        self.answered(&mut reading, account, Some(key)).await
    }
}

impl Importer {
    /// Makes the import atomic: everything is held in memory, and written in one transaction at the end.
    #[must_use]
    pub fn all_at_once(self) -> Self {
        Self { is_at_once: true, ..self }
    }

    /// Adds the next item of a file. Writes the batch when it is full.
    pub async fn take(&mut self, parsed: Result<Parsed, ImportError>) -> Result<()> {
        match parsed {
            Err(error) => self.report.stop(&error),
            Ok(Parsed::Skipped { line, reason }) => self.report.skip(line, reason),
            Ok(Parsed::Order(order)) => {
                // One statement cannot change a row twice, so a repeated order goes into the next batch.
                if (self.batch.is_full() && !self.is_at_once) || self.batch.knows(&order.order) {
                    self.write(None).await?;
                }
                self.report.read(&order, &self.facts);
                self.batch.add(&self.retour, order);
            }
            Ok(Parsed::Incomplete(order)) => {
                if self.batch.is_full() && !self.is_at_once {
                    self.write(None).await?;
                }
                self.batch.note_incomplete(order);
            }
        }
        Ok(())
    }

    /// The account's time zone. Dates without a time in a file are in this zone.
    pub fn time_zone(&self) -> &TimeZone {
        &self.facts.time_zone
    }

    /// Why the rest of the file could not be read, if so.
    pub fn stopped(&self) -> Option<&str> {
        self.report.stopped.as_deref()
    }

    /// The part of the file that is in the database already.
    pub fn written(&self) -> Written {
        self.written
    }

    /// Writes the last batch.
    pub async fn finish(mut self) -> Result<ImportSummary> {
        self.write(None).await?;
        Ok(self.report)
    }

    /// Writes the last batch, and stores the response with the key in the same transaction. If the key has got a
    /// response since, returns that one. A dry run stores none, because it has no effect.
    pub async fn conclude(mut self, key: Option<IdempotencyKey>) -> Result<Done<view::ImportReport>> {
        let before = self.write(key.filter(|_| !self.is_dry_run)).await?;
        Ok(before.unwrap_or_else(|| Done::Fresh { status: 200, value: self.report.into() }))
    }

    async fn write(&mut self, key: Option<IdempotencyKey>) -> Result<Option<Done<view::ImportReport>>> {
        let (retour, staff, is_dry_run) = (self.retour.clone(), self.staff, self.is_dry_run);
        let account = staff.account();
        let is_full = self.batch.is_full();
        let (mut batch, report) = (std::mem::take(&mut self.batch), std::mem::take(&mut self.report));
        let written = detached(async move {
            loop {
                let mut reading = retour.store.read().await?;
                let state = erasures::state(reading.db(), account).await?;
                let orders = batch.orders.iter_mut().map(|incoming| &mut incoming.order);
                Retour::forget_erased(reading.db(), account, orders).await?;
                drop(reading);
                let held = Arc::new(Mutex::new(batch));
                let once = BatchWrite {
                    retour: &retour,
                    staff,
                    account,
                    is_dry_run,
                    key: key.as_ref(),
                    state,
                    report: &report,
                };
                let written = again_on_deadlock(|| once.run(Arc::clone(&held))).await?;
                match written {
                    Some(written) => return Ok(written),
                    None => batch = std::mem::take(&mut *held.lock().await), // a person was erased since the batch was read
                }
            }
        })
        .await?;
        match written {
            BatchDone::Before(done) => Ok(Some(*done)),
            BatchDone::Now(report) => {
                self.report = *report;
                if !is_dry_run {
                    let orders = self.report.orders.saturating_sub(self.report.refused_count);
                    self.written = Written { orders, lines: self.report.lines };
                    self.batches += u32::from(is_full);
                    // After 1, 4, 16, … full batches.
                    if is_full && self.batches.is_power_of_two() && self.batches.trailing_zeros().is_multiple_of(2) {
                        self.retour.store.refresh_statistics().await;
                    }
                }
                Ok(None)
            }
        }
    }
}

/// The result of a batch.
enum BatchDone {
    /// The batch is written. Holds the report so far.
    Now(Box<ImportSummary>),
    /// The key had a stored response already.
    Before(Box<Done<view::ImportReport>>),
}

/// The write of one batch.
struct BatchWrite<'a> {
    retour: &'a Retour,
    staff: Staff,
    account: AccountId,
    is_dry_run: bool,
    key: Option<&'a IdempotencyKey>,
    /// The version of the account's erasures that the batch has applied.
    state: i64,
    report: &'a ImportSummary,
}

impl BatchWrite<'_> {
    /// Tries once to write the batch. `None` if a person was erased since: the batch must apply that erasure first.
    async fn run(&self, batch: Arc<Mutex<Batch>>) -> Result<Option<BatchDone>> {
        let mut batch = batch.lock().await;
        let mut writing = match self.retour.begin(self.account, self.key).await? {
            Begun::New(writing) => writing,
            Begun::Before(done) => return Ok(Some(BatchDone::Before(Box::new(done)))),
        };
        store::accounts::hold(writing.db(), self.account).await?;
        if erasures::state(writing.db(), self.account).await? != self.state {
            return Ok(None);
        }
        let mut report = self.report.clone();
        batch.recognise(writing.db(), self.account).await?;
        report.refuse(batch.refused.iter().cloned());
        let orders = &batch.orders;
        known_lines::hold(writing.db(), self.account, orders.iter().map(|incoming| &incoming.order)).await?;
        let upserted = store::import::upsert(writing.db(), self.account, OrderSource::HERE, orders).await?;
        batch.mark_incomplete(writing.db(), self.account).await?;
        report.changed += upserted.changed;
        let number = |index: usize| orders.get(index).map(|incoming| incoming.order.number.clone());
        report.refuse(upserted.refused.into_iter().filter_map(|(index, why)| Some((number(index)?, why))));
        self.conclude(writing, report).await.map(Some)
    }

    async fn conclude(&self, mut writing: Writing, report: ImportSummary) -> Result<BatchDone> {
        if self.is_dry_run {
            drop(writing); // rolls back
            return Ok(BatchDone::Now(Box::new(report)));
        }
        let changed = report.changed.saturating_sub(self.report.changed);
        if changed > 0 {
            let (now, action) = (self.retour.now(), AuditAction::OrdersImported);
            let after = Some(json!({"changedOrders": changed}));
            audit::record(&mut writing, &self.staff, now, action, self.account, None, after);
        }
        if let Some(key) = self.key {
            keep(&mut writing, self.account, key, 200, &view::ImportReport::from(report.clone()), Ok).await?;
        }
        writing.commit().await?;
        Ok(BatchDone::Now(Box::new(report)))
    }
}

/// The orders of one transaction.
#[derive(Debug, Default)]
pub(crate) struct Batch {
    pub orders: Vec<Incoming>,
    /// Orders, or their lines, that have no id in the file.
    nameless: HashMap<OrderId, Nameless>,
    lines: usize,
    bytes: usize,
    order_ids: HashSet<String>,
    line_ids: HashSet<String>,
    /// Orders of the file, in this batch or an earlier one, of which a later row was skipped.
    incomplete: HashSet<OrderRef>,
    /// Refused orders, by number. They are kept here, so that a retried transaction still reports them.
    refused: Vec<(String, RefusedBecause)>,
}

/// What has no id of its own in the file.
#[derive(Debug, Clone, Copy)]
struct Nameless {
    order: bool,
    lines: bool,
}

impl Batch {
    fn is_full(&self) -> bool {
        self.lines >= LINES_A_TRANSACTION || self.bytes >= BYTES_A_TRANSACTION
    }

    fn knows(&self, order: &NewOrder) -> bool {
        self.order_ids.contains(&order.external_id)
            || order.lines.iter().any(|line| self.line_ids.contains(&line.external_id))
    }

    pub fn add(&mut self, retour: &Retour, from: impl Into<FileOrder>) {
        let from = from.into();
        let id = OrderId(retour.source.id());
        if !from.has_id || !from.names_lines {
            self.nameless.insert(id, Nameless { order: !from.has_id, lines: !from.names_lines });
        }
        let order = from.order;
        self.order_ids.insert(order.external_id.clone());
        self.line_ids.extend(order.lines.iter().map(|line| line.external_id.clone()));
        self.lines += order.lines.len();
        self.bytes += from.bytes;
        let line_ids = order.lines.iter().map(|_| PurchaseId(retour.source.id())).collect();
        self.orders.push(Incoming { id, line_ids, order });
    }

    fn note_incomplete(&mut self, order: OrderRef) {
        if self.incomplete.insert(order) {
            self.lines += 1; // it takes memory, and time when it is written
        }
    }

    /// The orders that lack a line because a later row was skipped.
    async fn mark_incomplete(&self, db: Db<'_>, account: AccountId) -> Result<()> {
        let (mut ids, mut numbers) = (Vec::new(), Vec::new());
        for order in &self.incomplete {
            match order {
                OrderRef::Id(id) => ids.push(id.as_str()),
                OrderRef::Number(number) => numbers.push(number.as_str()),
            }
        }
        Ok(completeness::mark_partial(db, account, &ids, &numbers).await?)
    }

    /// Gives the lines of known orders their known ids. Removes orders that share only the number with a known order.
    async fn recognise(&mut self, db: Db<'_>, account: AccountId) -> Result<()> {
        let Self { orders, nameless, refused, .. } = self;
        let ids: Vec<&str> = orders
            .iter()
            .filter(|incoming| nameless.contains_key(&incoming.id))
            .map(|incoming| incoming.order.external_id.as_str())
            .collect();
        let known: HashMap<String, KnownOrder> = known_lines::hold_orders(db, account, &ids).await?;
        if known.is_empty() {
            return Ok(());
        }
        orders.retain_mut(|Incoming { id, order, .. }| {
            let (Some(nameless), Some(known)) = (nameless.get(id), known.get(&order.external_id)) else { return true };
            if nameless.order && !is_same_order(known, order) {
                refused.push((order.number.clone(), RefusedBecause::OtherOrder));
                return false;
            }
            if nameless.lines {
                same_lines::adopt(order, &known.lines);
            }
            true
        });
        Ok(())
    }
}

/// Whether an order that has only a number in the file may be this known order. Shops restart their numbers, and two
/// shops may use the same ones.
fn is_same_order(known: &KnownOrder, order: &NewOrder) -> bool {
    let is_same_buyer = match (EmailKey::new(&known.email), EmailKey::new(&order.email)) {
        (Some(ours), Some(theirs)) => ours == theirs,
        _ => {
            let ours = ProvingPostalCode::of(&known.address, &known.billing_postal_code);
            let theirs = ProvingPostalCode::of(&order.address, &order.billing_postal_code);
            ours.zip(theirs).is_none_or(|(ours, theirs)| ours.stored() == theirs.stored())
        }
    };
    let seconds = |at: Timestamp| at.micros() / 1_000_000;
    is_same_buyer && (seconds(known.ordered_at) - seconds(order.ordered_at)).abs() <= SAME_DATE
}
