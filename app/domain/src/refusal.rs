use serde::{Deserialize, Serialize};
use std::fmt;

/// Why a rule says no, as a word that programs can compare. The same word stands in API answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
pub enum RefusalCode {
    /// A stage does not lead to the one asked for.
    IllegalTransition,
    /// The request is not in the stage that the caller believed.
    StageConflict,
    /// More units than can still go back.
    QuantityExceeded,
    /// What the draft was made of has changed.
    DraftOutdated,
    /// The draft's 24 hours are over.
    DraftExpired,
    /// The merchant said no to the draft.
    DraftRejected,
    /// This purchase cannot go back; the message says why.
    NotReturnable,
    /// A field's value is not among those allowed.
    NotAllowed,
    /// Something that must be there is missing.
    Required,
    /// A number, text or list is out of its bounds.
    OutOfRange,
    /// Two things that must agree do not.
    Mismatch,
    /// An amount does not fit.
    Overflow,
    /// It is too late to cancel.
    NotCancellable,
    /// The parcel will not be sent: its label is void, nothing is reported of it.
    ShipmentCancelled,
    /// The parcel has no label yet.
    LabelNotReady,
    /// As many files as a return request can have.
    EvidenceLimitReached,
}

impl fmt::Display for RefusalCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

/// A rule's "no": a code for programs and a sentence that says what to do. Holds no personal data.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Refusal {
    /// For programs.
    pub code: RefusalCode,
    /// For people.
    pub message: String,
}

impl Refusal {
    /// A refusal with its sentence.
    pub fn new(code: RefusalCode, message: impl Into<String>) -> Self {
        Self { code, message: message.into() }
    }
}
