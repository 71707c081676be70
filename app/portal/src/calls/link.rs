//! Has a link to the shopper's orders sent.

use crate::forms::{
    link::LinkMistake,
    problem::{NextPage, Problem},
};
use leptos::{prelude::*, server_fn::codec::PostUrl};
use ui::calls::{Fetch, Json};

/// Has a link sent. The answer does not reveal whether the address has orders.
#[server(prefix = "/call", endpoint = "link", input = PostUrl, output = Json, client = Fetch)]
pub async fn link(#[server(default)] email: String) -> Result<NextPage, Problem<LinkMistake>> {
    use super::{call::Call, steps::link};
    let (call, shop) = Call::begin()?;
    call.answer(link::ask_for_link(shop, &email).await)
}
