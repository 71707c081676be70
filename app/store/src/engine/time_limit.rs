//! How long Postgres may take to answer.
//!
//! The network can lose a connection silently: a machine loses power, a firewall loses its state. Without a limit, a
//! statement on such a connection would wait forever and occupy its place in the pool for as long.

use super::error::{Result, StoreError};
use futures_util::FutureExt as _;
use std::time::Duration;
use tokio::time::timeout;

/// How long a statement may take. A transaction that stands idle blocks others for at most 15 s, so a statement that
/// waits behind one still succeeds.
const STATEMENT_LIMIT: Duration = Duration::from_secs(30);

/// Waits for a statement until its time limit. (Not an `async fn`: that would store the future twice, and every
/// function that runs a statement would double in size.)
pub(crate) fn in_time<T>(statement: impl Future<Output = Result<T>>) -> impl Future<Output = Result<T>> {
    timeout(STATEMENT_LIMIT, statement).map(|in_time| in_time.unwrap_or(Err(StoreError::NoResponse)))
}
