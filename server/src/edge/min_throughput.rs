//! How slow a client may be.
//!
//! A client has ten seconds of patience. Waiting for it uses them up, and every byte that it moves gives some back: at 4 KiB a
//! second it keeps what it has. It never has more than it began with, so a burst of bytes buys no long silence afterwards.

use std::{
    io,
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};
use tokio::time::{Instant, Sleep};

/// How long a client may be silent.
const PATIENCE: Duration = Duration::from_secs(10);
/// The same for a client that takes an answer. The kernel takes its acknowledgements in steps of some 40 KiB: at 4 KiB a second
/// there are ten seconds between two.
const PATIENCE_FOR_ANSWERS: Duration = Duration::from_secs(20);
/// Bytes a second at which the patience neither grows nor shrinks.
const LEAST: u64 = 4 * 1024;

/// How much patience is left with a client.
#[derive(Debug)]
pub(crate) struct Pace {
    most: Duration,
    left: Duration,
    /// Since when we wait for the client, if we do. Time in which we do not is not counted.
    waiting_since: Option<Instant>,
    until: Option<Pin<Box<Sleep>>>,
}

impl Pace {
    /// For a client that sends.
    pub(crate) fn of_sending() -> Self {
        Self { most: PATIENCE, left: PATIENCE, waiting_since: None, until: None }
    }

    /// For a client that takes an answer.
    pub(crate) fn of_taking() -> Self {
        Self { most: PATIENCE_FOR_ANSWERS, ..Self::of_sending() }
    }

    /// The client has moved so many bytes.
    pub(crate) fn moved(&mut self, bytes: usize) {
        if let Some(since) = self.waiting_since.take() {
            self.left = self.left.saturating_sub(since.elapsed());
        }
        let micros = u64::try_from(bytes).unwrap_or(u64::MAX).saturating_mul(1_000_000) / LEAST;
        self.left = self.left.saturating_add(Duration::from_micros(micros)).min(self.most);
    }

    /// Waits for the client; ready when no patience is left.
    pub(crate) fn poll_patience(&mut self, cx: &mut Context<'_>) -> Poll<io::Error> {
        let deadline = *self.waiting_since.get_or_insert_with(Instant::now) + self.left;
        let until = self.until.get_or_insert_with(|| Box::pin(tokio::time::sleep_until(deadline)));
        if until.deadline() != deadline {
            until.as_mut().reset(deadline);
        }
        until.as_mut().poll(cx).map(|()| io::Error::new(io::ErrorKind::TimedOut, "the client is too slow"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::future::poll_fn;

    /// Seconds until we give up on a client that moves this many bytes, one number each second; `None` when it gets through.
    async fn given_up_after(bytes: impl IntoIterator<Item = usize>) -> Option<u64> {
        let started = Instant::now();
        let mut pace = Pace::of_sending();
        for bytes in bytes {
            let next = tokio::time::sleep(Duration::from_secs(1));
            tokio::select! {
                biased;
                _ = poll_fn(|cx| pace.poll_patience(cx)) => return Some(started.elapsed().as_secs()),
                () = next => if bytes > 0 { pace.moved(bytes) },
            }
        }
        None
    }

    #[tokio::test(start_paused = true)]
    async fn a_client_that_drips_is_given_up_and_one_that_moves_on_is_not() {
        let steady = |bytes: usize| given_up_after(std::iter::repeat_n(bytes, 600));
        assert_eq!(steady(0).await, Some(10));
        assert_eq!(steady(20).await, Some(10));
        assert_eq!(steady(2 * 1024).await, Some(19), "half of what is wanted: twice the patience");
        assert_eq!(steady(5 * 1024).await, None);
    }

    #[tokio::test(start_paused = true)]
    async fn patience_does_not_add_up() {
        const MUCH: usize = 10 * 1024 * 1024;
        let much_then = |bytes: usize| given_up_after(std::iter::once(MUCH).chain(std::iter::repeat_n(bytes, 600)));
        assert_eq!(much_then(0).await, Some(11), "ten seconds after the last byte");
        assert_eq!(much_then(1).await, Some(11), "a byte a second changes nothing");
        let bursts = std::iter::once(MUCH).chain(std::iter::repeat_n(0, 8)).cycle().take(600);
        assert_eq!(given_up_after(bursts).await, None, "eight seconds of silence between two bursts");
    }

    #[tokio::test(start_paused = true)]
    async fn time_in_which_nobody_waits_for_the_client_is_not_counted() {
        let mut pace = Pace::of_sending();
        for _ in 0..10 {
            pace.moved(1);
            tokio::time::sleep(Duration::from_mins(1)).await; // we are busy, such as with a photo
        }
        let started = Instant::now();
        poll_fn(|cx| pace.poll_patience(cx)).await;
        assert_eq!(started.elapsed().as_secs(), 10);
    }
}
