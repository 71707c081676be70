//! Step 1 for the recipient of a gift: proves its order.

use crate::forms::{
    gift::GiftMistake,
    problem::{NextPage, Problem},
};
use leptos::{prelude::*, server_fn::codec::PostUrl};
use ui::calls::{Fetch, Json};

/// Proves the order of a gift, by the same use case as `POST /auth/consumer`.
#[server(prefix = "/call", endpoint = "gift", input = PostUrl, output = Json, client = Fetch)]
pub async fn gift(
    #[server(default)]
    #[server(rename = "orderNumber")]
    order_number: String,
    #[server(default)]
    #[server(rename = "postalCode")]
    postal_code: String,
    #[server(default)] email: String,
    #[server(default)] next: String,
) -> Result<NextPage, Problem<GiftMistake>> {
    use super::{call::Call, steps::gift};
    use crate::forms::gift::GiftFields;
    let (call, shop) = Call::begin()?;
    call.answer(gift::prove(shop, GiftFields { order_number, postal_code, email }, next.parse().ok()).await)
}
