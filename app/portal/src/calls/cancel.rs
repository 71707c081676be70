//! Cancelling a return.

use super::{NextPage, Problem, json::Json, transport::Fetch};
use leptos::{prelude::*, server_fn::codec::PostUrl};

/// Cancels a return, where that is still possible.
#[server(prefix = "/call", endpoint = "cancel", input = PostUrl, output = Json, client = Fetch)]
pub async fn cancel(#[server(default)] id: String) -> Result<NextPage, Problem<()>> {
    use crate::http::{Call, return_order};
    let (call, shop) = Call::begin()?;
    call.answer(return_order::cancel(shop, id.parse().ok()).await)
}
