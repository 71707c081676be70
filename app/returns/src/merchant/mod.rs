//! What a merchant's programs can see and do.

mod progress;

pub use progress::{Receipt, StatusUpdate};

use crate::{Error, Page, Program, Result, Retour, Scope, view};
use domain::{
    AccountId, ConsumerId, ReturnOrderId, ReturnRequestId,
    order::OrderNumberKey,
    policy::Address,
    returning::{ReturnOrder, ReturnRequest},
};
use store::{Reading, consumers, page::Rows, return_orders, return_requests, shipments};

/// What can be asked for beside a resource (spec 2.5).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Expand {
    /// The consumer in place of its id.
    Consumer,
    /// A return order's parcels.
    Shipments,
    /// A return order's requests.
    ReturnRequests,
}

/// Who reads an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Audience {
    /// The shop: sees everything.
    Merchant,
    /// The consumer: sees of themselves what they proved.
    Consumer,
}

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
        for request in &mut list.data {
            self.expand_request(&mut reading, program.account, request, expand).await?;
        }
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
        self.expand_request(&mut reading, program.account, &mut request, expand).await?;
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
        self.expanded_list(&mut reading, program.account, page, rows, (expand, Audience::Merchant)).await
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
        self.expanded(&mut reading, program.account, order, (expand, Audience::Merchant)).await
    }

    async fn expand_request(
        &self,
        reading: &mut Reading,
        account: AccountId,
        request: &mut view::ReturnRequestView,
        expand: &[Expand],
    ) -> Result<()> {
        if expand.contains(&Expand::Consumer) {
            let consumer = load_consumer(reading, account, request.consumer_id.id()).await?;
            request.consumer_id = view::Expandable::Object(Box::new(consumer.into()));
        }
        Ok(())
    }

    /// A return order with what was asked for beside it.
    pub(crate) async fn expanded(
        &self,
        reading: &mut Reading,
        account: AccountId,
        order: ReturnOrder,
        (expand, audience): (&[Expand], Audience),
    ) -> Result<view::ReturnOrderView> {
        let mut shown = view::ReturnOrderView::from(order);
        if expand.contains(&Expand::Consumer) {
            let consumer = load_consumer(reading, account, shown.consumer_id.id()).await?;
            let consumer = match audience {
                Audience::Merchant => consumer.into(),
                Audience::Consumer => view::Consumer::proved(consumer),
            };
            shown.consumer_id = view::Expandable::Object(Box::new(consumer));
        }
        if expand.contains(&Expand::Shipments) {
            let parcels = shipments::list_of_return_order(reading.db(), account, shown.id).await?;
            let shown_parcels = parcels.into_iter().map(|parcel| match audience {
                Audience::Merchant => view::ShipmentView::from(parcel),
                Audience::Consumer => view::ShipmentView { sender: Address::default(), ..parcel.into() },
            });
            shown.shipments = Some(shown_parcels.collect());
        }
        if expand.contains(&Expand::ReturnRequests) {
            let requests = return_requests::list_of_return_order(reading.db(), account, shown.id).await?;
            shown.return_requests = Some(requests.into_iter().map(Into::into).collect());
        }
        Ok(shown)
    }

    /// A page of return orders with what was asked for beside each.
    pub(crate) async fn expanded_list(
        &self,
        reading: &mut Reading,
        account: AccountId,
        page: Page,
        rows: Rows<ReturnOrder>,
        (expand, audience): (&[Expand], Audience),
    ) -> Result<view::List<view::ReturnOrderView>> {
        let mut orders = Vec::with_capacity(rows.rows.len());
        for order in rows.rows {
            orders.push(self.expanded(reading, account, order, (expand, audience)).await?);
        }
        Ok(view::List::new(page, Rows { rows: orders, next: rows.next }, |order| order))
    }
}

async fn load_consumer(reading: &mut Reading, account: AccountId, id: ConsumerId) -> Result<consumers::Consumer> {
    consumers::find(reading.db(), account, id).await?.ok_or(Error::NotFound)
}
