//! Taking in many orders that a merchant's program sends together.

use super::order_input::OrdersInput;
use crate::{
    base::{Done, Error, IdempotencyKey, Result, Retour, Staff, error::check},
    orders::{import::Parsed, importer::Importer},
    view,
};

impl Retour {
    /// Takes in orders, all of them at once or none. `is_dry_run`: only says what would change.
    pub async fn import_orders(
        &self,
        staff: &Staff,
        orders: &OrdersInput,
        is_dry_run: bool,
        key: Option<IdempotencyKey>,
    ) -> Result<Done<view::ImportReport>> {
        let orders = orders.read().or_else(|problems| check(problems).and(Err(Error::Broken)))?;
        let mut importer = self.importer(staff.account(), is_dry_run).await?.all_at_once();
        for order in orders {
            importer.take(Ok(Parsed::from(order))).await?;
        }
        importer.conclude(key).await
    }

    /// Begins to take in the orders of a file, batch by batch.
    pub async fn import_file(&self, staff: &Staff, is_dry_run: bool) -> Result<Importer> {
        self.importer(staff.account(), is_dry_run).await
    }

    /// The answer that a request with this key got before. `None`: no request had the key.
    pub async fn import_before(&self, staff: &Staff, key: &IdempotencyKey) -> Result<Option<Done<view::ImportReport>>> {
        self.answer_to_import(staff.account(), key).await
    }

    /// Whether a request with this key was answered before, be it another request or this one.
    pub async fn is_import_answered(&self, staff: &Staff, key: &IdempotencyKey) -> Result<bool> {
        self.is_answered(staff.account(), key).await
    }
}
