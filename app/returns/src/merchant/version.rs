//! Changes that are made of a version.

use crate::base::{Error, Result};

/// Refuses a change that was made of another version than there is (`If-Match`).
pub(crate) fn check_version(seen: Option<i64>, now: i64) -> Result<()> {
    if seen.is_some_and(|seen| seen != now) { Err(Error::PreconditionFailed(now)) } else { Ok(()) }
}
