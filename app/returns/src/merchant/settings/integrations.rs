//! The external systems of an account, and the results of calls to them.

use crate::{
    base::{Error, Result, Retour},
    merchant::handle::MerchantHandle,
    view,
};
use domain::{
    AccountId,
    account::Account,
    integration::{BridgeKind, IntegrationOperation},
};
use store::{Writing, accounts, integrations, shop_reconciliations};

impl MerchantHandle<'_> {
    /// The external systems of the account, with the results of recent calls to each.
    pub async fn integrations(self) -> Result<view::List<view::Integration>> {
        let mut reading = self.retour.store.read().await?;
        let account = accounts::find(reading.db(), self.staff.account()).await?.ok_or(Error::NotFound)?;
        let known = integrations::list(reading.db(), account.id).await?;
        Ok(view::List::whole(view::Integration::all(&account, &known, self.retour.now())))
    }
}

/// How many days of a newly connected shop's changes are read. Apps may see the orders of so many days.
const CHANGES_OF_DAYS: i64 = 60;
const DAY: i64 = 86_400;

impl Retour {
    /// Reads the changes of a shop that is connected or whose connection has changed, if it lists its changes.
    pub(crate) async fn follow_changes(&self, writing: &mut Writing, before: &Account, now: &Account) -> Result<()> {
        if before.bridge == now.bridge {
            return Ok(());
        }
        let at = self.now();
        match now.bridge.kind() {
            BridgeKind::Shopify => {
                let from = at.plus_seconds(-CHANGES_OF_DAYS * DAY);
                Ok(shop_reconciliations::insert(writing.db(), now.id, &now.bridge.shop_key(), from, at).await?)
            }
            BridgeKind::Catalog | BridgeKind::Http | BridgeKind::Vendure | BridgeKind::Medusa => {
                Ok(shop_reconciliations::delete(writing.db(), now.id).await?)
            }
        }
    }

    /// Deletes the results of calls to systems whose connection or secrets have changed.
    pub(crate) async fn forget_health(
        &self,
        writing: &mut Writing,
        account: AccountId,
        before: &Account,
        now: &Account,
    ) -> Result<()> {
        use domain::integration::IntegrationRole as Role;
        let is_other = |operation: &IntegrationOperation| match operation.role() {
            Role::Shop => before.bridge != now.bridge,
            // The carrier may be the bridge.
            Role::Carrier => before.carrier != now.carrier || before.carrier_key() != now.carrier_key(),
            Role::PaymentProvider => before.payment != now.payment,
        };
        let others: Vec<IntegrationOperation> = IntegrationOperation::ALL.into_iter().filter(is_other).collect();
        integrations::forget(writing.db(), account, &others).await?;
        self.health.forget_all(account, &others);
        Ok(())
    }
}
