//! Subscriptions that have new deliveries from this program: its sender need not search for them.

use domain::{AccountId, WebhookSubscriptionId};
use std::{
    collections::HashSet,
    sync::{Arc, Mutex, PoisonError},
};
use tokio::sync::Notify;

/// A subscription and its account.
pub type Subscribed = (AccountId, WebhookSubscriptionId);

/// Subscriptions with new deliveries. The one listener gets each once, however many deliveries were written.
#[derive(Debug, Clone, Default)]
pub struct Due {
    subscriptions: Arc<Mutex<HashSet<Subscribed>>>,
    added: Arc<Notify>,
}

impl Due {
    /// Adds the subscriptions of a committed transaction.
    pub fn add(&self, committed: impl IntoIterator<Item = Subscribed>) {
        let mut subscriptions = self.subscriptions.lock().unwrap_or_else(PoisonError::into_inner);
        let before = subscriptions.len();
        subscriptions.extend(committed);
        if subscriptions.len() > before {
            self.added.notify_one();
        }
    }

    /// Waits for subscriptions and takes them all.
    pub async fn next(&self) -> Vec<Subscribed> {
        loop {
            let taken: Vec<Subscribed> =
                self.subscriptions.lock().unwrap_or_else(PoisonError::into_inner).drain().collect();
            if !taken.is_empty() {
                return taken;
            }
            self.added.notified().await;
        }
    }
}
