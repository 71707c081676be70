//! `/api/v0/account/<account_id>/return-requests` and, for the account of the credential, `/api/v0/return-requests`:
//! reading them, and moving them through their stages.

use crate::api::base::{
    auth_extractors::Merchant,
    body::JsonBody,
    error::ApiError,
    if_match::IfMatch,
    json::Json,
    operation::{Access, Operation, Resource},
    path::Id,
    query::{COUNT, Expandable, Query},
    reply::{done, with_etag},
    selection::ExchangeFor,
};
use crate::app::App;
use axum::{
    extract::State,
    http::Method,
    response::{IntoResponse, Response},
};
use domain::{
    RefusalCode, ReturnRequestId,
    policy::Resolution,
    stage::{Condition, Disposition, Inspection, StageName},
};
use returns::{Expand, Instead, Receipt, Scope, StatusUpdate, lists, view};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use ui::web::routing::{get, patch, post};

const EXPANDABLE: &[Expandable] = &[("consumer", Expand::Consumer)];

pub(super) fn operations() -> Vec<Operation> {
    let of = Resource::of_account("return-requests", "return-request", "Return requests");
    vec![
        of.operation(Method::GET, "", get(list))
            .named("listReturnRequests", "List return requests")
            .open_to(Access::READERS)
            .lists(&lists::RETURN_REQUESTS)
            .with(&[COUNT])
            .expands(EXPANDABLE)
            .answers::<view::List<view::ReturnRequestView>>(200, "A page of return requests."),
        of.operation(Method::GET, "/{id}", get(one))
            .named("getReturnRequest", "Retrieve a return request")
            .open_to(Access::READERS)
            .expands(EXPANDABLE)
            .answers::<view::ReturnRequestView>(200, "The return request."),
        of.operation(Method::PATCH, "/{id}", patch(update))
            .named("updateReturnRequest", "Update a return request")
            .described(
                "Moves the return request to a stage. With `fromStage`, any other current stage is a conflict, so \
                 that only one of two concurrent workers succeeds. Without `fromStage`, a repeated move changes nothing \
                 and answers 200. The stages of `Resolution` need the scope `resolve`, all others `write`. Users with \
                 the role `agent` decide about resolutions up to the policy's `agentLimit`.",
            )
            .open_to(Access::StaffAny(&[Scope::Write, Scope::Resolve]))
            .once()
            .versioned()
            .takes::<ReturnRequestUpdate>()
            .answers::<view::ReturnRequestView>(200, "The return request in the new stage.")
            .conflicts(&["StageConflict", "IllegalTransition", "QuantityExceeded", "AgentLimitExceeded"]),
        of.operation(Method::GET, "/{id}/receipts", get(receipts))
            .named("listReceipts", "List a return request's receipts")
            .open_to(Access::READERS)
            .answers::<view::List<view::ReceiptView>>(200, "All receipts, oldest first."),
        of.operation(Method::POST, "/{id}/receipts", post(receive))
            .named("createReceipt", "Create a receipt")
            .described("Adds received units to the return request. Each `externalReference` counts once.")
            .open_to(Access::Staff(Scope::Receive))
            .once()
            .takes::<NewReceipt>()
            .answers::<view::ReturnRequestView>(200, "The return request with these units received.")
            .conflicts(&["IllegalTransition", "QuantityExceeded"]),
        of.operation(Method::GET, "/{id}/inspection", get(inspection))
            .named("getInspection", "Retrieve an inspection")
            .open_to(Access::READERS)
            .answers::<Inspection>(200, "The inspection of the units. The answer is 404 until there is one."),
        of.operation(Method::POST, "/{id}/inspection", post(inspect))
            .named("createInspection", "Create an inspection")
            .described(
                "Records the inspection, which decides about the refund if the policy's `resolveOn` is `inspection`. \
                 A new inspection replaces the previous one. An approved resolution does not change.",
            )
            .open_to(Access::Staff(Scope::Receive))
            .once()
            .takes::<NewInspection>()
            .answers::<view::ReturnRequestView>(200, "The return request with its inspection.")
            .conflicts(&["IllegalTransition"]),
        of.operation(Method::GET, "/{id}/timeline", get(timeline))
            .named("listTimelineEntries", "List a return request's timeline")
            .open_to(Access::READERS)
            .answers::<view::List<view::TimelineEntryView>>(200, "All entries, oldest first."),
    ]
}

/// The stage to enter. `status` is another name of `stage`, and `fromStatus` of `fromStage`.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "ReturnRequestChange", example = json!({
    "stage": "Resolution: Completed", "fromStage": "Resolution: Approved", "comment": "Refunded", "externalReference": "re_77",
}))]
struct ReturnRequestUpdate {
    /// The stage that the return request enters.
    #[serde(alias = "status")]
    stage: StageName,
    /// The current stage as you know it: any other stage is a conflict.
    #[serde(alias = "fromStatus")]
    from_stage: Option<StageName>,
    /// The reason. A rejection and a denial need it, and the consumer reads it.
    #[serde(default)]
    #[schemars(length(max = 2000))]
    comment: String,
    /// Your system's own id of the payment, the voucher or the replacement.
    #[schemars(length(min = 1, max = 200))]
    external_reference: Option<String>,
    /// The new resolution if the requested one failed, from `Resolution: Failed` to
    /// `Resolution: Processing` or `Resolution: Completed`. The value of the items stays; a bonus and fees that belonged
    /// to the old resolution go.
    requested_resolution: Option<Resolution>,
    /// With the `requestedResolution` `Exchange`: the item that the shop sends. If it is absent, staff send it.
    exchange_for: Option<ExchangeFor>,
}

/// Units that arrived at the warehouse.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct NewReceipt {
    /// The number of units that arrived, at least 1.
    #[schemars(range(min = 1, max = 1_000_000))]
    quantity: u32,
    /// The warehouse's own id of this delivery. Each id counts once.
    #[schemars(length(min = 1, max = 200))]
    external_reference: Option<String>,
}

/// The result of the warehouse's inspection.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct NewInspection {
    /// The number of units that are refunded.
    accepted: u32,
    /// The number of units that are not refunded. Both numbers together are the received units.
    refused: u32,
    /// The condition that the units are in.
    condition: Option<Condition>,
    /// What the warehouse does with the units.
    disposition: Option<Disposition>,
    /// A note for the merchant's staff.
    #[schemars(length(max = 2000))]
    note: Option<String>,
}

async fn list(app: State<App>, Merchant { staff, .. }: Merchant, query: Query) -> Result<Response, ApiError> {
    let query = query.counted_list(&lists::RETURN_REQUESTS, EXPANDABLE)?;
    Ok(Json(app.retour.merchant(&staff).return_requests(&query.listing, &query.expand).await?).into_response())
}

async fn one(
    app: State<App>,
    Merchant { staff, .. }: Merchant,
    Id(id): Id<ReturnRequestId>,
    query: Query,
) -> Result<Response, ApiError> {
    let expand = query.expand(EXPANDABLE)?;
    let request = app.retour.merchant(&staff).return_request(id, &expand).await?;
    Ok(with_etag(request.version, Json(request).into_response()))
}

async fn update(
    app: State<App>,
    Merchant { staff, caller }: Merchant,
    Id(id): Id<ReturnRequestId>,
    IfMatch(version): IfMatch,
    body: JsonBody<ReturnRequestUpdate>,
) -> Result<Response, ApiError> {
    let key = body.key(&caller);
    let ReturnRequestUpdate { stage, from_stage, comment, external_reference, requested_resolution, exchange_for } =
        body.value;
    let exchange_for = exchange_for.map(|wanted| wanted.sku);
    let instead = match (requested_resolution, exchange_for) {
        (Some(resolution), exchange_for) => Some(Instead { resolution, exchange_for }),
        (None, None) => None,
        (None, Some(_)) => {
            let message = "expected only with the requestedResolution Exchange";
            return Err(returns::Error::invalid("exchangeFor", RefusalCode::NotAllowed, message).into());
        }
    };
    let update = StatusUpdate { stage, from_stage, comment, external_reference, instead, version };
    Ok(done(app.retour.merchant(&staff).update_status(id, update, key).await?))
}

async fn receive(
    app: State<App>,
    Merchant { staff, caller }: Merchant,
    Id(id): Id<ReturnRequestId>,
    body: JsonBody<NewReceipt>,
) -> Result<Response, ApiError> {
    let key = body.key(&caller);
    let NewReceipt { quantity, external_reference } = body.value;
    let receipt = Receipt { quantity, external_reference };
    Ok(done(app.retour.merchant(&staff).receive(id, receipt, key).await?))
}

async fn inspect(
    app: State<App>,
    Merchant { staff, caller }: Merchant,
    Id(id): Id<ReturnRequestId>,
    body: JsonBody<NewInspection>,
) -> Result<Response, ApiError> {
    let key = body.key(&caller);
    let NewInspection { accepted, refused, condition, disposition, note } = body.value;
    let inspection = Inspection { accepted, refused, condition, disposition, note };
    Ok(done(app.retour.merchant(&staff).inspect(id, inspection, key).await?))
}

/// Answers with all receipts on one page, because a request has few.
async fn receipts(
    app: State<App>,
    Merchant { staff, .. }: Merchant,
    Id(id): Id<ReturnRequestId>,
) -> Result<Response, ApiError> {
    Ok(Json(view::List::whole(app.retour.merchant(&staff).receipts(id).await?)).into_response())
}

async fn inspection(
    app: State<App>,
    Merchant { staff, .. }: Merchant,
    Id(id): Id<ReturnRequestId>,
) -> Result<Response, ApiError> {
    Ok(Json(app.retour.merchant(&staff).inspection(id).await?).into_response())
}

/// Answers with the whole timeline on one page, because a request enters few stages.
async fn timeline(
    app: State<App>,
    Merchant { staff, .. }: Merchant,
    Id(id): Id<ReturnRequestId>,
) -> Result<Response, ApiError> {
    let entries = app.retour.merchant(&staff).timeline(id).await;
    Ok(Json(view::List::whole(entries?)).into_response())
}
