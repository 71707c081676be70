//! `/api/v0/account/<account_id>/return-requests` and, for an account's own credential, `/api/v0/return-requests`.

use super::{
    door::{Authorized, PathIds},
    error::ApiError,
    query::Query,
};
use crate::App;
use axum::{
    Json, Router,
    extract::State,
    response::{IntoResponse, Response},
    routing::get,
};
use domain::{AccountId, ReturnRequestId, order::OrderNumberKey};
use returns::{Caller, Error, Expand, Program, Scope};

const EXPANDABLE: &[(&str, Expand)] = &[("consumer", Expand::Consumer)];
const FILTERABLE: &[&str] = &["purchaseOrderNumber"];

pub(super) fn router() -> Router<App> {
    let mut router = Router::new();
    for segment in ["return-requests", "return-request"] {
        router = router
            .route(&format!("/account/{{account_id}}/{segment}"), get(list))
            .route(&format!("/account/{{account_id}}/{segment}/{{id}}"), get(one))
            .route(&format!("/{segment}"), get(list_own))
            .route(&format!("/{segment}/{{id}}"), get(one_own));
    }
    router
}

/// The caller as a program of the account in the path. Another account's is nothing that exists.
pub(super) fn program_of(caller: &Caller, account: AccountId) -> Result<&Program, Error> {
    if caller.account() == account { caller.as_program(Scope::Read) } else { Err(Error::NotFound) }
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
    let query = query.list(EXPANDABLE, FILTERABLE)?;
    let numbers: Vec<Option<OrderNumberKey>> =
        query.filters.iter().map(|(_, number)| OrderNumberKey::new(number)).collect();
    let number = numbers.first().cloned();
    // All filters must hold: two different numbers hold for nothing, and so does an empty one.
    if numbers.iter().any(|other| other.is_none() || Some(other) != number.as_ref()) {
        return Ok(Json(returns::view::List::<()>::empty(query.page)).into_response());
    }
    let list = app.retour.return_requests(program, number.flatten().as_ref(), query.page, &query.expand).await;
    Ok(Json(list.map_err(|error| ApiError(error).into_response())?).into_response())
}

async fn one(
    app: State<App>,
    Authorized(caller): Authorized,
    PathIds((account, id)): PathIds<(AccountId, ReturnRequestId)>,
    query: Query,
) -> Result<Response, Response> {
    let program = program_of(&caller, account).map_err(|error| ApiError(error).into_response())?;
    answer_one(&app, program, id, query).await
}

async fn one_own(
    app: State<App>,
    Authorized(caller): Authorized,
    PathIds(id): PathIds<ReturnRequestId>,
    query: Query,
) -> Result<Response, Response> {
    let program = caller.as_program(Scope::Read).map_err(|error| ApiError(error).into_response())?;
    answer_one(&app, program, id, query).await
}

async fn answer_one(app: &App, program: &Program, id: ReturnRequestId, query: Query) -> Result<Response, Response> {
    let expand = query.expand(EXPANDABLE)?;
    let request = app.retour.return_request(program, id, &expand).await;
    Ok(Json(request.map_err(|error| ApiError(error).into_response())?).into_response())
}
