//! How a language writes days, as CLDR has it.

use super::{Language, Words};
use domain::Timestamp;
use icu_calendar::Gregorian;
use icu_datetime::{
    FixedCalendarDateTimeFormatter,
    fieldsets::{MDE, YMDE},
    input::Date,
};
use icu_locale_core::{Locale, locale};
use std::sync::OnceLock;

/// Further away than this, a day's year is not clear by itself.
const NEAR_DAYS: i64 = 180;

/// A language's two ways of writing a day.
struct Days {
    near: FixedCalendarDateTimeFormatter<Gregorian, MDE>,
    far: FixedCalendarDateTimeFormatter<Gregorian, YMDE>,
}

/// A day: "Friday 4 December", with its year where that is not clear.
pub fn day(at: Timestamp, now: Timestamp, words: &Words) -> String {
    let date = at.utc().date();
    let written = Date::try_new_gregorian(date.year(), u8::from(date.month()), date.day());
    let (Ok(date), Some(days)) = (written, days(words.language())) else { return at.utc().date().to_string() };
    let is_near = (at.seconds() - now.seconds()).abs() <= NEAR_DAYS * 86_400;
    if is_near { days.near.format(&date).to_string() } else { days.far.format(&date).to_string() }
}

/// A moment, for what is kept: its day with its year, and the time to the second, UTC.
pub fn moment(at: Timestamp, words: &Words) -> (String, String) {
    let (hours, minutes, seconds) = at.utc().to_hms();
    let far_away = Timestamp::from_seconds(at.seconds() + 2 * NEAR_DAYS * 86_400);
    (day(at, far_away, words), format!("{hours:02}:{minutes:02}:{seconds:02}"))
}

/// The formatters of a language; `None` where there are no data for it.
fn days(language: Language) -> Option<&'static Days> {
    static KNOWN: [OnceLock<Option<Days>>; Language::ALL.len()] = [const { OnceLock::new() }; Language::ALL.len()];
    let index = Language::ALL.iter().position(|one| *one == language)?;
    let make = || {
        let locale = of(language);
        let near = FixedCalendarDateTimeFormatter::try_new((&locale).into(), MDE::long()).ok()?;
        let far = FixedCalendarDateTimeFormatter::try_new((&locale).into(), YMDE::long()).ok()?;
        Some(Days { near, far })
    };
    KNOWN.get(index)?.get_or_init(make).as_ref()
}

/// English days as most of the world writes them, and Arabic ones in the digits that all other figures have.
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
    use crate::words::EN;

    #[test]
    fn days_have_a_year_only_where_it_is_needed() {
        let at = |text| Timestamp::parse(text).unwrap();
        let now = at("2026-11-21T10:00:00Z");
        assert_eq!(day(at("2026-12-04T23:59:59Z"), now, &EN), "Friday 4 December");
        assert_eq!(day(at("2027-01-03T00:00:00Z"), now, &EN), "Sunday 3 January");
        assert_eq!(day(at("2025-12-04T00:00:00Z"), now, &EN), "Thursday, 4 December 2025");
    }

    #[test]
    fn a_moment_has_its_year_and_its_seconds() {
        let at = Timestamp::parse("2026-12-04T09:05:07.9+02:00").unwrap();
        assert_eq!(moment(at, &EN), ("Friday, 4 December 2026".to_owned(), "07:05:07".to_owned()));
    }

    #[test]
    fn each_language_writes_days_its_own_way() {
        let at = |text| Timestamp::parse(text).unwrap();
        let now = at("2026-11-21T10:00:00Z");
        for (language, near, far) in [
            (Language::De, "Freitag, 4. Dezember", "Donnerstag, 4. Dezember 2025"),
            (Language::Nl, "vrijdag 4 december", "donderdag 4 december 2025"),
            (Language::Fr, "vendredi 4 décembre", "jeudi 4 décembre 2025"),
            (Language::Es, "viernes, 4 de diciembre", "jueves, 4 de diciembre de 2025"),
            (Language::It, "venerdì 4 dicembre", "giovedì 4 dicembre 2025"),
            (Language::Pl, "piątek, 4 grudnia", "czwartek, 4 grudnia 2025"),
            (Language::Ar, "الجمعة، 4 ديسمبر", "الخميس، 4 ديسمبر 2025"),
        ] {
            let words = Words::of(language);
            assert_eq!(day(at("2026-12-04T23:59:59Z"), now, words), near);
            assert_eq!(day(at("2025-12-04T00:00:00Z"), now, words), far);
        }
    }
}
