//! What a merchant's programs can see and do.

pub(crate) mod expand;
mod progress;

pub use expand::Expand;
pub use progress::{Receipt, StatusUpdate};

use crate::{Error, Page, Program, Result, Retour, Scope, view};
use domain::{ReturnOrderId, ReturnRequestId, order::OrderNumberKey, returning::ReturnRequest};
use expand::Audience;
use store::{return_orders, return_requests};

impl Retour {
    /// An account's return requests, newest first.
    pub async fn return_requests(
        &self,
        program: &Program,
        order_number: Option<&OrderNumberKey>,
        page: Page,
        expand: &[Expand],
    ) -> Result<view::List<view::ReturnRequestView>> {
        program.require(Scope::Read)?;
        let mut reading = self.store.read().await?;
        let rows = return_requests::list(reading.db(), program.account, order_number, page).await?;
        let mut list = view::List::new(page, rows, view::ReturnRequestView::from);
        expand::requests(reading.db(), program.account, &mut list.data, expand).await?;
        Ok(list)
    }

    /// A return request.
    pub async fn return_request(
        &self,
        program: &Program,
        id: ReturnRequestId,
        expand: &[Expand],
    ) -> Result<view::ReturnRequestView> {
        program.require(Scope::Read)?;
        let mut reading = self.store.read().await?;
        let found: Option<ReturnRequest> = return_requests::find(reading.db(), program.account, id).await?;
        let mut request = view::ReturnRequestView::from(found.ok_or(Error::NotFound)?);
        expand::requests(reading.db(), program.account, std::slice::from_mut(&mut request), expand).await?;
        Ok(request)
    }

    /// An account's return orders, newest first.
    pub async fn return_orders(
        &self,
        program: &Program,
        page: Page,
        expand: &[Expand],
    ) -> Result<view::List<view::ReturnOrderView>> {
        program.require(Scope::Read)?;
        let mut reading = self.store.read().await?;
        let rows = return_orders::list(reading.db(), program.account, page).await?;
        expand::list(reading.db(), program.account, page, rows, (expand, Audience::Merchant)).await
    }

    /// A return order.
    pub async fn return_order(
        &self,
        program: &Program,
        id: ReturnOrderId,
        expand: &[Expand],
    ) -> Result<view::ReturnOrderView> {
        program.require(Scope::Read)?;
        let mut reading = self.store.read().await?;
        let order = return_orders::find(reading.db(), program.account, id).await?.ok_or(Error::NotFound)?;
        expand::one(reading.db(), program.account, order, (expand, Audience::Merchant)).await
    }
}
