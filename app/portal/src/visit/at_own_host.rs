//! The mark of a request that came to a shop's own host.

/// Marks a request to the shop's own host.
#[derive(Debug, Clone, Copy)]
pub struct AtOwnHost;
