//! The value of a request: changed, or proposed by an agent above the agent's limit, and decided by others.

use crate::{
    calls::{
        call::Next,
        return_order_steps::{back, hidden, problem, stage},
    },
    problem::{Mistake, Problem},
    visit::{Visit, reasons},
};
use domain::{Money, ProposalId, RefusalCode, ReturnRequestId, stage::StageName};
use returns::{AdjustmentInput, Error, ProposalInput, Proposed, Scope, Staff};

/// Changes the value of a request.
pub async fn adjust(
    visit: &Visit,
    request: &str,
    amount: &str,
    reason: String,
    from_stage: &str,
) -> Result<Next, Problem> {
    let (id, staff): (ReturnRequestId, Staff) = (hidden(request)?, visit.may_act(Scope::Resolve)?);
    let handle = visit.retour.merchant(&staff);
    let found = handle.return_request(id, &[]).await.map_err(|error| visit.problem(error))?;
    let currency = found.purchase_price.map_or(visit.account.currency, |price| price.currency);
    // People also type the sign that the page shows.
    let plain = amount.trim().replace('\u{2212}', "-").replace(',', ".");
    let amount = Money::parse(plain.trim_start_matches('+'), currency)
        .map_err(|refusal| Problem::mistake("amount", reasons::of_rule(refusal.code, &refusal.message, visit.words)))?;
    let from_stage = stage(from_stage)?;
    let input = AdjustmentInput { amount, reason: reason.clone(), from_stage: Some(from_stage) };
    match handle.adjust(id, input, visit.key()).await {
        Ok(_) => Ok(Next::at(back(visit)).saying(visit.words.return_order.adjusted)),
        // Nothing was changed: others decide about it.
        Err(Error::Refused(refusal)) if refusal.code == RefusalCode::AgentLimitExceeded => {
            propose_adjustment(visit, &staff, id, amount, (reason, from_stage)).await
        }
        Err(error) => Err(problem(visit, &staff, id, error).await),
    }
}

/// Asks others to approve the refund of a request.
pub async fn propose_refund(visit: &Visit, request: &str, comment: String, from_stage: &str) -> Result<Next, Problem> {
    let (id, staff): (ReturnRequestId, Staff) = (hidden(request)?, visit.may_act(Scope::Resolve)?);
    let from_stage = Some(stage(from_stage)?);
    let input = ProposalInput { kind: Proposed::Resolution, amount: None, comment, from_stage };
    propose(visit, &staff, id, input).await
}

/// Asks others to approve an adjustment that is above the person's limit.
async fn propose_adjustment(
    visit: &Visit,
    staff: &Staff,
    id: ReturnRequestId,
    amount: Money,
    (comment, from_stage): (String, StageName),
) -> Result<Next, Problem> {
    let (kind, amount, from_stage) = (Proposed::Adjustment, Some(amount), Some(from_stage));
    propose(visit, staff, id, ProposalInput { kind, amount, comment, from_stage }).await
}

async fn propose(visit: &Visit, staff: &Staff, id: ReturnRequestId, input: ProposalInput) -> Result<Next, Problem> {
    match visit.retour.merchant(staff).propose(id, input, visit.key()).await {
        Ok(_) => Ok(Next::at(back(visit)).saying(visit.words.return_order.proposed)),
        Err(error) => Err(problem(visit, staff, id, error).await),
    }
}

/// Approves what somebody else proposed.
pub async fn approve(visit: &Visit, request: &str, proposal: &str, version: &str) -> Result<Next, Problem> {
    let staff = visit.may_act_with_any(&[Scope::Resolve, Scope::Override])?;
    let (id, proposal): (ReturnRequestId, ProposalId) = (hidden(request)?, hidden(proposal)?);
    let version = version.parse().ok();
    match visit.retour.merchant(&staff).approve_proposal(id, proposal, version, visit.key()).await {
        Ok(_) => Ok(Next::at(back(visit)).saying(visit.words.return_order.proposal_approved)),
        Err(error) => Err(gone(visit, error)),
    }
}

/// Refuses what was proposed.
pub async fn refuse(visit: &Visit, request: &str, proposal: &str, why: String) -> Result<Next, Problem> {
    let staff = visit.may_act_with_any(&[Scope::Resolve, Scope::Override])?;
    let (id, proposed): (ReturnRequestId, ProposalId) = (hidden(request)?, hidden(proposal)?);
    match visit.retour.merchant(&staff).refuse_proposal(id, proposed, why, visit.key()).await {
        Ok(_) => Ok(Next::at(back(visit)).saying(visit.words.return_order.proposal_refused)),
        Err(error) => Err(match gone(visit, error) {
            // The only field that can be wrong; each proposal has its own.
            Problem::Mistakes(mistakes) => {
                let of_proposal = |mistake: Mistake| Mistake { field: format!("refusal-{proposal}"), ..mistake };
                Problem::Mistakes(mistakes.into_iter().map(of_proposal).collect())
            }
            problem => problem,
        }),
    }
}

/// The problem of a decision. An adjustment that has become impossible has no field here: its sentence is shown.
fn gone(visit: &Visit, error: Error) -> Problem {
    match error {
        Error::Invalid(fields) if fields.iter().any(|field| field.field == "amount") => {
            Problem::Refused(visit.words.refusals.illegal_transition.to_owned())
        }
        Error::Refused(refusal) if refusal.code == RefusalCode::StageConflict => {
            Problem::Changed(visit.words.return_order.proposal_refused.to_owned())
        }
        error => visit.problem(error),
    }
}
