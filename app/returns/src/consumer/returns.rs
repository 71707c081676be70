//! Following up a return: reading, listing and cancelling.

use super::handle::ConsumerHandle;
use crate::{
    base::{Done, IdempotencyKey, Result},
    returning::{
        owned::{consumer, own_order},
        step::states,
    },
    view::{
        self,
        expand::{self, Expand},
    },
};
use domain::party::Party;
use domain::{Locale, ReturnOrderId, returning};
use store::{page::Page, return_orders, return_requests};

/// The content of the page of a consumer's return.
#[derive(Debug)]
pub struct ReturnDetails {
    /// The return order, with the expanded objects.
    pub order: view::ReturnOrderView,
    /// The timeline, oldest entry first.
    pub timeline: Vec<view::TimelineEntryView>,
    /// Whether the consumer can still cancel the return.
    pub can_cancel: bool,
    /// What the shop offers this consumer today.
    pub offered: view::Offered,
}

impl ConsumerHandle<'_> {
    /// Returns a consumer's return order, its timeline, and what else its page shows.
    pub async fn follow(self, id: ReturnOrderId, expand: &[Expand], locale: &Locale) -> Result<ReturnDetails> {
        Ok(ReturnDetails {
            order: self.return_order(id, expand).await?,
            timeline: self.timeline(id).await?,
            can_cancel: self.can_cancel(id).await?,
            offered: self.offered(locale).await?,
        })
    }

    /// A consumer's return order.
    pub async fn return_order(self, id: ReturnOrderId, asked: &[Expand]) -> Result<view::ReturnOrderView> {
        let mut reading = self.retour.store.read().await?;
        let order = own_order(reading.db(), &self.shopper, id).await?;
        let consumer = consumer(reading.db(), &self.shopper).await?;
        expand::return_order(reading.db(), self.shopper.account, order, asked, Party::Consumer(&consumer)).await
    }

    /// A consumer's return orders, newest first.
    pub async fn return_orders(self, page: Page, asked: &[Expand]) -> Result<view::List<view::ReturnOrderView>> {
        let mut reading = self.retour.store.read().await?;
        let consumer = consumer(reading.db(), &self.shopper).await?;
        let rows =
            return_orders::list_by_consumer(reading.db(), self.shopper.account, self.shopper.consumer, page).await?;
        expand::return_orders(reading.db(), self.shopper.account, page, rows, asked, Party::Consumer(&consumer)).await
    }

    /// The timeline of a consumer's return order, oldest entry first.
    pub async fn timeline(self, id: ReturnOrderId) -> Result<Vec<view::TimelineEntryView>> {
        let mut reading = self.retour.store.read().await?;
        own_order(reading.db(), &self.shopper, id).await?;
        let entries = store::timeline::list_of_return_order(reading.db(), self.shopper.account, id).await?;
        // Failed calls to other systems are shown only to staff.
        Ok(entries.into_iter().filter(|entry| !entry.is_for_staff()).map(Into::into).collect())
    }

    /// Whether a consumer can still cancel a return order.
    pub async fn can_cancel(self, id: ReturnOrderId) -> Result<bool> {
        let mut reading = self.retour.store.read().await?;
        own_order(reading.db(), &self.shopper, id).await?;
        let requests = return_requests::list_of_return_orders(reading.db(), self.shopper.account, &[id]).await?;
        Ok(returning::blocks_cancelling(&states(&requests)).is_none())
    }

    /// Cancels a whole return order: releases its units and voids its label.
    pub async fn cancel(self, id: ReturnOrderId, key: Option<IdempotencyKey>) -> Result<Done<view::ReturnOrderView>> {
        self.retour.cancel_return(self.shopper.account, Party::Consumer(self.shopper.consumer), id, key).await
    }
}
