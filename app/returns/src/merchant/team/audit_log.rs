//! Reading the audit log.

use crate::{
    base::{OrBroken, Result, Scope},
    merchant::handle::MerchantHandle,
    view,
};
use domain::audit::AuditTopic;
use store::{audit, lists::Listing, page::Rows};

impl MerchantHandle<'_> {
    /// The audit log of the account. Who is not an administrator reads the entries about money alone.
    pub async fn audit_entries(self, listing: &Listing) -> Result<view::List<view::AuditEntry>> {
        let mut listing = listing.clone();
        if !self.staff.may(Scope::Admin) {
            let money = audit::LIST.condition(&format!("topic:{}", AuditTopic::Money.name()));
            listing.conditions.push(money.ok().or_broken()?);
        }
        let mut reading = self.retour.store.read().await?;
        let found = audit::list(reading.db(), self.staff.account(), &listing).await?;
        let rows = found.rows.into_iter().map(view::AuditEntry::new).collect::<Result<Vec<_>>>()?;
        Ok(view::List::new(listing.page, Rows { rows, next: found.next }, |entry| entry))
    }
}
