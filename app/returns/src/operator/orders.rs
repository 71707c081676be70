//! Imports of orders on the command line: from files, and from a connected shop.

use super::handle::OperatorHandle;
use crate::{
    base::{Result, Staff},
    orders::{
        import::{ImportError, Parsed},
        importer::{ImportSummary, Importer},
        shop_import::{ShopImportError, ShopImportReport, ShopImportStatus, ShopImportStep, ShopImportWish},
    },
};
use domain::{AccountId, account::Account};

impl OperatorHandle<'_> {
    /// Imports the orders of a file. Orders that Retour knows are updated; importing a file again changes nothing.
    pub async fn import(
        self,
        account: AccountId,
        file: impl Iterator<Item = Result<Parsed, ImportError>> + Send,
    ) -> Result<ImportSummary> {
        self.retour.import(account, file).await
    }

    /// Begins an import. A dry run rolls each batch back once its changes are known.
    pub async fn importer(self, account: AccountId, is_dry_run: bool) -> Result<Importer> {
        self.retour.importer(Staff::operator(account), is_dry_run).await
    }

    /// Imports all orders of the account's Shopify shop, or continues an import that was interrupted. `tell` gets the progress.
    pub async fn import_shop(
        self,
        account: &Account,
        wish: ShopImportWish,
        tell: &mut (dyn FnMut(ShopImportStep) + Send + Sync),
    ) -> Result<ShopImportReport, ShopImportError> {
        self.retour.import_shop(account, wish, tell).await
    }

    /// How far the import of the account's shop is.
    pub async fn shop_import_status(self, account: &Account) -> Result<ShopImportStatus, ShopImportError> {
        self.retour.shop_import_status(account).await
    }
}
