//! `/api/v0/account/<account_id>/bulk-runs`.

use crate::api::base::{
    auth_extractors::Merchant,
    body::{JsonBody, NoBody},
    error::ApiError,
    json::Json,
    operation::{Access, Operation, Resource},
    path::Id,
    reply::done,
};
use crate::app::App;
use axum::{
    extract::State,
    http::Method,
    response::{IntoResponse, Response},
};
use domain::BulkRunId;
use returns::{BulkQuestion, NewBulkRun, Scope, view};
use ui::web::routing::{get, post};

/// One of these; the action may need a certain one.
const CHANGERS: Access = Access::StaffAny(&[Scope::Write, Scope::Resolve, Scope::Receive]);

pub(super) fn operations() -> Vec<Operation> {
    let of = Resource::of_account("bulk-runs", "bulk-run", "Bulk runs");
    vec![
        of.operation(Method::GET, "", get(list))
            .named("listBulkRuns", "List bulk runs")
            .described("Lists the newest 20 runs that the caller started, the newest first, without their results.")
            .open_to(CHANGERS)
            .answers::<view::List<view::BulkRun>>(200, "The runs, on one page."),
        of.operation(Method::POST, "", post(create))
            .named("createBulkRun", "Create a bulk run")
            .described(
                "Changes up to 1,000 return requests, each by itself and by the same rules as the operation for one: one \
                 that fails does not stop the others. The answer is the run as it begins. The first 100 return requests \
                 have their results when the answer arrives; the others follow in the background. Get the run to see \
                 its results. More than 100 return requests need a sign-in of the last ten minutes from a user: an \
                 older one gives 403 `ConfirmationRequired`.",
            )
            .open_to(CHANGERS)
            .once()
            .takes::<NewBulkRun>()
            .answers::<view::BulkRun>(201, "The run, as it begins."),
        of.operation(Method::POST, "/plan", post(plan))
            .named("planBulkRun", "Plan a bulk run")
            .described(
                "Says which return requests an action can change now, and why not the others. Nothing changes.",
            )
            .open_to(CHANGERS)
            .takes::<BulkQuestion>()
            .answers::<view::List<view::BulkPlanItem>>(200, "The return requests in the order of the question."),
        of.operation(Method::GET, "/{id}", get(find))
            .named("getBulkRun", "Retrieve a bulk run")
            .described("Retrieves a run that the caller started, with its results.")
            .open_to(CHANGERS)
            .answers::<view::BulkRun>(200, "The run, as it is now."),
        of.operation(Method::POST, "/{id}/continue", post(resume))
            .named("continueBulkRun", "Continue a bulk run")
            .described(
                "Continues a run that stopped, because the service ended. Each return request is changed once. While the \
                 service works on the run, nothing happens.",
            )
            .open_to(CHANGERS)
            .answers::<view::BulkRun>(200, "The run, as it is now.")
            .conflicts(&["TooLate"]),
    ]
}

async fn list(app: State<App>, Merchant { staff, .. }: Merchant) -> Result<Response, ApiError> {
    Ok(Json(app.retour.merchant(&staff).bulk_runs().await?).into_response())
}

async fn create(
    app: State<App>,
    Merchant { staff, caller }: Merchant,
    body: JsonBody<NewBulkRun>,
) -> Result<Response, ApiError> {
    let key = body.key(&caller);
    Ok(done(app.retour.merchant(&staff).create_bulk_run(body.value, key).await?))
}

async fn plan(
    app: State<App>,
    Merchant { staff, .. }: Merchant,
    body: JsonBody<BulkQuestion>,
) -> Result<Response, ApiError> {
    Ok(Json(app.retour.merchant(&staff).plan_bulk_run(body.value).await?).into_response())
}

async fn find(app: State<App>, Merchant { staff, .. }: Merchant, Id(id): Id<BulkRunId>) -> Result<Response, ApiError> {
    Ok(Json(app.retour.merchant(&staff).bulk_run(id).await?).into_response())
}

async fn resume(
    app: State<App>,
    Merchant { staff, .. }: Merchant,
    Id(id): Id<BulkRunId>,
    NoBody(_): NoBody,
) -> Result<Response, ApiError> {
    Ok(Json(app.retour.merchant(&staff).continue_bulk_run(id).await?).into_response())
}
