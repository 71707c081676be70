//! Signs out.

use crate::{
    calls::transport::Fetch,
    forms::{
        json::Json,
        problem::{NextPage, Problem},
    },
};
use leptos::{prelude::*, server_fn::codec::PostUrl};

/// Signs out: forgets what this browser has done.
#[server(prefix = "/call", endpoint = "leave", input = PostUrl, output = Json, client = Fetch)]
pub async fn leave() -> Result<NextPage, Problem<()>> {
    use super::{call::Call, steps::sign_in};
    let (call, shop) = Call::begin()?;
    call.answer(sign_in::leave(shop).await)
}
