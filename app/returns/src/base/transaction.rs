//! Transactions: retried after a deadlock, and completed after the client disconnects.

use super::error::{Error, Result};
use std::future::Future;
use tracing::Instrument as _;

/// How often a transaction is retried before its error is returned.
const RETRIES: usize = 3;

/// Runs a transaction again if the database aborted it in favour of another one.
pub async fn again_on_deadlock<T, F: Future<Output = Result<T>>>(mut work: impl FnMut() -> F) -> Result<T> {
    for _ in 0..RETRIES {
        match work().await {
            Err(Error::Store(error)) if error.is_worth_a_retry() => tracing::info!("a transaction is retried"),
            done => return done,
        }
    }
    work().await
}

/// Runs a use case that writes in a separate task: if the client disconnects, axum drops the handler, but the
/// transaction still completes.
pub async fn detached<T: Send + 'static>(work: impl Future<Output = Result<T>> + Send + 'static) -> Result<T> {
    tokio::spawn(work.in_current_span()).await.unwrap_or_else(|panic| {
        tracing::error!(%panic, "a use case panicked");
        Err(Error::broken())
    })
}
