//! Days and moments as each language writes them, from CLDR.

use crate::{language::Language, text::format, words::PageWords};
use domain::{TimeZone, Timestamp};
use icu_calendar::Gregorian;
use icu_datetime::{
    FixedCalendarDateTimeFormatter,
    fieldsets::{MD, MDE, YMD, YMDE},
    input::Date,
};
use icu_locale_core::{Locale, locale};
use std::sync::OnceLock;

/// Beyond this distance from today, a day is ambiguous without its year.
const NEAR_DAYS: i64 = 180;

/// The formatters of a language: with the weekday (`near`, `far`) or without.
struct Days {
    near: FixedCalendarDateTimeFormatter<Gregorian, MDE>,
    far: FixedCalendarDateTimeFormatter<Gregorian, YMDE>,
    short: FixedCalendarDateTimeFormatter<Gregorian, MD>,
    short_with_year: FixedCalendarDateTimeFormatter<Gregorian, YMD>,
}

/// The calendar of a shop at a moment.
#[derive(Debug, Clone, Copy)]
pub struct Calendar<'a> {
    /// The shop's time zone.
    pub zone: &'a TimeZone,
    /// The current moment.
    pub now: Timestamp,
}

/// A day in the shop's time zone: "Friday 4 December", with the year if the day is ambiguous without it.
pub fn day(at: Timestamp, calendar: Calendar<'_>, words: &dyn PageWords) -> String {
    let local = calendar.zone.date(at);
    let written = Date::try_new_gregorian(local.year(), u8::from(local.month()), local.day());
    let (Ok(date), Some(days)) = (written, days(words.language())) else { return local.to_string() };
    let is_near = (at.seconds() - calendar.now.seconds()).abs() <= NEAR_DAYS * 86_400;
    let day = if is_near { days.near.format(&date).to_string() } else { days.far.format(&date).to_string() };
    // French writes the first day of a month as an ordinal, which CLDR's patterns do not cover.
    if words.language() == Language::Fr { day.replacen(" 1 ", " 1er ", 1) } else { day }
}

/// A past moment for a timeline.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PastMoment {
    /// "4 December": with the year if it is not the current one, with the time if the day is today.
    pub short: String,
    /// The full date with weekday and year, and the time.
    pub full: String,
    /// For programs: RFC 3339 in UTC.
    pub datetime: String,
}

/// Formats a past moment in the shop's time zone.
pub fn past_moment(at: Timestamp, calendar: Calendar<'_>, words: &dyn PageWords) -> PastMoment {
    let is_today = calendar.zone.date(at) == calendar.zone.date(calendar.now);
    let short = short_day(at, calendar, words);
    let time = time_of_day(at, calendar);
    let full = moment(at, calendar.zone, words).day;
    PastMoment {
        short: if is_today { format(words.at_time(), &[&short, &time]) } else { short },
        full: format(words.at_time(), &[&full, &time]),
        // HTML accepts at most milliseconds.
        datetime: Timestamp::from_seconds(at.seconds()).to_string(),
    }
}

/// A day without its weekday: "4 December", with the year if it is not the current one.
fn short_day(at: Timestamp, calendar: Calendar<'_>, words: &dyn PageWords) -> String {
    let local = calendar.zone.date(at);
    let written = Date::try_new_gregorian(local.year(), u8::from(local.month()), local.day());
    let (Ok(date), Some(days)) = (written, days(words.language())) else { return local.to_string() };
    let is_this_year = local.year() == calendar.zone.date(calendar.now).year();
    let day = if is_this_year {
        days.short.format(&date).to_string()
    } else {
        days.short_with_year.format(&date).to_string()
    };
    match day.strip_prefix("1 ") {
        Some(rest) if words.language() == Language::Fr => format!("1er {rest}"),
        _ => day,
    }
}

/// A deadline that falls within a day: the day and the time.
pub fn moment_until(at: Timestamp, calendar: Calendar<'_>, words: &dyn PageWords) -> String {
    format(words.at_time(), &[&day(at, calendar, words), &time_of_day(at, calendar)])
}

fn time_of_day(at: Timestamp, calendar: Calendar<'_>) -> String {
    let (hours, minutes, _) = calendar.zone.local(at).to_hms();
    format!("{hours:02}:{minutes:02}")
}

/// An exact moment, for records.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Moment {
    /// The date with its year.
    pub day: String,
    /// The time to the second.
    pub time: String,
    /// The offset of the time zone: `UTC` or `UTC+02:00`.
    pub offset: String,
}

/// Formats an exact moment in a time zone.
pub fn moment(at: Timestamp, zone: &TimeZone, words: &dyn PageWords) -> Moment {
    let local = zone.local(at);
    let (hours, minutes, seconds) = local.to_hms();
    let far_away = Timestamp::from_seconds(at.seconds() + 2 * NEAR_DAYS * 86_400);
    let offset = local.offset();
    let sign = if offset.is_negative() { '-' } else { '+' };
    let (ahead_hours, ahead_minutes, _) = offset.as_hms();
    Moment {
        day: day(at, Calendar { zone, now: far_away }, words),
        time: format!("{hours:02}:{minutes:02}:{seconds:02}"),
        offset: if offset.is_utc() {
            "UTC".to_owned()
        } else {
            format!("UTC{sign}{:02}:{:02}", ahead_hours.unsigned_abs(), ahead_minutes.unsigned_abs())
        },
    }
}

/// The formatters of a language. `None` without CLDR data for it.
fn days(language: Language) -> Option<&'static Days> {
    static KNOWN: [OnceLock<Option<Days>>; Language::ALL.len()] = [const { OnceLock::new() }; Language::ALL.len()];
    let index = Language::ALL.iter().position(|one| *one == language)?;
    let make = || {
        let locale = of(language);
        let near = FixedCalendarDateTimeFormatter::try_new((&locale).into(), MDE::long()).ok()?;
        let far = FixedCalendarDateTimeFormatter::try_new((&locale).into(), YMDE::long()).ok()?;
        let short = FixedCalendarDateTimeFormatter::try_new((&locale).into(), MD::long()).ok()?;
        let short_with_year = FixedCalendarDateTimeFormatter::try_new((&locale).into(), YMD::long()).ok()?;
        Some(Days { near, far, short, short_with_year })
    };
    KNOWN.get(index)?.get_or_init(make).as_ref()
}

/// The CLDR locale of a language. English dates follow British order; Arabic dates use the same digits as all other numbers.
fn of(language: Language) -> Locale {
    match language {
        Language::En => locale!("en-GB"),
        Language::Nl => locale!("nl"),
        Language::De => locale!("de"),
        Language::Fr => locale!("fr"),
        Language::Es => locale!("es"),
        Language::Pl => locale!("pl"),
        Language::It => locale!("it"),
        Language::Ar => locale!("ar-u-nu-latn"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Words with nothing but what dates need.
    struct Words(Language);

    static EN: Words = Words(Language::En);

    impl PageWords for Words {
        fn language(&self) -> Language {
            self.0
        }
        fn at_time(&self) -> &'static str {
            if self.0 == Language::De { "{0}, {1} Uhr" } else { "{0}, {1}" }
        }
        fn problem_title(&self) -> &'static str {
            ""
        }
        fn error_prefix(&self) -> &'static str {
            ""
        }
    }

    #[test]
    fn days_have_a_year_only_if_ambiguous_without() {
        let at = |text| Timestamp::parse(text).unwrap();
        let calendar = Calendar { zone: &TimeZone::UTC, now: at("2026-11-21T10:00:00Z") };
        assert_eq!(day(at("2026-12-04T23:59:59Z"), calendar, &EN), "Friday 4 December");
        assert_eq!(day(at("2027-01-03T00:00:00Z"), calendar, &EN), "Sunday 3 January");
        assert_eq!(day(at("2025-12-04T00:00:00Z"), calendar, &EN), "Thursday, 4 December 2025");
    }

    #[test]
    fn days_are_in_the_shop_s_time_zone() {
        let at = |text| Timestamp::parse(text).unwrap();
        for (zone, moment, said) in [
            ("Europe/Berlin", "2026-12-04T23:30:00Z", "Saturday 5 December"),
            ("America/Los_Angeles", "2026-12-04T07:30:00Z", "Thursday 3 December"),
            ("Asia/Kolkata", "2026-12-04T18:30:00Z", "Saturday 5 December"),
        ] {
            let zone = &TimeZone::from_name(zone).unwrap();
            let calendar = Calendar { zone, now: at("2026-11-21T10:00:00Z") };
            assert_eq!(day(at(moment), calendar, &EN), said, "{zone}");
        }
    }

    #[test]
    fn past_moments_are_short_and_in_the_shop_s_time_zone() {
        let at = |text| Timestamp::parse(text).unwrap();
        let zone = &TimeZone::from_name("Europe/Berlin").unwrap();
        let calendar = Calendar { zone, now: at("2026-12-04T22:10:00Z") };
        let said = |moment, language| past_moment(at(moment), calendar, &Words(language));
        let today = said("2026-12-03T23:05:07.123456Z", Language::En);
        assert_eq!(today.short, "4 December, 00:05");
        assert_eq!(today.full, "Friday, 4 December 2026, 00:05");
        assert_eq!(today.datetime, "2026-12-03T23:05:07Z");
        assert_eq!(said("2026-12-03T22:59:00Z", Language::En).short, "3 December");
        assert_eq!(said("2025-12-31T22:59:00Z", Language::En).short, "31 December 2025");
        assert_eq!(said("2025-12-31T23:00:00Z", Language::En).short, "1 January", "the shop's year");
        assert_eq!(said("2026-12-04T13:05:00Z", Language::De).short, "4. Dezember, 14:05 Uhr");
        assert_eq!(said("2026-12-01T12:00:00Z", Language::Fr).short, "1er décembre");
        assert_eq!(said("2026-11-11T12:00:00Z", Language::Fr).short, "11 novembre");
        assert_eq!(said("2026-11-11T12:00:00Z", Language::Ar).short, "11 نوفمبر");
    }

    #[test]
    fn an_exact_moment_has_year_and_seconds() {
        let at = Timestamp::parse("2026-12-04T09:05:07.9+02:00").unwrap();
        for (zone, day, time, offset) in [
            ("UTC", "Friday, 4 December 2026", "07:05:07", "UTC"),
            ("Europe/London", "Friday, 4 December 2026", "07:05:07", "UTC"),
            ("Asia/Kathmandu", "Friday, 4 December 2026", "12:50:07", "UTC+05:45"),
            ("Pacific/Marquesas", "Thursday, 3 December 2026", "21:35:07", "UTC-09:30"),
        ] {
            let expected = Moment { day: day.to_owned(), time: time.to_owned(), offset: offset.to_owned() };
            assert_eq!(moment(at, &TimeZone::from_name(zone).unwrap(), &EN), expected);
        }
    }

    #[test]
    fn each_language_formats_days_its_own_way() {
        let at = |text| Timestamp::parse(text).unwrap();
        let calendar = Calendar { zone: &TimeZone::UTC, now: at("2026-11-21T10:00:00Z") };
        for (language, near, far) in [
            (Language::De, "Freitag, 4. Dezember", "Donnerstag, 4. Dezember 2025"),
            (Language::Nl, "vrijdag 4 december", "donderdag 4 december 2025"),
            (Language::Fr, "vendredi 4 décembre", "jeudi 4 décembre 2025"),
            (Language::Es, "viernes, 4 de diciembre", "jueves, 4 de diciembre de 2025"),
            (Language::It, "venerdì 4 dicembre", "giovedì 4 dicembre 2025"),
            (Language::Pl, "piątek, 4 grudnia", "czwartek, 4 grudnia 2025"),
            (Language::Ar, "الجمعة، 4 ديسمبر", "الخميس، 4 ديسمبر 2025"),
        ] {
            let words = Words(language);
            assert_eq!(day(at("2026-12-04T23:59:59Z"), calendar, &words), near);
            assert_eq!(day(at("2025-12-04T00:00:00Z"), calendar, &words), far);
        }
        let french = Words(Language::Fr);
        assert_eq!(day(at("2026-12-01T12:00:00Z"), calendar, &french), "mardi 1er décembre");
        assert_eq!(day(at("2026-12-11T12:00:00Z"), calendar, &french), "vendredi 11 décembre");
    }
}
