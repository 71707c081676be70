//! Step 1: proves an order.

use crate::forms::{
    look_up::LookUpMistake,
    problem::{NextPage, Problem},
};
use leptos::{prelude::*, server_fn::codec::PostUrl};
use ui::calls::{Fetch, Json};

/// Proves an order, by the same use case as `POST /auth/consumer`. `email` and `postalCode` are former names of `proof`.
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
    use super::{call::Call, steps::look_up};
    use crate::forms::look_up::LookUpFields;
    let (call, shop) = Call::begin()?;
    let proof = [proof, email, postal_code].into_iter().find(|proof| !proof.is_empty()).unwrap_or_default();
    call.answer(look_up::prove(shop, LookUpFields { order_number, proof }, next.parse().ok()).await)
}
