//! What operators measure: calls to others by outcome and how long they took, and what waits.

use crate::{Result, Retour};
use domain::Timestamp;
use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};
use store::{label_requests, mail_tasks, parcel_tasks, payment_tasks, settlements, webhook_deliveries};

/// Calls that this program made since it began. Clones share them.
#[derive(Debug, Clone, Default)]
pub struct Figures {
    /// Attempts to deliver webhooks.
    pub webhook_attempts: Latencies,
    /// Orders that shops were asked for.
    pub look_ups: Latencies,
    /// Resolutions that shops were asked to carry out.
    pub resolutions: Latencies,
    /// Labels that carriers were asked for.
    pub labels: Latencies,
    /// What carriers were asked of parcels that have their labels.
    pub parcels: Latencies,
    /// What payment providers were asked.
    pub payments: Latencies,
    /// Mails that were handed over, or were to be.
    pub mails: Latencies,
    /// Files that were written, read or deleted.
    pub files: Latencies,
}

/// How long calls took, by what came of them. Clones share them.
#[derive(Debug, Clone, Default)]
pub struct Latencies(Arc<Mutex<BTreeMap<&'static str, Latency>>>);

/// How long calls with one outcome took.
#[derive(Debug, Clone, Default)]
pub struct Latency {
    /// How many took no longer than each of [`Latency::BOUNDS`].
    pub within: [u64; Latency::BOUNDS.len()],
    /// How many there were.
    pub count: u64,
    /// All of them together, seconds.
    pub sum: f64,
}

impl Latency {
    /// Seconds: bounds of the histogram.
    pub const BOUNDS: [f64; 10] = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 2.5, 5.0, 15.0];
}

impl Latencies {
    pub(crate) fn count(&self, outcome: &'static str, took: Duration) {
        let seconds = took.as_secs_f64();
        let mut latencies = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let latency = latencies.entry(outcome).or_default();
        latency.count += 1;
        latency.sum += seconds;
        for (within, bound) in latency.within.iter_mut().zip(Latency::BOUNDS) {
            *within += u64::from(seconds <= bound);
        }
    }

    /// The counts as they are now, by outcome.
    pub fn read(&self) -> BTreeMap<&'static str, Latency> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

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

impl Retour {
    /// Calls that this program made.
    pub fn figures(&self) -> &Figures {
        &self.figures
    }

    /// What waits: all of it is counted, so that it takes longer the more it is.
    pub async fn backlog(&self) -> Result<Backlog> {
        let mut reading = self.store.read().await?;
        let webhooks = webhook_deliveries::backlog(reading.db()).await?.into();
        let settlements = settlements::backlog(reading.db()).await?.into();
        let labels = label_requests::backlog(reading.db()).await?.into();
        let parcels = parcel_tasks::backlog(reading.db(), self.now()).await?.into();
        let payments = payment_tasks::backlog(reading.db(), self.now()).await?.into();
        let mails = mail_tasks::backlog(reading.db(), self.now()).await?.into();
        Ok(Backlog { webhooks, settlements, labels, parcels, payments, mails })
    }
}
