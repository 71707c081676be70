//! What came of a case, in words for the component's author.

use outbound::bridge::{BridgeError, CALL_TIMEOUT};

/// What came of a case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckOutcome {
    /// In a word.
    pub verdict: CheckVerdict,
    /// What was seen, or what is to be mended: sentences.
    pub told: Vec<String>,
}

/// How a case ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CheckVerdict {
    /// As the contract has it.
    Passed,
    /// It works, and could be better.
    Warned,
    /// It is to be mended.
    Failed,
    /// It could not be tried, or was not to be.
    NotTried,
}

impl CheckOutcome {
    pub(super) fn passed(told: impl Into<String>) -> Self {
        Self::of(CheckVerdict::Passed, told)
    }

    pub(super) fn warned(told: impl Into<String>) -> Self {
        Self::of(CheckVerdict::Warned, told)
    }

    pub(super) fn failed(told: impl Into<String>) -> Self {
        Self::of(CheckVerdict::Failed, told)
    }

    pub(super) fn not_tried(told: impl Into<String>) -> Self {
        Self::of(CheckVerdict::NotTried, told)
    }

    fn of(verdict: CheckVerdict, told: impl Into<String>) -> Self {
        Self { verdict, told: Some(told.into()).into_iter().filter(|told| !told.is_empty()).collect() }
    }
}

/// A failure, with each field that is wrong.
impl From<&BridgeError> for CheckOutcome {
    fn from(error: &BridgeError) -> Self {
        match error {
            BridgeError::BadAnswer(problems) => Self::from(problems),
            error if error.is_timeout() => Self::failed(format!("no answer within {} s", CALL_TIMEOUT.as_secs())),
            error => Self::failed(error.to_string()),
        }
    }
}

/// A failure: fields that are wrong.
impl From<&domain::Problems> for CheckOutcome {
    fn from(problems: &domain::Problems) -> Self {
        let place = |path: &str| if path.is_empty() { "the answer".to_owned() } else { path.to_owned() };
        let told = problems.0.iter().map(|(path, refusal)| format!("{}: {}", place(path), refusal.message));
        Self { verdict: CheckVerdict::Failed, told: told.collect() }
    }
}
