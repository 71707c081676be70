//! Moves of many return requests at once, and changes of a return request's value.

use crate::api::base::{
    auth_extractors::Merchant,
    body::JsonBody,
    error::ApiError,
    operation::{Access, Operation, Resource},
    path::Id,
    reply::done,
};
use crate::app::App;
use axum::{extract::State, http::Method, response::Response, routing::post};
use domain::{ReturnRequestId, stage::StageName};
use returns::{AdjustmentInput, BatchMove, Scope, StatusUpdate, view};
use schemars::JsonSchema;
use serde::Deserialize;

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
    ]
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

async fn adjust(
    app: State<App>,
    Merchant { staff, caller }: Merchant,
    Id(id): Id<ReturnRequestId>,
    body: JsonBody<AdjustmentInput>,
) -> Result<Response, ApiError> {
    let key = body.key(&caller);
    Ok(done(app.retour.merchant(&staff).adjust(id, body.value, key).await?))
}
