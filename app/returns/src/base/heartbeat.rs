//! When an instance counts as gone.

/// Whoever has not been seen for so long has lost its claims, seconds.
pub(crate) const LOST_AFTER: i64 = 20;
