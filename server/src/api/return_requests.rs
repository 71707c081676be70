//! `/api/v0/account/<account_id>/return-requests` and, for an account's own credential, `/api/v0/return-requests`:
//! list, get, and what a merchant's programs do with them.

use super::{
    door::{Id, IfMatch, JsonBody, Merchant, done, of_account, with_etag},
    error::ApiError,
    query::Query,
};
use crate::App;
use axum::{
    Json, Router,
    extract::State,
    response::{IntoResponse, Response},
    routing::{get, post},
};
use domain::{
    ReturnRequestId,
    order::OrderNumberKey,
    stage::{Condition, Disposition, Inspection, StageName},
};
use returns::{Expand, Receipt, StatusUpdate, view};
use serde::Deserialize;

const EXPANDABLE: &[(&str, Expand)] = &[("consumer", Expand::Consumer)];
const FILTERABLE: &[&str] = &["purchaseOrderNumber"];

pub(super) fn router() -> Router<App> {
    let routes = |rest, methods| of_account("return-requests", "return-request", rest, &methods);
    Router::new()
        .merge(routes("", get(list)))
        .merge(routes("/{id}", get(one).patch(update)))
        .merge(routes("/{id}/receipts", post(receive)))
        .merge(routes("/{id}/inspection", post(inspect)))
        .merge(routes("/{id}/timeline", get(timeline)))
}

/// `status` is another name of `stage` (design: "Updating a status").
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Update {
    #[serde(alias = "status")]
    stage: StageName,
    #[serde(alias = "fromStatus")]
    from_stage: Option<StageName>,
    #[serde(default)]
    comment: String,
    external_reference: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct NewReceipt {
    quantity: u32,
    external_reference: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct NewInspection {
    accepted: u32,
    refused: u32,
    condition: Option<Condition>,
    disposition: Option<Disposition>,
    note: Option<String>,
}

async fn list(app: State<App>, Merchant { program, .. }: Merchant, query: Query) -> Result<Response, Response> {
    let query = query.list(EXPANDABLE, FILTERABLE)?;
    let numbers: Vec<Option<OrderNumberKey>> =
        query.filters.iter().map(|(_, number)| OrderNumberKey::new(number)).collect();
    let number = numbers.first().cloned();
    // All filters must hold: two different numbers hold for nothing, and so does an empty one.
    if numbers.iter().any(|other| other.is_none() || Some(other) != number.as_ref()) {
        return Ok(Json(view::List::<()>::empty(query.page)).into_response());
    }
    let list = app.retour.return_requests(&program, number.flatten().as_ref(), query.page, &query.expand).await;
    Ok(Json(list.map_err(|error| ApiError(error).into_response())?).into_response())
}

async fn one(
    app: State<App>,
    Merchant { program, .. }: Merchant,
    Id(id): Id<ReturnRequestId>,
    query: Query,
) -> Result<Response, Response> {
    let expand = query.expand(EXPANDABLE)?;
    let request = app.retour.return_request(&program, id, &expand).await;
    let request = request.map_err(|error| ApiError(error).into_response())?;
    Ok(with_etag(request.version, Json(request).into_response()))
}

async fn update(
    app: State<App>,
    Merchant { program, caller }: Merchant,
    Id(id): Id<ReturnRequestId>,
    IfMatch(version): IfMatch,
    body: JsonBody<Update>,
) -> Result<Response, ApiError> {
    let key = body.key(&caller);
    let Update { stage, from_stage, comment, external_reference } = body.value;
    let update = StatusUpdate { stage, from_stage, comment, external_reference, version };
    Ok(done(app.retour.update_status(&program, id, update, key).await?))
}

async fn receive(
    app: State<App>,
    Merchant { program, caller }: Merchant,
    Id(id): Id<ReturnRequestId>,
    body: JsonBody<NewReceipt>,
) -> Result<Response, ApiError> {
    let key = body.key(&caller);
    let NewReceipt { quantity, external_reference } = body.value;
    let receipt = Receipt { quantity, external_reference };
    Ok(done(app.retour.receive(&program, id, receipt, key).await?))
}

async fn inspect(
    app: State<App>,
    Merchant { program, caller }: Merchant,
    Id(id): Id<ReturnRequestId>,
    body: JsonBody<NewInspection>,
) -> Result<Response, ApiError> {
    let key = body.key(&caller);
    let NewInspection { accepted, refused, condition, disposition, note } = body.value;
    let inspection = Inspection { accepted, refused, condition, disposition, note };
    Ok(done(app.retour.inspect(&program, id, inspection, key).await?))
}

/// All of it: a request enters few stages.
async fn timeline(
    app: State<App>,
    Merchant { program, .. }: Merchant,
    Id(id): Id<ReturnRequestId>,
    query: Query,
) -> Result<Response, Response> {
    query.expand(&[])?;
    let entries = app.retour.timeline(&program, id).await;
    Ok(Json(view::List::whole(entries.map_err(|error| ApiError(error).into_response())?)).into_response())
}
