//! Since when the program runs, and whether it is about to stop.

use domain::Timestamp;
use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

/// The state of this instance. Clones share it.
#[derive(Debug, Clone)]
pub(crate) struct Health {
    started_at: Timestamp,
    is_stopping: Arc<AtomicBool>,
}

impl Health {
    pub(crate) fn new(started_at: Timestamp) -> Self {
        Self { started_at, is_stopping: Arc::default() }
    }

    pub(crate) fn started_at(&self) -> Timestamp {
        self.started_at
    }

    /// From now on, load balancers should send no further requests to this instance.
    pub(crate) fn stop(&self) {
        self.is_stopping.store(true, Ordering::Relaxed);
    }

    pub(crate) fn is_stopping(&self) -> bool {
        self.is_stopping.load(Ordering::Relaxed)
    }
}
