//! Transactions: retried after a deadlock, and completed after the client disconnects.

use super::error::{Error, Result};
use std::{
    future::Future,
    pin::Pin,
    task::{Context, Poll},
};
use tokio::task::JoinHandle;
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

/// The result of work that runs in a task of its own.
#[must_use]
#[derive(Debug)]
pub struct Detached<T>(JoinHandle<Result<T>>);

/// Runs a use case that writes in a separate task: if the client disconnects, axum drops the handler, but the
/// transaction still completes.
///
/// The task does not have the type of `work`: the compiler would create all functions of a task again for each use case, and prove again in
/// each caller that `work` can be sent to other threads. That took a fifth of the time to compile this crate.
pub fn detached<T: Send + 'static>(work: impl Future<Output = Result<T>> + Send + 'static) -> Detached<T> {
    let work: Pin<Box<dyn Future<Output = Result<T>> + Send>> = Box::pin(work);
    Detached(tokio::spawn(work.in_current_span()))
}

impl<T> Future for Detached<T> {
    type Output = Result<T>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<T>> {
        Pin::new(&mut self.0).poll(context).map(|ended| {
            ended.unwrap_or_else(|panic| {
                tracing::error!(%panic, "a use case panicked");
                Err(Error::broken())
            })
        })
    }
}
