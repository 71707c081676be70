//! Moves of many return requests at once, and changes of a return request's value and of what it asks for.

use crate::api::base::{
    auth_extractors::Merchant,
    body::JsonBody,
    error::ApiError,
    json::Json,
    operation::{Access, Operation, Resource},
    path::Id,
    reply::done,
    selection::ExchangeFor,
};
use crate::app::App;
use axum::{
    extract::State,
    http::Method,
    response::{IntoResponse, Response},
};
use domain::{ReturnReasonId, ReturnRequestId, policy::Resolution, stage::StageName};
use returns::{AdjustmentInput, AmendmentInput, BatchMove, Scope, StatusUpdate, view};
use schemars::JsonSchema;
use serde::Deserialize;
use ui::web::routing::post;

pub(super) fn operations() -> Vec<Operation> {
    let of = Resource::of_account("return-requests", "return-request", "Return requests");
    vec![
        of.operation(Method::POST, "/batch", post(update_many))
            .named("updateReturnRequests", "Update many return requests")
            .described(
                "Moves up to 100 return requests, each by itself and by the same rules as `updateReturnRequest`: one \
                 that fails does not stop the others. The answer has a result for each. A repeated request with the \
                 same `Idempotency-Key` makes each move once, even if the first one ended half-way.",
            )
            .open_to(Access::StaffAny(&[Scope::Write, Scope::Resolve]))
            .once()
            .takes::<Batch>()
            .answers::<view::BatchResults>(200, "A result for each move, in their order."),
        of.operation(Method::POST, "/{id}/adjustments", post(adjust))
            .named("createAdjustment", "Adjust the value of a return request")
            .described(
                "Adds an amount to the value of the return request, or takes it off, until its resolution is approved. \
                 The value stays between zero and what was paid for the units and is left of the order: fees can be \
                 given back, nothing more. The consumer sees the amount as the line `Adjustment` of the costs. Users with \
                 the role `agent` adjust return requests up to the policy's `agentLimit`.",
            )
            .open_to(Access::Staff(Scope::Resolve))
            .once()
            .takes::<AdjustmentInput>()
            .answers::<view::ReturnRequestView>(200, "The return request with its new value.")
            .conflicts(&["IllegalTransition", "StageConflict", "AgentLimitExceeded"]),
        of.operation(Method::POST, "/{id}/amendments", post(amend))
            .named("createAmendment", "Change what a return request asks for")
            .described(
                "Changes the reason, the requested resolution or the number of units, before anything of the return \
                 request has arrived. The stage stays. The costs are calculated again with today's fees, and never \
                 exceed what was paid. A change of what the consumer has to pay for the return is refused.",
            )
            .open_to(Access::Staff(Scope::Write))
            .once()
            .takes::<Amendment>()
            .answers::<view::ReturnRequestView>(200, "The return request as it is now.")
            .conflicts(&["IllegalTransition", "StageConflict", "TooLate"]),
        of.operation(Method::POST, "/{id}/amendments/preview", post(preview_amendment))
            .named("previewAmendment", "Preview a change of a return request")
            .described(
                "Answers with the costs of the return order now, and as `createAmendment` with the same body would make \
                 them. Nothing changes.",
            )
            .open_to(Access::Staff(Scope::Write))
            .takes::<Amendment>()
            .answers::<view::AmendmentPreview>(200, "The costs now, and after the change.")
            .conflicts(&["IllegalTransition", "StageConflict", "TooLate"]),
    ]
}

/// What a return request asks for instead. Fields that are left out stay.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "AmendmentInput")]
struct Amendment {
    /// The number of units, at most as many as before. The others can be returned again.
    #[schemars(range(min = 1))]
    quantity: Option<u32>,
    /// The return reason. The answers to the questions of the earlier reason are removed.
    return_reason_id: Option<ReturnReasonId>,
    /// The comment in the consumer's words, at most 2,000 characters.
    #[schemars(length(max = 2000))]
    return_reason_comment: Option<String>,
    /// The requested resolution.
    requested_resolution: Option<Resolution>,
    /// For an exchange: the wanted item. Without it, staff decide what is sent.
    exchange_for: Option<ExchangeFor>,
    /// Why: 3 to 500 characters. Only staff see it.
    #[schemars(length(min = 3, max = 500))]
    reason: String,
    /// The current stage as you know it: any other stage is a conflict.
    from_stage: Option<StageName>,
}

impl From<Amendment> for AmendmentInput {
    fn from(new: Amendment) -> Self {
        Self {
            quantity: new.quantity,
            return_reason_id: new.return_reason_id,
            return_reason_comment: new.return_reason_comment,
            requested_resolution: new.requested_resolution,
            exchange_for: new.exchange_for.map(|wanted| wanted.sku),
            reason: new.reason,
            from_stage: new.from_stage,
        }
    }
}

/// Moves of many return requests.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "ReturnRequestBatch")]
struct Batch {
    /// 1 to 100 moves, each of another return request.
    #[schemars(length(min = 1, max = 100))]
    moves: Vec<Move>,
}

/// A move of one return request.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "ReturnRequestMove")]
struct Move {
    /// The return request.
    id: ReturnRequestId,
    /// The stage that the return request enters.
    stage: StageName,
    /// The current stage as you know it: any other stage is a conflict.
    from_stage: StageName,
    /// The reason. A rejection and a denial need it, and the consumer reads it.
    #[serde(default)]
    #[schemars(length(max = 2000))]
    comment: String,
    /// Your system's own id of the payment, the voucher or the replacement.
    #[schemars(length(min = 1, max = 200))]
    external_reference: Option<String>,
}

impl From<Move> for BatchMove {
    fn from(Move { id, stage, from_stage, comment, external_reference }: Move) -> Self {
        let (from_stage, instead, version) = (Some(from_stage), None, None);
        Self { id, update: StatusUpdate { stage, from_stage, comment, external_reference, instead, version } }
    }
}

async fn update_many(
    app: State<App>,
    Merchant { staff, caller }: Merchant,
    body: JsonBody<Batch>,
) -> Result<Response, ApiError> {
    let key = body.key(&caller);
    let moves = body.value.moves.into_iter().map(Into::into).collect();
    Ok(done(app.retour.merchant(&staff).update_many(moves, key).await?))
}

async fn amend(
    app: State<App>,
    Merchant { staff, caller }: Merchant,
    Id(id): Id<ReturnRequestId>,
    body: JsonBody<Amendment>,
) -> Result<Response, ApiError> {
    let key = body.key(&caller);
    Ok(done(app.retour.merchant(&staff).amend(id, body.value.into(), key).await?))
}

async fn preview_amendment(
    app: State<App>,
    Merchant { staff, .. }: Merchant,
    Id(id): Id<ReturnRequestId>,
    body: JsonBody<Amendment>,
) -> Result<Response, ApiError> {
    Ok(Json(app.retour.merchant(&staff).preview_amendment(id, body.value.into()).await?).into_response())
}

async fn adjust(
    app: State<App>,
    Merchant { staff, caller }: Merchant,
    Id(id): Id<ReturnRequestId>,
    body: JsonBody<AdjustmentInput>,
) -> Result<Response, ApiError> {
    let key = body.key(&caller);
    Ok(done(app.retour.merchant(&staff).adjust(id, body.value, key).await?))
}
