//! Loads the selected items.

use crate::{
    frame::navigation::Section,
    pages::{
        bulk::view::{BulkPage, bulk_page},
        returns::{
            address::{ListAddress, RowsOf},
            load::{read_orders, read_requests},
        },
    },
    visit::{
        HandlerResult, Visit,
        response::EarlyResponse,
        selection::{Doing, MOST_SELECTED, selected_ids},
    },
};
use domain::ReturnRequestId;
use returns::{BulkQuestion, Expand, Scope, Staff, view};

/// Pages of a list that are read to collect all of its items. A list by several filters may have empty ones.
const MOST_PAGES: usize = 60;

/// Shows what a change of the selected items would do.
pub async fn show(visit: Visit) -> HandlerResult {
    let doing = Doing::of(visit.query.get("do"));
    let staff = visit.staff_with_any(doing.scopes())?;
    let from = visit.query.get("from").to_owned();
    let ids = match visit.query.get("run") {
        "" if visit.query.has("all") => all_of_list(&visit, &staff, &from).await?,
        "" => Some(selected_ids(visit.query.all("r"))),
        run => Some(failed_of(&visit, &staff, run).await?),
    };
    let ids = ids.filter(|ids| ids.len() <= MOST_SELECTED);
    let is_too_many = ids.is_none();
    let plan = match ids.filter(|ids| !ids.is_empty()) {
        Some(ids) => {
            let question = BulkQuestion { action: doing.action(), return_request_ids: ids };
            visit.retour.merchant(&staff).plan_bulk_run(question).await.map_err(|error| visit.failed(&error))?.data
        }
        None => Vec::new(),
    };
    let (can, cannot) = plan.into_iter().partition(|item| item.obstacle.is_none());
    let assignees = if doing == Doing::Assign { assignees(&visit, &staff).await? } else { Vec::new() };
    let page = BulkPage { doing, can, cannot, is_too_many, assignees, from };
    Ok(visit.render(doing.title(visit.words.bulk), Section::Returns, || bulk_page(&visit, page)))
}

async fn assignees(visit: &Visit, staff: &Staff) -> Result<Vec<view::Assignee>, EarlyResponse> {
    if !staff.may(Scope::Read) {
        return Ok(Vec::new());
    }
    visit.retour.merchant(staff).assignees().await.map_err(|error| visit.failed(&error))
}

/// The items of a run that were not changed.
async fn failed_of(visit: &Visit, staff: &Staff, run: &str) -> Result<Vec<ReturnRequestId>, EarlyResponse> {
    let id = run.parse().map_err(|_| visit.missing())?;
    let run = visit.retour.merchant(staff).bulk_run(id).await.map_err(|error| visit.failed(&error))?;
    let results = run.results.unwrap_or_default().into_iter();
    let failed = results.filter(|result| result.outcome != view::BatchOutcome::Done);
    Ok(failed.map(|result| result.return_request_id).collect())
}

/// All items of the list that the person comes from. `None`: there are too many.
async fn all_of_list(visit: &Visit, staff: &Staff, from: &str) -> Result<Option<Vec<ReturnRequestId>>, EarlyResponse> {
    let mut list = ListAddress::of_query(from).first_page();
    let mut ids = Vec::new();
    for _ in 0..MOST_PAGES {
        let (mut listing, _) = list.listing();
        listing.counts = false;
        let next = match list.rows {
            RowsOf::Orders => {
                let page = read_orders(visit, staff, &listing, &[Expand::ReturnRequests]).await?;
                let requests = page.data.into_iter().flat_map(|order| order.return_requests.unwrap_or_default());
                ids.extend(requests.map(|request| request.id));
                page.next_page
            }
            RowsOf::Requests => {
                let page = read_requests(visit, staff, &listing, &[]).await?;
                ids.extend(page.data.into_iter().map(|request| request.id));
                page.next_page
            }
        };
        if ids.len() > MOST_SELECTED {
            return Ok(None);
        }
        match next {
            Some(next) => list = list.next_page(next),
            None => return Ok(Some(ids)),
        }
    }
    Ok(None)
}
