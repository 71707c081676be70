//! People who proved an order, for the merchant.

use crate::{
    base::{Error, Result},
    merchant::handle::MerchantHandle,
    view,
};
use domain::ConsumerId;
use store::{consumers, lists::Listing};

impl MerchantHandle<'_> {
    /// An account's consumers.
    pub async fn consumers(self, listing: &Listing) -> Result<view::List<view::Consumer>> {
        let mut reading = self.retour.store.read().await?;
        let rows = consumers::list(reading.db(), self.staff.account(), listing).await?;
        Ok(view::List::new(listing.page, rows, Into::into))
    }

    /// A consumer.
    pub async fn consumer(self, id: ConsumerId) -> Result<view::Consumer> {
        let mut reading = self.retour.store.read().await?;
        let found = consumers::find(reading.db(), self.staff.account(), id).await?;
        Ok(found.ok_or(Error::NotFound)?.into())
    }
}
