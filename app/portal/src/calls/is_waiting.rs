//! Waits for a payment or a label.

use crate::forms::problem::Problem;
use leptos::{prelude::*, server_fn::codec::PostUrl};
use ui::calls::{Fetch, Json};

/// Whether a return still waits for a payment or a label.
#[server(prefix = "/call", endpoint = "is-waiting", input = PostUrl, output = Json, client = Fetch)]
pub async fn is_waiting(#[server(default)] id: String) -> Result<bool, Problem<()>> {
    use super::{call::Call, steps::cancel};
    let (call, shop) = Call::begin()?;
    call.answer(cancel::is_waiting(shop, id.parse().ok()).await)
}
