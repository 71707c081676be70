//! A person's own settings.

use crate::problem::{NextPage, Problem};
use leptos::{prelude::*, server_fn::codec::PostUrl};
use ui::calls::{Fetch, Json};

/// Sets the choices for this browser.
#[server(prefix = "/desk/call", endpoint = "choices", input = PostUrl, output = Json, client = Fetch)]
pub async fn choices(#[server(default)] density: String, #[server(default)] keys: String) -> Result<NextPage, Problem> {
    use super::call::{Call, Next};
    use crate::frame::preferences::Preferences;
    let (call, visit) = Call::begin().await?;
    let choices = Preferences { is_comfortable: density == "comfortable", has_keys: keys != "off", zone: None };
    let next = Next::at(visit.path("me")).saying(visit.words.me.saved).with_cookie(&choices.cookie(visit.secure));
    call.answer(Ok(next))
}
