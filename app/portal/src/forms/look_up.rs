//! The form that proves an order.

use domain::policy::LookUpBy;
use serde::{Deserialize, Serialize};

/// What went wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum LookUpMistake {
    /// Nothing in the first field.
    OrderNumberMissing,
    /// Nothing in the second field.
    ProofMissing,
    /// No e-mail address in the second field, nor what else is asked for there.
    EmailWrong,
    /// They do not belong together. Which of them is wrong is not told.
    NotFound,
    /// None of theirs: the shop's own system cannot be asked.
    ShopAway,
}

/// What was typed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LookUpFields {
    /// The order number.
    pub order_number: String,
    /// E-mail address or postal code.
    pub proof: String,
}

/// What an order is proved with, as the form asks for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProofKind {
    /// The e-mail address.
    Email,
    /// The postal code.
    PostalCode,
    /// Either, in one field.
    Either,
}

impl ProofKind {
    /// What a policy asks for.
    pub fn by(policy: &[LookUpBy]) -> Self {
        match (policy.contains(&LookUpBy::Email), policy.contains(&LookUpBy::PostalCode)) {
            (true, true) => Self::Either,
            (false, true) => Self::PostalCode,
            _ => Self::Email,
        }
    }
}
