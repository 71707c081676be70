//! Loads the connected systems.

use super::view::connections_page;
use crate::{
    frame::navigation::Section,
    visit::{HandlerResult, Visit},
};
use returns::Scope;

/// Shows each connected system.
pub async fn show(visit: Visit) -> HandlerResult {
    let staff = visit.staff(Scope::Read)?;
    let found = visit.retour.merchant(&staff).integrations().await.map_err(|error| visit.failed(&error))?;
    Ok(visit.render(visit.words.connections.title, Section::Connections, || connections_page(&visit, found.data)))
}
