//! Transactions: run again after a deadlock, and carried to their end when the client hangs up.

use super::error::{Error, Result};
use std::future::Future;
use tracing::Instrument as _;

/// How often a transaction is run again before its error is returned.
const RETRIES: usize = 3;

/// Runs a transaction once more when the database gave up on it in favour of another one.
pub(crate) async fn again_on_deadlock<T, F: Future<Output = Result<T>>>(mut work: impl FnMut() -> F) -> Result<T> {
    for _ in 0..RETRIES {
        match work().await {
            Err(Error::Store(error)) if error.is_worth_a_retry() => tracing::info!("a transaction is run again"),
            done => return done,
        }
    }
    work().await
}

/// Runs a use case that writes in a task of its own: when the client hangs up, axum drops the handler, but the
/// transaction goes on to its end.
pub(crate) async fn detached<T: Send + 'static>(work: impl Future<Output = Result<T>> + Send + 'static) -> Result<T> {
    tokio::spawn(work.in_current_span()).await.unwrap_or_else(|panic| {
        tracing::error!(%panic, "a use case panicked");
        Err(Error::broken())
    })
}
