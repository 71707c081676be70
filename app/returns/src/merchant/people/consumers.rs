//! People who proved an order, as a merchant sees them.

use crate::{
    base::{Error, Result, Retour, Staff},
    view,
};
use domain::ConsumerId;
use store::{consumers, lists::Listing};

impl Retour {
    /// An account's consumers.
    pub async fn consumers(&self, staff: &Staff, listing: &Listing) -> Result<view::List<view::Consumer>> {
        let mut reading = self.store.read().await?;
        let rows = consumers::list(reading.db(), staff.account(), listing).await?;
        Ok(view::List::new(listing.page, rows, Into::into))
    }

    /// A consumer.
    pub async fn consumer(&self, staff: &Staff, id: ConsumerId) -> Result<view::Consumer> {
        let mut reading = self.store.read().await?;
        let found = consumers::find(reading.db(), staff.account(), id).await?;
        Ok(found.ok_or(Error::NotFound)?.into())
    }
}
