//! Taking in many orders at once.

use super::purchases::refusal_of;
use crate::{
    Done, Error, IdempotencyKey, Result, Retour, Staff, again_on_deadlock,
    consumer::can_be_sent,
    detached,
    error::check,
    idempotency::{Begun, conclude},
    import::{self, Format, Parsed},
    merchant::OrdersInput,
    operator::Batch,
    view,
};
use domain::{AccountId, RefusalCode, order::NewOrder};
use store::{import::Teller, known_lines};

/// Rows and orders that a report names.
const MOST_TOLD: usize = 1_000;

impl Retour {
    /// Takes in orders, all of them at once or none.
    pub async fn import_orders(
        &self,
        staff: &Staff,
        orders: &OrdersInput,
        key: Option<IdempotencyKey>,
    ) -> Result<Done<view::ImportReport>> {
        let orders = orders.read().or_else(|problems| check(problems).and(Err(Error::Broken)))?;
        self.take_in(staff.account(), orders, Vec::new(), key).await
    }

    /// Takes in the orders of a CSV file, all of them at once or none. Rows that cannot be used are left out.
    pub async fn import_csv(
        &self,
        staff: &Staff,
        format: Format,
        file: &[u8],
        key: Option<IdempotencyKey>,
    ) -> Result<Done<view::ImportReport>> {
        let unreadable =
            |error: import::ImportError| Error::invalid("body", RefusalCode::NotAllowed, error.to_string());
        let mut reading = self.store.read().await?;
        let zone = store::accounts::find(reading.db(), staff.account()).await?.ok_or(Error::NotFound)?.time_zone;
        drop(reading);
        let (mut orders, mut skipped) = (Vec::new(), Vec::new());
        for parsed in import::orders(format, file, &zone).map_err(unreadable)? {
            match parsed.map_err(unreadable)? {
                Parsed::Order(order) => orders.push(order),
                Parsed::Skipped { line, reason } => skipped.push(view::SkippedRow { line, reason }),
            }
        }
        self.take_in(staff.account(), orders, skipped, key).await
    }

    async fn take_in(
        &self,
        account: AccountId,
        orders: Vec<NewOrder>,
        mut skipped: Vec<view::SkippedRow>,
        key: Option<IdempotencyKey>,
    ) -> Result<Done<view::ImportReport>> {
        let options = self.offered_options(account).await?;
        let mut report = view::ImportReport {
            orders: orders.len() as u64,
            lines: orders.iter().map(|order| order.lines.len() as u64).sum(),
            changed: 0,
            without_shipping_option: orders.iter().filter(|order| !can_be_sent(&options, order.currency)).count()
                as u64,
            skipped_count: skipped.len(),
            skipped: Vec::new(),
            refused: Vec::new(),
            refused_count: 0,
        };
        skipped.truncate(MOST_TOLD);
        report.skipped = skipped;
        let retour = self.clone();
        let take_in = async move {
            again_on_deadlock(|| retour.take_in_once(account, &orders, report.clone(), key.as_ref())).await
        };
        detached(take_in).await
    }

    async fn take_in_once(
        &self,
        account: AccountId,
        orders: &[NewOrder],
        mut report: view::ImportReport,
        key: Option<&IdempotencyKey>,
    ) -> Result<Done<view::ImportReport>> {
        let mut writing = match self.begin(account, key).await? {
            Begun::New(writing) => writing,
            Begun::Before(done) => return Ok(done),
        };
        // Who is forgotten meanwhile waits, or was forgotten before.
        store::accounts::hold(writing.db(), account).await?;
        let mut orders = orders.to_vec();
        Self::forget_erased(writing.db(), account, orders.iter_mut()).await?;
        let mut batch = Batch::default();
        for order in orders {
            batch.add(self, order);
        }
        known_lines::hold(writing.db(), account, batch.orders.iter().map(|incoming| &incoming.order)).await?;
        let upserted = store::import::upsert(writing.db(), account, Teller::HERE, &batch.orders).await?;
        report.changed = upserted.changed;
        report.refused_count = upserted.refused.len();
        let refused = upserted.refused.into_iter().take(MOST_TOLD).filter_map(|(index, why)| {
            let number = batch.orders.get(index)?.order.number.clone();
            Some(view::RefusedOrder { number, reason: refusal_of(why).code })
        });
        report.refused = refused.collect();
        conclude(writing, account, key, 200, report).await
    }
}
