//! How a language writes days.

use super::{Words, fill};
use domain::Timestamp;

/// A language's calendar.
#[derive(Debug)]
pub struct Dates {
    /// From Monday.
    pub weekdays: [&'static str; 7],
    /// From January.
    pub months: [&'static str; 12],
    /// Weekday, day, month.
    pub near: &'static str,
    /// Weekday, day, month, year.
    pub far: &'static str,
}

/// Further away than this, a day's year is not clear by itself.
const NEAR_DAYS: i64 = 180;

/// A day: "Friday 4 December", with its year where that is not clear.
pub fn day(at: Timestamp, now: Timestamp, words: &Words) -> String {
    let date = at.utc().date();
    let dates = words.dates();
    let weekday = dates.weekdays.get(usize::from(date.weekday().number_days_from_monday()));
    let month = dates.months.get(usize::from(u8::from(date.month())).saturating_sub(1));
    let is_near = (at.seconds() - now.seconds()).abs() <= NEAR_DAYS * 86_400;
    let (number, year) = (date.day().to_string(), date.year().to_string());
    let values = [weekday.copied().unwrap_or_default(), &number, month.copied().unwrap_or_default(), &year];
    fill(if is_near { dates.near } else { dates.far }, &values)
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
        assert_eq!(day(at("2025-12-04T00:00:00Z"), now, &EN), "Thursday 4 December 2025");
    }
}
