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

/// How many statements to Postgres did not succeed, in the whole program.
static FAILED: AtomicU64 = AtomicU64::new(0);

/// How many statements to Postgres have failed or were cut off. A connection that sees no difference between its
/// beginning and its end has no unfinished statement.
pub(crate) fn failed_statements() -> u64 {
    FAILED.load(Ordering::Acquire)
}

/// Counts the statement as failed when it is dropped, as it also is when nobody waits for it any more.
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
