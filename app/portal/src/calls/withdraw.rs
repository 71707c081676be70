//! Withdrawing from a contract: stating it, then confirming it.

use super::{NextPage, Problem, json::Json, transport::Fetch};
use leptos::{prelude::*, server_fn::codec::PostUrl};
use serde::{Deserialize, Serialize};

/// What is wrong with a statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum WithdrawalMistake {
    /// No name.
    NameMissing,
    /// None that can be kept.
    NameWrong,
    /// Nothing that it is about.
    ContractMissing,
    /// Too much of it.
    ContractWrong,
    /// No e-mail address.
    EmailMissing,
    /// None that can be one.
    EmailWrong,
}

/// Takes a statement, to be confirmed.
#[server(prefix = "/call", endpoint = "withdraw", input = PostUrl, output = Json, client = Fetch)]
pub async fn withdraw(
    #[server(default)] name: String,
    #[server(default)] contract: String,
    #[server(default)] email: String,
) -> Result<NextPage, Problem<WithdrawalMistake>> {
    use crate::http::{Call, withdraw};
    let (call, shop) = Call::begin()?;
    call.answer(withdraw::state(shop, [&name, &contract, &email]).await)
}

/// Sends the statement that was shown, once.
#[server(prefix = "/call", endpoint = "withdraw-confirm", input = PostUrl, output = Json, client = Fetch)]
pub async fn withdraw_confirm(#[server(default)] withdrawal: String) -> Result<NextPage, Problem<WithdrawalMistake>> {
    use crate::http::{Call, withdraw};
    let (call, shop) = Call::begin()?;
    call.answer(withdraw::confirm(shop, withdrawal.parse().ok()).await)
}
