//! The minimum throughput of a client.
//!
//! A client has a budget of ten seconds. Waiting for the client uses the budget up, and every byte that the client moves gives
//! some back: at 4 KiB a second the budget stays as it is. It never grows beyond its start, so a burst of bytes buys no long silence
//! afterwards.

use std::{
    io,
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};
use tokio::time::{Instant, Sleep};

/// How long a client that sends may be silent.
const SENDING_BUDGET: Duration = Duration::from_secs(10);
/// How long a client that reads an answer may be silent. The kernel receives acknowledgements in steps of about 40 KiB: at 4 KiB a
/// second, two of them are ten seconds apart.
const READING_BUDGET: Duration = Duration::from_secs(20);
/// The bytes a second at which the budget neither grows nor shrinks.
const MIN_BYTES_PER_SECOND: u64 = 4 * 1024;

/// The time that is left for a client.
#[derive(Debug)]
pub(crate) struct MinThroughput {
    budget: Duration,
    left: Duration,
    /// The start of the current wait for the client. Only time spent waiting is counted.
    waiting_since: Option<Instant>,
    timer: Option<Pin<Box<Sleep>>>,
}

impl MinThroughput {
    /// For a client that sends a body.
    pub(crate) fn of_sending() -> Self {
        Self { budget: SENDING_BUDGET, left: SENDING_BUDGET, waiting_since: None, timer: None }
    }

    /// For a client that reads an answer.
    pub(crate) fn of_reading() -> Self {
        Self { budget: READING_BUDGET, ..Self::of_sending() }
    }

    /// Records that the client has moved this many bytes.
    pub(crate) fn moved(&mut self, bytes: usize) {
        if let Some(since) = self.waiting_since.take() {
            self.left = self.left.saturating_sub(since.elapsed());
        }
        let micros = u64::try_from(bytes).unwrap_or(u64::MAX).saturating_mul(1_000_000) / MIN_BYTES_PER_SECOND;
        self.left = self.left.saturating_add(Duration::from_micros(micros)).min(self.budget);
    }

    /// Waits for the client; ready when its time is used up.
    pub(crate) fn poll_timeout(&mut self, cx: &mut Context<'_>) -> Poll<io::Error> {
        let deadline = *self.waiting_since.get_or_insert_with(Instant::now) + self.left;
        let timer = self.timer.get_or_insert_with(|| Box::pin(tokio::time::sleep_until(deadline)));
        if timer.deadline() != deadline {
            timer.as_mut().reset(deadline);
        }
        timer.as_mut().poll(cx).map(|()| io::Error::new(io::ErrorKind::TimedOut, "the client is too slow"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::future::poll_fn;

    /// Seconds until a client is disconnected that moves one of these numbers of bytes each second; `None` if it never is.
    async fn disconnected_after(bytes: impl IntoIterator<Item = usize>) -> Option<u64> {
        let started = Instant::now();
        let mut throughput = MinThroughput::of_sending();
        for bytes in bytes {
            let next = tokio::time::sleep(Duration::from_secs(1));
            tokio::select! {
                biased;
                _ = poll_fn(|cx| throughput.poll_timeout(cx)) => return Some(started.elapsed().as_secs()),
                () = next => if bytes > 0 { throughput.moved(bytes) },
            }
        }
        None
    }

    #[tokio::test(start_paused = true)]
    async fn slow_clients_are_disconnected_and_steady_ones_are_not() {
        let steady = |bytes: usize| disconnected_after(std::iter::repeat_n(bytes, 600));
        assert_eq!(steady(0).await, Some(10));
        assert_eq!(steady(20).await, Some(10));
        assert_eq!(steady(2 * 1024).await, Some(19), "half of the minimum throughput gives about twice the time");
        assert_eq!(steady(5 * 1024).await, None);
    }

    #[tokio::test(start_paused = true)]
    async fn the_budget_does_not_grow_beyond_its_start() {
        const BURST: usize = 10 * 1024 * 1024;
        let burst_then =
            |bytes: usize| disconnected_after(std::iter::once(BURST).chain(std::iter::repeat_n(bytes, 600)));
        assert_eq!(burst_then(0).await, Some(11), "ten seconds after the last byte");
        assert_eq!(burst_then(1).await, Some(11), "a byte a second changes nothing");
        let bursts = std::iter::once(BURST).chain(std::iter::repeat_n(0, 8)).cycle().take(600);
        assert_eq!(disconnected_after(bursts).await, None, "eight seconds of silence between two bursts are allowed");
    }

    #[tokio::test(start_paused = true)]
    async fn time_that_the_server_needs_itself_is_not_counted() {
        let mut throughput = MinThroughput::of_sending();
        for _ in 0..10 {
            throughput.moved(1);
            tokio::time::sleep(Duration::from_mins(1)).await; // the server is busy, for example with a photo
        }
        let started = Instant::now();
        poll_fn(|cx| throughput.poll_timeout(cx)).await;
        assert_eq!(started.elapsed().as_secs(), 10);
    }
}
