//! How slow a client may be.
//!
//! A time-out for a whole body would cut off a photo that comes over a thin line, and one between two pieces lets a client
//! drip for ever. So a client has some seconds, and from then on it must have moved so much a second on average.

use std::{
    io,
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};
use tokio::time::{Instant, Sleep};

/// How long nobody is hurried.
const PATIENCE: Duration = Duration::from_secs(10);
/// From then on, bytes a second.
const LEAST: u64 = 4 * 1024;

/// What a client has moved since it was first waited for.
#[derive(Debug, Default)]
pub(crate) struct Pace {
    since: Option<Instant>,
    moved: u64,
    until: Option<Pin<Box<Sleep>>>,
}

impl Pace {
    /// Counts bytes that were moved since then. What went before, such as into an empty buffer, says nothing.
    pub(crate) fn moved(&mut self, bytes: usize) {
        if self.since.is_some() {
            self.moved = self.moved.saturating_add(u64::try_from(bytes).unwrap_or(u64::MAX));
        }
    }

    /// Waits for the client, unless it was too slow by now.
    pub(crate) fn poll_patience(&mut self, cx: &mut Context<'_>) -> Poll<io::Error> {
        let since = *self.since.get_or_insert_with(Instant::now);
        let deadline = since + PATIENCE + Duration::from_millis(self.moved.saturating_mul(1_000) / LEAST);
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

    /// Seconds until a client is given up that moves so much a second.
    async fn given_up_after(bytes_a_second: usize, most: u64) -> Option<u64> {
        let started = Instant::now();
        let mut pace = Pace::default();
        while started.elapsed() < Duration::from_secs(most) {
            let next = tokio::time::sleep(Duration::from_secs(1));
            tokio::select! {
                biased;
                _ = poll_fn(|cx| pace.poll_patience(cx)) => return Some(started.elapsed().as_secs()),
                () = next => pace.moved(bytes_a_second),
            }
        }
        None
    }

    #[tokio::test(start_paused = true)]
    async fn who_drips_is_given_up_and_who_moves_on_is_not() {
        assert_eq!(given_up_after(0, 60).await, Some(10));
        assert_eq!(given_up_after(20, 60).await, Some(10));
        assert_eq!(given_up_after(2 * 1024, 60).await, Some(19), "half of what is wanted: twice the patience");
        assert_eq!(given_up_after(5 * 1024, 600).await, None);
    }
}
