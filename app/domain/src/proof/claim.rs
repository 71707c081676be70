//! What somebody claims to prove an order.

use super::{email::EmailKey, key::ProofKey, order_number::TypedOrderNumber, postal_code::TypedPostalCode};

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
