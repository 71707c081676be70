//! What proves an order: its number, and the e-mail address or the postal code that goes with it.
//!
//! Shoppers type and copy these in many spellings, and shops store them in others. This module is the only place that
//! decides which spellings are equal:
//!
//! | | compares what was typed | is stored beside each order |
//! |---|---|---|
//! | order number | [`TypedOrderNumber`] | [`OrderNumberKey`] |
//! | e-mail address | [`EmailKey`] | [`EmailKey::stored`] |
//! | postal code | [`TypedPostalCode`] | [`ProofKey`] |
//!
//! **Stored keys are identity.** A consumer is known by the stored keys of the order that they proved, so stored keys
//! never change with the rules of comparison: the version before writes the same ones, and nobody loses sight of their
//! returns. What was typed only selects the order ([`OrderClaim`]).
//!
//! What is equal to a person is equal. What differs in a digit never is, but where a country's rule says so
//! ([`postal_code`]). The tests in `tests.rs` hold both by generated spellings.

pub mod email;
pub mod order_number;
pub mod postal_code;
mod spelling;
#[cfg(test)]
mod tests;

pub use email::EmailKey;
pub use order_number::{OrderNumberKey, TypedOrderNumber};
pub use postal_code::{ProvingPostalCode, TypedPostalCode};
pub(crate) use spelling::visible;

/// An e-mail address or a postal code as it is stored: without blanks and case.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ProofKey(String);

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

/// What somebody says of an order to prove it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrderClaim {
    /// Which order.
    pub number: TypedOrderNumber,
    /// What proves it.
    pub proof: ClaimedProof,
}

/// What somebody proves an order with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ClaimedProof {
    /// The e-mail address of the order.
    Email(EmailKey),
    /// The postal code of the order.
    PostalCode(TypedPostalCode),
    /// The postal code, by somebody who was given what was ordered.
    Gift {
        /// The postal code of the order.
        postal_code: TypedPostalCode,
        /// Their own e-mail address, as it is stored.
        recipient: ProofKey,
    },
}
