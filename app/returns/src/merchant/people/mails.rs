//! Mail that an account's shoppers were sent.

use crate::{base::Result, merchant::handle::MerchantHandle, view};
use store::{lists::Listing, mails};

impl MerchantHandle<'_> {
    /// What became of an account's mail.
    pub async fn sent_mails(self, listing: &Listing) -> Result<view::List<view::MailView>> {
        let mut reading = self.retour.store.read().await?;
        let rows = mails::list(reading.db(), self.staff.account(), listing).await?;
        Ok(view::List::new(listing.page, rows, Into::into))
    }
}
