//! Mail that an account's shoppers were sent.

use crate::{
    base::{Result, Retour, Staff},
    view,
};
use store::{lists::Listing, mails};

impl Retour {
    /// What became of an account's mail.
    pub async fn sent_mails(&self, staff: &Staff, listing: &Listing) -> Result<view::List<view::MailView>> {
        let mut reading = self.store.read().await?;
        let rows = mails::list(reading.db(), staff.account(), listing).await?;
        Ok(view::List::new(listing.page, rows, Into::into))
    }
}
