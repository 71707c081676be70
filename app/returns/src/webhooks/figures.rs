//! What operators measure: attempts by outcome and how long they took. Counted since the program began.

use domain::{Timestamp, webhook::Outcome};
use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

/// Counts of attempts. Clones share them.
#[derive(Debug, Clone, Default)]
pub struct Figures(Arc<Mutex<BTreeMap<&'static str, Latency>>>);

/// How long attempts with one outcome took.
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

/// What waits to be delivered, in the whole installation.
#[derive(Debug, Clone, Copy)]
pub struct Backlog {
    /// How many deliveries.
    pub pending: i64,
    /// When the event of the oldest one happened.
    pub oldest: Option<Timestamp>,
}

impl Figures {
    pub(crate) fn count(&self, outcome: Outcome, took: Duration) {
        let seconds = took.as_secs_f64();
        let mut figures = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let latency = figures.entry(outcome.name()).or_default();
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
