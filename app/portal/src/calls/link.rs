//! Having a link to one's orders sent.

use super::{NextPage, Problem, json::Json, transport::Fetch};
use leptos::{prelude::*, server_fn::codec::PostUrl};
use serde::{Deserialize, Serialize};

/// What went wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum LinkMistake {
    /// No e-mail address.
    EmailWrong,
}

/// Has a link sent. Whether there are orders of that address is not told.
#[server(prefix = "/call", endpoint = "link", input = PostUrl, output = Json, client = Fetch)]
pub async fn link(#[server(default)] email: String) -> Result<NextPage, Problem<LinkMistake>> {
    use crate::http::{Call, links};
    let (call, shop) = Call::begin()?;
    call.answer(links::ask_for_link(shop, &email).await)
}
