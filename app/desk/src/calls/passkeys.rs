//! Passkeys. The functions that begin are for islands: a page hands their answer to the browser, and sends the browser's answer with a
//! form.

use crate::problem::{NextPage, PasskeyOptions, Problem};
use leptos::{prelude::*, server_fn::codec::PostUrl};
use ui::calls::{Fetch, Json};

/// Begins a sign-in, by the same use case as `POST /auth/passkey/options`.
#[server(prefix = "/desk/call", endpoint = "begin-passkey", input = PostUrl, output = Json, client = Fetch)]
pub async fn begin_passkey() -> Result<PasskeyOptions, Problem> {
    use super::{
        call::{Call, Next},
        passkey_steps,
    };
    let (call, guest) = Call::begin_as_guest()?;
    let result = passkey_steps::begin(&guest).await;
    call.answer_with(result.map(|options| PasskeyOptions { options }), Next::at(guest.path("sign-in")))
}

/// Begins a proof in a session: its second factor, or a recent one.
#[server(prefix = "/desk/call", endpoint = "begin-passkey-proof", input = PostUrl, output = Json, client = Fetch)]
pub async fn begin_passkey_proof() -> Result<PasskeyOptions, Problem> {
    use super::{
        call::{Call, Next},
        passkey_steps,
    };
    let (call, guest) = Call::begin_as_guest()?;
    let result = passkey_steps::begin_proof(&guest).await;
    call.answer_with(result.map(|options| PasskeyOptions { options }), Next::at(guest.path("confirm")))
}

/// Begins to add a passkey, by the same use case as `POST /auth/user/passkeys/options`. Also for a sign-in that lacks a second factor.
#[server(prefix = "/desk/call", endpoint = "begin-new-passkey", input = PostUrl, output = Json, client = Fetch)]
pub async fn begin_new_passkey() -> Result<PasskeyOptions, Problem> {
    use super::{
        call::{Call, Next},
        passkey_steps,
    };
    let (call, guest) = Call::begin_as_guest()?;
    let result = passkey_steps::begin_new(&guest).await;
    call.answer_with(result.map(|options| PasskeyOptions { options }), Next::at(guest.path("me")))
}

/// Adds a passkey. `passkey`: the browser's answer in JSON.
#[server(prefix = "/desk/call", endpoint = "add-passkey", input = PostUrl, output = Json, client = Fetch)]
pub async fn add_passkey(
    #[server(default)] passkey_name: String,
    #[server(default)] passkey: String,
    #[server(default)] next: String,
) -> Result<NextPage, Problem> {
    use super::{call::Call, passkey_steps};
    let (call, guest) = Call::begin_as_guest()?;
    call.answer(passkey_steps::add(&guest, passkey_name, &passkey, &next).await)
}

/// Renames a passkey of the person, by the same use case as `PATCH /auth/user/passkeys/<id>`.
#[server(prefix = "/desk/call", endpoint = "rename-passkey", input = PostUrl, output = Json, client = Fetch)]
pub async fn rename_passkey(
    #[server(default)] id: String,
    #[server(default)] name: String,
) -> Result<NextPage, Problem> {
    use super::{call::Call, passkey_steps};
    let (call, visit) = Call::begin().await?;
    call.answer(passkey_steps::rename(&visit, &id, &name).await)
}

/// Removes a passkey of the person.
#[server(prefix = "/desk/call", endpoint = "remove-passkey", input = PostUrl, output = Json, client = Fetch)]
pub async fn remove_passkey(#[server(default)] id: String) -> Result<NextPage, Problem> {
    use super::{call::Call, passkey_steps};
    let (call, visit) = Call::begin().await?;
    call.answer(passkey_steps::remove(&visit, &id).await)
}

/// Signs a person in. `passkey`: the browser's answer in JSON.
#[server(prefix = "/desk/call", endpoint = "sign-in-with-passkey", input = PostUrl, output = Json, client = Fetch)]
pub async fn sign_in_with_passkey(
    #[server(default)] passkey: String,
    #[server(default)] next: String,
) -> Result<NextPage, Problem> {
    use super::{call::Call, passkey_steps};
    let (call, guest) = Call::begin_as_guest()?;
    call.answer(passkey_steps::sign_in(&guest, &passkey, &next).await)
}
