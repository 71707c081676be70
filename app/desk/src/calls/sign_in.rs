//! Signing in and out.

use crate::problem::{NextPage, Problem};
use leptos::{prelude::*, server_fn::codec::PostUrl};
use ui::calls::{Fetch, Json};

/// Signs a person in by e-mail address and password, by the same use case as `POST /auth/user`.
#[server(prefix = "/desk/call", endpoint = "sign-in", input = PostUrl, output = Json, client = Fetch)]
pub async fn sign_in(
    #[server(default)] email: String,
    #[server(default)] password: String,
    #[server(default)] next: String,
) -> Result<NextPage, Problem> {
    use super::call::{Call, Next};
    use crate::visit::session::session_cookie;
    let (call, guest) = Call::begin_as_guest()?;
    let given = returns::UserCredentials { email, password, code: None };
    let result = match guest.retour.sign_in(given, guest.client, "").await {
        Ok(signed_in) => {
            let next = guest.local(&next).unwrap_or_else(|| guest.path(""));
            Ok(Next::at(next).with_cookie(&session_cookie(&signed_in.token, guest.secure)))
        }
        Err(returns::Error::InvalidCredentials) => Err(Problem::mistake("email", guest.words.sign_in.wrong)),
        Err(error) => Err(guest.problem(error)),
    };
    call.answer(result)
}

/// Signs the person out.
#[server(prefix = "/desk/call", endpoint = "sign-out", input = PostUrl, output = Json, client = Fetch)]
pub async fn sign_out() -> Result<NextPage, Problem> {
    use super::call::{Call, Next};
    use crate::visit::session::session_cookie;
    let (call, guest) = Call::begin_as_guest()?;
    let done = Next::at(guest.path("sign-in?out")).with_cookie(&session_cookie("", guest.secure));
    call.answer(guest.end_session().await.map(|()| done).map_err(|error| guest.problem(error)))
}
