//! Keys that are stored with orders.

use super::spelling;

/// An e-mail address or a postal code as it is stored: lower case, without white space.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ProofKey(pub(super) String);

impl ProofKey {
    /// The key of a proof; `None` if nothing is left of it, because an empty value matches nothing.
    pub fn new(proof: &str) -> Option<Self> {
        spelling::plain(proof).map(Self)
    }

    /// The key as it is stored.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}
