//! What can come of a request that changes something in a shop.

use crate::{bridge::BridgeError, http::CallError};
use domain::{Problems, RefusalCode};

/// Why a request did not say that it changed what it should. Only [`Trouble::NotDone`] says that it did not.
#[derive(Debug)]
pub(crate) enum Trouble {
    /// The shop says no, with the name of its error. Some have paid nevertheless.
    Refused(String),
    /// It was not carried out.
    NotDone(BridgeError),
    /// The shop broke off in the middle. Its own records are as before; what others did for it stays done.
    BrokenOff,
    /// Nobody knows, and it may still be under way.
    Lost,
}

/// Whether a request that was not answered may have been carried out.
pub(crate) fn unanswered(error: CallError) -> Trouble {
    match error {
        CallError::TimedOut | CallError::BrokenOff => Trouble::Lost,
        never_sent => Trouble::NotDone(never_sent.into()),
    }
}

pub(crate) fn not_understood(path: &str, message: &str) -> BridgeError {
    let mut problems = Problems::default();
    problems.add(path, RefusalCode::NotAllowed, message);
    BridgeError::BadAnswer(problems)
}

/// The name of an error of a shop's, for a sentence of ours: a name and nothing else.
pub(crate) fn name_of(error: &str) -> &str {
    let is_sign = |byte: u8| byte.is_ascii_alphabetic() || byte == b'_';
    if (1..=60).contains(&error.len()) && error.bytes().all(is_sign) { error } else { "an unknown error" }
}
