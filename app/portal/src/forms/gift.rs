//! The form that proves the order of a gift.

use serde::{Deserialize, Serialize};

/// What went wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum GiftMistake {
    /// Nothing in the first field.
    OrderNumberMissing,
    /// Nothing in the second field.
    PostalCodeMissing,
    /// Nothing in the third field.
    EmailMissing,
    /// No e-mail address there.
    EmailWrong,
    /// Number and postal code do not belong together. Which of them is wrong is not told.
    NotFound,
    /// None of theirs: the shop's own system cannot be asked.
    ShopAway,
}

/// What was typed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct GiftFields {
    /// The order number.
    pub order_number: String,
    /// The postal code it was sent to.
    pub postal_code: String,
    /// Their own e-mail address.
    pub email: String,
}
