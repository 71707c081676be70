//! Loads the audit log.

use super::{
    actors::Actors,
    csv,
    filter::{Filter, Place, ROWS},
    view::{LogPage, log_page},
};
use crate::{
    frame::navigation::Section,
    visit::{HandlerResult, Visit, error_pages, response::EarlyResponse},
};
use returns::{Scope, Staff, view};

/// Shows a page of the log.
pub async fn show(visit: Visit) -> HandlerResult {
    let staff = supervisor(&visit)?;
    let filter = Filter::read(&visit.query);
    let place = Place::read(&visit.query);
    let actors = Actors::load(&visit.retour, &staff, visit.words).await.map_err(|error| visit.failed(&error))?;
    let entries = match filter.listing(place.page, ROWS, &visit.account.time_zone) {
        Some(listing) => {
            visit.retour.merchant(&staff).audit_entries(&listing).await.map_err(|error| visit.failed(&error))?
        }
        None => view::List::whole(Vec::new()),
    };
    let shown = LogPage { entries, filter, place, actors, sees_all: staff.may(Scope::Admin) };
    Ok(visit.render(visit.words.audit.title, Section::Audit, || log_page(&visit, shown)))
}

/// The log as CSV, with the filters of the page.
pub async fn download(visit: Visit) -> HandlerResult {
    let staff = supervisor(&visit)?;
    let filter = Filter::read(&visit.query);
    let actors = Actors::load(&visit.retour, &staff, visit.words).await.map_err(|error| visit.failed(&error))?;
    Ok(csv::response(visit.clone(), staff, filter, actors))
}

/// The person, if they may read the log: an administrator, or somebody who decides about money and is no agent.
fn supervisor(visit: &Visit) -> Result<Staff, EarlyResponse> {
    let staff = visit.staff_with_any(&[Scope::Admin, Scope::Resolve])?;
    if staff.is_limited() { Err(error_pages::forbidden(visit.around()).into()) } else { Ok(staff) }
}
