//! When an instance counts as lost.

/// An instance that sent no heartbeat for this long loses its leases, in seconds.
pub const LOST_AFTER: i64 = 20;
