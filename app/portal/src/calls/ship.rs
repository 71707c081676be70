//! Step 3: choosing the way of sending.

use super::{Problem, json::Json, transport::Fetch};
use crate::receipt::Receipt;
use leptos::{prelude::*, server_fn::codec::PostUrl};
use serde::{Deserialize, Serialize};

/// What a return costs with a way of sending.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shipped {
    /// The breakdown; nothing for a gift, whose prices are not shown. The page has that of every way already, so its island does
    /// not read it.
    #[cfg_attr(not(feature = "ssr"), serde(skip))]
    pub receipt: Option<Receipt>,
}

/// What went wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum ShipMistake {
    /// No way of sending, or one that is not offered.
    OptionMissing,
}

/// Sets the way of sending of a draft. A form is shown the draft with it.
#[server(prefix = "/call", endpoint = "ship", input = PostUrl, output = Json, client = Fetch)]
pub async fn ship(
    #[server(default)] draft: String,
    #[server(default)]
    #[server(rename = "shippingOption")]
    shipping_option: String,
) -> Result<Shipped, Problem<ShipMistake>> {
    use crate::http::{Call, review};
    let (call, shop) = Call::begin()?;
    call.answer(review::ship(shop, draft.parse().ok(), shipping_option.parse().ok()).await)
}
