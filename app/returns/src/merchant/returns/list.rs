//! An account's return orders and return requests.

use crate::{
    base::{Error, Result, Staff},
    merchant::handle::MerchantHandle,
    view::{
        self,
        expand::{self, Expand},
        redaction::SeenByStaff as _,
    },
};
use domain::party::Party;
use domain::{ReturnOrderId, ReturnRequestId, returning::ReturnRequest};
use store::{lists::Listing, return_orders, return_requests};

impl MerchantHandle<'_> {
    /// An account's return requests.
    pub async fn return_requests(
        self,
        listing: &Listing,
        expand: &[Expand],
    ) -> Result<view::List<view::ReturnRequestView>> {
        check_listing(&self.staff, listing)?;
        let mut reading = self.retour.store.read().await?;
        let rows = return_requests::list(reading.db(), self.staff.account(), listing).await?;
        let mut list = view::List::new(listing.page, rows, view::ReturnRequestView::from);
        expand::requests(reading.db(), self.staff.account(), &mut list.data, expand).await?;
        Ok(list.seen_by_staff(&self.staff))
    }

    /// A return request.
    pub async fn return_request(self, id: ReturnRequestId, expand: &[Expand]) -> Result<view::ReturnRequestView> {
        let mut reading = self.retour.store.read().await?;
        let found: Option<ReturnRequest> = return_requests::find(reading.db(), self.staff.account(), id).await?;
        let mut request = view::ReturnRequestView::from(found.ok_or(Error::NotFound)?);
        expand::requests(reading.db(), self.staff.account(), std::slice::from_mut(&mut request), expand).await?;
        Ok(request.seen_by_staff(&self.staff))
    }

    /// An account's return orders.
    pub async fn return_orders(
        self,
        listing: &Listing,
        expand: &[Expand],
    ) -> Result<view::List<view::ReturnOrderView>> {
        check_listing(&self.staff, listing)?;
        let mut reading = self.retour.store.read().await?;
        let (account, page) = (self.staff.account(), listing.page);
        let rows = return_orders::list(reading.db(), account, listing).await?;
        let list = expand::return_orders(reading.db(), account, page, rows, expand, Party::Staff(())).await?;
        Ok(list.seen_by_staff(&self.staff))
    }

    /// A return order.
    pub async fn return_order(self, id: ReturnOrderId, expand: &[Expand]) -> Result<view::ReturnOrderView> {
        let mut reading = self.retour.store.read().await?;
        let order = return_orders::find(reading.db(), self.staff.account(), id).await?.ok_or(Error::NotFound)?;
        let order = expand::return_order(reading.db(), self.staff.account(), order, expand, Party::Staff(())).await?;
        Ok(order.seen_by_staff(&self.staff))
    }
}

/// Refuses a search by those who see no e-mail addresses: its results would tell whose address is known.
fn check_listing(staff: &Staff, listing: &Listing) -> Result<()> {
    if listing.search.is_some() && !staff.sees_contact() {
        return Err(Error::Forbidden("a search needs the scope read".to_owned()));
    }
    Ok(())
}
