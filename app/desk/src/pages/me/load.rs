//! Loads a person's own settings.

use crate::{
    frame::navigation::Section,
    pages::me::view::me_page,
    visit::{HandlerResult, Visit},
};

/// Shows the settings.
pub async fn show(visit: Visit) -> HandlerResult {
    Ok(visit.render(visit.words.me.title, Section::Me, || me_page(&visit)))
}
