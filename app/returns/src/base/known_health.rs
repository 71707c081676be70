//! When this instance last recorded a success of each operation.

use domain::{AccountId, Timestamp, integration::IntegrationOperation};
use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

/// The shortest time between two successes that are written, seconds.
const SUCCESS_EVERY: i64 = 60;
/// The maximum number of operations in memory, of all accounts. Beyond it, the memory is cleared, and the next success
/// of each operation is written.
const MOST: usize = 100_000;

/// When this instance last wrote a success of each operation. Clones share it.
#[derive(Debug, Clone, Default)]
pub(crate) struct WrittenSuccesses(Arc<Mutex<HashMap<(AccountId, IntegrationOperation), Timestamp>>>);

impl WrittenSuccesses {
    /// Whether to write a success. If so, it counts as written.
    pub(crate) fn is_news(&self, of: (AccountId, IntegrationOperation), now: Timestamp) -> bool {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // A success is also news after the clock was set back.
        let is_known = known.get(&of).is_some_and(|at| *at <= now && now < at.plus_seconds(SUCCESS_EVERY));
        if !is_known {
            if known.len() >= MOST {
                known.clear();
            }
            known.insert(of, now);
        }
        !is_known
    }

    /// Makes the next success of each operation news.
    pub(crate) fn forget_all(&self, account: AccountId, operations: &[IntegrationOperation]) {
        for operation in operations {
            self.forget((account, *operation));
        }
    }

    /// Makes the next success news.
    pub(crate) fn forget(&self, of: (AccountId, IntegrationOperation)) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(&of);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use uuid::Uuid;

    const NOW: Timestamp = Timestamp::from_seconds(1_800_000_000);

    #[test]
    fn a_success_is_news_once_a_minute_and_after_a_failure() {
        let (known, ours) = (WrittenSuccesses::default(), AccountId(Uuid::from_u128(1)));
        let look_up = (ours, IntegrationOperation::LookUp);
        assert!(known.is_news(look_up, NOW));
        assert!(!known.is_news(look_up, NOW.plus_seconds(SUCCESS_EVERY - 1)));
        assert!(known.is_news((ours, IntegrationOperation::Resolution), NOW), "another operation");
        assert!(known.is_news((AccountId(Uuid::from_u128(2)), IntegrationOperation::LookUp), NOW), "another account");
        assert!(known.is_news(look_up, NOW.plus_seconds(SUCCESS_EVERY)));
        assert!(known.is_news(look_up, NOW), "the clock was set back");
        known.forget(look_up);
        assert!(known.is_news(look_up, NOW));
    }
}
