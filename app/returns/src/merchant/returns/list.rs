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
use std::borrow::Cow;
use store::{Db, accounts, lists::Listing, return_orders, return_requests};

/// A list counts this many rows at most.
const MOST_COUNTED: i64 = 1_000;

impl MerchantHandle<'_> {
    /// An account's return requests.
    pub async fn return_requests(
        self,
        listing: &Listing,
        expand: &[Expand],
    ) -> Result<view::List<view::ReturnRequestView>> {
        check_listing(&self.staff, listing)?;
        let mut reading = self.retour.store.read().await?;
        let listing = self.resolved(reading.db(), listing).await?;
        let rows = return_requests::list(reading.db(), self.staff.account(), &listing).await?;
        let mut list = view::List::new(listing.page, rows, view::ReturnRequestView::from);
        expand::requests(reading.db(), self.staff.account(), &mut list.data, expand).await?;
        if listing.counts {
            let counted = return_requests::count_listed(reading.db(), self.staff.account(), &listing, MOST_COUNTED);
            list.count = Some(counted.await?.into());
        }
        Ok(list.seen_by_staff(&self.staff))
    }

    /// A filter by a queue, as a filter by what is in it now.
    async fn resolved<'l>(self, db: Db<'_>, listing: &'l Listing) -> Result<Cow<'l, Listing>> {
        if !listing.has_queue() {
            return Ok(Cow::Borrowed(listing));
        }
        let account = accounts::find(db, self.staff.account()).await?.ok_or(Error::NotFound)?;
        let (now, by_shop) = (self.retour.now(), account.is_settled_by_its_shop());
        Ok(Cow::Owned(listing.clone().resolve_queues(|queue| queue.parts(now, by_shop))))
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
        let mut list = expand::return_orders(reading.db(), account, page, rows, expand, Party::Staff(())).await?;
        if listing.counts {
            let counted = return_orders::count_listed(reading.db(), account, listing, MOST_COUNTED);
            list.count = Some(counted.await?.into());
        }
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
    if listing.has_filter_by("purchasePrice") && !staff.sees_money() {
        return Err(Error::Forbidden("a filter by price needs the scope read".to_owned()));
    }
    Ok(())
}
