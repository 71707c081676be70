//! Loads a person's own settings.

use crate::{
    frame::navigation::Section,
    pages::me::{
        passkeys::{remove_passkey_page, rename_passkey_page},
        view::{Own, me_page, remove_app_page},
    },
    visit::{HandlerResult, Visit, response::EarlyResponse},
};
use axum::{extract::Path, response::Response};
use returns::view::Passkey;

/// Shows the settings.
pub async fn show(visit: Visit) -> HandlerResult {
    let me = visit.me();
    let factor = visit.retour.second_factor(&me).await.map_err(|error| visit.failed(&error))?;
    let sessions = visit.retour.own_sessions(&me).await.map_err(|error| visit.failed(&error))?.data;
    let passkeys = visit.retour.passkeys(&me).await.map_err(|error| visit.failed(&error))?;
    let own = Own { factor, passkeys, sessions };
    Ok(visit.render(visit.words.me.title, Section::Me, || me_page(&visit, own)))
}

/// One of the person's passkeys.
async fn own_passkey(visit: &Visit, id: &str) -> Result<Option<Passkey>, EarlyResponse> {
    let passkeys = visit.retour.passkeys(&visit.me()).await.map_err(|error| visit.failed(&error))?;
    Ok(passkeys.data.into_iter().find(|passkey| passkey.id.to_string() == id))
}

/// Asks for another name of a passkey.
pub async fn rename_passkey(visit: Visit, Path(id): Path<String>) -> HandlerResult {
    let Some(passkey) = own_passkey(&visit, &id).await? else { return Ok(visit.redirect("me")) };
    let title = visit.words.me.passkey_rename_title;
    Ok(visit.render(title, Section::Me, || rename_passkey_page(&visit, &passkey)))
}

/// Asks before a passkey is removed.
pub async fn remove_passkey(visit: Visit, Path(id): Path<String>) -> HandlerResult {
    let Some(passkey) = own_passkey(&visit, &id).await? else { return Ok(visit.redirect("me")) };
    let title = visit.words.me.passkey_remove_title;
    Ok(visit.render(title, Section::Me, || remove_passkey_page(&visit, &passkey)))
}

/// Asks before the authenticator app is removed.
pub async fn remove_app(visit: Visit) -> Response {
    visit.render(visit.words.me.remove_title, Section::Me, || remove_app_page(&visit))
}
