//! Signing out.

use super::{NextPage, Problem, json::Json, transport::Fetch};
use leptos::{prelude::*, server_fn::codec::PostUrl};

/// Forgets what this browser has done.
#[server(prefix = "/call", endpoint = "leave", input = PostUrl, output = Json, client = Fetch)]
pub async fn leave() -> Result<NextPage, Problem<()>> {
    use crate::http::{Call, look_up};
    let (call, shop) = Call::begin()?;
    call.answer(look_up::leave(shop).await)
}
