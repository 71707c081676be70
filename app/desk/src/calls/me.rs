//! A person's own settings.

use crate::problem::{NextPage, Problem};
use leptos::{prelude::*, server_fn::codec::PostUrl};
use ui::calls::{Fetch, Json};

/// Changes the person's name and language.
#[server(prefix = "/desk/call", endpoint = "own-profile", input = PostUrl, output = Json, client = Fetch)]
pub async fn own_profile(
    #[server(default)] name: String,
    #[server(default)] language: String,
    #[server(default)] version: String,
) -> Result<NextPage, Problem> {
    use super::{call::Call, own};
    let (call, visit) = Call::begin().await?;
    call.answer(own::profile(&visit, name, &language, version.parse().ok()).await)
}

/// Sets the choices for this browser.
#[server(prefix = "/desk/call", endpoint = "choices", input = PostUrl, output = Json, client = Fetch)]
pub async fn choices(
    #[server(default)] density: String,
    #[server(default)] keys: String,
    #[server(default)] zone: String,
) -> Result<NextPage, Problem> {
    use super::{call::Call, own};
    let (call, visit) = Call::begin().await?;
    call.answer(own::choices(&visit, &density, &keys, &zone))
}

/// Changes the person's password. Their other sessions end.
#[server(prefix = "/desk/call", endpoint = "change-password", input = PostUrl, output = Json, client = Fetch)]
pub async fn change_password(
    #[server(default)] current: String,
    #[server(default)] password: String,
) -> Result<NextPage, Problem> {
    use super::{call::Call, own};
    let (call, visit) = Call::begin().await?;
    call.answer(own::change_password(&visit, current, password).await)
}

/// Begins to set up an authenticator app: shows its secret once. Also for a sign-in that lacks a second factor.
#[server(prefix = "/desk/call", endpoint = "begin-app", input = PostUrl, output = Json, client = Fetch)]
pub async fn begin_app(#[server(default)] next: String) -> Result<NextPage, Problem> {
    use super::{call::Call, own};
    let (call, guest) = Call::begin_as_guest()?;
    call.answer(own::begin_app(&guest, &next).await)
}

/// Confirms an authenticator app by its first code, and shows recovery codes once. `secret` and `uri` come from the page, which shows
/// them again if the code is wrong.
#[server(prefix = "/desk/call", endpoint = "confirm-app", input = PostUrl, output = Json, client = Fetch)]
pub async fn confirm_app(
    #[server(default)] code: String,
    #[server(default)] secret: String,
    #[server(default)] uri: String,
    #[server(default)] next: String,
) -> Result<NextPage, Problem> {
    use super::{call::Call, own};
    let _ = (secret, uri);
    let (call, guest) = Call::begin_as_guest()?;
    call.answer(own::confirm_app(&guest, &code, &next).await)
}

/// Removes the person's authenticator app and recovery codes.
#[server(prefix = "/desk/call", endpoint = "remove-app", input = PostUrl, output = Json, client = Fetch)]
pub async fn remove_app() -> Result<NextPage, Problem> {
    use super::{call::Call, own};
    let (call, visit) = Call::begin().await?;
    call.answer(own::remove_app(&visit).await)
}

/// Replaces the person's recovery codes, and shows the new ones once.
#[server(prefix = "/desk/call", endpoint = "renew-codes", input = PostUrl, output = Json, client = Fetch)]
pub async fn renew_codes() -> Result<NextPage, Problem> {
    use super::{call::Call, own};
    let (call, visit) = Call::begin().await?;
    call.answer(own::renew_codes(&visit).await)
}

/// Ends one of the person's sessions.
#[server(prefix = "/desk/call", endpoint = "end-session", input = PostUrl, output = Json, client = Fetch)]
pub async fn end_session(#[server(default)] id: String) -> Result<NextPage, Problem> {
    use super::{call::Call, own};
    let (call, visit) = Call::begin().await?;
    call.answer(own::end_session(&visit, &id).await)
}

/// Ends all sessions of the person but this one.
#[server(prefix = "/desk/call", endpoint = "end-other-sessions", input = PostUrl, output = Json, client = Fetch)]
pub async fn end_other_sessions() -> Result<NextPage, Problem> {
    use super::{call::Call, own};
    let (call, visit) = Call::begin().await?;
    call.answer(own::end_other_sessions(&visit).await)
}
