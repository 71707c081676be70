//! Where time, ids and randomness come from: one place, so that tests can hold them still.

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
    /// The machine's clock.
    pub fn system() -> Self {
        Self::default()
    }

    /// A clock that stands at a moment until it is moved.
    pub fn held_at(now: Timestamp) -> Self {
        let held = HeldClock { now: AtomicI64::new(now.micros()), moved: Notify::new(), reads: AtomicUsize::new(0) };
        Self { held: Some(Arc::new(held)) }
    }

    /// Moves a held clock; the machine's clock is not moved.
    pub fn set(&self, now: Timestamp) {
        if let Some(held) = &self.held {
            held.now.store(now.micros(), Ordering::SeqCst);
            held.moved.notify_waiters();
        }
    }

    /// The moment, to the microsecond.
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

    /// How often a held clock was read: a test waits for this number to grow until code that polls has looked. 0 with the machine's.
    pub fn reads(&self) -> usize {
        self.held.as_ref().map_or(0, |held| held.reads.load(Ordering::Relaxed))
    }

    /// Waits until a held clock is moved: for ever, with the machine's.
    pub async fn moved(&self) {
        match &self.held {
            Some(held) => held.moved.notified().await,
            None => std::future::pending().await,
        }
    }

    /// A new id: `UUIDv7` of this moment.
    pub fn id(&self) -> Uuid {
        let millis = u64::try_from(self.now().micros() / 1_000).unwrap_or(0);
        uuid::Builder::from_unix_timestamp_millis(millis, &self.random()).into_uuid()
    }

    /// Random bytes that nobody can guess.
    ///
    /// # Panics
    /// Where the operating system has no randomness: every secret could be guessed then, so better no service.
    #[expect(clippy::disallowed_methods, reason = "the one place that asks the system for randomness")]
    pub fn random<const N: usize>(&self) -> [u8; N] {
        let mut bytes = [0; N];
        assert!(getrandom::fill(&mut bytes).is_ok(), "the operating system has no randomness");
        bytes
    }
}
