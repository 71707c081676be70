//! Keys that are stored beside orders.

use super::spelling;

/// An e-mail address or a postal code as it is stored: without blanks and case.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ProofKey(pub(super) String);

impl ProofKey {
    /// The key of a proof; `None` when nothing is left: an empty value matches nothing.
    pub fn new(proof: &str) -> Option<Self> {
        spelling::plain(proof).map(Self)
    }

    /// As stored.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}
