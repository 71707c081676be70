//! Step 2: choosing what to return.

use super::{NextPage, Problem, json::Json, transport::Fetch};
use crate::choice::ChoiceMistake;
use domain::PurchaseId;
use leptos::{prelude::*, server_fn::codec::PostUrl};
use std::collections::BTreeMap;

/// A mistake in the row of a purchase.
pub type RowMistake = (PurchaseId, ChoiceMistake);

/// Keeps what was chosen; then searches where `go` is `find`, chooses everything or nothing where it is `all` or `none`, else makes a
/// draft of it. `reason` is for what has none of its own. `rows` are the fields of all rows, each
/// called after its row: `p1.id`, `p1.take`, `p1.quantity`, `p1.reason`, `p1.comment`, `p1.resolution`, `p1.exchange`.
#[server(prefix = "/call", endpoint = "choose", input = PostUrl, output = Json, client = Fetch)]
pub async fn choose(
    #[server(default)] go: String,
    #[server(default)] q: String,
    #[server(default)] only: String,
    #[server(default)] reason: String,
    #[server(flatten)] rows: BTreeMap<String, String>,
) -> Result<NextPage, Problem<RowMistake>> {
    use crate::http::{Call, purchases};
    let (call, shop) = Call::begin()?;
    call.answer(purchases::choose(shop, purchases::Chosen { go, search: q, only, reason, rows }).await)
}
