//! An account's return orders and return requests.

use crate::{
    base::{Error, Result},
    merchant::handle::MerchantHandle,
    view::{
        self,
        expand::{self, Expand},
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
        let mut reading = self.retour.store.read().await?;
        let rows = return_requests::list(reading.db(), self.staff.account(), listing).await?;
        let mut list = view::List::new(listing.page, rows, view::ReturnRequestView::from);
        expand::requests(reading.db(), self.staff.account(), &mut list.data, expand).await?;
        Ok(list)
    }

    /// A return request.
    pub async fn return_request(self, id: ReturnRequestId, expand: &[Expand]) -> Result<view::ReturnRequestView> {
        let mut reading = self.retour.store.read().await?;
        let found: Option<ReturnRequest> = return_requests::find(reading.db(), self.staff.account(), id).await?;
        let mut request = view::ReturnRequestView::from(found.ok_or(Error::NotFound)?);
        expand::requests(reading.db(), self.staff.account(), std::slice::from_mut(&mut request), expand).await?;
        Ok(request)
    }

    /// An account's return orders.
    pub async fn return_orders(
        self,
        listing: &Listing,
        expand: &[Expand],
    ) -> Result<view::List<view::ReturnOrderView>> {
        let mut reading = self.retour.store.read().await?;
        let rows = return_orders::list(reading.db(), self.staff.account(), listing).await?;
        expand::return_orders(reading.db(), self.staff.account(), listing.page, rows, expand, Party::Staff(())).await
    }

    /// A return order.
    pub async fn return_order(self, id: ReturnOrderId, expand: &[Expand]) -> Result<view::ReturnOrderView> {
        let mut reading = self.retour.store.read().await?;
        let order = return_orders::find(reading.db(), self.staff.account(), id).await?.ok_or(Error::NotFound)?;
        expand::return_order(reading.db(), self.staff.account(), order, expand, Party::Staff(())).await
    }
}
