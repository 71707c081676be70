//! `/api/v0/account/<account_id>/withdrawals`.

use crate::api::base::{
    auth_extractors::Merchant,
    body::JsonBody,
    error::ApiError,
    if_match::IfMatch,
    json::Json,
    operation::{Access, Operation, Resource},
    path::Id,
    query::Query,
    reply::{done, with_etag},
};
use crate::app::App;
use axum::{
    extract::State,
    http::Method,
    response::{IntoResponse, Response},
};
use domain::WithdrawalId;
use returns::{Scope, WithdrawalChange, WithdrawalInput, lists, view};
use ui::web::routing::{get, patch, post};

pub(super) fn operations() -> Vec<Operation> {
    let of = Resource::of_account("withdrawals", "withdrawal", "Withdrawals");
    vec![
        of.operation(Method::GET, "", get(list))
            .named("listWithdrawals", "List withdrawals")
            .open_to(Access::Staff(Scope::Read))
            .lists(&lists::WITHDRAWALS)
            .answers::<view::List<view::Withdrawal>>(200, "A page of withdrawals."),
        of.operation(Method::POST, "", post(create))
            .named("createWithdrawal", "Create a withdrawal")
            .described(
                "Records a withdrawal, for a portal of your own. Call it once the consumer has confirmed the \
                 statement, and show them the number and `createdAt` of the answer. The answer does not reveal \
                 whether the order is known.",
            )
            .open_to(Access::Staff(Scope::Write))
            .once()
            .takes::<WithdrawalInput>()
            .answers::<view::Withdrawal>(201, "The withdrawal as it is now."),
        of.operation(Method::GET, "/{id}", get(one))
            .named("getWithdrawal", "Retrieve a withdrawal")
            .open_to(Access::Staff(Scope::Read))
            .answers::<view::Withdrawal>(200, "The withdrawal as it is now."),
        of.operation(Method::PATCH, "/{id}", patch(change))
            .named("updateWithdrawal", "Update a withdrawal")
            .described(
                "Changes the given fields only. The consumer's statement never changes. `returnOrderId` links the \
                 withdrawal to a return if Retour did not. `{\"status\": \"Closed\"}` means that nothing remains to \
                 be done.",
            )
            .open_to(Access::Staff(Scope::Write))
            .once()
            .versioned()
            .takes::<WithdrawalChange>()
            .answers::<view::Withdrawal>(200, "The withdrawal, as it is now."),
    ]
}

async fn list(app: State<App>, Merchant { staff, .. }: Merchant, query: Query) -> Result<Response, ApiError> {
    let query = query.list(&lists::WITHDRAWALS, &[])?;
    Ok(Json(app.retour.merchant(&staff).withdrawals(&query.listing).await?).into_response())
}

async fn create(
    app: State<App>,
    Merchant { staff, caller }: Merchant,
    body: JsonBody<WithdrawalInput>,
) -> Result<Response, ApiError> {
    let key = body.key(&caller);
    Ok(done(app.retour.merchant(&staff).create_withdrawal(body.value, key).await?))
}

async fn one(
    app: State<App>,
    Merchant { staff, .. }: Merchant,
    Id(id): Id<WithdrawalId>,
) -> Result<Response, ApiError> {
    let found = app.retour.merchant(&staff).withdrawal(id).await?;
    Ok(with_etag(found.version, Json(found).into_response()))
}

async fn change(
    app: State<App>,
    Merchant { staff, caller }: Merchant,
    Id(id): Id<WithdrawalId>,
    IfMatch(version): IfMatch,
    body: JsonBody<WithdrawalChange>,
) -> Result<Response, ApiError> {
    let key = body.key(&caller);
    Ok(done(app.retour.merchant(&staff).change_withdrawal(id, body.value, version, key).await?))
}
