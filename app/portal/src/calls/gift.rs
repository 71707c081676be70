//! Step 1 for somebody who was given something: proving the order that it came with.

use super::{NextPage, Problem, json::Json, transport::Fetch};
use leptos::{prelude::*, server_fn::codec::PostUrl};
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

/// Proves the order of a gift by one use case, as `POST /auth/consumer` does.
#[server(prefix = "/call", endpoint = "gift", input = PostUrl, output = Json, client = Fetch)]
pub async fn gift(
    #[server(default)]
    #[server(rename = "orderNumber")]
    order_number: String,
    #[server(default)]
    #[server(rename = "postalCode")]
    postal_code: String,
    #[server(default)] email: String,
    #[server(default)] next: String,
) -> Result<NextPage, Problem<GiftMistake>> {
    use crate::http::{Call, gift};
    let (call, shop) = Call::begin()?;
    call.answer(gift::prove(shop, GiftFields { order_number, postal_code, email }, next.parse().ok()).await)
}
