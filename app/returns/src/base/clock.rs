//! The source of time, ids and randomness: one place, so that tests can control them.

use domain::Timestamp;
use std::sync::{
    Arc,
    atomic::{AtomicI64, AtomicUsize, Ordering},
};
use tokio::sync::Notify;
use uuid::Uuid;

/// Time, ids and randomness.
#[derive(Debug, Clone, Default)]
pub struct Source {
    held: Option<Arc<HeldClock>>,
}

#[derive(Debug)]
struct HeldClock {
    now: AtomicI64,
    moved: Notify,
    reads: AtomicUsize,
}

impl Source {
    /// Uses the system clock.
    pub fn system() -> Self {
        Self::default()
    }

    /// A clock that stands still until a test moves it.
    pub fn held_at(now: Timestamp) -> Self {
        let held = HeldClock { now: AtomicI64::new(now.micros()), moved: Notify::new(), reads: AtomicUsize::new(0) };
        Self { held: Some(Arc::new(held)) }
    }

    /// Moves a held clock. Has no effect on the system clock.
    pub fn set(&self, now: Timestamp) {
        if let Some(held) = &self.held {
            held.now.store(now.micros(), Ordering::SeqCst);
            held.moved.notify_waiters();
        }
    }

    /// The current time, to the microsecond.
    pub fn now(&self) -> Timestamp {
        match &self.held {
            Some(held) => {
                held.reads.fetch_add(1, Ordering::Relaxed);
                Timestamp::from_micros(held.now.load(Ordering::SeqCst))
            }
            #[expect(clippy::disallowed_methods, reason = "the one place that reads the machine's clock")]
            None => time::OffsetDateTime::now_utc().into(),
        }
    }

    /// The number of reads of a held clock. A test waits until it grows, to know that code that polls has run. 0 for
    /// the system clock.
    pub fn reads(&self) -> usize {
        self.held.as_ref().map_or(0, |held| held.reads.load(Ordering::Relaxed))
    }

    /// Waits until a held clock is moved. With the system clock it never returns.
    pub async fn moved(&self) {
        match &self.held {
            Some(held) => held.moved.notified().await,
            None => std::future::pending().await,
        }
    }

    /// A new `UUIDv7` of the current time.
    pub fn id(&self) -> Uuid {
        let millis = u64::try_from(self.now().micros() / 1_000).unwrap_or(0);
        uuid::Builder::from_unix_timestamp_millis(millis, &self.random()).into_uuid()
    }

    /// Cryptographically secure random bytes.
    ///
    /// # Panics
    /// If the operating system provides no randomness. Secrets would be predictable, so no service is better.
    #[expect(clippy::disallowed_methods, reason = "the one place that asks the system for randomness")]
    pub fn random<const N: usize>(&self) -> [u8; N] {
        let mut bytes = [0; N];
        assert!(getrandom::fill(&mut bytes).is_ok(), "the operating system has no randomness");
        bytes
    }
}
