//! How long Postgres may take to answer.
//!
//! The network can lose a connection silently: a machine loses power, a firewall loses its state. Without a limit, a
//! statement on such a connection would wait forever and occupy its place in the pool for as long.

use super::error::{Result, StoreError};
use futures_util::FutureExt as _;
use std::{
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};
use tokio::time::timeout;

/// How long a statement may take. A transaction that stands idle blocks others for at most 15 s, so a statement that
/// waits behind one still succeeds.
const STATEMENT_LIMIT: Duration = Duration::from_secs(30);

static FAILED: AtomicU64 = AtomicU64::new(0);

/// How many statements with a time limit have failed or were cut off in the whole program. If the number is the same when a
/// connection is returned as when it was taken, the connection has no unfinished statement. Tools that read whole tables
/// use statements without a limit, which are not counted.
pub(crate) fn failed_statements() -> u64 {
    FAILED.load(Ordering::Acquire)
}

/// Adds to [`FAILED`] when it is dropped: the statement failed, timed out or was cancelled.
struct Unfinished;

impl Drop for Unfinished {
    fn drop(&mut self) {
        FAILED.fetch_add(1, Ordering::Release);
    }
}

/// Waits for a statement until its time limit. (Not an `async fn`: that would store the future twice, and every
/// function that runs a statement would double in size.)
pub(crate) fn in_time<T>(statement: impl Future<Output = Result<T>>) -> impl Future<Output = Result<T>> {
    let unfinished = Unfinished;
    timeout(STATEMENT_LIMIT, statement).map(move |in_time| {
        let result = in_time.unwrap_or(Err(StoreError::NoResponse));
        if result.is_ok() {
            std::mem::forget(unfinished);
        }
        result
    })
}
