//! The first stage of a return request.

use super::{context::StageContext, request::RequestState, review::ReviewReason, state::Stage, step::Step};
use crate::{
    order::TakenUnits,
    policy::{
        Policy,
        reason::{EvidenceRule, ReasonRules},
    },
};

/// The input of a new return request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "the facts are independent: none excludes another")]
pub struct Submission {
    /// The units that it takes from its purchase; at least 1.
    pub taken: TakenUnits,
    /// Whether the consumer keeps the item.
    pub kept: bool,
    /// Whether the merchant makes it: then it needs no evidence and no approval.
    pub by_merchant: bool,
    /// Whether staff have to approve it even if staff make it: it overrides a rule above the limit of agents.
    pub held: bool,
    /// Whether evidence was already added, so that the request need not wait for any.
    pub has_evidence: bool,
    /// The reason why a person decides, whatever the policy says.
    pub review: Option<ReviewReason>,
}

/// Whether a consumer's request waits for evidence or for a person's decision before it is approved.
pub fn needs_approval(rules: &ReasonRules, review: Option<ReviewReason>, policy: &Policy) -> bool {
    rules.evidence == EvidenceRule::Required || rules.review || review.is_some() || !policy.auto_approve
}

/// Creates a return request in its first stage.
pub fn submit(submission: Submission, rules: &ReasonRules, ctx: &StageContext<'_>) -> Step {
    let stage = if submission.held {
        Stage::RequestedReview
    } else if submission.by_merchant {
        Stage::RequestedApproved
    } else if rules.evidence == EvidenceRule::Required && submission.has_evidence {
        Stage::RequestedReview // as after adding evidence later
    } else if rules.evidence == EvidenceRule::Required {
        Stage::RequestedEvidencePending { due: ctx.zone.end_of_day(ctx.now, ctx.policy.evidence_days.max(1)) }
    } else if needs_approval(rules, submission.review, ctx.policy) {
        Stage::RequestedReview
    } else {
        Stage::RequestedApproved
    };
    let request = RequestState {
        stage: stage.clone(),
        quantity: submission.taken.units,
        taken: submission.taken,
        kept: submission.kept,
        scanned: false,
        received: 0,
        surplus: 0,
        inspection: None,
        without_receipt: false,
        undecided: false,
        approved_units: None,
        review: submission.review,
    };
    Step { taken: submission.taken, entered: vec![stage], ..Step::stay(&request) }
}
