//! Keeps what was counted for a moment: many people open the same page, and counting reads thousands of rows.
//!
//! A change by this program ends what was counted before it. A change by another instance is seen when the moment is over.

use super::error::Result;
use domain::{AccountId, Timestamp};
use std::{
    collections::HashMap,
    future::Future,
    sync::{Arc, Mutex, PoisonError},
};

/// The number of accounts whose counts are kept.
const KEPT: usize = 256;

/// The counts of accounts, each with what it depends on besides the account's rows.
#[derive(Debug)]
pub(crate) struct CountCache<K, T>(Arc<Mutex<HashMap<AccountId, Slot<K, T>>>>);

/// While one caller counts, others of the account wait for the same count.
type Slot<K, T> = Arc<tokio::sync::Mutex<Option<Counted<K, T>>>>;

#[derive(Debug)]
struct Counted<K, T> {
    key: K,
    value: T,
    /// The number of changes before it was counted.
    changes: u64,
    at: Timestamp,
}

impl<K, T> Clone for CountCache<K, T> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<K, T> Default for CountCache<K, T> {
    fn default() -> Self {
        Self(Arc::default())
    }
}

/// When a count is still good.
pub(crate) struct Freshness<F> {
    /// The time now.
    pub now: Timestamp,
    /// How long a count is kept, seconds.
    pub seconds: i64,
    /// The number of changes of the account so far.
    pub changes: F,
}

impl<K: PartialEq, T: Clone> CountCache<K, T> {
    /// What was counted a moment ago, or what `count` counts now.
    pub async fn get(
        &self,
        account: AccountId,
        key: K,
        fresh: Freshness<impl Fn() -> u64>,
        count: impl Future<Output = Result<T>>,
    ) -> Result<T> {
        let slot = self.slot(account);
        let mut kept = slot.lock().await;
        let changes = (fresh.changes)();
        let is_good = |one: &&Counted<K, T>| {
            let is_new = (one.at..one.at.plus_seconds(fresh.seconds)).contains(&fresh.now);
            is_new && one.changes == changes && one.key == key
        };
        if let Some(one) = kept.as_ref().filter(is_good) {
            return Ok(one.value.clone());
        }
        let value = count.await?;
        *kept = Some(Counted { key, value: value.clone(), changes, at: fresh.now });
        Ok(value)
    }

    fn slot(&self, account: AccountId) -> Slot<K, T> {
        let mut slots = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if slots.len() >= KEPT && !slots.contains_key(&account) {
            slots.clear();
        }
        slots.entry(account).or_default().clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU64, Ordering};

    #[tokio::test]
    async fn a_count_ends_with_a_change_with_time_and_with_what_it_depends_on() {
        let (cache, account) = (CountCache::<u8, u64>::default(), AccountId(uuid::Uuid::nil()));
        let (changes, counted) = (AtomicU64::new(0), AtomicU64::new(0));
        let get = async |key, second| {
            let now = Timestamp::from_seconds(1_800_000_000).plus_seconds(second);
            let changes = || changes.load(Ordering::SeqCst);
            let count = async { Ok(counted.fetch_add(1, Ordering::SeqCst)) };
            cache.get(account, key, Freshness { now, seconds: 2, changes }, count).await.unwrap()
        };
        assert_eq!((get(1, 0).await, get(1, 1).await), (0, 0));
        assert_eq!((get(1, 2).await, get(1, 1).await), (1, 2), "too old, and from the future");
        assert_eq!((get(2, 1).await, get(2, 1).await), (3, 3));
        changes.store(1, Ordering::SeqCst);
        assert_eq!((get(2, 1).await, get(2, 1).await), (4, 4));
    }
}
