//! Which subscriptions something was written for just now: whoever delivers in this program need not look for it.

use domain::{AccountId, WebhookSubscriptionId};
use std::{
    collections::HashSet,
    sync::{Arc, Mutex, PoisonError},
};
use tokio::sync::Notify;

/// A subscription, and whose it is.
pub type Subscribed = (AccountId, WebhookSubscriptionId);

/// Subscriptions with news. One listener hears of each once, however much was written.
#[derive(Debug, Clone, Default)]
pub struct Due {
    news: Arc<Mutex<HashSet<Subscribed>>>,
    bell: Arc<Notify>,
}

impl Due {
    /// Adds what was committed.
    pub fn add(&self, committed: impl IntoIterator<Item = Subscribed>) {
        let mut news = self.news.lock().unwrap_or_else(PoisonError::into_inner);
        let before = news.len();
        news.extend(committed);
        if news.len() > before {
            self.bell.notify_one();
        }
    }

    /// Waits for news and takes it.
    pub async fn next(&self) -> Vec<Subscribed> {
        loop {
            let news: Vec<Subscribed> = self.news.lock().unwrap_or_else(PoisonError::into_inner).drain().collect();
            if !news.is_empty() {
                return news;
            }
            self.bell.notified().await;
        }
    }
}
