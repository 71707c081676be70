//! Why a company that takes payments could not be asked.

use crate::http::CallError;

/// Why nothing came of it. Each sentence is for the merchant and holds nothing personal.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PaymentError {
    /// There was no answer, or not within the time.
    #[error("The payment provider did not answer: {0}")]
    NoAnswer(CallError),
    /// It is not there just now; it may be in a while.
    #[error("The payment provider answered with status {status}.")]
    Unavailable {
        /// The status.
        status: u16,
        /// `Retry-After`.
        wait_seconds: Option<u64>,
    },
    /// It does not accept the key.
    #[error("The payment provider does not accept the API key, or the key may not do this.")]
    KeyRefused,
    /// It does not know what it is asked about.
    #[error(
        "The payment provider does not know this payment: is the API key of the account there that it was asked for with?"
    )]
    Unknown,
    /// It did not say what it has done before.
    #[error("It is not known whether this was done before: {0}")]
    NotLookedAt(Box<Self>),
    /// It says no, and nothing was done.
    #[error("The payment provider refuses this with status {status}{}{code}.", if code.is_empty() { "" } else { " " })]
    Refused {
        /// The status.
        status: u16,
        /// Its own name for the reason; may be empty.
        code: String,
    },
    /// It had a refund in hand that came to nothing.
    #[error("A refund came to nothing at the payment provider ({0}); it is asked for anew.")]
    RefundFailed(String),
    /// It says something else than its documentation has.
    #[error("The payment provider said something that was not expected: {0}.")]
    NotUnderstood(&'static str),
}

impl PaymentError {
    /// Its name for programs; it stays.
    pub fn name(&self) -> &'static str {
        match self {
            Self::NoAnswer(error) => error.name(),
            Self::Unavailable { .. } => "Unavailable",
            Self::KeyRefused => "KeyRefused",
            Self::Unknown => "Unknown",
            Self::NotLookedAt(error) => error.name(),
            Self::Refused { .. } => "Refused",
            Self::RefundFailed(_) => "RefundFailed",
            Self::NotUnderstood(_) => "NotUnderstood",
        }
    }

    /// Whether it is known that nothing was done.
    pub fn is_refusal(&self) -> bool {
        matches!(self, Self::KeyRefused | Self::Unknown | Self::Refused { .. } | Self::RefundFailed(_))
    }

    /// The same of a look at what was done before: whatever it is, it says nothing of that.
    pub(super) fn of_looking(self) -> Self {
        Self::NotLookedAt(Box::new(self))
    }

    /// How many seconds it asks for.
    pub fn wait_seconds(&self) -> Option<u64> {
        match self {
            Self::Unavailable { wait_seconds, .. } => *wait_seconds,
            Self::NotLookedAt(error) => error.wait_seconds(),
            _ => None,
        }
    }
}
