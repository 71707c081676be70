//! Whose requests are counted together, and for how long.

use returns::ClientNetwork;

/// The length of a window.
pub(super) const WINDOW_SECONDS: i64 = 60;

/// Whose requests are counted together.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum RateLimitKey {
    /// The owner of a valid credential, by its id. A new token does not start a new window.
    Owner(String),
    /// A network without a valid credential, by [`returns::ClientAddress::network`].
    Network(ClientNetwork),
}
