//! The claim of a person that an order is theirs.

use super::{email::EmailKey, key::ProofKey, order_number::TypedOrderNumber, postal_code::TypedPostalCode};

/// An order number and its proof.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrderClaim {
    /// The number of the order.
    pub number: TypedOrderNumber,
    /// The proof.
    pub proof: ClaimedProof,
}

/// The proof of an order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ClaimedProof {
    /// The e-mail address of the order.
    Email(EmailKey),
    /// The postal code of the order.
    PostalCode(TypedPostalCode),
    /// The postal code, typed by a person who received the order as a gift.
    Gift {
        /// The postal code of the order.
        postal_code: TypedPostalCode,
        /// The recipient's own e-mail address, as it is stored.
        recipient: ProofKey,
    },
}
