//! Transactions: retried after a deadlock, and completed after the client disconnects.

use super::error::{Error, Result};
use std::{
    future::Future,
    pin::Pin,
    task::{Context, Poll},
};
use tokio::sync::oneshot;
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

/// The pending result of work that [`detached`] started. Dropping it does not stop the work.
#[must_use = "the work has started, and only its result says whether it succeeded"]
#[derive(Debug)]
pub struct Detached<T>(oneshot::Receiver<Result<T>>);

/// Starts a use case that writes, in a task of its own. If the client disconnects, axum drops the handler, but the
/// transaction still completes.
///
/// All these tasks have the same type, so that tokio's functions are compiled once, not for each use case (docs/build-times.md).
pub fn detached<T: Send + 'static>(work: impl Future<Output = Result<T>> + Send + 'static) -> Detached<T> {
    let (sender, receiver) = oneshot::channel();
    let task: Pin<Box<dyn Future<Output = ()> + Send>> = Box::pin(async move {
        // An error means that the caller no longer waits.
        _ = sender.send(work.await);
    });
    tokio::spawn(task.in_current_span());
    Detached(receiver)
}

impl<T> Future for Detached<T> {
    type Output = Result<T>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<T>> {
        Pin::new(&mut self.0).poll(context).map(|result| {
            result.unwrap_or_else(|_no_result| {
                tracing::error!("a use case ended without a result: it panicked, or the runtime stopped");
                Err(Error::broken())
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_panic_is_an_error_of_the_service() {
        let panics: Detached<()> = detached(async { panic!("on purpose") });
        assert!(matches!(panics.await, Err(Error::Broken(_))));
        assert_eq!(detached(async { Ok(1) }).await.unwrap(), 1);
    }

    #[tokio::test]
    async fn work_continues_if_no_caller_waits() {
        let (ended, end) = oneshot::channel();
        drop(detached(async move {
            tokio::task::yield_now().await;
            ended.send(()).map_err(|()| Error::broken())
        }));
        end.await.unwrap();
    }
}
