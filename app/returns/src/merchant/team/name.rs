//! Names of users and service users.

use crate::base::{Error, Result};
use domain::RefusalCode;

/// The longest name, in characters.
const MAX_NAME_CHARS: usize = 100;

/// The trimmed name, if it has at least `least` characters.
pub(crate) fn checked_name(text: &str, least: usize) -> Result<String> {
    let name = text.trim();
    if (least..=MAX_NAME_CHARS).contains(&name.chars().count()) && !name.chars().any(char::is_control) {
        return Ok(name.to_owned());
    }
    let message = format!("expected {least} to {MAX_NAME_CHARS} characters in one line");
    Err(Error::invalid("name", RefusalCode::OutOfRange, message))
}
