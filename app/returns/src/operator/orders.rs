//! Imports of orders from files on the command line.

use super::handle::OperatorHandle;
use crate::{
    base::{Result, Staff},
    orders::{
        import::{ImportError, Parsed},
        importer::{ImportSummary, Importer},
    },
};
use domain::AccountId;

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
}
