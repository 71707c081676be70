//! Loads a change of many items.

use crate::{
    calls::bulk_step::CHANGERS,
    frame::navigation::Section,
    pages::bulk::run_view::{RunPage, run_page},
    visit::{HandlerResult, Visit, response::EarlyResponse},
};
use axum::extract::Path;
use domain::ReturnRequestId;
use returns::{
    BulkQuestion, Staff,
    view::{BatchOutcome, BulkPlanItem, BulkRun},
};
use std::collections::HashMap;

/// Items on a page.
const ROWS: usize = 50;

/// Shows how far a change is, and the result of each item.
pub async fn show(visit: Visit, Path(id): Path<String>) -> HandlerResult {
    let staff = visit.staff_with_any(&CHANGERS)?;
    let id = id.parse().map_err(|_| visit.missing())?;
    let run = visit.retour.merchant(&staff).bulk_run(id).await.map_err(|error| visit.failed(&error))?;
    let only_failed = visit.query.get("only") == "failed";
    let results = run.results.clone().unwrap_or_default().into_iter();
    let results: Vec<_> = results.filter(|result| !only_failed || result.outcome != BatchOutcome::Done).collect();
    let place: usize = visit.query.get("page").parse().unwrap_or(0);
    let is_more = results.len() > place.saturating_add(1).saturating_mul(ROWS);
    let shown: Vec<_> = results.into_iter().skip(place.saturating_mul(ROWS)).take(ROWS).collect();
    let ids = shown.iter().map(|result| result.return_request_id).collect();
    let page = RunPage {
        items: items(&visit, &staff, &run, ids).await?,
        results: shown,
        only_failed,
        place,
        is_more,
        from: visit.query.get("from").to_owned(),
        run,
    };
    let title = page.title(&visit);
    Ok(visit.render(title, Section::Returns, || run_page(&visit, page)))
}

/// What the items are, and where they stand now.
async fn items(
    visit: &Visit,
    staff: &Staff,
    run: &BulkRun,
    ids: Vec<ReturnRequestId>,
) -> Result<HashMap<ReturnRequestId, BulkPlanItem>, EarlyResponse> {
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    let question = BulkQuestion { action: run.action, return_request_ids: ids };
    let items = visit.retour.merchant(staff).plan_bulk_run(question).await.map_err(|error| visit.failed(&error))?;
    Ok(items.data.into_iter().map(|item| (item.return_request_id, item)).collect())
}
