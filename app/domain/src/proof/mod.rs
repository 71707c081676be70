//! Proof of an order: its number together with the e-mail address or the postal code of the order.
//!
//! Shoppers type and copy these in many spellings, and shops store them in others. Only this module decides which
//! spellings are equal:
//!
//! | | compares typed text | is stored with each order |
//! |---|---|---|
//! | order number | [`TypedOrderNumber`] | [`OrderNumberKey`] |
//! | e-mail address | [`EmailKey`] | [`EmailKey::stored`] |
//! | postal code | [`TypedPostalCode`] | [`ProofKey`] |
//!
//! **Stored keys are identity.** A consumer is identified by the stored keys of the order that they proved. So stored
//! keys never change when the comparison rules do: an older version writes the same keys, and no consumer loses access
//! to their returns. The typed text only selects the order ([`OrderClaim`]).
//!
//! Spellings that a person considers equal are equal. Texts that differ in a digit are not, except where a country's
//! rule says so ([`postal_code`]). The tests in `tests` check both with generated spellings.

mod claim;
pub mod email;
mod key;
pub mod order_number;
mod order_words;
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
