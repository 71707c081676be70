//! Withdraws from a contract: states it, then confirms it.

use crate::forms::{
    problem::{NextPage, Problem},
    withdrawal::WithdrawalMistake,
};
use leptos::{prelude::*, server_fn::codec::PostUrl};
use ui::calls::{Fetch, Json};

/// Accepts a statement, which the next page asks to confirm.
#[server(prefix = "/call", endpoint = "withdraw", input = PostUrl, output = Json, client = Fetch)]
pub async fn withdraw(
    #[server(default)] name: String,
    #[server(default)] contract: String,
    #[server(default)] email: String,
) -> Result<NextPage, Problem<WithdrawalMistake>> {
    use super::{call::Call, steps::withdraw};
    let (call, shop) = Call::begin()?;
    call.answer(withdraw::state(shop, [&name, &contract, &email]).await)
}

/// Sends the confirmed statement, once.
#[server(prefix = "/call", endpoint = "withdraw-confirm", input = PostUrl, output = Json, client = Fetch)]
pub async fn withdraw_confirm(#[server(default)] withdrawal: String) -> Result<NextPage, Problem<WithdrawalMistake>> {
    use super::{call::Call, steps::withdraw};
    let (call, shop) = Call::begin()?;
    call.answer(withdraw::confirm(shop, withdrawal.parse().ok()).await)
}
