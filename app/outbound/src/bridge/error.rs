//! Why a shop or carrier gave no usable answer.

use crate::http::CallError;
use domain::{Problems, RefusalCode};
use std::time::Duration;

/// Why there is no usable answer. Each sentence is for the merchant's log and contains no personal data.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BridgeError {
    /// The system is unavailable for the moment.
    #[error(transparent)]
    Unavailable(#[from] Unavailable),
    /// The answer violates the contract: which fields, what is wrong, what is allowed. Only currencies and numbers are
    /// repeated from the answer.
    #[error("The bridge's answer violates the contract.")]
    BadAnswer(Problems),
    /// The system rejected the request.
    #[error(transparent)]
    Rejected(#[from] Rejected),
    /// The system rejected the API key, or the key has too few permissions. The sentence says what to check.
    #[error("{0}")]
    KeyRefused(&'static str),
}

/// Why a system is unavailable. These errors open its [`super::Breakers`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Unavailable {
    /// There was no answer, or not in time.
    #[error("{0}")]
    NoAnswer(CallError),
    /// It answered 5xx, 408 or 429.
    #[error("The bridge answered with status {status}.")]
    Status {
        /// The status.
        status: u16,
        /// `Retry-After`, in seconds.
        wait_seconds: Option<u64>,
    },
    /// It failed several times in a row, so it was not called: its circuit breaker is open.
    #[error("The bridge failed several times in a row, so calls to it are paused for a short time.")]
    LeftAlone {
        /// The time until the next attempt.
        wait: Duration,
    },
}

/// A status that rejects the request permanently.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.sentence())]
pub struct Rejected {
    /// The status: neither 2xx nor one that means [`Unavailable`].
    pub status: u16,
}

impl Rejected {
    fn sentence(self) -> String {
        let status = self.status;
        let hint = match status {
            401 | 403 => "it rejects the signature. Check that both sides have the same secret and the right time.",
            300..=399 => "redirects are not followed.",
            404 | 405 => "check the URL, and whether the bridge has this operation.",
            _ => "it refuses the request.",
        };
        format!("The bridge answered with status {status}: {hint}")
    }
}

impl BridgeError {
    /// An answer with one problem: the field, and what was expected of it.
    pub(crate) fn bad_field(path: &str, expected: &str) -> Self {
        let mut problems = Problems::default();
        problems.add(path, RefusalCode::NotAllowed, expected);
        Self::BadAnswer(problems)
    }

    /// The sentence, about another system than a bridge, such as "Karrio".
    pub fn told_of(&self, who: &str) -> String {
        self.to_string().replace("The bridge", who)
    }

    /// The name that programs see. It never changes.
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

    /// Whether it took too long: a client that waits for it gets 504.
    pub fn is_timeout(&self) -> bool {
        matches!(self, Self::Unavailable(Unavailable::NoAnswer(CallError::TimedOut)))
    }
}

impl From<CallError> for BridgeError {
    fn from(error: CallError) -> Self {
        Self::Unavailable(Unavailable::NoAnswer(error))
    }
}
