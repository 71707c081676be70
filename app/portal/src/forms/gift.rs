//! The form that proves the order of a gift.

use serde::{Deserialize, Serialize};

/// A mistake in the form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum GiftMistake {
    /// The order number is missing.
    OrderNumberMissing,
    /// The postal code is missing.
    PostalCodeMissing,
    /// The e-mail address is missing.
    EmailMissing,
    /// The e-mail address is malformed.
    EmailWrong,
    /// Number and postal code do not match. The answer does not reveal which of them is wrong.
    NotFound,
    /// Not the shopper's mistake: the shop's system is unavailable.
    ShopAway,
}

/// The fields of the form.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct GiftFields {
    pub order_number: String,
    /// The postal code of the delivery address.
    pub postal_code: String,
    /// The e-mail address of the person who returns the gift.
    pub email: String,
}
