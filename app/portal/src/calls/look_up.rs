//! Step 1: proving an order.

use super::{NextPage, Problem, json::Json, transport::Fetch};
use leptos::{prelude::*, server_fn::codec::PostUrl};
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

/// Proves an order by one use case, as `POST /auth/consumer` does. `email` and `postalCode` are what the proof was called
/// before.
#[server(prefix = "/call", endpoint = "look-up", input = PostUrl, output = Json, client = Fetch)]
pub async fn look_up(
    #[server(default)]
    #[server(rename = "orderNumber")]
    order_number: String,
    #[server(default)] proof: String,
    #[server(default)] email: String,
    #[server(default)]
    #[server(rename = "postalCode")]
    postal_code: String,
    #[server(default)] next: String,
) -> Result<NextPage, Problem<LookUpMistake>> {
    use crate::http::{Call, look_up};
    let (call, shop) = Call::begin()?;
    let proof = [proof, email, postal_code].into_iter().find(|proof| !proof.is_empty()).unwrap_or_default();
    call.answer(look_up::prove(shop, LookUpFields { order_number, proof }, next.parse().ok()).await)
}
