//! Mails to an account's shoppers.

use crate::{base::Result, merchant::handle::MerchantHandle, view};
use store::{lists::Listing, mails};

impl MerchantHandle<'_> {
    /// The account's mails, with their status.
    pub async fn sent_mails(self, listing: &Listing) -> Result<view::List<view::MailView>> {
        let mut reading = self.retour.store.read().await?;
        let rows = mails::list(reading.db(), self.staff.account(), listing).await?;
        Ok(view::List::new(listing.page, rows, Into::into))
    }
}
