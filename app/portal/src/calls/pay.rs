//! Paying a fee where no provider takes payments.

use super::{NextPage, Problem, json::Json, transport::Fetch};
use leptos::{prelude::*, server_fn::codec::PostUrl};

/// Pays what is due of a return, once, on the page that takes the place of a provider's. It moves no money.
#[server(prefix = "/call", endpoint = "pay", input = PostUrl, output = Json, client = Fetch)]
pub async fn pay(#[server(default)] id: String) -> Result<NextPage, Problem<()>> {
    use crate::http::{Call, pay};
    let (call, shop) = Call::begin()?;
    call.answer(pay::pay(shop, id.parse().ok()).await)
}
