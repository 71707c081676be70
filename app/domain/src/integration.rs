//! The systems that an account is connected to, and how calls to them ended.

use crate::Timestamp;
use serde::{Deserialize, Serialize};

/// The longest error message that is kept, characters.
pub const MAX_ERROR_CHARS: usize = 500;

/// The part that another system plays for an account.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
pub enum IntegrationRole {
    /// The shop, which knows orders and carries out resolutions.
    Shop,
    /// The carrier, which makes labels and tells where parcels are.
    Carrier,
    /// The payment provider, which takes fees and pays them back.
    PaymentProvider,
}

/// What another system is asked to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
pub enum IntegrationOperation {
    /// The shop finds an order.
    LookUp,
    /// The shop carries out a resolution.
    Resolution,
    /// The carrier makes a label.
    Label,
    /// The carrier tells where a parcel is.
    Tracking,
    /// The carrier voids a label.
    Voiding,
    /// The payment provider makes a page to pay on.
    Checkout,
    /// The payment provider tells the state of a payment.
    PaymentStatus,
    /// The payment provider pays back.
    Refund,
}

impl IntegrationOperation {
    /// Every one of them.
    pub const ALL: [Self; 8] = [
        Self::LookUp,
        Self::Resolution,
        Self::Label,
        Self::Tracking,
        Self::Voiding,
        Self::Checkout,
        Self::PaymentStatus,
        Self::Refund,
    ];

    /// The name in JSON and SQL.
    pub fn name(self) -> &'static str {
        match self {
            Self::LookUp => "LookUp",
            Self::Resolution => "Resolution",
            Self::Label => "Label",
            Self::Tracking => "Tracking",
            Self::Voiding => "Voiding",
            Self::Checkout => "Checkout",
            Self::PaymentStatus => "PaymentStatus",
            Self::Refund => "Refund",
        }
    }

    /// The operation of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.name() == name)
    }

    /// The system that performs the operation.
    pub fn role(self) -> IntegrationRole {
        match self {
            Self::LookUp | Self::Resolution => IntegrationRole::Shop,
            Self::Label | Self::Tracking | Self::Voiding => IntegrationRole::Carrier,
            Self::Checkout | Self::PaymentStatus | Self::Refund => IntegrationRole::PaymentProvider,
        }
    }
}

/// Consecutive failed attempts at a call that Retour repeats.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FailedAttempts {
    /// How many; at least 1.
    pub count: u32,
    /// Why the last one failed, for the merchant's people: at most [`MAX_ERROR_CHARS`], without personal data.
    pub message: String,
    /// When the next attempt is due.
    pub next_at: Timestamp,
}

/// The results of recent calls of one kind of operation.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Health {
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

impl Health {
    /// Combines several kinds of operations: the latest success, the latest error, the highest number of failed attempts and
    /// the earliest next attempt.
    pub fn together<'a>(all: impl IntoIterator<Item = &'a Self>) -> Self {
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
    fn each_operation_has_a_name_of_its_own_in_json_and_sql() {
        for operation in IntegrationOperation::ALL {
            assert_eq!(serde_json::to_value(operation).unwrap(), operation.name());
            assert_eq!(IntegrationOperation::from_name(operation.name()), Some(operation));
        }
        assert_eq!(IntegrationOperation::from_name("Nothing"), None);
    }

    #[test]
    fn a_system_is_as_well_as_the_worst_of_what_it_does() {
        let works = Health { succeeded_at: Some(AT), ..Health::default() };
        let fails = Health {
            succeeded_at: Some(AT.plus_seconds(-60)),
            error: "No connection could be made.".to_owned(),
            failed_at: Some(AT.plus_seconds(-10)),
            failed_attempts: 3,
            next_attempt_at: Some(AT.plus_seconds(50)),
        };
        let failed_before = Health {
            error: "The answer did not come in time.".to_owned(),
            failed_at: Some(AT.plus_seconds(-90)),
            failed_attempts: 1,
            next_attempt_at: Some(AT.plus_seconds(70)),
            ..Health::default()
        };
        let together = Health { succeeded_at: Some(AT), ..fails.clone() };
        assert_eq!(Health::together([&works, &fails, &failed_before]), together);
        assert_eq!(Health::together([&failed_before, &fails, &works]), together);
        assert_eq!(Health::together([]), Health::default());
    }

    #[test]
    fn of_errors_at_the_same_time_the_first_one_is_shown() {
        let failed = |error: &str| Health { error: error.to_owned(), failed_at: Some(AT), ..Health::default() };
        assert_eq!(Health::together([&failed("one"), &failed("other")]).error, "one");
    }

    #[test]
    fn an_error_is_kept_on_one_line_and_bounded() {
        assert_eq!(bounded("items[0].amount:\n expected\t9.99 EUR\u{0} "), "items[0].amount: expected 9.99 EUR");
        assert_eq!(bounded(&"ü".repeat(9_999)).chars().count(), MAX_ERROR_CHARS);
    }
}
