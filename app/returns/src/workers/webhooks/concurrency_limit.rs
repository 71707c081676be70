//! How many exchanges may be under way in this program, of all subscriptions: each takes one of the process's files.

use std::sync::Arc;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Half for receivers that answer and half for those that do not, so that the latter take nothing from the former.
#[derive(Debug, Clone)]
pub(crate) struct ConcurrencyLimit {
    answering: Arc<Semaphore>,
    failing: Arc<Semaphore>,
}

/// Held while an exchange is under way.
pub(crate) type ConcurrencyPermit = OwnedSemaphorePermit;

impl ConcurrencyLimit {
    pub fn new(at_once: usize) -> Self {
        let half = || Arc::new(Semaphore::new((at_once / 2).clamp(1, Semaphore::MAX_PERMITS)));
        Self { answering: half(), failing: half() }
    }

    /// One of them, if one is free.
    pub fn take(&self, is_failing: bool) -> Option<ConcurrencyPermit> {
        let half = if is_failing { &self.failing } else { &self.answering };
        half.clone().try_acquire_owned().ok()
    }
}
