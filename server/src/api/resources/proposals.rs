//! Proposals: what an agent asks others to approve about a return request, because it is above the agent's limit.

use crate::api::base::{
    auth_extractors::Merchant,
    body::{JsonBody, NoBody},
    error::ApiError,
    if_match::IfMatch,
    operation::{Access, Operation, Resource},
    path::{Id, ProposalIdOfPath},
    reply::done,
};
use crate::app::App;
use axum::{extract::State, http::Method, response::Response};
use domain::ReturnRequestId;
use returns::{ProposalInput, Scope, view};
use schemars::JsonSchema;
use serde::Deserialize;
use ui::web::routing::post;

pub(super) fn operations() -> Vec<Operation> {
    let of = Resource::of_account("return-requests", "return-request", "Return requests");
    vec![
        of.operation(Method::POST, "/{id}/proposals", post(propose))
            .named("createProposal", "Propose a decision about a return request")
            .described(
                "Asks others to approve what is above the policy's `agentLimit`: an adjustment of the value, or the \
                 resolution. The stage stays. The return request has the `proposal` until somebody decides. A new \
                 proposal replaces it. The filter `proposal` of the return requests finds what waits.",
            )
            .open_to(Access::Staff(Scope::Resolve))
            .once()
            .takes::<ProposalInput>()
            .answers::<view::ReturnRequestView>(200, "The return request with its proposal.")
            .conflicts(&["IllegalTransition", "StageConflict"]),
        of.operation(Method::POST, "/{id}/proposals/{proposal_id}/approve", post(approve))
            .named("approveProposal", "Approve a proposal")
            .described(
                "Carries out what somebody else proposed: the adjustment, the approval of the resolution, or that of a \
                 return that overrides a rule, which needs the scope `override`. Users with the role `agent` do not \
                 decide about proposals, and nobody approves their own.",
            )
            .open_to(Access::StaffButAgents(&[Scope::Resolve, Scope::Override]))
            .once()
            .versioned()
            .answers::<view::ReturnRequestView>(200, "The return request as it is now.")
            .conflicts(&["StageConflict", "IllegalTransition", "QuantityExceeded", "AgentLimitExceeded"]),
        of.operation(Method::POST, "/{id}/proposals/{proposal_id}/refuse", post(refuse))
            .named("refuseProposal", "Refuse a proposal")
            .described(
                "Ends the proposal with a comment. The return request stays as it is, except for a return that \
                 overrides a rule: its return request is rejected, and the consumer reads the comment. The person who \
                 proposed it can take it back in this way.",
            )
            .open_to(Access::StaffAny(&[Scope::Resolve, Scope::Override]))
            .once()
            .takes::<RefusedProposal>()
            .answers::<view::ReturnRequestView>(200, "The return request as it is now.")
            .conflicts(&["StageConflict", "AgentLimitExceeded"]),
    ]
}

/// Why a proposal is refused.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "ProposalRefusal")]
struct RefusedProposal {
    /// The reason: 3 to 500 characters. If the return overrides a rule, the consumer reads it.
    #[schemars(length(min = 3, max = 500))]
    comment: String,
}

async fn propose(
    app: State<App>,
    Merchant { staff, caller }: Merchant,
    Id(id): Id<ReturnRequestId>,
    body: JsonBody<ProposalInput>,
) -> Result<Response, ApiError> {
    let key = body.key(&caller);
    Ok(done(app.retour.merchant(&staff).propose(id, body.value, key).await?))
}

async fn approve(
    app: State<App>,
    Merchant { staff, caller }: Merchant,
    Id(id): Id<ReturnRequestId>,
    ProposalIdOfPath(proposal): ProposalIdOfPath,
    IfMatch(version): IfMatch,
    NoBody(body): NoBody,
) -> Result<Response, ApiError> {
    let key = body.key(&caller);
    Ok(done(app.retour.merchant(&staff).approve_proposal(id, proposal, version, key).await?))
}

async fn refuse(
    app: State<App>,
    Merchant { staff, caller }: Merchant,
    Id(id): Id<ReturnRequestId>,
    ProposalIdOfPath(proposal): ProposalIdOfPath,
    body: JsonBody<RefusedProposal>,
) -> Result<Response, ApiError> {
    let key = body.key(&caller);
    Ok(done(app.retour.merchant(&staff).refuse_proposal(id, proposal, body.value.comment, key).await?))
}
