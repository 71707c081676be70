//! Stored values as the domain's types.

use super::error::{Result, StoreError};

/// Parses a stored JSON text.
pub(crate) fn from_json<T: serde::de::DeserializeOwned>(column: &'static str, text: &str) -> Result<T> {
    serde_json::from_str(text).map_err(|error| {
        // The text may hold personal data; the position and kind of the error do not.
        tracing::error!(what = column, line = error.line(), column = error.column(), kind = ?error.classify(), "unreadable row");
        StoreError::Unreadable(column)
    })
}

/// Writes a value as JSON. Our own types never fail: maps have string keys, and no `Serialize` of ours returns an
/// error.
pub(crate) fn to_json(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

/// A stored count as the domain's `u32`.
pub(crate) fn count(column: &'static str, value: i64) -> Result<u32> {
    u32::try_from(value).map_err(|_| StoreError::Unreadable(column))
}

/// A stored name as one of a closed set.
pub(crate) fn named<T>(column: &'static str, parsed: Option<T>) -> Result<T> {
    parsed.ok_or(StoreError::Unreadable(column))
}
