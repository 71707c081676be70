//! What can come of a call to a bridge, besides what was asked for.

use crate::http::CallError;
use domain::Problems;
use std::time::Duration;

/// Why a bridge said nothing that can be used. Each sentence is for the merchant's log and holds no personal data.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BridgeError {
    /// It is not there just now; it may be in a while.
    #[error(transparent)]
    Unavailable(#[from] Unavailable),
    /// It said something that the contract does not have: which fields, what is wrong, what is allowed. No value is
    /// repeated but currencies and numbers.
    #[error("The bridge's answer is not as the contract has it.")]
    BadAnswer(Problems),
    /// It refused the request.
    #[error(transparent)]
    Rejected(#[from] Rejected),
    /// It does not believe that the request is ours, or does not let us do it. A sentence that says what to look at.
    #[error("{0}")]
    KeyRefused(&'static str),
}

/// Why a bridge is not there. These count for the [`super::Breakers`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Unavailable {
    /// There was no answer, or not within the time.
    #[error("{0}")]
    NoAnswer(CallError),
    /// It answered 5xx, 408 or 429, and may have said how many seconds to wait.
    #[error("The bridge answered with status {status}.")]
    Status {
        /// The status.
        status: u16,
        /// `Retry-After`.
        wait_seconds: Option<u64>,
    },
    /// It failed often of late: it was not called.
    #[error("The bridge failed several times in a row and is left alone for a moment.")]
    LeftAlone {
        /// Until it is tried again.
        wait: Duration,
    },
}

/// A status that says no, for good.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.sentence())]
pub struct Rejected {
    /// The status: neither 2xx, nor one of those that mean [`Unavailable`].
    pub status: u16,
}

impl Rejected {
    fn sentence(self) -> String {
        let status = self.status;
        let hint = match status {
            401 | 403 => "it does not accept our signature: do both sides have the same secret, and the right time?",
            300..=399 => "redirects are not followed.",
            404 | 405 => "is this its URL, and does it know this operation?",
            _ => "it refuses the request.",
        };
        format!("The bridge answered with status {status}: {hint}")
    }
}

impl BridgeError {
    /// What it says, of somebody else than a bridge.
    pub fn told_of(&self, who: &str) -> String {
        self.to_string().replace("The bridge", who)
    }

    /// Its name for programs; it stays.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Unavailable(Unavailable::NoAnswer(error)) => error.name(),
            Self::Unavailable(Unavailable::Status { .. }) => "Unavailable",
            Self::Unavailable(Unavailable::LeftAlone { .. }) => "LeftAlone",
            Self::BadAnswer(_) => "BadAnswer",
            Self::Rejected(_) => "Rejected",
            Self::KeyRefused(_) => "KeyRefused",
        }
    }

    /// Whether it took too long: 504 to whoever waits for it.
    pub fn is_timeout(&self) -> bool {
        matches!(self, Self::Unavailable(Unavailable::NoAnswer(CallError::TimedOut)))
    }
}

impl From<CallError> for BridgeError {
    fn from(error: CallError) -> Self {
        Self::Unavailable(Unavailable::NoAnswer(error))
    }
}
