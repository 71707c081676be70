//! Step 3: selects the shipping option.

use crate::{
    calls::shipped::Shipped,
    forms::{problem::Problem, shipping::ShipMistake},
};
use leptos::{prelude::*, server_fn::codec::PostUrl};
use ui::calls::{Fetch, Json};

/// Sets the shipping option of a draft. A form is redirected to the draft.
#[server(prefix = "/call", endpoint = "ship", input = PostUrl, output = Json, client = Fetch)]
pub async fn ship(
    #[server(default)] draft: String,
    #[server(default)]
    #[server(rename = "shippingOption")]
    shipping_option: String,
) -> Result<Shipped, Problem<ShipMistake>> {
    use super::{call::Call, steps::ship};
    let (call, shop) = Call::begin()?;
    call.answer(ship::ship(shop, draft.parse().ok(), shipping_option.parse().ok()).await)
}
