//! Moments: how long ago, with the date beside it.

use crate::{visit::Visit, words::Words};
use domain::Timestamp;
use leptos::prelude::*;
use ui::{
    dates::{Calendar, past_moment},
    html::{Html, IntoHtml},
    text::plural,
};

const MINUTE: i64 = 60;
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;
const WEEK: i64 = 7 * DAY;
const YEAR: i64 = 365 * DAY;

/// How long ago a moment was: "3 h", with the date and time on hover.
pub fn age(at: Timestamp, visit: &Visit) -> Html {
    let text = age_text(visit.retour.now().seconds() - at.seconds(), visit.words);
    shown(at, visit, Some(text))
}

/// The date of a moment, with the time if it is today; the full date on hover.
pub fn moment(at: Timestamp, visit: &Visit) -> Html {
    shown(at, visit, None)
}

fn shown(at: Timestamp, visit: &Visit, text: Option<String>) -> Html {
    let calendar = Calendar { zone: visit.zone(), now: visit.retour.now() };
    let moment = past_moment(at, calendar, visit.words);
    let text = text.unwrap_or(moment.short);
    view! { <time datetime=moment.datetime title=moment.full>{text}</time> }.into_html()
}

/// An age in one unit: "now", "5 min", "3 h", "2 d", "5 w", "1 y".
pub fn age_text(seconds: i64, words: &Words) -> String {
    let words = words.common;
    let (sentence, number) = match seconds {
        ..MINUTE => return words.age_now.to_owned(),
        MINUTE..HOUR => (words.age_minutes, seconds / MINUTE),
        HOUR..DAY => (words.age_hours, seconds / HOUR),
        DAY..WEEK => (words.age_days, seconds / DAY),
        WEEK..YEAR => (words.age_weeks, seconds / WEEK),
        _ => (words.age_years, seconds / YEAR),
    };
    plural(words.tag, sentence, &[&number.to_string()])
}

#[cfg(test)]
mod tests {
    use super::*;
    use ui::language::Language;

    #[test]
    fn an_age_has_one_unit() {
        let words = Words::of(Language::En);
        for (seconds, text) in [
            (-5, "now"),
            (59, "now"),
            (60, "1 min"),
            (3_599, "59 min"),
            (3_600, "1 h"),
            (86_399, "23 h"),
            (86_400, "1 d"),
            (6 * DAY, "6 d"),
            (7 * DAY, "1 w"),
            (364 * DAY, "52 w"),
            (730 * DAY, "2 y"),
        ] {
            assert_eq!(age_text(seconds, words), text, "{seconds}");
        }
    }
}
