//! The first stage of a return request.

use super::{context::Context, request::Request, review::ReviewReason, state::Stage, step::Step};
use crate::{
    order::TakenUnits,
    policy::reason::{Evidence, ReasonRules},
};

/// What a return request starts with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Submission {
    /// The units that it takes of its purchase; at least 1.
    pub taken: TakenUnits,
    /// Whether the consumer keeps the item.
    pub kept: bool,
    /// Whether the merchant makes it: there is nothing left to ask for or to decide.
    pub by_merchant: bool,
    /// Whether there is evidence with it already: nobody has to wait for any.
    pub has_evidence: bool,
    /// Why a person decides, whatever the policy says.
    pub review: Option<ReviewReason>,
}

/// The first stage of a return request.
pub fn submit(submission: Submission, rules: &ReasonRules, ctx: &Context<'_>) -> Step {
    let stage = if submission.by_merchant {
        Stage::RequestedApproved
    } else if rules.evidence == Evidence::Required && submission.has_evidence {
        Stage::RequestedReview // as if it had been added afterwards
    } else if rules.evidence == Evidence::Required {
        Stage::RequestedEvidencePending { due: ctx.zone.end_of_day(ctx.now, ctx.policy.evidence_days.max(1)) }
    } else if rules.review || submission.review.is_some() || !ctx.policy.auto_approve {
        Stage::RequestedReview
    } else {
        Stage::RequestedApproved
    };
    let request = Request {
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
