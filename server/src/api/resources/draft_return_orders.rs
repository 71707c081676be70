//! `/api/v0/account/<account_id>/draft-return-orders`: returns that are not submitted yet.

use crate::api::base::{
    auth_extractors::Merchant,
    body::{JsonBody, NoBody},
    error::ApiError,
    json::Json,
    operation::{Access, Operation, Resource},
    path::Id,
    query::Query,
    reply::done,
    selection::NewReturn,
};
use crate::app::App;
use axum::{
    extract::State,
    http::Method,
    response::{IntoResponse, Response},
};
use domain::DraftReturnOrderId;
use returns::{Scope, lists, view};
use ui::web::routing::{get, post, put};

pub(super) fn operations() -> Vec<Operation> {
    let of = Resource::of_account("draft-return-orders", "draft-return-order", "Draft return orders");
    vec![
        of.operation(Method::GET, "", get(list))
            .named("listDraftReturnOrders", "List draft return orders")
            .open_to(Access::Staff(Scope::Read))
            .lists(&lists::DRAFT_RETURN_ORDERS)
            .answers::<view::List<view::Draft>>(200, "A page of drafts."),
        of.operation(Method::POST, "", post(create))
            .named("createDraftReturnOrder", "Create a draft return order")
            .described("A draft reserves no units; its submission does. Its amounts are valid for 24 hours. `overrides` names rules \
                 of the account that do not apply to the draft, also if the consumer submits it.")
            .open_to(Access::Staff(Scope::Write))
            .once()
            .takes::<NewReturn>()
            .answers::<view::Draft>(201, "The draft, with its costs."),
        of.operation(Method::GET, "/{id}", get(one))
            .named("getDraftReturnOrder", "Retrieve a draft return order")
            .open_to(Access::Staff(Scope::Read))
            .answers::<view::Draft>(200, "The draft with its figures."),
        of.operation(Method::PUT, "/{id}/accept", put(accept))
            .named("acceptDraftReturnOrder", "Accept a draft return order")
            .described(
                "Submits the draft for its consumer, without a review. A repeated request answers 200 with \
                 the same return order.",
            )
            .open_to(Access::Staff(Scope::Write))
            .answers::<view::ReturnOrderView>(201, "The return order.")
            .answers::<view::ReturnOrderView>(200, "The return order that the draft became earlier.")
            .conflicts(&["DraftExpired", "DraftRejected", "DraftOutdated", "QuantityExceeded"])
            .validates(),
        of.operation(Method::POST, "/{id}/mail", post(mail))
            .named("mailDraftReturnOrder", "Mail a draft return order to its consumer")
            .described(
                "Mails the consumer a link that opens the draft in the portal, where they choose the shipping option and \
                 submit it. Keeps the draft, with its amounts, for 7 days. A repeated request sends the link again.",
            )
            .open_to(Access::Staff(Scope::Write))
            .once()
            .answers::<view::Draft>(200, "The draft, with its new `expiresAt`.")
            .conflicts(&["DraftExpired", "DraftRejected", "DraftOutdated"])
            .validates(),
        of.operation(Method::PUT, "/{id}/reject", put(reject))
            .named("rejectDraftReturnOrder", "Reject a draft return order")
            .described("Rejects the draft, so that it can no longer be submitted. A repeated request changes nothing.")
            .open_to(Access::Staff(Scope::Write))
            .answers::<view::Draft>(200, "The draft, rejected.")
            .conflicts(&["DraftExpired", "DraftOutdated"])
            .validates(),
    ]
}

async fn list(app: State<App>, Merchant { staff, .. }: Merchant, query: Query) -> Result<Response, ApiError> {
    let query = query.list(&lists::DRAFT_RETURN_ORDERS, &[])?;
    Ok(Json(app.retour.merchant(&staff).draft_return_orders(&query.listing).await?).into_response())
}

async fn create(
    app: State<App>,
    Merchant { staff, caller }: Merchant,
    body: JsonBody<NewReturn>,
) -> Result<Response, ApiError> {
    let key = body.key(&caller);
    Ok(done(app.retour.merchant(&staff).create_draft(body.value.into(), key).await?))
}

async fn one(
    app: State<App>,
    Merchant { staff, .. }: Merchant,
    Id(id): Id<DraftReturnOrderId>,
) -> Result<Response, ApiError> {
    Ok(Json(app.retour.merchant(&staff).draft_return_order(id).await?).into_response())
}

async fn accept(
    app: State<App>,
    Merchant { staff, .. }: Merchant,
    Id(id): Id<DraftReturnOrderId>,
    _: NoBody,
) -> Result<Response, ApiError> {
    Ok(done(app.retour.merchant(&staff).accept_draft(id).await?))
}

async fn mail(
    app: State<App>,
    Merchant { staff, caller }: Merchant,
    Id(id): Id<DraftReturnOrderId>,
    NoBody(body): NoBody,
) -> Result<Response, ApiError> {
    let key = body.key(&caller);
    Ok(done(app.retour.merchant(&staff).mail_draft(id, key).await?))
}

async fn reject(
    app: State<App>,
    Merchant { staff, .. }: Merchant,
    Id(id): Id<DraftReturnOrderId>,
    _: NoBody,
) -> Result<Response, ApiError> {
    Ok(done(app.retour.merchant(&staff).reject_draft(id).await?))
}
