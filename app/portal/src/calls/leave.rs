//! Signs out.

use crate::forms::problem::{NextPage, Problem};
use leptos::{prelude::*, server_fn::codec::PostUrl};
use ui::calls::{Fetch, Json};

/// Signs out: forgets what this browser has done.
#[server(prefix = "/call", endpoint = "leave", input = PostUrl, output = Json, client = Fetch)]
pub async fn leave() -> Result<NextPage, Problem<()>> {
    use super::{call::Call, steps::sign_in};
    let (call, shop) = Call::begin()?;
    call.answer(sign_in::leave(shop).await)
}
