//! Loads the sign-in.

use crate::{
    pages::sign_in::view::sign_in_page,
    visit::{Guest, HandlerResult},
};

/// Shows the form, or leads somebody who is signed in on to the page that they wanted.
pub async fn show(guest: Guest) -> HandlerResult {
    let next = guest.local(guest.query.get("next"));
    if guest.session().await.map_err(|error| guest.failed(&error))?.is_some() {
        return Ok(guest.go(&next.unwrap_or_else(|| guest.path(""))));
    }
    let notice = if guest.query.has("out") {
        Some(guest.words.sign_in.signed_out)
    } else {
        guest.query.has("ended").then_some(guest.words.sign_in.timed_out)
    };
    Ok(guest.render_door(guest.words.sign_in.title, || sign_in_page(&guest, next, notice)))
}
