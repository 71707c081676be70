//! Signing in and out, and proving again who one is.

use crate::problem::{NextPage, Problem};
use leptos::{prelude::*, server_fn::codec::PostUrl};
use ui::calls::{Fetch, Json};

/// Signs a person in by e-mail address and password. A second factor may follow.
#[server(prefix = "/desk/call", endpoint = "sign-in", input = PostUrl, output = Json, client = Fetch)]
pub async fn sign_in(
    #[server(default)] email: String,
    #[server(default)] password: String,
    #[server(default)] next: String,
) -> Result<NextPage, Problem> {
    use super::{call::Call, proofs};
    let (call, guest) = Call::begin_as_guest()?;
    call.answer(proofs::sign_in(&guest, &email, password, &next).await)
}

/// Proves the second factor of a sign-in, by a code or by a passkey.
#[server(prefix = "/desk/call", endpoint = "code", input = PostUrl, output = Json, client = Fetch)]
pub async fn code(
    #[server(default)] code: String,
    #[server(default)] passkey: String,
    #[server(default)] next: String,
) -> Result<NextPage, Problem> {
    use super::{call::Call, proofs};
    let (call, guest) = Call::begin_as_guest()?;
    call.answer(proofs::code(&guest, code, &passkey, &next).await)
}

/// Proves again that it is the person, before something that needs a recent proof. `function` and `fields`: the form that was begun.
/// The route sends it once the proof is right.
#[server(prefix = "/desk/call", endpoint = "confirm", input = PostUrl, output = Json, client = Fetch)]
pub async fn confirm(
    #[server(default)] password: String,
    #[server(default)] code: String,
    #[server(default)] passkey: String,
    #[server(default)] next: String,
    #[server(default)] function: String,
    #[server(default)] fields: String,
) -> Result<NextPage, Problem> {
    use super::{call::Call, proofs};
    let _ = (function, fields);
    let (call, guest) = Call::begin_as_guest()?;
    call.answer(proofs::confirm(&guest, proofs::Given { passkey, code, password }, &next).await)
}

/// Signs the person out.
#[server(prefix = "/desk/call", endpoint = "sign-out", input = PostUrl, output = Json, client = Fetch)]
pub async fn sign_out() -> Result<NextPage, Problem> {
    use super::{call::Call, proofs};
    let (call, guest) = Call::begin_as_guest()?;
    call.answer(proofs::sign_out(&guest).await)
}

/// Mails a link that sets a forgotten password.
#[server(prefix = "/desk/call", endpoint = "forgotten", input = PostUrl, output = Json, client = Fetch)]
pub async fn forgotten(#[server(default)] email: String) -> Result<NextPage, Problem> {
    use super::{call::Call, proofs};
    let (call, guest) = Call::begin_as_guest()?;
    call.answer(proofs::forgotten(&guest, &email).await)
}

/// Sets the password by the token of a mail or of an invitation.
#[server(prefix = "/desk/call", endpoint = "set-password", input = PostUrl, output = Json, client = Fetch)]
pub async fn set_password(
    #[server(default)] token: String,
    #[server(default)] password: String,
) -> Result<NextPage, Problem> {
    use super::{call::Call, proofs};
    let (call, guest) = Call::begin_as_guest()?;
    call.answer(proofs::set_password(&guest, &token, password).await)
}
