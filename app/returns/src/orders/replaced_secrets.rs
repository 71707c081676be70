//! Secrets of a Shopify app that were replaced: they are removed once they are no longer valid.

use crate::base::{OrBroken, Result, Retour, audit};
use domain::{
    account::Account,
    audit::AuditAction,
    integration::{Bridge, RemovedSecrets},
};
use serde_json::json;
use store::accounts;

impl Retour {
    /// Removes replaced secrets of an account, if it has such. The audit log says until when the others count.
    pub(crate) async fn remove_replaced_secrets(&self, account: &Account, which: RemovedSecrets) -> Result<()> {
        let mut known = account.bridge.shopify().cloned();
        if !known.as_mut().is_some_and(|shopify| shopify.remove_previous_secrets(which)) {
            return Ok(());
        }
        let mut writing = self.store.write().await?;
        accounts::hold(writing.db(), account.id).await?;
        let mut now = accounts::find(writing.db(), account.id).await?.or_broken()?;
        if now.bridge != account.bridge {
            return Ok(()); // it was changed since; a later call removes them
        }
        let Bridge::Shopify(shopify) = &mut now.bridge else { return Ok(()) };
        shopify.remove_previous_secrets(which);
        let at = self.now();
        let after = json!({"bridge": {"previousSecretEndsAt": shopify.previous_secrets_end_at(at)}});
        accounts::update(writing.db(), &now, at).await?;
        audit::record_by_shop(&mut writing, account.id, at, AuditAction::AccountUpdated, Some(after));
        Ok(writing.commit().await?)
    }
}
