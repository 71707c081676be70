//! Why a request that changes something in a shop did not confirm the change.

use crate::{bridge::BridgeError, http::CallError};

/// The longest name of an error that is repeated in a message of ours.
const MAX_NAME_BYTES: usize = 60;

/// Why a request did not confirm its change. Only [`ChangeError::NotDone`] guarantees that nothing changed.
#[derive(Debug)]
pub(crate) enum ChangeError {
    /// The shop refused, with the name of its error. Some shops have paid nevertheless.
    Refused(String),
    /// The request was not executed.
    NotDone(BridgeError),
    /// The shop failed during the request. It rolled back its own records, but not what other systems did.
    Crashed,
    /// There is no answer: the request may have been executed, or may still be executing.
    Unknown,
}

impl From<CallError> for ChangeError {
    fn from(error: CallError) -> Self {
        match error {
            CallError::TimedOut | CallError::BrokenOff => Self::Unknown,
            never_sent => Self::NotDone(never_sent.into()),
        }
    }
}

/// The name of a shop's error, for a message of ours. Anything that does not look like a name is replaced.
pub(crate) fn error_name(error: &str) -> &str {
    let is_name_byte = |byte: u8| byte.is_ascii_alphabetic() || byte == b'_';
    let is_name = (1..=MAX_NAME_BYTES).contains(&error.len()) && error.bytes().all(is_name_byte);
    if is_name { error } else { "an unknown error" }
}
