//! Waiting for a payment or a label.

use super::{Problem, json::Json, transport::Fetch};
use leptos::{prelude::*, server_fn::codec::PostUrl};

/// Whether a return still waits for a payment or a label.
#[server(prefix = "/call", endpoint = "is-waiting", input = PostUrl, output = Json, client = Fetch)]
pub async fn is_waiting(#[server(default)] id: String) -> Result<bool, Problem<()>> {
    use crate::http::{Call, return_order};
    let (call, shop) = Call::begin()?;
    call.answer(return_order::is_waiting(shop, id.parse().ok()).await)
}
