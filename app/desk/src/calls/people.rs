//! People and API keys.

use crate::problem::{NextPage, Problem};
use leptos::{prelude::*, server_fn::codec::PostUrl};
use ui::calls::{Fetch, Json};

/// Invites a person, and leads to their page, which shows the invitation once.
#[server(prefix = "/desk/call", endpoint = "invite-person", input = PostUrl, output = Json, client = Fetch)]
pub async fn invite_person(
    #[server(default)] email: String,
    #[server(default)] name: String,
    #[server(default)] role: String,
    #[server(default)] language: String,
) -> Result<NextPage, Problem> {
    use super::{call::Call, people_steps};
    let (call, visit) = Call::begin().await?;
    let next = people_steps::invite(&visit, email, name, &role, &language).await;
    call.answer(next)
}

/// Invites a person again.
#[server(prefix = "/desk/call", endpoint = "invite-person-again", input = PostUrl, output = Json, client = Fetch)]
pub async fn invite_person_again(#[server(default)] id: String) -> Result<NextPage, Problem> {
    use super::{call::Call, people_steps};
    let (call, visit) = Call::begin().await?;
    let next = people_steps::invite_again(&visit, &id).await;
    call.answer(next)
}

/// Changes a person's name and role.
#[server(prefix = "/desk/call", endpoint = "change-person", input = PostUrl, output = Json, client = Fetch)]
pub async fn change_person(
    #[server(default)] id: String,
    #[server(default)] version: String,
    #[server(default)] name: String,
    #[server(default)] role: String,
) -> Result<NextPage, Problem> {
    use super::{call::Call, people_steps};
    let (call, visit) = Call::begin().await?;
    let next = people_steps::change(&visit, &id, &version, name, &role).await;
    call.answer(next)
}

/// Removes the second factor of a person who has lost it.
#[server(prefix = "/desk/call", endpoint = "reset-person", input = PostUrl, output = Json, client = Fetch)]
pub async fn reset_person(#[server(default)] id: String) -> Result<NextPage, Problem> {
    use super::{call::Call, people_steps};
    let (call, visit) = Call::begin().await?;
    let next = people_steps::reset(&visit, &id).await;
    call.answer(next)
}

/// Removes a person.
#[server(prefix = "/desk/call", endpoint = "remove-person", input = PostUrl, output = Json, client = Fetch)]
pub async fn remove_person(#[server(default)] id: String) -> Result<NextPage, Problem> {
    use super::{call::Call, people_steps};
    let (call, visit) = Call::begin().await?;
    let next = people_steps::remove(&visit, &id).await;
    call.answer(next)
}

/// Creates an API key, and leads to its page, which shows the key once. The form's ticks are named `scope`.
#[server(prefix = "/desk/call", endpoint = "create-key", input = PostUrl, output = Json, client = Fetch)]
pub async fn create_key(#[server(default)] name: String) -> Result<NextPage, Problem> {
    use super::{call::Call, key_steps};
    let (call, visit) = Call::begin().await?;
    let next = key_steps::create(&visit, &name).await;
    call.answer(next)
}

/// Changes the name and the scopes of an API key.
#[server(prefix = "/desk/call", endpoint = "change-key", input = PostUrl, output = Json, client = Fetch)]
pub async fn change_key(
    #[server(default)] id: String,
    #[server(default)] version: String,
    #[server(default)] name: String,
) -> Result<NextPage, Problem> {
    use super::{call::Call, key_steps};
    let (call, visit) = Call::begin().await?;
    let next = key_steps::change(&visit, &id, &version, name).await;
    call.answer(next)
}

/// Replaces an API key.
#[server(prefix = "/desk/call", endpoint = "rotate-key", input = PostUrl, output = Json, client = Fetch)]
pub async fn rotate_key(#[server(default)] id: String) -> Result<NextPage, Problem> {
    use super::{call::Call, key_steps};
    let (call, visit) = Call::begin().await?;
    let next = key_steps::rotate(&visit, &id).await;
    call.answer(next)
}

/// Revokes an API key.
#[server(prefix = "/desk/call", endpoint = "revoke-key", input = PostUrl, output = Json, client = Fetch)]
pub async fn revoke_key(#[server(default)] id: String) -> Result<NextPage, Problem> {
    use super::{call::Call, key_steps};
    let (call, visit) = Call::begin().await?;
    let next = key_steps::revoke(&visit, &id).await;
    call.answer(next)
}
