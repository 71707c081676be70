//! Imports all orders of a connected Shopify shop, so that staff find them before a shopper has looked them up.
//!
//! Shopify exports the orders into a file ([`outbound::shops::shopify::ExportedOrders`]). Each order of it is stored as the
//! answer to a look-up is, by the same code. How far the file is stored is recorded in the transaction that stores the orders,
//! so that an import continues after a crash. One command works on an import at a time: [`lease`].

mod batch;
mod lease;
mod report;
mod run;
mod waiting;

pub use report::{ShopImportReport, ShopImportStatus, ShopImportStep, UnreadableOrder};

use crate::{
    base::{Error, OrBroken, Retour},
    integrations::shops::ShopConnection,
};
use domain::{TimeZone, Timestamp, account::Account, integration::BridgeKind};
use lease::ImportLease;
use outbound::shops::shopify::{ExportError, ExportLoss, Shopify};
use run::ShopImportRun;
use time::{Date, format_description::BorrowedFormatItem, macros::format_description};

const DAY: &[BorrowedFormatItem<'_>] = format_description!("[year]-[month]-[day]");

/// Which orders to import.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ShopImportWish {
    /// Orders created since; `None`: all, or those of the last import.
    pub since: Option<Timestamp>,
    /// Begin anew, and import orders again that have not changed since the last import.
    pub all: bool,
}

impl ShopImportWish {
    /// Parses a moment: a date, which begins in this time zone, or RFC 3339.
    pub fn parse_since(text: &str, zone: &TimeZone) -> Option<Timestamp> {
        Timestamp::parse(text).or_else(|| Date::parse(text, DAY).ok().map(|day| zone.start_of_day(day)))
    }
}

/// Why an import of all orders ended early. What is stored stays, and another import continues.
#[derive(Debug, thiserror::Error)]
pub enum ShopImportError {
    /// Retour itself failed.
    #[error(transparent)]
    Retour(#[from] Error),
    /// The account's orders come from elsewhere.
    #[error(
        "expected an account with a Shopify shop (bridge.kind: shopify): the orders of this one come from elsewhere"
    )]
    NotShopify,
    /// Another command imports the same shop.
    #[error("another import of this shop is running. `--status` shows how far it is")]
    Running,
    /// This command was so slow that another one has taken the import over.
    #[error("another command has taken this import over")]
    TakenOver,
    /// Shopify's export has no file.
    #[error("the export has no file: {0}")]
    Lost(ExportLoss),
    /// Shopify, or the file's server, failed.
    #[error("{0}")]
    Export(#[from] ExportError),
}

impl From<store::StoreError> for ShopImportError {
    fn from(error: store::StoreError) -> Self {
        Self::Retour(error.into())
    }
}

impl Retour {
    /// Imports the orders of an account's Shopify shop, or continues an import that was interrupted. `tell` gets the progress.
    pub(crate) async fn import_shop(
        &self,
        account: &Account,
        wish: ShopImportWish,
        tell: &mut (dyn FnMut(ShopImportStep) + Send + Sync),
    ) -> Result<ShopImportReport, ShopImportError> {
        let shopify = self.shopify_to_import(account)?;
        let lease = ImportLease::claim(self, account.id, account.bridge.shop_key(), tell).await?;
        let result = ShopImportRun::new(self, &shopify, &lease, tell).run(wish).await;
        lease.give_back().await;
        result
    }

    /// How far the import of an account's shop is.
    pub(crate) async fn shop_import_status(&self, account: &Account) -> Result<ShopImportStatus, ShopImportError> {
        if account.bridge.kind() != BridgeKind::Shopify {
            return Err(ShopImportError::NotShopify);
        }
        let mut reading = self.store.read().await?;
        let known = store::shop_imports::find(reading.db(), account.id, &account.bridge.shop_key()).await?;
        Ok(ShopImportStatus::new(known, self.now()))
    }

    fn shopify_to_import(&self, account: &Account) -> Result<Shopify, ShopImportError> {
        if account.bridge.kind() != BridgeKind::Shopify {
            return Err(ShopImportError::NotShopify);
        }
        match self.shop(account, account.bridge.connection().or_broken()?)? {
            ShopConnection::Shopify(shopify) => Ok(*shopify),
            ShopConnection::Http(_) | ShopConnection::Vendure(_) | ShopConnection::Medusa(_) => {
                Err(ShopImportError::NotShopify)
            }
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_date_begins_in_the_time_zone_of_the_account() {
        let berlin = TimeZone::from_name("Europe/Berlin").unwrap();
        let parse = |text: &str| ShopImportWish::parse_since(text, &berlin).map(|at| at.to_string());
        assert_eq!(parse("2026-01-01").as_deref(), Some("2025-12-31T23:00:00Z"));
        assert_eq!(parse("2026-01-01T00:00:00Z").as_deref(), Some("2026-01-01T00:00:00Z"));
        for wrong in ["", "2026", "01.01.2026", "2026-02-30", "yesterday"] {
            assert_eq!(parse(wrong), None, "{wrong}");
        }
    }
}
