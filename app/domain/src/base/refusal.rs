//! Refusals: why a rule says no, in a form for programs and for people.

use serde::{Deserialize, Serialize};
use std::{fmt, ops::RangeInclusive};

/// Why a rule refuses, as a word that programs can compare. API answers contain the same word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
pub enum RefusalCode {
    /// The return request cannot go from its stage to that one.
    IllegalTransition,
    /// The request is not in the stage that the caller expected.
    StageConflict,
    /// The quantity is larger than the number of units that can be returned.
    QuantityExceeded,
    /// A price, reason or option of the draft has changed, or the draft has been submitted already.
    DraftOutdated,
    /// The draft is older than 24 hours.
    DraftExpired,
    /// The merchant rejected the draft.
    DraftRejected,
    /// The purchase cannot be returned; the message says why.
    NotReturnable,
    /// A field's value is not among those allowed.
    NotAllowed,
    /// A required value is missing.
    Required,
    /// A number, text or list is out of its bounds.
    OutOfRange,
    /// Two values that must agree differ.
    Mismatch,
    /// An amount is too large to calculate with.
    Overflow,
    /// It is too late to cancel the return.
    NotCancellable,
    /// The time in which this can change is over.
    TooLate,
    /// The shipment is cancelled: its label is void, and it accepts no tracking.
    ShipmentCancelled,
    /// The shipment has no label yet.
    LabelNotReady,
    /// The parcel crosses a customs border, and the shop has not given all data for the declaration.
    CustomsDataMissing,
    /// Another object depends on it.
    InUse,
    /// The object exists with amounts in another currency.
    OtherCurrency,
    /// The purchase already belongs to another order.
    OtherOrder,
    /// The same object exists under another id.
    KnownUnderAnotherId,
    /// The maximum number of such objects is reached.
    LimitReached,
    /// Another user already has the e-mail address.
    EmailTaken,
    /// The account would have no user left who can administer it.
    LastAdmin,
    /// The API key was revoked.
    Revoked,
    /// The webhook subscription is disabled.
    Disabled,
    /// The operator has set no key to encrypt secrets with.
    NoSecretKey,
    /// The operator has set no mail server.
    NoMailServer,
    /// The user has no second factor.
    NoSecondFactor,
    /// The installation's address has no host name, or no protected connection.
    NoHostName,
    /// The decision is about more than agents may decide about; another role decides.
    AgentLimitExceeded,
}

impl fmt::Display for RefusalCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

/// A rule's refusal: a code for programs and a sentence that says what to do. It contains no personal data.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Refusal {
    /// The code, for programs.
    pub code: RefusalCode,
    /// The sentence, for people: it says what to do.
    pub message: String,
}

impl Refusal {
    /// A refusal with its code and sentence.
    pub fn new(code: RefusalCode, message: impl Into<String>) -> Self {
        Self { code, message: message.into() }
    }
}

/// The problems of a request by field, collected so that one answer reports all of them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Problems(pub Vec<(String, Refusal)>);

impl Problems {
    /// Adds a problem of a field; the message says what is allowed.
    pub fn add(&mut self, field: impl Into<String>, code: RefusalCode, message: impl Into<String>) {
        self.0.push((field.into(), Refusal::new(code, message)));
    }

    /// Adds a problem for a text that is too short, too long or more than one line.
    pub fn check_text(&mut self, field: &str, text: &str, chars: RangeInclusive<usize>) {
        let (least, most) = (*chars.start(), *chars.end());
        if text.trim().is_empty() && least > 0 {
            self.add(field, RefusalCode::Required, format!("expected a text of {least} to {most} characters"));
        } else if !chars.contains(&text.chars().count()) {
            self.add(field, RefusalCode::OutOfRange, format!("expected at most {most} characters"));
        } else if text.chars().any(char::is_control) {
            self.add(field, RefusalCode::NotAllowed, "expected one line without control characters");
        }
    }

    /// Adds the problems of a field's parts, each under `field.part`.
    pub fn add_parts(&mut self, field: &str, parts: Self) {
        self.0.extend(parts.0.into_iter().map(|(part, refusal)| (format!("{field}.{part}"), refusal)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_shown_by_its_name() {
        assert_eq!(RefusalCode::OutOfRange.to_string(), "OutOfRange");
        assert_eq!(RefusalCode::AgentLimitExceeded.to_string(), "AgentLimitExceeded");
    }
}
