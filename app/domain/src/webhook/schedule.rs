//! When a delivery is tried again, and when a receiver is given up.

use crate::base::timestamp::Timestamp;

/// Seconds between an attempt and the next: the first is at once, the tenth is the last.
const DELAYS: [i64; 9] = [5, 5 * 60, 30 * 60, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR];

const HOUR: i64 = 3_600;

/// A receiver cannot ask for more patience than this.
const LONGEST_RETRY_AFTER: i64 = 24 * HOUR;

/// Failures further apart than this are not one failure: no two attempts are, with the schedule and its jitter.
const LONGEST_GAP: i64 = 48 * HOUR;

/// A receiver that fails for so long is not tried any more.
const DISABLE_AFTER: i64 = 5 * 24 * HOUR;

/// When the next attempt is due after one that failed at `now`, the `tries`-th since the delivery was asked for; `None`
/// after the last. `dice` is any number: it moves the moment by up to a fifth, so that not all that failed together comes
/// back together. `retry_after`: the seconds that the receiver asked for (RFC 9110, `Retry-After`).
pub fn next_attempt(now: Timestamp, tries: u32, dice: u32, retry_after: Option<i64>) -> Option<Timestamp> {
    let delay = DELAYS.get(usize::try_from(tries.checked_sub(1)?).ok()?)?;
    let micros = delay * 1_000_000;
    let jitter = (micros / 5) * (i64::from(dice % 2_001) - 1_000) / 1_000;
    let scheduled = Timestamp::from_micros(now.micros() + micros + jitter);
    let asked = retry_after.map(|seconds| now.plus_seconds(seconds.clamp(0, LONGEST_RETRY_AFTER)));
    Some(asked.map_or(scheduled, |asked| asked.max(scheduled)))
}

/// Since when a receiver fails, when it failed at `now` once more.
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
        assert_eq!(next_attempt(at, 10, 1_000, Some(60)), None, "the tenth is the last, whatever is asked for");
    }

    #[test]
    fn a_receiver_can_ask_for_patience_but_not_for_ever_and_not_for_haste() {
        let after = |tries, seconds| next_attempt(NOW, tries, 1_000, Some(seconds)).unwrap().seconds() - NOW.seconds();
        assert_eq!(after(1, 120), 120);
        assert_eq!(after(2, 1), 300);
        assert_eq!(after(1, -5), 5);
        assert_eq!(after(1, i64::MAX), LONGEST_RETRY_AFTER);
    }

    #[test]
    fn failures_count_as_one_while_none_is_two_days_behind_the_one_before() {
        assert_eq!(failing_since(None, None, NOW), NOW);
        let (since, later) = (NOW.plus_hours(1), NOW.plus_hours(49));
        assert_eq!(failing_since(Some(NOW), Some(since), later), NOW);
        assert_eq!(failing_since(Some(NOW), Some(since), later.plus_seconds(1)), later.plus_seconds(1));
        assert!(!is_given_up(NOW, NOW.plus_hours(120).plus_seconds(-1)));
        assert!(is_given_up(NOW, NOW.plus_hours(120)));
    }
}
