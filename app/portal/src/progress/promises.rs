//! When something comes, as far as the merchant promises it: a number of days before they start to count, a date while they count,
//! nothing once that date has passed.

use crate::words::Words;
use domain::{
    Timestamp,
    policy::{Policy, ResolveOn},
    shipping::ShippingMethod,
};
use ui::{dates::Calendar, text::plural};

/// When something comes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Promise {
    /// The merchant has promised nothing, or the date has passed.
    Nothing,
    /// So many days after an event that lies ahead.
    Within(u32),
    /// By the end of this day.
    By(Timestamp),
}

/// When the days of a promise begin to count.
#[derive(Debug, Clone, Copy)]
pub enum Since {
    /// The event lies ahead.
    Ahead,
    /// At this moment.
    Known(Timestamp),
    /// The event has happened in part, or its time is unknown.
    Unclear,
}

impl Promise {
    /// What a promise of so many days says now. `None` days are no promise.
    pub fn new(days: Option<u32>, since: Since, calendar: Calendar<'_>) -> Self {
        match (days, since) {
            (Some(days), Since::Ahead) => Self::Within(days),
            (Some(days), Since::Known(at)) => {
                let until = calendar.zone.end_of_day(at, days);
                if until.seconds() < calendar.now.seconds() { Self::Nothing } else { Self::By(until) }
            }
            (None, _) | (_, Since::Unclear) => Self::Nothing,
        }
    }
}

/// When the next steps come, in words. Empty if nothing can be said.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ExpectedDates {
    pub review: String,
    pub arrival: String,
    pub check: String,
    /// The compensation.
    pub back: String,
}

/// A sentence with a number of days: "Usually within 5 days".
pub fn in_days(sentence: &str, days: u32, words: &Words) -> String {
    plural(words.tag, sentence, &[&days.to_string()])
}

/// When the shopper is compensated, in the number of days that the merchant promises. Empty without a promise.
pub fn within(policy: &Policy, words: &'static Words, method: Option<ShippingMethod>, kept: bool) -> String {
    let sentence = match policy.resolve_on {
        _ if kept => words.after_submission,
        ResolveOn::Submission => words.after_submission,
        ResolveOn::FirstScan => words.after_first_scan,
        _ if method == Some(ShippingMethod::InStore) => words.after_in_store,
        _ => words.after_receipt,
    };
    policy.refund_days.map(|days| in_days(sentence, days, words)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::EN;
    use domain::TimeZone;
    use ui::language::Language;

    #[test]
    fn a_number_of_days_becomes_a_date_and_then_nothing() {
        let at = |text| Timestamp::parse(text).unwrap();
        let of = |days, since, now| Promise::new(days, since, Calendar { zone: &TimeZone::UTC, now: at(now) });
        let arrived = Since::Known(at("2026-12-03T10:00:00Z"));
        let by = Promise::By(at("2026-12-08T23:59:59Z"));
        assert_eq!(of(Some(5), Since::Ahead, "2026-12-03T10:00:00Z"), Promise::Within(5));
        assert_eq!(of(Some(5), arrived, "2026-12-03T10:00:00Z"), by);
        assert_eq!(of(Some(5), arrived, "2026-12-08T23:59:59.9Z"), by, "the last day counts completely");
        assert_eq!(of(Some(5), arrived, "2026-12-09T00:00:00Z"), Promise::Nothing);
        assert_eq!(of(Some(5), Since::Unclear, "2026-12-03T10:00:00Z"), Promise::Nothing);
        for since in [Since::Ahead, arrived, Since::Unclear] {
            assert_eq!(of(None, since, "2026-12-03T10:00:00Z"), Promise::Nothing);
        }
    }

    #[test]
    fn days_have_the_right_plural_form() {
        assert_eq!(in_days(EN.when_receipt, 1, &EN), "Usually within 1 day of arrival");
        assert_eq!(in_days(EN.when_receipt, 5, &EN), "Usually within 5 days of arrival");
        for (language, days, said) in [
            (Language::De, 1, "Meist innerhalb von 1 Tag"),
            (Language::De, 3, "Meist innerhalb von 3 Tagen"),
            (Language::Fr, 1, "En général sous 1 jour"),
            (Language::Pl, 1, "Zwykle w\u{a0}ciągu 1\u{a0}dnia"),
            (Language::Pl, 3, "Zwykle w\u{a0}ciągu 3\u{a0}dni"),
            (Language::Ar, 2, "عادةً خلال يومين"),
            (Language::Ar, 5, "عادةً خلال 5 أيام"),
            (Language::Ar, 14, "عادةً خلال 14 يومًا"),
        ] {
            let words = Words::of(language);
            assert_eq!(in_days(words.when_submission, days, words), said);
        }
    }

    #[test]
    fn no_table_contains_a_number_of_days() {
        for words in Language::ALL.map(Words::of) {
            let promises = [
                words.when_receipt,
                words.when_first_scan,
                words.when_submission,
                words.after_receipt,
                words.after_in_store,
                words.after_first_scan,
                words.after_submission,
            ];
            for text in promises {
                assert!(
                    text.contains("{0") && !text.replace("{0", "").contains(|sign: char| sign.is_ascii_digit()),
                    "{text}"
                );
            }
            assert!(!words.done.replace("{0}", "").contains(|sign: char| sign.is_ascii_digit()), "{}", words.done);
        }
    }
}
