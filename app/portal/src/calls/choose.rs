//! Step 2: selects what to return.

use crate::forms::{
    choice::RowMistake,
    problem::{NextPage, Problem},
};
use leptos::{prelude::*, server_fn::codec::PostUrl};
use std::collections::BTreeMap;
use ui::calls::{Fetch, Json};

/// Saves the selection. Then `go` decides: `find` searches, `all` selects everything, `none` selects nothing, anything else makes a
/// draft. `reason` applies to rows without a reason of their own. `rows` are the fields of all rows, each named after its row:
/// `p1.id`, `p1.take`, `p1.quantity`, `p1.reason`, `p1.comment`, `p1.resolution`, `p1.exchange`.
#[server(prefix = "/call", endpoint = "choose", input = PostUrl, output = Json, client = Fetch)]
pub async fn choose(
    #[server(default)] go: String,
    #[server(default)] q: String,
    #[server(default)] only: String,
    #[server(default)] reason: String,
    #[server(flatten)] rows: BTreeMap<String, String>,
) -> Result<NextPage, Problem<RowMistake>> {
    use super::{call::Call, steps::choose};
    let (call, shop) = Call::begin()?;
    call.answer(choose::choose(shop, choose::Chosen { go, search: q, only, reason, rows }).await)
}
