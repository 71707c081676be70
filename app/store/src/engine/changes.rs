//! How often this program has changed the rows of an account: what was counted before a change is not shown after it.

use domain::AccountId;
use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

/// Counters of changes. Accounts share them, so that there are few: a change of one account also counts for some others.
#[derive(Debug, Clone)]
pub struct ChangeCounts(Arc<[Counter]>);

#[derive(Debug, Default)]
struct Counter {
    all: AtomicU64,
    of_figures: AtomicU64,
}

impl Default for ChangeCounts {
    fn default() -> Self {
        Self((0..=u8::MAX).map(|_| Counter::default()).collect())
    }
}

impl ChangeCounts {
    /// Counts a committed change; `of_figures`: also one of what the figures add up.
    pub fn add(&self, account: AccountId, of_figures: bool) {
        let Some(counter) = self.counter(account) else { return };
        counter.all.fetch_add(1, Ordering::SeqCst);
        if of_figures {
            counter.of_figures.fetch_add(1, Ordering::SeqCst);
        }
    }

    /// The number of changes of an account so far, or more.
    pub fn all(&self, account: AccountId) -> u64 {
        self.counter(account).map_or(0, |counter| counter.all.load(Ordering::SeqCst))
    }

    /// The number of changes of what the account's figures add up, or more.
    pub fn of_figures(&self, account: AccountId) -> u64 {
        self.counter(account).map_or(0, |counter| counter.of_figures.load(Ordering::SeqCst))
    }

    /// The end of an id is random.
    fn counter(&self, account: AccountId) -> Option<&Counter> {
        self.0.get(usize::from(*account.0.as_bytes().last()?))
    }
}
