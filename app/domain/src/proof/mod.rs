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

mod claim;
pub mod email;
mod key;
pub mod order_number;
pub mod postal_code;
mod spelling;
#[cfg(test)]
mod tests;

pub use claim::{ClaimedProof, OrderClaim};
pub use email::EmailKey;
pub use key::ProofKey;
pub use order_number::{OrderNumberKey, TypedOrderNumber};
pub use postal_code::{ProvingPostalCode, TypedPostalCode};
pub(crate) use spelling::visible;
