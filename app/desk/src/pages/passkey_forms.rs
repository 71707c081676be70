//! Forms that need a passkey. They appear only where the browser has passkeys.

use crate::{components::form, islands::passkey::Passkey, visit::Guest};
use leptos::prelude::*;
use ui::html::{Html, IntoHtml};

/// The function of the sign-in. The others belong to a session that has begun.
pub const SIGN_IN: &str = "sign-in-with-passkey";

/// A form that sends a passkey which the person uses. Nothing, if browsers offer no passkeys at the address of the desk.
pub fn passkey_form(guest: &Guest, function: &str, text: &str, content: impl IntoView + 'static) -> Html {
    let begin = if function == SIGN_IN { "call/begin-passkey" } else { "call/begin-passkey-proof" };
    passkey(guest, function, (text, "button button-second button-full", guest.path(begin), false), content)
}

/// A form that sends a new passkey. `content` is shown above the button.
pub fn new_passkey_form(guest: &Guest, text: &str, content: impl IntoView + 'static) -> Html {
    let begin = guest.path("call/begin-new-passkey");
    passkey(guest, "add-passkey", (text, "button button-second", begin, true), content)
}

fn passkey(
    guest: &Guest,
    function: &str,
    (text, class, begin, makes): (&str, &str, String, bool),
    content: impl IntoView + 'static,
) -> Html {
    let Some(host) = guest.retour.passkey_host() else { return ().into_html() };
    let (text, class) = (text.to_owned(), class.to_owned());
    let stopped = guest.words.sign_in.passkey_stopped.to_owned();
    let content = content.into_html();
    form(guest, function, view! { <Passkey text class begin host makes stopped>{content}</Passkey> })
}
