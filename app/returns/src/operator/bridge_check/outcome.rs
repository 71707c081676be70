//! The result of a case, in words for the component's author.

use outbound::bridge::{BridgeError, CALL_TIMEOUT};

/// The result of a case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckOutcome {
    /// Whether the case passed.
    pub verdict: CheckVerdict,
    /// Sentences: what was observed, or what to fix.
    pub messages: Vec<String>,
}

/// How a case ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CheckVerdict {
    /// The component follows the contract.
    Passed,
    /// It works but should be improved.
    Warned,
    /// It must be fixed.
    Failed,
    /// The case could not run, or was not requested.
    NotTried,
}

impl CheckOutcome {
    pub(super) fn passed(message: impl Into<String>) -> Self {
        Self::of(CheckVerdict::Passed, message)
    }

    pub(super) fn warned(message: impl Into<String>) -> Self {
        Self::of(CheckVerdict::Warned, message)
    }

    pub(super) fn failed(message: impl Into<String>) -> Self {
        Self::of(CheckVerdict::Failed, message)
    }

    pub(super) fn not_tried(message: impl Into<String>) -> Self {
        Self::of(CheckVerdict::NotTried, message)
    }

    fn of(verdict: CheckVerdict, message: impl Into<String>) -> Self {
        Self { verdict, messages: Some(message.into()).into_iter().filter(|message| !message.is_empty()).collect() }
    }
}

/// A failure, with a sentence per wrong field.
impl From<&BridgeError> for CheckOutcome {
    fn from(error: &BridgeError) -> Self {
        match error {
            BridgeError::BadAnswer(problems) => Self::from(problems),
            error if error.is_timeout() => Self::failed(format!("no answer within {} s", CALL_TIMEOUT.as_secs())),
            error => Self::failed(error.to_string()),
        }
    }
}

/// A failure, with a sentence per wrong field.
impl From<&domain::Problems> for CheckOutcome {
    fn from(problems: &domain::Problems) -> Self {
        let place = |path: &str| if path.is_empty() { "the answer".to_owned() } else { path.to_owned() };
        let messages = problems.0.iter().map(|(path, refusal)| format!("{}: {}", place(path), refusal.message));
        Self { verdict: CheckVerdict::Failed, messages: messages.collect() }
    }
}
