//! Decisions about many items.

use crate::problem::{NextPage, Problem};
use leptos::{prelude::*, server_fn::codec::PostUrl};
use ui::calls::{Fetch, Json};

/// Approves or rejects the selected items, each by itself, as `POST /return-requests/batch` does.
#[server(prefix = "/desk/call", endpoint = "decide-many", input = PostUrl, output = Json, client = Fetch)]
pub async fn decide_many(
    #[server(default)] requests: String,
    #[server(default)] decision: String,
    #[server(default)] comment: String,
    #[server(default)] count: String,
    #[server(default)] from: String,
) -> Result<NextPage, Problem> {
    use super::{
        bulk_step::{TypedDecision, decide},
        call::Call,
    };
    let (call, visit) = Call::begin().await?;
    let typed = TypedDecision { requests, decision, comment, count, from };
    let next = decide(&visit, &typed).await;
    call.answer(next)
}
