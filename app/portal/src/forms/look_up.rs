//! The form that proves an order.

use domain::policy::LookUpBy;
use serde::{Deserialize, Serialize};

/// A mistake in the form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum LookUpMistake {
    /// The order number is missing.
    OrderNumberMissing,
    /// The proof is missing.
    ProofMissing,
    /// The proof is malformed.
    EmailWrong,
    /// Number and proof do not match. The answer does not reveal which of them is wrong.
    NotFound,
    /// Not the shopper's mistake: the shop's system is unavailable.
    ShopAway,
}

/// The fields of the form.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LookUpFields {
    pub order_number: String,
    /// The e-mail address or the postal code.
    pub proof: String,
}

/// What the form asks for as proof.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProofKind {
    Email,
    PostalCode,
    /// Either of the two, in one field.
    Either,
}

impl ProofKind {
    /// What the policy of a shop asks for.
    pub fn by(policy: &[LookUpBy]) -> Self {
        match (policy.contains(&LookUpBy::Email), policy.contains(&LookUpBy::PostalCode)) {
            (true, true) => Self::Either,
            (false, true) => Self::PostalCode,
            _ => Self::Email,
        }
    }
}
