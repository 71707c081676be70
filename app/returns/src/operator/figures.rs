//! The backlog of the workers' queues.

use super::handle::OperatorHandle;
use crate::base::Result;
use domain::Timestamp;
use store::{
    label_requests, mail_tasks, order_refreshes, parcel_tasks, payment_tasks, settlements, shop_returns,
    webhook_deliveries,
};

/// The waiting jobs of the whole installation.
#[derive(Debug, Clone, Copy)]
pub struct Backlog {
    /// Webhook deliveries.
    pub webhooks: Waiting,
    /// Resolutions that shops have to carry out.
    pub settlements: Waiting,
    /// Stored orders that are due to be read again from their shop.
    pub refreshes: Waiting,
    /// Returns that are due to be compared with those that shops show.
    pub shop_returns: Waiting,
    /// Labels that carriers have to create.
    pub labels: Waiting,
    /// Shipments whose next tracking query is due.
    pub parcels: Waiting,
    /// Payments whose next query to the provider is due.
    pub payments: Waiting,
    /// Mails that are due.
    pub mails: Waiting,
}

/// The waiting jobs of one kind.
#[derive(Debug, Clone, Copy)]
pub struct Waiting {
    /// The number of jobs.
    pub count: i64,
    /// Since when the oldest job waits.
    pub oldest: Option<Timestamp>,
}

impl From<(i64, Option<Timestamp>)> for Waiting {
    fn from((count, oldest): (i64, Option<Timestamp>)) -> Self {
        Self { count, oldest }
    }
}

impl OperatorHandle<'_> {
    /// The backlog of all queues. Counts every waiting row, so it takes longer the larger the backlog is.
    pub async fn backlog(self) -> Result<Backlog> {
        let mut reading = self.retour.store.read().await?;
        let webhooks = webhook_deliveries::backlog(reading.db()).await?.into();
        let settlements = settlements::backlog(reading.db()).await?.into();
        let refreshes = order_refreshes::backlog(reading.db(), self.retour.now()).await?.into();
        let shop_returns = shop_returns::backlog(reading.db(), self.retour.now()).await?.into();
        let labels = label_requests::backlog(reading.db()).await?.into();
        let parcels = parcel_tasks::backlog(reading.db(), self.retour.now()).await?.into();
        let payments = payment_tasks::backlog(reading.db(), self.retour.now()).await?.into();
        let mails = mail_tasks::backlog(reading.db(), self.retour.now()).await?.into();
        Ok(Backlog { webhooks, settlements, refreshes, shop_returns, labels, parcels, payments, mails })
    }
}
