//! `/api/v0/account/<account_id>/return-orders` and, for an account's own credential, `/api/v0/return-orders`.

use super::{
    door::{Id, Merchant, NoBody, done, of_account, with_etag},
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
use domain::ReturnOrderId;
use returns::Expand;

const EXPANDABLE: &[(&str, Expand)] =
    &[("consumer", Expand::Consumer), ("shipments", Expand::Shipments), ("returnRequests", Expand::ReturnRequests)];

pub(super) fn router() -> Router<App> {
    let routes = |rest, methods| of_account("return-orders", "return-order", rest, &methods);
    Router::new()
        .merge(routes("", get(list)))
        .merge(routes("/{id}", get(one)))
        .merge(routes("/{id}/cancel", post(cancel)))
}

async fn list(app: State<App>, Merchant { program, .. }: Merchant, query: Query) -> Result<Response, Response> {
    let query = query.list(EXPANDABLE, &[])?;
    let list = app.retour.return_orders(&program, query.page, &query.expand).await;
    Ok(Json(list.map_err(|error| ApiError(error).into_response())?).into_response())
}

async fn one(
    app: State<App>,
    Merchant { program, .. }: Merchant,
    Id(id): Id<ReturnOrderId>,
    query: Query,
) -> Result<Response, Response> {
    let expand = query.expand(EXPANDABLE)?;
    let order = app.retour.return_order(&program, id, &expand).await;
    let order = order.map_err(|error| ApiError(error).into_response())?;
    Ok(with_etag(order.version, Json(order).into_response()))
}

async fn cancel(
    app: State<App>,
    Merchant { program, caller }: Merchant,
    Id(id): Id<ReturnOrderId>,
    NoBody(body): NoBody,
) -> Result<Response, ApiError> {
    let key = body.key(&caller);
    Ok(done(app.retour.cancel_return_order(&program, id, key).await?))
}
