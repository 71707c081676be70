//! The backlog of the workers' queues.

use super::handle::OperatorHandle;
use crate::base::Result;
use domain::Timestamp;
use store::{label_requests, mail_tasks, parcel_tasks, payment_tasks, settlements, webhook_deliveries};

/// What waits in the whole installation.
#[derive(Debug, Clone, Copy)]
pub struct Backlog {
    /// Webhooks to be delivered.
    pub webhooks: Waiting,
    /// Resolutions to be carried out by shops, since they were due.
    pub settlements: Waiting,
    /// Labels to be made by carriers, since they were needed.
    pub labels: Waiting,
    /// Parcels that carriers are to be asked about by now.
    pub parcels: Waiting,
    /// Payments that their providers are to be asked about by now.
    pub payments: Waiting,
    /// People who are to be told something by mail by now.
    pub mails: Waiting,
}

/// How much waits of one kind.
#[derive(Debug, Clone, Copy)]
pub struct Waiting {
    /// How many.
    pub count: i64,
    /// Since when the oldest does.
    pub oldest: Option<Timestamp>,
}

impl From<(i64, Option<Timestamp>)> for Waiting {
    fn from((count, oldest): (i64, Option<Timestamp>)) -> Self {
        Self { count, oldest }
    }
}

impl OperatorHandle<'_> {
    /// What waits: all of it is counted, so that it takes longer the more it is.
    pub async fn backlog(self) -> Result<Backlog> {
        let mut reading = self.retour.store.read().await?;
        let webhooks = webhook_deliveries::backlog(reading.db()).await?.into();
        let settlements = settlements::backlog(reading.db()).await?.into();
        let labels = label_requests::backlog(reading.db()).await?.into();
        let parcels = parcel_tasks::backlog(reading.db(), self.retour.now()).await?.into();
        let payments = payment_tasks::backlog(reading.db(), self.retour.now()).await?.into();
        let mails = mail_tasks::backlog(reading.db(), self.retour.now()).await?.into();
        Ok(Backlog { webhooks, settlements, labels, parcels, payments, mails })
    }
}
