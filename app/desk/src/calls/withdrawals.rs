//! Contracts that customers withdrew from.

use crate::problem::{NextPage, Problem};
use leptos::{prelude::*, server_fn::codec::PostUrl};
use ui::calls::{Fetch, Json};

/// Links a withdrawal with its return, by the same use case as `PATCH /withdrawals/<id>`.
#[server(prefix = "/desk/call", endpoint = "link-withdrawal", input = PostUrl, output = Json, client = Fetch)]
pub async fn link_withdrawal(
    #[server(default)] withdrawal: String,
    #[server(default)] version: String,
    #[server(default)] return_number: String,
) -> Result<NextPage, Problem> {
    use super::{call::Call, withdrawal_steps};
    let (call, visit) = Call::begin().await?;
    let result = withdrawal_steps::link(&visit, &withdrawal, &version, return_number.trim()).await;
    call.answer(result)
}

/// Closes a withdrawal with a note, by the same use case as `PATCH /withdrawals/<id>`.
#[server(prefix = "/desk/call", endpoint = "close-withdrawal", input = PostUrl, output = Json, client = Fetch)]
pub async fn close_withdrawal(
    #[server(default)] withdrawal: String,
    #[server(default)] version: String,
    #[server(default)] why: String,
) -> Result<NextPage, Problem> {
    use super::{call::Call, withdrawal_steps};
    let (call, visit) = Call::begin().await?;
    let result = withdrawal_steps::close(&visit, &withdrawal, &version, why).await;
    call.answer(result)
}
