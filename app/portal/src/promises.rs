//! When things come, as far as the merchant has promised it: in days while they lie ahead, by a date once the days count,
//! and not at all once that date is over.

use crate::{
    following::FollowedReturn,
    http::review::within,
    pages::standing::Phase,
    words::{Calendar, Words, plural, day, format},
};
use domain::{
    Timestamp,
    policy::ResolveOn,
    shipping::ShippingMethod,
    stage::{StageGroup, StageName},
};

/// What can be said of when something comes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Promise {
    /// Nothing: the merchant has promised nothing, or the time is over.
    Nothing,
    /// So many days after what it waits for.
    Within(u32),
    /// The day of this moment at the latest.
    By(Timestamp),
}

/// Since when the days of a promise count.
#[derive(Debug, Clone, Copy)]
enum Since {
    /// What they count from lies ahead.
    Ahead,
    /// From this moment.
    Known(Timestamp),
    /// It has happened in part, or nobody knows when.
    Unclear,
}

impl Promise {
    fn new(days: Option<u32>, since: Since, calendar: Calendar<'_>) -> Self {
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

/// When the steps of a return come, in words; empty where nothing can be said.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ExpectedDates {
    /// The review of the return.
    pub review: String,
    /// The parcel's arrival.
    pub arrival: String,
    /// The check of what has arrived.
    pub check: String,
    /// What comes back.
    pub back: String,
}

/// Some days in the form of a language: "Usually within 5 days".
pub fn in_days(sentence: &str, days: u32, words: &Words) -> String {
    plural(words.tag, sentence, &[&days.to_string()])
}

impl FollowedReturn<'_> {
    /// When its steps come.
    pub fn soon(&self) -> ExpectedDates {
        let back = match (self.account.policy.resolve_on, self.method()) {
            (ResolveOn::Submission, _) | (_, None | Some(ShippingMethod::InStore)) => self.words.when_submission,
            (ResolveOn::FirstScan, _) => self.words.when_first_scan,
            _ => self.words.when_receipt,
        };
        let plain = self.words.when_submission;
        ExpectedDates {
            review: self.say(self.review(), plain),
            arrival: self.say(self.arrival(), plain),
            check: self.say(self.check(), plain),
            back: self.say(self.back(), back),
        }
    }

    /// When what comes back comes back, as a part of a sentence; empty where nothing can be said.
    pub fn back_when(&self) -> String {
        match self.back() {
            Promise::Nothing => String::new(),
            Promise::Within(_) => within(&self.account.policy, self.words, self.method(), self.is_kept()),
            Promise::By(at) => format(self.words.after_by, &[&day(at, self.calendar(), self.words)]),
        }
    }

    fn say(&self, promise: Promise, in_words: &str) -> String {
        match promise {
            Promise::Nothing => String::new(),
            Promise::Within(days) => in_days(in_words, days, self.words),
            Promise::By(at) => format(self.words.soon_by, &[&day(at, self.calendar(), self.words)]),
        }
    }

    fn review(&self) -> Promise {
        let asked = self.timeline.iter().rev().find(|entry| entry.to_stage == StageName::RequestedReview);
        let since = match (self.phase(), asked) {
            (Phase::Review, Some(entry)) => Since::Known(entry.at),
            (Phase::Review, None) => Since::Unclear,
            _ => Since::Ahead,
        };
        Promise::new(self.account.policy.review_days, since, self.calendar())
    }

    fn arrival(&self) -> Promise {
        let since = match self.phase() {
            Phase::Delayed => Since::Unclear, // the carrier does not keep its usual time
            Phase::Transit => self.all_since(was_sent).map_or(Since::Unclear, Since::Known),
            _ => Since::Ahead,
        };
        Promise::new(self.account.policy.transit_days, since, self.calendar())
    }

    fn check(&self) -> Promise {
        let since = self.all_since(has_arrived).map_or(Since::Unclear, Since::Known);
        Promise::new(self.account.policy.review_days, since, self.calendar())
    }

    /// When what comes back comes back.
    pub fn back(&self) -> Promise {
        let counts_from: fn(StageName) -> bool = match self.account.policy.resolve_on {
            _ if self.is_kept() => is_settling,
            ResolveOn::Submission => is_settling,
            ResolveOn::FirstScan => was_sent,
            ResolveOn::Delivery | ResolveOn::Receipt | ResolveOn::Inspection => has_arrived,
        };
        let has_begun = self.timeline.iter().any(|entry| counts_from(entry.to_stage));
        let since = match self.all_since(counts_from) {
            Some(at) => Since::Known(at),
            None if has_begun => Since::Unclear,
            None => Since::Ahead,
        };
        Promise::new(self.account.policy.refund_days, since, self.calendar())
    }

    /// When the last of its requests that are not called off got so far; `None` while one has not.
    fn all_since(&self, is_there: fn(StageName) -> bool) -> Option<Timestamp> {
        let is_open = |stage: StageName| stage != StageName::RequestedRejected && stage.group() != StageGroup::Closed;
        let reached = self.requests().filter(|request| is_open(request.stage)).map(|request| {
            let mut entries = self.timeline.iter().filter(|entry| entry.return_request_id == request.id);
            entries.find(|entry| is_there(entry.to_stage)).map(|entry| entry.at)
        });
        reached.collect::<Option<Vec<_>>>()?.into_iter().max()
    }
}

/// Whether the carrier has it, or had it.
fn was_sent(stage: StageName) -> bool {
    stage.group() == StageGroup::Shipment || stage == StageName::ReceivedPartial || has_arrived(stage)
}

/// Whether all of it is with the shop.
fn has_arrived(stage: StageName) -> bool {
    matches!(stage, StageName::ShipmentDelivered | StageName::ReceivedComplete)
        || stage.group() == StageGroup::Inspection
        || is_settling(stage)
}

/// Whether it is decided, or about to be, what comes back.
fn is_settling(stage: StageName) -> bool {
    stage.group() == StageGroup::Resolution
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::{EN, Language};
    use domain::TimeZone;

    #[test]
    fn days_are_a_date_once_they_count_and_nothing_once_it_is_over() {
        let at = |text| Timestamp::parse(text).unwrap();
        let of = |days, since, now| Promise::new(days, since, Calendar { zone: &TimeZone::UTC, now: at(now) });
        let arrived = Since::Known(at("2026-12-03T10:00:00Z"));
        let by = Promise::By(at("2026-12-08T23:59:59Z"));
        assert_eq!(of(Some(5), Since::Ahead, "2026-12-03T10:00:00Z"), Promise::Within(5));
        assert_eq!(of(Some(5), arrived, "2026-12-03T10:00:00Z"), by);
        assert_eq!(of(Some(5), arrived, "2026-12-08T23:59:59.9Z"), by, "its last day counts to its end");
        assert_eq!(of(Some(5), arrived, "2026-12-09T00:00:00Z"), Promise::Nothing);
        assert_eq!(of(Some(5), Since::Unclear, "2026-12-03T10:00:00Z"), Promise::Nothing);
        for since in [Since::Ahead, arrived, Since::Unclear] {
            assert_eq!(of(None, since, "2026-12-03T10:00:00Z"), Promise::Nothing);
        }
    }

    #[test]
    fn days_have_the_form_that_goes_with_them() {
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
    fn no_table_says_a_number_of_days() {
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
