//! `/api/v0/account/<account_id>/return-orders` and, for an account's own credential, `/api/v0/return-orders`.

use super::{
    door::{Authorized, PathIds},
    error::ApiError,
    query::Query,
    return_requests::program_of,
};
use crate::App;
use axum::{
    Json, Router,
    extract::State,
    response::{IntoResponse, Response},
    routing::get,
};
use domain::{AccountId, ReturnOrderId};
use returns::{Expand, Program, Scope};

const EXPANDABLE: &[(&str, Expand)] =
    &[("consumer", Expand::Consumer), ("shipments", Expand::Shipments), ("returnRequests", Expand::ReturnRequests)];

pub(super) fn router() -> Router<App> {
    let mut router = Router::new();
    for segment in ["return-orders", "return-order"] {
        router = router
            .route(&format!("/account/{{account_id}}/{segment}"), get(list))
            .route(&format!("/account/{{account_id}}/{segment}/{{id}}"), get(one))
            .route(&format!("/{segment}"), get(list_own))
            .route(&format!("/{segment}/{{id}}"), get(one_own));
    }
    router
}

async fn list(
    app: State<App>,
    Authorized(caller): Authorized,
    PathIds(account): PathIds<AccountId>,
    query: Query,
) -> Result<Response, Response> {
    let program = program_of(&caller, account).map_err(|error| ApiError(error).into_response())?;
    answer_list(&app, program, query).await
}

async fn list_own(app: State<App>, Authorized(caller): Authorized, query: Query) -> Result<Response, Response> {
    let program = caller.as_program(Scope::Read).map_err(|error| ApiError(error).into_response())?;
    answer_list(&app, program, query).await
}

async fn answer_list(app: &App, program: &Program, query: Query) -> Result<Response, Response> {
    let query = query.list(EXPANDABLE, &[])?;
    let list = app.retour.return_orders(program, query.page, &query.expand).await;
    Ok(Json(list.map_err(|error| ApiError(error).into_response())?).into_response())
}

async fn one(
    app: State<App>,
    Authorized(caller): Authorized,
    PathIds((account, id)): PathIds<(AccountId, ReturnOrderId)>,
    query: Query,
) -> Result<Response, Response> {
    let program = program_of(&caller, account).map_err(|error| ApiError(error).into_response())?;
    answer_one(&app, program, id, query).await
}

async fn one_own(
    app: State<App>,
    Authorized(caller): Authorized,
    PathIds(id): PathIds<ReturnOrderId>,
    query: Query,
) -> Result<Response, Response> {
    let program = caller.as_program(Scope::Read).map_err(|error| ApiError(error).into_response())?;
    answer_one(&app, program, id, query).await
}

async fn answer_one(app: &App, program: &Program, id: ReturnOrderId, query: Query) -> Result<Response, Response> {
    let expand = query.expand(EXPANDABLE)?;
    let order = app.retour.return_order(program, id, &expand).await;
    Ok(Json(order.map_err(|error| ApiError(error).into_response())?).into_response())
}
