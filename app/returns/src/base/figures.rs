//! Metrics for operators: calls to other systems by outcome, and their durations.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

/// Calls that this process has made since it started. Clones share them.
#[derive(Debug, Clone, Default)]
pub struct Figures {
    /// Attempts to deliver webhooks.
    pub webhook_attempts: Latencies,
    /// Order look-ups at shops.
    pub look_ups: Latencies,
    /// Stored orders that are read again at shops, and lists of changed orders.
    pub changes: Latencies,
    /// Resolutions that shops carry out.
    pub resolutions: Latencies,
    /// Returns that shops show: each comparison, and each change there.
    pub returns: Latencies,
    /// Label requests to carriers.
    pub labels: Latencies,
    /// Calls to carriers about parcels that have labels.
    pub parcels: Latencies,
    /// Calls to payment providers.
    pub payments: Latencies,
    /// Mails that were sent, or that failed.
    pub mails: Latencies,
    /// Files that were written, read or deleted.
    pub files: Latencies,
}

/// Durations of calls by outcome. Clones share them.
#[derive(Debug, Clone, Default)]
pub struct Latencies(Arc<Mutex<BTreeMap<&'static str, Latency>>>);

/// The durations of calls with one outcome.
#[derive(Debug, Clone, Default)]
pub struct Latency {
    /// The number of calls that took no longer than each of [`Latency::BOUNDS`].
    pub within: [u64; Latency::BOUNDS.len()],
    /// The number of calls.
    pub count: u64,
    /// The sum of their durations, in seconds.
    pub sum: f64,
}

impl Latency {
    /// The bounds of the histogram, in seconds.
    pub const BOUNDS: [f64; 10] = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 2.5, 5.0, 15.0];
}

impl Latencies {
    /// Counts a call, with its outcome and how long it took.
    pub fn count(&self, outcome: &'static str, took: Duration) {
        let seconds = took.as_secs_f64();
        let mut latencies = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let latency = latencies.entry(outcome).or_default();
        latency.count += 1;
        latency.sum += seconds;
        for (within, bound) in latency.within.iter_mut().zip(Latency::BOUNDS) {
            *within += u64::from(seconds <= bound);
        }
    }

    /// The current counts, by outcome.
    pub fn read(&self) -> BTreeMap<&'static str, Latency> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
