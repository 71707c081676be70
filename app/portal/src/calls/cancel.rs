//! Cancels a return.

use crate::forms::problem::{NextPage, Problem};
use leptos::{prelude::*, server_fn::codec::PostUrl};
use ui::calls::{Fetch, Json};

/// Cancels a return, if that is still possible.
#[server(prefix = "/call", endpoint = "cancel", input = PostUrl, output = Json, client = Fetch)]
pub async fn cancel(#[server(default)] id: String) -> Result<NextPage, Problem<()>> {
    use super::{call::Call, steps::cancel};
    let (call, shop) = Call::begin()?;
    call.answer(Box::pin(cancel::cancel(shop, id.parse().ok())).await) // it is large
}
