//! Pays a fee where no provider takes payments.

use crate::forms::problem::{NextPage, Problem};
use leptos::{prelude::*, server_fn::codec::PostUrl};
use ui::calls::{Fetch, Json};

/// Pays the amount due, once, on the page that replaces a provider's. It moves no money.
#[server(prefix = "/call", endpoint = "pay", input = PostUrl, output = Json, client = Fetch)]
pub async fn pay(#[server(default)] id: String) -> Result<NextPage, Problem<()>> {
    use super::{call::Call, steps::pay};
    let (call, shop) = Call::begin()?;
    call.answer(pay::pay(shop, id.parse().ok()).await)
}
