//! Refusing what cannot be simulated.

use crate::base::{Error, Result};
use domain::{Refusal, RefusalCode};

/// Refuses with a message.
pub(crate) fn refuse<T>(message: impl Into<String>) -> Result<T> {
    Err(refused(message))
}

pub(crate) fn refused(message: impl Into<String>) -> Error {
    Refusal::new(RefusalCode::NotAllowed, message).into()
}
