//! How long a request without an answer may still be executing at the other system.

use domain::Timestamp;
use std::time::Duration;

/// After this time, a request of ours is no longer executing, even if its answer was lost. A refund or a label takes as long
/// as the payment provider or carrier behind the system needs.
pub const IN_FLIGHT_LIMIT: Duration = Duration::from_mins(2);

/// Whether a request that was sent at `sent_at` may still be executing.
pub(crate) fn may_be_in_flight(sent_at: Timestamp, now: Timestamp) -> bool {
    let seconds = i64::try_from(IN_FLIGHT_LIMIT.as_secs()).unwrap_or(i64::MAX);
    now < sent_at.plus_seconds(seconds)
}
