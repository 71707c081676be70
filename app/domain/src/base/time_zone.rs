//! Calendar days in a shop's time zone, by the IANA database.

use super::{
    refusal::{Refusal, RefusalCode},
    timestamp::Timestamp,
};
use jiff::{civil, tz, tz::AmbiguousOffset};
use serde::{Serialize, Serializer};
use std::fmt;
use time::{Date, Duration, OffsetDateTime, UtcOffset};

/// A time zone of the IANA database, such as `Europe/Berlin`. Its rules are those of the database that this program
/// was built with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TimeZone(tz::TimeZone);

/// Names in the database that belong to no place.
const NO_PLACES: [&str; 2] = ["Etc/Unknown", "Factory"];

impl TimeZone {
    /// Coordinated universal time, in which each day has 24 hours.
    pub const UTC: Self = Self(tz::TimeZone::UTC);

    /// The zone with that name; case is ignored.
    pub fn from_name(name: &str) -> Option<Self> {
        let is_place = NO_PLACES.iter().all(|none| !none.eq_ignore_ascii_case(name));
        tz::TimeZone::get(name).ok().filter(|zone| is_place && zone.iana_name().is_some()).map(Self)
    }

    /// The refusal of a name that no zone has.
    pub fn refusal() -> Refusal {
        let message = "expected a name of the IANA time zone database, such as UTC, Europe/Berlin or America/New_York";
        Refusal::new(RefusalCode::NotAllowed, message)
    }

    /// Its name as the database writes it.
    pub fn name(&self) -> &str {
        self.0.iana_name().unwrap_or("UTC")
    }

    /// The local date and time of a moment.
    pub fn local(&self, at: Timestamp) -> OffsetDateTime {
        let offset = jiff::Timestamp::from_microsecond(at.micros()).map_or(0, |at| self.0.to_offset(at).seconds());
        let utc = at.utc();
        let local = UtcOffset::from_whole_seconds(offset).ok().and_then(|offset| utc.checked_to_offset(offset));
        local.unwrap_or(utc)
    }

    /// The calendar day of a moment.
    pub fn date(&self, at: Timestamp) -> Date {
        self.local(at).date()
    }

    /// The first moment of a day. Where the clocks skip midnight, that is later than 00:00; where they skip the whole
    /// day, it is the first moment of the next day.
    pub fn start_of_day(&self, date: Date) -> Timestamp {
        self.midnight(date).unwrap_or_else(|| Timestamp::from(date.midnight().assume_utc()))
    }

    /// The last second of the day that is `days` calendar days after the day of `from`. The whole second belongs to
    /// the day: compare by [`Timestamp::seconds`].
    pub fn end_of_day(&self, from: Timestamp, days: u32) -> Timestamp {
        let next = self.date(from).checked_add(Duration::days(i64::from(days) + 1));
        next.map_or(from.plus_days(days), |next| self.start_of_day(next).plus_seconds(-1))
    }

    fn midnight(&self, date: Date) -> Option<Timestamp> {
        let (year, month) = (i16::try_from(date.year()).ok()?, i8::try_from(u8::from(date.month())).ok()?);
        let day = civil::Date::new(year, month, i8::try_from(date.day()).ok()?).ok()?;
        let midnight = day.at(0, 0, 0, 0);
        let seen_by = |offset: tz::Offset| offset.to_timestamp(midnight).ok();
        let at = match self.0.to_ambiguous_timestamp(midnight).offset() {
            AmbiguousOffset::Unambiguous { offset } => seen_by(offset)?,
            // The clocks skip midnight: the day starts when they do.
            AmbiguousOffset::Gap { before, .. } => {
                let late = seen_by(before)?.checked_add(jiff::SignedDuration::from_secs(1)).ok()?;
                self.0.preceding(late).next()?.timestamp()
            }
            // The clocks show midnight twice. If they go back into the previous day, that day ends at the second
            // midnight.
            AmbiguousOffset::Fold { before, after } => {
                let (first, second) = (seen_by(before)?, seen_by(after)?);
                let just_before = Timestamp::from_seconds(second.as_second() - 1);
                if self.date(just_before) < date { second } else { first }
            }
        };
        Some(Timestamp::from_micros(at.as_microsecond()))
    }
}

impl Default for TimeZone {
    fn default() -> Self {
        Self::UTC
    }
}

impl fmt::Display for TimeZone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Serialize for TimeZone {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use time::Month;

    fn zone(name: &str) -> TimeZone {
        TimeZone::from_name(name).unwrap()
    }

    fn at(text: &str) -> Timestamp {
        Timestamp::parse(text).unwrap()
    }

    #[test]
    fn a_zone_is_written_as_its_name() {
        let berlin = zone("Europe/Berlin");
        assert_eq!(
            (berlin.to_string().as_str(), serde_json::to_value(&berlin).unwrap()),
            ("Europe/Berlin", "Europe/Berlin".into())
        );
        assert_eq!(TimeZone::default().name(), "UTC");
    }

    /// Offsets of whole, half and quarter hours, both hemispheres, clocks that change at midnight, before it and by
    /// half an hour, and zones far from Greenwich on both sides.
    const SAMPLE_ZONES: [&str; 24] = [
        "UTC",
        "Europe/Berlin",
        "Europe/London",
        "Europe/Dublin",
        "Atlantic/Azores",
        "America/Scoresbysund",
        "America/Nuuk",
        "America/St_Johns",
        "America/New_York",
        "America/Los_Angeles",
        "America/Havana",
        "America/Asuncion",
        "America/Santiago",
        "Africa/Cairo",
        "Africa/Casablanca",
        "Asia/Beirut",
        "Asia/Gaza",
        "Asia/Tehran",
        "Asia/Kolkata",
        "Asia/Kathmandu",
        "Australia/Lord_Howe",
        "Pacific/Chatham",
        "Pacific/Kiritimati",
        "Pacific/Pago_Pago",
    ];

    #[test]
    fn zones_are_found_by_iana_names_only() {
        for (typed, name) in [("UTC", "UTC"), ("europe/berlin", "Europe/Berlin"), ("Asia/Kolkata", "Asia/Kolkata")] {
            assert_eq!(zone(typed).name(), name);
        }
        let wrong =
            ["", " ", "Berlin", "Europe/Berlin ", "+01:00", "CET-1CEST,M3.5.0,M10.5.0/3", "Etc/Unknown", "factory"];
        for name in wrong.into_iter().chain(["../UTC", "Europe/Ber\0lin", "Europe"]) {
            assert_eq!(TimeZone::from_name(name), None, "{name}");
        }
    }

    #[test]
    fn days_begin_at_local_midnight() {
        for (name, from, days, last) in [
            ("UTC", "2025-11-24T16:00:00Z", 30, "2025-12-24T23:59:59Z"),
            ("Europe/Berlin", "2026-11-10T23:30:00Z", 14, "2026-11-25T22:59:59Z"),
            // A day of 25 hours, and one of 23.
            ("Europe/Berlin", "2026-10-24T22:00:00Z", 0, "2026-10-25T22:59:59Z"),
            ("Europe/Berlin", "2026-03-28T23:00:00Z", 0, "2026-03-29T21:59:59Z"),
            ("Australia/Sydney", "2026-11-10T23:00:00Z", 1, "2026-11-12T12:59:59Z"),
            ("America/Los_Angeles", "2026-11-11T04:00:00Z", 14, "2026-11-25T07:59:59Z"),
            ("Asia/Kolkata", "2026-11-10T18:30:00Z", 0, "2026-11-11T18:29:59Z"),
            // The clocks skip midnight: the previous day ends when they do.
            ("Africa/Cairo", "2026-04-23T12:00:00Z", 0, "2026-04-23T21:59:59Z"),
            ("Africa/Cairo", "2026-04-24T12:00:00Z", 0, "2026-04-24T20:59:59Z"),
            // They show midnight twice within one day …
            ("America/Havana", "2026-10-31T12:00:00Z", 0, "2026-11-01T03:59:59Z"),
            ("Atlantic/Azores", "2026-10-24T12:00:00Z", 0, "2026-10-24T23:59:59Z"),
            ("Atlantic/Azores", "2034-10-28T12:00:00Z", 0, "2034-10-28T23:59:59Z"),
            // … or go back from midnight into the previous day.
            ("America/St_Johns", "2009-10-31T12:00:00Z", 0, "2009-11-01T03:29:59Z"),
            // On 30 March 1919 they went from 23:30 to 00:30.
            ("America/Toronto", "1919-03-30T12:00:00Z", 0, "1919-03-31T04:29:59Z"),
            // 30 December 2011 did not exist.
            ("Pacific/Apia", "2011-12-28T12:00:00Z", 1, "2011-12-30T09:59:59Z"),
            ("Pacific/Apia", "2011-12-28T12:00:00Z", 2, "2011-12-30T09:59:59Z"),
            ("Pacific/Apia", "2011-12-28T12:00:00Z", 3, "2011-12-31T09:59:59Z"),
        ] {
            assert_eq!(zone(name).end_of_day(at(from), days).to_string(), last, "{name}, {days} after {from}");
        }
    }

    #[test]
    fn moments_beyond_the_calendar_do_not_panic() {
        for moment in [Timestamp::from_micros(i64::MIN), Timestamp::from_micros(i64::MAX)] {
            let berlin = zone("Europe/Berlin");
            berlin.start_of_day(berlin.date(moment));
            berlin.end_of_day(moment, u32::MAX);
        }
        zone("Asia/Kolkata").start_of_day(Date::MAX);
        zone("Asia/Kolkata").start_of_day(Date::MIN);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4_096))]

        /// The end lies in the last day, and the next second in the day after.
        #[test]
        fn a_window_ends_with_the_last_moment_of_its_last_day(
            name in prop::sample::select(SAMPLE_ZONES.to_vec()),
            seconds in 1_577_836_800_i64..2_082_758_400, // 2020 to 2035
            days in 0_u32..=400,
        ) {
            let (zone, from) = (zone(name), Timestamp::from_seconds(seconds));
            let last = zone.end_of_day(from, days);
            let day = zone.date(from) + Duration::days(i64::from(days));
            prop_assert_eq!(zone.date(last), day);
            prop_assert_eq!(zone.date(last.plus_seconds(1)), day + Duration::DAY);
            prop_assert!(last >= from);
            prop_assert_eq!(zone.start_of_day(day + Duration::DAY), last.plus_seconds(1));
        }

        /// Every moment of a day gives the same end of day.
        #[test]
        fn all_of_a_day_has_the_same_end(
            name in prop::sample::select(jiff::tz::db().available().map(|name| name.to_string()).collect::<Vec<_>>()),
            year in 2020..=2035,
            ordinal in 1_u16..=365,
            within in 0.0..1.0,
        ) {
            let Some(zone) = TimeZone::from_name(&name) else { return Ok(()) };
            let day = Date::from_ordinal_date(year, ordinal).unwrap();
            let (first, last) = (zone.start_of_day(day), zone.end_of_day(zone.start_of_day(day), 0));
            prop_assert!((22 * 3_600..=26 * 3_600).contains(&(last.seconds() + 1 - first.seconds())), "{} {}", name, day);
            #[expect(clippy::cast_precision_loss, clippy::cast_possible_truncation, reason = "any moment of the day will do")]
            let between = first.plus_seconds(((last.seconds() - first.seconds()) as f64 * within) as i64);
            prop_assert_eq!(zone.end_of_day(between, 0), last);
            prop_assert_eq!(zone.date(between), day);
        }
    }

    #[test]
    fn local_time_has_the_offset_of_its_moment() {
        let berlin = zone("Europe/Berlin");
        assert_eq!(berlin.local(at("2026-12-04T23:30:00Z")).to_string(), "2026-12-05 0:30:00.0 +01:00:00");
        assert_eq!(berlin.date(at("2026-06-30T22:00:00Z")), Date::from_calendar_date(2026, Month::July, 1).unwrap());
    }
}
