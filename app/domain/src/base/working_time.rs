//! Working time: the hours of Monday to Friday, in a shop's time zone.

use super::{time_zone::TimeZone, timestamp::Timestamp};
use time::{Date, Weekday};

const SECONDS_PER_HOUR: i64 = 3_600;

/// The last moment from which that many hours of working time have passed until `now`. Saturdays and Sundays do not
/// count; a working day counts with all of its 24 hours.
pub fn working_hours_before(zone: &TimeZone, now: Timestamp, hours: u32) -> Timestamp {
    let mut left = i64::from(hours).saturating_mul(SECONDS_PER_HOUR);
    let (mut day, mut end) = (zone.date(now), now);
    while left > 0 {
        let start = zone.start_of_day(day);
        if is_working_day(day) {
            let passed = end.seconds() - start.seconds();
            if passed >= left {
                return end.plus_seconds(-left);
            }
            left -= passed;
        }
        let Some(before) = day.previous_day() else { return start };
        (day, end) = (before, start);
    }
    end
}

fn is_working_day(day: Date) -> bool {
    !matches!(day.weekday(), Weekday::Saturday | Weekday::Sunday)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn at(text: &str) -> Timestamp {
        Timestamp::parse(text).unwrap()
    }

    #[test]
    fn weekends_do_not_count() {
        let berlin = TimeZone::from_name("Europe/Berlin").unwrap();
        for (now, hours, from) in [
            // Thursday, 26 November 2026.
            ("2026-11-26T17:00:00Z", 1, "2026-11-26T16:00:00Z"),
            ("2026-11-26T17:00:00Z", 24, "2026-11-25T17:00:00Z"),
            // From Monday morning back over the weekend to Friday.
            ("2026-11-30T09:00:00Z", 24, "2026-11-27T09:00:00Z"),
            // On a Sunday, the last working time was Friday's.
            ("2026-11-29T12:00:00Z", 1, "2026-11-27T22:00:00Z"),
            ("2026-11-29T12:00:00Z", 0, "2026-11-29T12:00:00Z"),
            // Over a change of the clocks, which is on a Sunday here.
            ("2026-10-26T09:00:00Z", 24, "2026-10-23T08:00:00Z"),
        ] {
            assert_eq!(working_hours_before(&berlin, at(now), hours), at(from), "{hours} hours before {now}");
        }
    }

    #[test]
    fn moments_beyond_the_calendar_do_not_panic() {
        for moment in [Timestamp::from_micros(i64::MIN), Timestamp::from_micros(i64::MAX)] {
            working_hours_before(&TimeZone::UTC, moment, 24);
        }
    }

    /// Counts the working time between two moments, an hour at a time.
    fn hours_between(zone: &TimeZone, from: Timestamp, to: Timestamp) -> u32 {
        let hours = (to.seconds() - from.seconds()) / SECONDS_PER_HOUR;
        let count =
            (0..hours).filter(|hour| is_working_day(zone.date(from.plus_seconds(hour * SECONDS_PER_HOUR + 1)))).count();
        u32::try_from(count).unwrap()
    }

    proptest! {
        /// In zones whose days begin at whole hours, counting hour by hour gives the same.
        #[test]
        fn the_hours_in_between_are_the_hours_that_were_asked_for(
            name in prop::sample::select(vec!["UTC", "Europe/Berlin", "America/New_York", "Pacific/Kiritimati", "Pacific/Pago_Pago"]),
            hour in 440_000_i64..580_000, // 2020 to 2036
            hours in 0_u32..400,
        ) {
            let zone = TimeZone::from_name(name).unwrap();
            let now = Timestamp::from_seconds(hour * SECONDS_PER_HOUR);
            let from = working_hours_before(&zone, now, hours);
            prop_assert_eq!(hours_between(&zone, from, now), hours);
            // It is the last such moment: an hour later, less working time has passed.
            if hours > 0 {
                prop_assert_eq!(hours_between(&zone, from.plus_seconds(SECONDS_PER_HOUR), now), hours - 1);
            }
        }

        #[test]
        fn more_hours_begin_earlier(seconds in 1_577_836_800_i64..2_082_758_400, hours in 0_u32..500) {
            let zone = TimeZone::from_name("Asia/Kolkata").unwrap();
            let now = Timestamp::from_seconds(seconds);
            let (less, more) = (working_hours_before(&zone, now, hours), working_hours_before(&zone, now, hours + 1));
            prop_assert!(more < less && less <= now);
        }
    }
}
