//! Loads a person's own settings.

use crate::{
    frame::navigation::Section,
    pages::me::view::{Own, me_page, remove_app_page},
    visit::{HandlerResult, Visit},
};
use axum::response::Response;

/// Shows the settings.
pub async fn show(visit: Visit) -> HandlerResult {
    let me = visit.me();
    let factor = visit.retour.second_factor(&me).await.map_err(|error| visit.failed(&error))?;
    let sessions = visit.retour.own_sessions(&me).await.map_err(|error| visit.failed(&error))?.data;
    let own = Own { factor, sessions };
    Ok(visit.render(visit.words.me.title, Section::Me, || me_page(&visit, own)))
}

/// Asks before the authenticator app is removed.
pub async fn remove_app(visit: Visit) -> Response {
    visit.render(visit.words.me.remove_title, Section::Me, || remove_app_page(&visit))
}
