//! Loads the selected items.

use crate::{
    frame::navigation::Section,
    pages::bulk::view::{BulkPage, bulk_page},
    visit::{
        HandlerResult, Visit,
        selection::{Decision, MOST_SELECTED, Selected, selected_ids},
    },
};
use domain::ReturnRequestId;
use returns::Error;

/// Shows what a decision about the selected items would do.
pub async fn show(visit: Visit) -> HandlerResult {
    let staff = visit.decider()?;
    let decision = Decision::of(visit.query.get("do"));
    let ids: Vec<ReturnRequestId> = selected_ids(visit.query.all("r"));
    let is_too_many = ids.len() > MOST_SELECTED;
    let (mut can, mut cannot) = (Vec::new(), Vec::new());
    for id in ids.into_iter().take(MOST_SELECTED) {
        let request = match visit.retour.merchant(&staff).return_request(id, &[]).await {
            Ok(request) => request,
            // An address that was changed by hand.
            Err(Error::NotFound) => continue,
            Err(error) => return Err(visit.failed(&error)),
        };
        match decision.target(request.stage).filter(|_| visit.may(Decision::scope(request.stage))) {
            Some(_) => can.push(Selected::of(&request)),
            None => cannot.push(Selected::of(&request)),
        }
    }
    let page = BulkPage { decision, can, cannot, is_too_many, from: visit.query.get("from").to_owned() };
    let words = visit.words.bulk;
    let title = if decision == Decision::Approve { words.approve_title } else { words.reject_title };
    Ok(visit.render(title, Section::Returns, || bulk_page(&visit, page)))
}
