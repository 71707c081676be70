//! `/api/v0/account/<account_id>/return-reasons`.

use super::{
    body::JsonBody,
    door::{Id, IfMatch, Merchant, done, with_etag},
    error::ApiError,
    json::Json,
    operation::{Access, Operation, Resource},
    query::Query,
};
use crate::App;
use axum::{
    extract::State,
    http::{Method, StatusCode},
    response::{IntoResponse, Response},
    routing::{delete, get, patch, post},
};
use domain::ReturnReasonId;
use returns::{NewReturnReason, ReturnReasonChange, Scope, lists, view};

pub(super) fn operations() -> Vec<Operation> {
    let of = Resource::of_account("return-reasons", "return-reason", "Return reasons");
    vec![
        of.operation(Method::GET, "", get(list))
            .named("listReturnReasons", "List return reasons")
            .described("Leaves archived ones out; `filter=archived:true` lists them. Consumers see them by `position`.")
            .open_to(Access::Staff(Scope::Read))
            .lists(&lists::RETURN_REASONS)
            .answers::<view::List<view::ReturnReason>>(200, "A page of return reasons."),
        of.operation(Method::POST, "", post(create))
            .named("createReturnReason", "Create a return reason")
            .described("At most 200, with those that are archived. A sub-reason names its parent in `parentId`, one level deep.")
            .open_to(Access::Staff(Scope::Admin))
            .once()
            .takes::<NewReturnReason>()
            .answers::<view::ReturnReason>(201, "The return reason.")
            .conflicts(&["LimitReached"]),
        of.operation(Method::GET, "/{id}", get(one))
            .named("getReturnReason", "Retrieve a return reason")
            .described("Answers archived ones, too.")
            .open_to(Access::Staff(Scope::Read))
            .answers::<view::ReturnReason>(200, "The return reason."),
        of.operation(Method::PATCH, "/{id}", patch(change))
            .named("updateReturnReason", "Update a return reason")
            .described("Changes the given fields and leaves the others. `{\"archived\": false}` brings it back.")
            .open_to(Access::Staff(Scope::Admin))
            .once()
            .versioned()
            .takes::<ReturnReasonChange>()
            .answers::<view::ReturnReason>(200, "The return reason, as it is now."),
        of.operation(Method::DELETE, "/{id}", delete(remove))
            .named("deleteReturnReason", "Delete or archive a return reason")
            .described("Deletes it if no return request names it and it has no sub-reasons; archives it otherwise: then neither it nor its sub-reasons are offered any more.")
            .open_to(Access::Staff(Scope::Admin))
            .answers_nothing(204, "The object is deleted, or archived and no longer offered."),
    ]
}

async fn list(app: State<App>, Merchant { staff, .. }: Merchant, query: Query) -> Result<Response, ApiError> {
    let query = query.list(&lists::RETURN_REASONS, &[])?;
    let list = app.retour.return_reasons(&staff, &query.listing).await;
    Ok(Json(list?).into_response())
}

async fn create(
    app: State<App>,
    Merchant { staff, caller }: Merchant,
    body: JsonBody<NewReturnReason>,
) -> Result<Response, ApiError> {
    let key = body.key(&caller);
    Ok(done(app.retour.create_return_reason(&staff, body.value, key).await?))
}

async fn one(
    app: State<App>,
    Merchant { staff, .. }: Merchant,
    Id(id): Id<ReturnReasonId>,
) -> Result<Response, ApiError> {
    let found = app.retour.return_reason(&staff, id).await?;
    Ok(with_etag(found.version, Json(found).into_response()))
}

async fn change(
    app: State<App>,
    Merchant { staff, caller }: Merchant,
    Id(id): Id<ReturnReasonId>,
    IfMatch(version): IfMatch,
    body: JsonBody<ReturnReasonChange>,
) -> Result<Response, ApiError> {
    let key = body.key(&caller);
    Ok(done(app.retour.change_return_reason(&staff, id, body.value, version, key).await?))
}

async fn remove(
    app: State<App>,
    Merchant { staff, .. }: Merchant,
    Id(id): Id<ReturnReasonId>,
) -> Result<StatusCode, ApiError> {
    app.retour.delete_return_reason(&staff, id).await?;
    Ok(StatusCode::NO_CONTENT)
}
