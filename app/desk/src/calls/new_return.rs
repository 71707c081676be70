//! Making a return for a customer.

use crate::problem::{NextPage, Problem};
use leptos::{prelude::*, server_fn::codec::PostUrl};
use ui::calls::{Fetch, Json};

/// Makes a draft of the chosen items, whose page shows the costs. The fields of the lines are numbered: `units-0`.
#[server(prefix = "/desk/call", endpoint = "draft-return", input = PostUrl, output = Json, client = Fetch)]
pub async fn draft_return(#[server(default)] consumer: String) -> Result<NextPage, Problem> {
    use super::{call::Call, return_steps::draft};
    let (call, visit) = Call::begin().await?;
    let drafted = draft(&visit, &consumer).await;
    call.answer(drafted)
}

/// Ends a draft in one of three ways: it is submitted, the items are received at the counter, or the customer gets a link to it.
#[server(prefix = "/desk/call", endpoint = "make-return", input = PostUrl, output = Json, client = Fetch)]
pub async fn make_return(
    #[server(default)] draft: String,
    #[server(default)] way: String,
    #[server(default)] ending: String,
) -> Result<NextPage, Problem> {
    use super::{call::Call, return_steps::make};
    let (call, visit) = Call::begin().await?;
    let made = make(&visit, &draft, &way, &ending).await;
    call.answer(made)
}
