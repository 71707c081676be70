//! The limit of exchanges at a time in one instance, for all subscriptions. Each exchange uses a file descriptor.

use std::sync::Arc;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Half is for receivers that answer and half for failing ones, so that failing receivers never delay the others.
#[derive(Debug, Clone)]
pub(crate) struct ConcurrencyLimit {
    answering: Arc<Semaphore>,
    failing: Arc<Semaphore>,
}

/// Held during an exchange.
pub(crate) type ConcurrencyPermit = OwnedSemaphorePermit;

impl ConcurrencyLimit {
    pub fn new(at_once: usize) -> Self {
        let half = || Arc::new(Semaphore::new((at_once / 2).clamp(1, Semaphore::MAX_PERMITS)));
        Self { answering: half(), failing: half() }
    }

    /// A permit, if one is free.
    pub fn take(&self, is_failing: bool) -> Option<ConcurrencyPermit> {
        let half = if is_failing { &self.failing } else { &self.answering };
        half.clone().try_acquire_owned().ok()
    }
}
