//! Imports of many orders that a merchant's program sends together.

use super::order_input::OrdersInput;
use crate::{
    base::{Done, Error, IdempotencyKey, Result, error::check},
    merchant::handle::MerchantHandle,
    orders::{import::Parsed, importer::Importer},
    view,
};

impl MerchantHandle<'_> {
    /// Imports orders, all or none. A dry run only reports what would change.
    pub async fn import_orders(
        self,
        orders: &OrdersInput,
        is_dry_run: bool,
        key: Option<IdempotencyKey>,
    ) -> Result<Done<view::ImportReport>> {
        let orders = orders.read().or_else(|problems| check(problems).and(Err(Error::broken())))?;
        let mut importer = self.retour.importer(self.staff, is_dry_run).await?.all_at_once();
        for order in orders {
            importer.take(Ok(Parsed::from(order))).await?;
        }
        importer.conclude(key).await
    }

    /// Begins an import of a file of orders, batch by batch.
    pub async fn import_file(self, is_dry_run: bool) -> Result<Importer> {
        self.retour.importer(self.staff, is_dry_run).await
    }

    /// The earlier answer to a request with this key, or `None` if no request had the key.
    pub async fn import_before(self, key: &IdempotencyKey) -> Result<Option<Done<view::ImportReport>>> {
        self.retour.answer_to_import(self.staff.account(), key).await
    }

    /// Whether a request with this key was answered before, even if it was a different request.
    pub async fn is_import_answered(self, key: &IdempotencyKey) -> Result<bool> {
        self.retour.is_answered(self.staff.account(), key).await
    }
}
