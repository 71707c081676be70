//! Changes of many items.

#![allow(clippy::too_many_arguments, reason = "a function has an argument for each field of its form")]

use crate::problem::{NextPage, Problem};
use leptos::{prelude::*, server_fn::codec::PostUrl};
use ui::calls::{Fetch, Json};

/// Changes the selected items, each by itself, as `POST /bulk-runs` does.
#[server(prefix = "/desk/call", endpoint = "change-many", input = PostUrl, output = Json, client = Fetch)]
pub async fn change_many(
    #[server(default)] requests: String,
    #[server(default)] doing: String,
    #[server(default)] comment: String,
    #[server(default)] assignee: String,
    #[server(default)] flag: String,
    #[server(default)] note: String,
    #[server(default)] count: String,
    #[server(default)] from: String,
) -> Result<NextPage, Problem> {
    use super::{
        bulk_step::{TypedChange, change},
        call::Call,
    };
    let (call, visit) = Call::begin().await?;
    let typed = TypedChange { requests, doing, comment, assignee, flag, note, count, from };
    let next = Box::pin(change(&visit, typed)).await;
    call.answer(next)
}

/// Continues a change of many items that has stopped, as `POST /bulk-runs/<id>/continue` does.
#[server(prefix = "/desk/call", endpoint = "continue-bulk", input = PostUrl, output = Json, client = Fetch)]
pub async fn continue_bulk(#[server(default)] run: String) -> Result<NextPage, Problem> {
    use super::{bulk_step::resume, call::Call};
    let (call, visit) = Call::begin().await?;
    let next = resume(&visit, &run).await;
    call.answer(next)
}
