//! Loads the parcels without papers.

use super::view::{FoundPage, found_page};
use crate::{
    frame::navigation::Section,
    visit::{HandlerResult, Visit},
};
use returns::{Listing, Page, Scope, lists};
use ui::web::form::encoded;

/// Parcels on a page.
const ROWS: i64 = 50;

/// Shows those that are open, oldest last.
pub async fn show(visit: Visit) -> HandlerResult {
    let staff = visit.staff(Scope::Receive)?;
    let is_open = !visit.query.has("closed");
    let clauses: &[&str] = if is_open { &["status:Open"] } else { &[] };
    let conditions = clauses.iter().filter_map(|clause| lists::FOUND_PARCELS.condition(clause).ok()).collect();
    let after = visit.query.get("after").parse().ok();
    let listing = Listing { conditions, ..Listing::newest(Page::at(after, ROWS)) };
    let found = visit.retour.merchant(&staff).found_parcels(&listing).await.map_err(|error| visit.failed(&error))?;
    let all = if is_open { "" } else { "&closed" };
    let next =
        found.next_page.map(|next| format!("{}?after={}{all}", visit.path("scan/found"), encoded(&next.to_string())));
    let page = FoundPage { parcels: found.data, is_open, next };
    Ok(visit.render(visit.words.found.title, Section::Scan, || found_page(&visit, page)))
}
