//! The schedule of retries, and when a failing receiver is given up.

use crate::base::timestamp::Timestamp;

/// Seconds between attempts: the first is immediate, the tenth is the last.
const DELAYS: [i64; 9] = [5, 5 * 60, 30 * 60, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR];

const HOUR: i64 = 3_600;
const MICROS_PER_SECOND: i64 = 1_000_000;
const THOUSAND: u32 = 1_000;
/// The largest shift is this fraction of the delay.
const JITTER_FRACTION: i64 = 5;

/// The longest delay that a receiver can request.
const LONGEST_RETRY_AFTER: i64 = 24 * HOUR;

/// A longer gap separates two series of failures. With the schedule and its jitter, attempts of one delivery are never
/// so far apart.
const LONGEST_GAP: i64 = 48 * HOUR;

/// A receiver that fails for this long is given up.
const DISABLE_AFTER: i64 = 5 * 24 * HOUR;

/// When the next attempt is due after one that failed at `now`, the `tries`-th for this delivery; `None` after the
/// last. `random` is any number: it shifts the moment by up to a fifth, so that deliveries that failed together do not
/// return together. `retry_after` is the delay in seconds that the receiver requested (RFC 9110, `Retry-After`).
pub fn next_attempt(now: Timestamp, tries: u32, random: u32, retry_after: Option<i64>) -> Option<Timestamp> {
    let delay = DELAYS.get(usize::try_from(tries.checked_sub(1)?).ok()?)?;
    let micros = delay * MICROS_PER_SECOND;
    // From -1,000 to 1,000 thousandths of the largest shift.
    let thousandths = i64::from(random % (2 * THOUSAND + 1)) - i64::from(THOUSAND);
    let jitter = (micros / JITTER_FRACTION) * thousandths / i64::from(THOUSAND);
    let scheduled = Timestamp::from_micros(now.micros() + micros + jitter);
    let requested = retry_after.map(|seconds| now.plus_seconds(seconds.clamp(0, LONGEST_RETRY_AFTER)));
    Some(requested.map_or(scheduled, |requested| requested.max(scheduled)))
}

/// The start of the current series of failures, when one more attempt failed at `now`.
pub fn failing_since(since: Option<Timestamp>, last: Option<Timestamp>, now: Timestamp) -> Timestamp {
    match (since, last) {
        (Some(since), Some(last)) if now <= last.plus_seconds(LONGEST_GAP) => since,
        _ => now,
    }
}

/// Whether a receiver that has failed since then is given up.
pub fn is_given_up(since: Timestamp, now: Timestamp) -> bool {
    now >= since.plus_seconds(DISABLE_AFTER)
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp::from_seconds(1_795_255_200);

    #[test]
    fn ten_attempts_are_spread_over_75_hours_give_or_take_a_fifth() {
        let mut at = NOW;
        for (tries, delay) in (1..).zip(DELAYS) {
            let (early, late) =
                (next_attempt(at, tries, 0, None).unwrap(), next_attempt(at, tries, 2_000, None).unwrap());
            assert_eq!(early.micros() - at.micros(), delay * 800_000);
            assert_eq!(late.micros() - at.micros(), delay * 1_200_000);
            at = next_attempt(at, tries, 1_000, None).unwrap();
        }
        assert_eq!(at.seconds() - NOW.seconds(), 75 * HOUR + 35 * 60 + 5);
        assert_eq!(next_attempt(at, 10, 1_000, None), None);
        assert_eq!(
            next_attempt(at, 10, 1_000, Some(60)),
            None,
            "the tenth is the last, even if the receiver requests another"
        );
    }

    #[test]
    fn a_receiver_can_delay_a_retry_up_to_a_limit() {
        let after = |tries, seconds| next_attempt(NOW, tries, 1_000, Some(seconds)).unwrap().seconds() - NOW.seconds();
        assert_eq!(after(1, 120), 120);
        assert_eq!(after(2, 1), 300);
        assert_eq!(after(1, -5), 5);
        assert_eq!(after(1, i64::MAX), 86_400, "a day at most");
    }

    #[test]
    fn failures_within_two_days_form_one_series() {
        assert_eq!(failing_since(None, None, NOW), NOW);
        let (since, later) = (NOW.plus_hours(1), NOW.plus_hours(49));
        assert_eq!(failing_since(Some(NOW), Some(since), later), NOW);
        assert_eq!(failing_since(Some(NOW), Some(since), later.plus_seconds(1)), later.plus_seconds(1));
        assert!(!is_given_up(NOW, NOW.plus_hours(120).plus_seconds(-1)));
        assert!(is_given_up(NOW, NOW.plus_hours(120)));
    }
}
