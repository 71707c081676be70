//! The last count of waiting work, so that frequent readers of the metrics do not slow the database.

use returns::{Backlog, Retour};
use std::{
    sync::Arc,
    time::{Duration, Instant},
};
use tokio::{sync::Mutex, time::timeout};

/// The lifetime of a count. The more work waits, the longer counting takes.
const COUNT_EVERY: Duration = Duration::from_secs(1);
/// A database that does not answer within this time counts as down. Prometheus waits for ten seconds by default.
pub(crate) const COUNT_TIMEOUT: Duration = Duration::from_secs(5);

/// The last count of waiting work. Concurrent readers wait for one count.
#[derive(Debug, Clone, Default)]
pub(crate) struct BacklogCache(Arc<Mutex<Option<CachedBacklog>>>);

#[derive(Debug, Clone, Copy)]
struct CachedBacklog {
    counted_at: Instant,
    /// `None` if counting failed or took too long.
    backlog: Option<Backlog>,
}

impl BacklogCache {
    pub(crate) async fn read(&self, retour: &Retour) -> Option<Backlog> {
        let mut cached = self.0.lock().await;
        match *cached {
            Some(CachedBacklog { counted_at, backlog }) if counted_at.elapsed() < COUNT_EVERY => backlog,
            _ => {
                let backlog = timeout(COUNT_TIMEOUT, retour.operator().backlog()).await.ok().and_then(Result::ok);
                *cached = Some(CachedBacklog { counted_at: Instant::now(), backlog });
                backlog
            }
        }
    }
}
