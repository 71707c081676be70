//! Step 3, continued: submits the draft.

use crate::forms::{
    problem::{NextPage, Problem},
    shipping::ShipMistake,
};
use leptos::{prelude::*, server_fn::codec::PostUrl};
use ui::calls::{Fetch, Json};

/// Submits a draft with a shipping option, in one transaction. Submitting a draft twice creates one return.
#[server(prefix = "/call", endpoint = "submit", input = PostUrl, output = Json, client = Fetch)]
pub async fn submit(
    #[server(default)] draft: String,
    #[server(default)]
    #[server(rename = "shippingOption")]
    shipping_option: String,
) -> Result<NextPage, Problem<ShipMistake>> {
    use super::{call::Call, steps::submit};
    let (call, shop) = Call::begin()?;
    let submitted = submit::submit(shop, draft.parse().ok(), shipping_option.parse().ok());
    call.answer(Box::pin(submitted).await)
}
