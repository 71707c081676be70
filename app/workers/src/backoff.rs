//! When a failed call is repeated.

use outbound::bridge::{BridgeError, Unavailable};

/// The pauses between the attempts of a job, in seconds.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Backoff(&'static [i64]);

impl Backoff {
    pub(crate) const fn new(pauses: &'static [i64]) -> Self {
        Self(pauses)
    }

    /// The pause after so many earlier failures, or `None` if there is no further attempt.
    pub(crate) fn pause(&self, failures: u32) -> Option<i64> {
        usize::try_from(failures).ok().and_then(|failures| self.0.get(failures)).copied()
    }

    /// The pause of a job that is repeated until it succeeds: after the last pause, it is `longest`.
    pub(crate) fn pause_or(&self, failures: u32, longest: i64) -> i64 {
        self.pause(failures).unwrap_or(longest)
    }
}

/// The seconds that the other system asks for with `Retry-After`, up to `longest`; 0 if it does not ask.
pub(crate) fn retry_after(error: &BridgeError, longest: i64) -> i64 {
    match error {
        BridgeError::Unavailable(Unavailable::Status { wait_seconds, .. }) => seconds_within(*wait_seconds, longest),
        _ => 0,
    }
}

/// The same for seconds that are already parsed.
pub(crate) fn seconds_within(wait_seconds: Option<u64>, longest: i64) -> i64 {
    wait_seconds.map_or(0, |seconds| i64::try_from(seconds).unwrap_or(longest).min(longest))
}
