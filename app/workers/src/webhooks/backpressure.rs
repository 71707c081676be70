//! Pauses deliveries to a receiver that asked for a pause or fails.

use domain::Timestamp;
use returns::internals::Exchanged;
use std::time::{Duration, Instant};

/// The pause after the first failure; it doubles with each further one. Without it, a receiver that refuses at once
/// would be called as fast as failures can be written, which would delay all other writes.
const SHORTEST: Duration = Duration::from_millis(10);
const LONGEST: Duration = Duration::from_secs(1);
/// How long a receiver's `Retry-After` holds for all of its deliveries, seconds.
const LONGEST_ASKED: i64 = 3_600;

/// The health of a receiver, and its current pause.
#[derive(Debug, Default)]
pub(crate) struct Backpressure {
    /// Failures since the last success, counted once per pause.
    failures: u32,
    until: Option<Instant>,
    /// The end of the pause that the receiver asked for (429 or 503 with `Retry-After`).
    asked_until: Option<Timestamp>,
}

impl Backpressure {
    pub fn is_failing(&self) -> bool {
        self.failures > 0
    }

    /// Takes over the health in the database.
    pub fn set_failing(&mut self, is_failing: bool) {
        if is_failing {
            self.failures = self.failures.max(1);
        } else {
            (self.failures, self.until) = (0, None);
        }
    }

    /// Records the result of an exchange.
    pub fn heed(&mut self, exchanged: &Exchanged, now: Timestamp) {
        if let (Some(429 | 503), Some(seconds)) = (exchanged.attempt.status_code, exchanged.retry_after) {
            let asked = now.plus_seconds(seconds.clamp(0, LONGEST_ASKED));
            self.asked_until = self.asked_until.max(Some(asked));
        }
        if exchanged.is_delivered() {
            self.set_failing(false);
        } else if self.until.is_none_or(|until| until <= Instant::now()) {
            self.failures = self.failures.saturating_add(1);
            self.until = Some(Instant::now() + self.length());
        }
    }

    fn length(&self) -> Duration {
        SHORTEST.saturating_mul(1 << self.failures.saturating_sub(1).min(16)).min(LONGEST)
    }

    /// Whether the pause that the receiver asked for is still running.
    pub fn is_asked_for(&self, now: Timestamp) -> bool {
        self.asked_until.is_some_and(|until| now < until)
    }

    pub fn is_resting(&self, now: Timestamp) -> bool {
        self.is_asked_for(now) || self.until.is_some_and(|until| Instant::now() < until)
    }

    /// The end of the current pause after a failure.
    pub fn ends_at(&self) -> Option<Instant> {
        self.until.filter(|until| Instant::now() < *until)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::webhook::DeliveryOutcome;
    use store::webhook_attempts::Attempt;

    const NOW: Timestamp = Timestamp::from_micros(0);

    fn exchanged(outcome: DeliveryOutcome, status: u16, retry_after: Option<i64>) -> Exchanged {
        let answer = String::new();
        let attempt = Attempt { at: NOW, duration: 0, outcome, status_code: Some(status), answer };
        Exchanged { attempt, retry_after }
    }

    #[test]
    fn a_receiver_is_left_alone_for_longer_after_each_failure_until_it_answers() {
        let mut rest = Backpressure::default();
        let failed = exchanged(DeliveryOutcome::of_status(500), 500, None);
        for longest in [10, 20, 40, 80, 160, 320, 640, 1_000, 1_000] {
            rest.heed(&failed, NOW);
            assert_eq!(rest.length(), Duration::from_millis(longest));
            rest.until = Some(Instant::now()); // the pause is over
        }
        rest.until = Some(Instant::now() + LONGEST);
        rest.heed(&failed, NOW);
        assert_eq!(rest.failures, 9, "a failure during a pause does not count again");
        assert!(rest.is_failing() && rest.is_resting(NOW));
        rest.heed(&exchanged(DeliveryOutcome::Delivered, 204, None), NOW);
        assert!(!rest.is_failing() && !rest.is_resting(NOW));
    }

    #[test]
    fn a_wish_for_patience_holds_for_an_hour_at_most_and_only_with_429_and_503() {
        let mut rest = Backpressure::default();
        rest.heed(&exchanged(DeliveryOutcome::of_status(500), 500, Some(60)), NOW);
        assert!(!rest.is_asked_for(NOW));
        rest.heed(&exchanged(DeliveryOutcome::of_status(429), 429, Some(60)), NOW);
        assert!(rest.is_asked_for(NOW.plus_seconds(59)) && !rest.is_asked_for(NOW.plus_seconds(60)));
        rest.heed(&exchanged(DeliveryOutcome::of_status(503), 503, Some(9_999)), NOW);
        assert!(rest.is_asked_for(NOW.plus_seconds(3_599)) && !rest.is_asked_for(NOW.plus_seconds(3_600)));
        rest.heed(&exchanged(DeliveryOutcome::Delivered, 204, None), NOW);
        assert!(rest.is_asked_for(NOW), "a success during the pause does not end it");
    }
}
