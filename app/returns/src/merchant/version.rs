//! Optimistic concurrency: `If-Match`.

use crate::base::{Error, Result};

/// Refuses a change that is based on another version than the current one (`If-Match`).
pub(crate) fn check_version(seen: Option<i64>, now: i64) -> Result<()> {
    if seen.is_some_and(|seen| seen != now) { Err(Error::PreconditionFailed(now)) } else { Ok(()) }
}
