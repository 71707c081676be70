//! What operators measure: calls to others by outcome and how long they took, and what waits.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

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
