//! The health of the calls to another system.

use crate::base::timestamp::Timestamp;
use serde::{Deserialize, Serialize};

/// The longest error message that is kept, characters.
pub const MAX_ERROR_CHARS: usize = 500;

/// Consecutive failed attempts at a call that Retour repeats.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FailedAttempts {
    /// The number of failures; at least 1.
    pub count: u32,
    /// Why the last attempt failed, for the merchant's staff: at most [`MAX_ERROR_CHARS`], without personal data.
    pub message: String,
    /// When the next attempt is due.
    pub next_at: Timestamp,
}

/// The results of recent calls of one kind of operation.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct IntegrationHealth {
    /// When the system last gave a usable answer, to within a minute; `None`: never.
    pub succeeded_at: Option<Timestamp>,
    /// Why the last failed call failed: at most [`MAX_ERROR_CHARS`], without personal data; empty: no call has failed.
    pub error: String,
    /// When the last failed call failed; `None`: no call has failed.
    pub failed_at: Option<Timestamp>,
    /// How many calls have failed since the last usable answer.
    pub failed_attempts: u32,
    /// When Retour repeats the last failed call; `None`: it is not known, or a later call succeeded.
    pub next_attempt_at: Option<Timestamp>,
}

impl IntegrationHealth {
    /// Combines several kinds of operations: the latest success, the latest error, the highest number of failed attempts and
    /// the earliest next attempt.
    pub fn combined<'a>(all: impl IntoIterator<Item = &'a Self>) -> Self {
        all.into_iter().fold(Self::default(), |so_far, one| {
            let is_later = one.failed_at > so_far.failed_at;
            Self {
                succeeded_at: so_far.succeeded_at.max(one.succeeded_at),
                error: if is_later { one.error.clone() } else { so_far.error },
                failed_at: so_far.failed_at.max(one.failed_at),
                failed_attempts: so_far.failed_attempts.max(one.failed_attempts),
                next_attempt_at: so_far.next_attempt_at.into_iter().chain(one.next_attempt_at).min(),
            }
        })
    }
}

/// An error message on one line, cut to [`MAX_ERROR_CHARS`].
pub fn bounded(message: &str) -> String {
    let plain = message.replace(char::is_control, " ");
    let words: Vec<&str> = plain.split_whitespace().collect();
    words.join(" ").chars().take(MAX_ERROR_CHARS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const AT: Timestamp = Timestamp::from_seconds(1_800_000_000);

    #[test]
    fn combined_health_is_that_of_the_worst_operation() {
        let works = IntegrationHealth { succeeded_at: Some(AT), ..IntegrationHealth::default() };
        let fails = IntegrationHealth {
            succeeded_at: Some(AT.plus_seconds(-60)),
            error: "No connection could be made.".to_owned(),
            failed_at: Some(AT.plus_seconds(-10)),
            failed_attempts: 3,
            next_attempt_at: Some(AT.plus_seconds(50)),
        };
        let failed_before = IntegrationHealth {
            error: "There was no answer in time.".to_owned(),
            failed_at: Some(AT.plus_seconds(-90)),
            failed_attempts: 1,
            next_attempt_at: Some(AT.plus_seconds(70)),
            ..IntegrationHealth::default()
        };
        let combined = IntegrationHealth { succeeded_at: Some(AT), ..fails.clone() };
        assert_eq!(IntegrationHealth::combined([&works, &fails, &failed_before]), combined);
        assert_eq!(IntegrationHealth::combined([&failed_before, &fails, &works]), combined);
        assert_eq!(IntegrationHealth::combined([]), IntegrationHealth::default());
    }

    #[test]
    fn of_simultaneous_errors_the_first_one_is_shown() {
        let failed = |error: &str| IntegrationHealth {
            error: error.to_owned(),
            failed_at: Some(AT),
            ..IntegrationHealth::default()
        };
        assert_eq!(IntegrationHealth::combined([&failed("one"), &failed("other")]).error, "one");
    }

    #[test]
    fn an_error_is_kept_on_one_line_and_bounded() {
        assert_eq!(bounded("items[0].amount:\n expected\t9.99 EUR\u{0} "), "items[0].amount: expected 9.99 EUR");
        assert_eq!(bounded(&"ü".repeat(9_999)).chars().count(), MAX_ERROR_CHARS);
    }
}
