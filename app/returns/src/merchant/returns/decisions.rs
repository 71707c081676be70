//! Who may decide what about a return request: the scope of each stage, and the limit of agents.

use crate::{
    base::{Result, Scope, Staff},
    returning::{
        change::Returned,
        override_limit::{is_above, is_approved, is_by_agent, is_held, is_waiting},
    },
};
use domain::{
    Money, Refusal, RefusalCode,
    account::Account,
    costs::CostBreakdown,
    policy::{Policy, Resolution},
    returning::{ProposalKind, ReturnRequest},
    stage::{StageGroup, StageName},
};
use store::Db;

/// The scope that moving a request to the stage needs.
pub(super) fn scope_for(stage: StageName) -> Scope {
    match stage.group() {
        StageGroup::Resolution => Scope::Resolve,
        StageGroup::Requested
        | StageGroup::Submitted
        | StageGroup::Shipment
        | StageGroup::Received
        | StageGroup::Inspection
        | StageGroup::Closed => Scope::Write,
    }
}

/// Refuses a decision about money above the policy's `agentLimit` to an agent. The agent can leave the request in
/// `Resolution: Pending`, where finance or an administrator decides. So nobody approves what they propose themselves.
pub(super) fn check_agent_limit(
    staff: &Staff,
    stage: StageName,
    request: &ReturnRequest,
    policy: &Policy,
) -> Result<()> {
    let is_proposed = request.proposal.as_ref().is_some_and(|proposal| proposal.kind == ProposalKind::Override);
    if is_proposed && stage == StageName::RequestedApproved {
        staff.check(Scope::Override)?;
    }
    if is_proposed && stage == StageName::RequestedApproved && staff.is_limited() {
        let message = "A rule was overridden for this return, and it gives more than agents decide about. A user with \
                       the role finance or admin approves it.";
        return Err(Refusal::new(RefusalCode::AgentLimitExceeded, message).into());
    }
    let is_decision = stage.group() == StageGroup::Resolution && stage != StageName::ResolutionPending;
    if is_decision { check_agent_amount(staff, request, policy) } else { Ok(()) }
}

/// Refuses a decision about the money of a return that overrides a rule, if nobody has approved the return: its parcel arrived after
/// the return was cancelled or rejected.
pub(super) fn check_override_limit(staff: &Staff, stage: StageName, returned: &Returned, index: usize) -> Result<()> {
    let is_decision = stage.group() == StageGroup::Resolution && stage != StageName::ResolutionPending;
    let was_held = is_held(&returned.draft.items);
    if !is_decision || !staff.is_limited() || !was_held || !returned.request(index)?.state.undecided {
        return Ok(());
    }
    let message = "A rule was overridden for this return, and nobody has approved it. Propose its resolution: a user with the \
                   role finance or admin approves it.";
    Err(Refusal::new(RefusalCode::AgentLimitExceeded, message).into())
}

/// Refuses anything about the money of a request above the policy's `agentLimit` to an agent.
pub(super) fn check_agent_amount(staff: &Staff, request: &ReturnRequest, policy: &Policy) -> Result<()> {
    if !staff.is_limited() {
        return Ok(());
    }
    let at_stake = at_stake(request);
    let Some(limit) = policy.agent_limit.minor(at_stake.currency) else { return Ok(()) };
    if at_stake.minor <= limit {
        return Ok(());
    }
    let limit = Money::new(limit, at_stake.currency);
    let message = format!(
        "Agents decide about at most {} {} for each return request. Propose it: a user with the role finance or admin \
         approves it.",
        limit.decimal(),
        limit.currency
    );
    Err(Refusal::new(RefusalCode::AgentLimitExceeded, message).into())
}

/// Refuses a change by an agent that raises what a return gives for which agents overrode rules and nobody else has
/// approved: while somebody has to approve it, and above the policy's `agentLimit`, together with the other such returns of its
/// orders. `before`: its costs before the change.
pub(super) async fn check_raised_override(
    db: Db<'_>,
    staff: &Staff,
    account: &Account,
    returned: &Returned,
    before: &CostBreakdown,
) -> Result<()> {
    let (order, items) = (&returned.order, &returned.draft.items);
    let is_raised = order.cost_breakdown.given() > before.given();
    if !staff.is_limited() || !is_raised || !is_by_agent(items) || is_approved(items, &returned.requests) {
        return Ok(());
    }
    // Who approves it has to find what was proposed.
    if returned.requests.iter().any(is_waiting) {
        let message = "This return waits for somebody to approve it, because a rule was overridden. What it gives cannot be \
                       raised before that. A user with the role finance or admin makes the change.";
        return Err(Refusal::new(RefusalCode::AgentLimitExceeded, message).into());
    }
    if !is_above(db, account, items, &order.cost_breakdown, Some(order.id)).await? {
        return Ok(());
    }
    let message = "A rule was overridden for this return. With this change, the returns of its order that agents made by \
                   overriding rules give more than agents decide about. A user with the role finance or admin makes the change.";
    Err(Refusal::new(RefusalCode::AgentLimitExceeded, message).into())
}

/// What the decision gives or refuses: money, or goods in an exchange.
fn at_stake(request: &ReturnRequest) -> Money {
    match request.requested_resolution {
        Resolution::Exchange => request.purchase_price,
        Resolution::Refund | Resolution::StoreCredit => {
            Money::new(request.resolution_value, request.purchase_price.currency)
        }
    }
}
