//! Looking up orders.

use crate::problem::{NextPage, Problem};
use leptos::{prelude::*, server_fn::codec::PostUrl};
use ui::calls::{Fetch, Json};

/// Finds orders by the beginning of a number, an e-mail address or a name.
#[server(prefix = "/desk/call", endpoint = "find-orders", input = PostUrl, output = Json, client = Fetch)]
pub async fn find_orders(
    #[server(default)] q: String,
    #[server(default)] proof: String,
    #[server(default)] purpose: String,
) -> Result<NextPage, Problem> {
    use super::{
        call::Call,
        order_search::{TypedSearch, find},
    };
    let (call, visit) = Call::begin().await?;
    let typed = TypedSearch { words: q, proof, is_for_return: purpose == "return" };
    let found = Box::pin(find(&visit, typed)).await;
    call.answer(found)
}

/// Begins a return of items of an order.
#[server(prefix = "/desk/call", endpoint = "begin-return", input = PostUrl, output = Json, client = Fetch)]
pub async fn begin_return(#[server(default)] order: String) -> Result<NextPage, Problem> {
    use super::{call::Call, order_search::begin};
    let (call, visit) = Call::begin().await?;
    let begun = match order.parse() {
        Ok(order) => Box::pin(begin(&visit, order)).await, // it is large
        Err(_) => Err(Problem::NotThere),
    };
    call.answer(begun)
}
