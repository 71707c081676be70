//! What staff can decide about a request in its stage, and why they cannot decide the rest.

use crate::words::ReturnOrder;
use domain::{
    policy::Resolution,
    stage::{StageGroup, StageName as N},
};
use returns::{Scope, view::ReturnRequestView};

/// A decision about a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    Approve,
    Reject,
    Count,
    GiveUp,
    Inspect,
    Lost,
    Grant,
    Propose,
    Deny,
    Reopen,
    Retry,
    Complete,
    Adjust,
    Amend,
}

impl Decision {
    /// All decisions, in the order of a return's life.
    pub const ALL: [Self; 14] = [
        Self::Approve,
        Self::Reject,
        Self::Count,
        Self::GiveUp,
        Self::Inspect,
        Self::Lost,
        Self::Grant,
        Self::Propose,
        Self::Deny,
        Self::Reopen,
        Self::Retry,
        Self::Complete,
        Self::Adjust,
        Self::Amend,
    ];

    /// The name in addresses.
    pub fn name(self) -> &'static str {
        match self {
            Self::Approve => "approve",
            Self::Reject => "reject",
            Self::Count => "count",
            Self::GiveUp => "give-up",
            Self::Inspect => "inspect",
            Self::Lost => "lost",
            Self::Grant => "grant",
            Self::Propose => "propose",
            Self::Deny => "deny",
            Self::Reopen => "reopen",
            Self::Retry => "retry",
            Self::Complete => "complete",
            Self::Adjust => "adjust",
            Self::Amend => "amend",
        }
    }

    /// The decision with this name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|decision| decision.name() == name)
    }

    /// The text of its button.
    pub fn text(self, words: &ReturnOrder) -> &'static str {
        match self {
            Self::Approve => words.approve,
            Self::Reject => words.reject,
            Self::Count => words.count,
            Self::GiveUp => words.give_up,
            Self::Inspect => words.inspect,
            Self::Lost => words.lost,
            Self::Grant => words.grant,
            Self::Propose => words.propose,
            Self::Deny => words.deny,
            Self::Reopen => words.reopen,
            Self::Retry => words.retry,
            Self::Complete => words.complete,
            Self::Adjust => words.adjust,
            Self::Amend => words.amend,
        }
    }

    /// The stage that it leads to by name; `None` if it has an operation of its own. `inspects`: whether the policy
    /// wants an inspection before the refund.
    pub fn stage(self, inspects: bool) -> Option<N> {
        Some(match self {
            Self::Approve => N::RequestedApproved,
            Self::Reject => N::RequestedRejected,
            Self::GiveUp if inspects => N::InspectionPending,
            Self::GiveUp | Self::Lost | Self::Reopen => N::ResolutionPending,
            Self::Grant => N::ResolutionApproved,
            Self::Deny => N::ResolutionDenied,
            Self::Retry => N::ResolutionProcessing,
            Self::Complete => N::ResolutionCompleted,
            Self::Count | Self::Inspect | Self::Propose | Self::Adjust | Self::Amend => return None,
        })
    }

    /// The scope that it needs. `inspects`: as for [`Self::stage`].
    pub fn scope(self, inspects: bool) -> Scope {
        match (self, self.stage(inspects).map(N::group)) {
            (Self::Count | Self::Inspect, _) => Scope::Receive,
            (Self::Adjust | Self::Propose, _) | (_, Some(StageGroup::Resolution)) => Scope::Resolve,
            _ => Scope::Write,
        }
    }

    /// Whether its form asks for more than a click.
    pub fn asks(self) -> bool {
        !matches!(self, Self::Approve | Self::Grant | Self::Retry)
    }

    /// Whether it stays on the page while it is not possible, with the reason. The others are rare.
    fn is_always_shown(self) -> bool {
        !matches!(
            self,
            Self::GiveUp | Self::Lost | Self::Propose | Self::Reopen | Self::Retry | Self::Complete | Self::Amend
        )
    }
}

/// A decision, and why it is not possible now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Choice {
    pub decision: Decision,
    /// `None`: it is possible.
    pub why_not: Option<&'static str>,
}

/// What the possible decisions depend on.
#[derive(Debug, Clone, Copy)]
#[expect(clippy::struct_excessive_bools, reason = "the facts are independent: none excludes another")]
pub struct Standing {
    pub stage: N,
    /// Units that are not counted yet.
    pub missing: u32,
    /// Units that arrived and count.
    pub received: u32,
    /// Whether any unit has arrived, even one that nobody asked for.
    pub has_arrived: bool,
    pub is_exchange: bool,
    /// Whether it is worth more than the person may decide about.
    pub is_above_limit: bool,
    /// Whether somebody has asked for an approval already.
    pub is_proposed: bool,
}

impl Standing {
    /// Where a request stands for a person. `is_above_limit`: whether it is worth more than they may decide about.
    pub fn of(request: &ReturnRequestView, is_above_limit: bool) -> Self {
        let counted = request.received_quantity.saturating_add(request.surplus_quantity);
        Self {
            stage: request.stage,
            missing: request.quantity.saturating_sub(counted),
            received: request.received_quantity,
            has_arrived: counted > 0,
            is_exchange: request.requested_resolution == Resolution::Exchange,
            is_above_limit,
            is_proposed: request.proposal.is_some(),
        }
    }
}

/// The decisions that the page shows for a request.
pub fn choices(standing: Standing, words: &'static ReturnOrder) -> Vec<Choice> {
    let choice = |decision| Choice { decision, why_not: why_not(decision, standing, words) };
    let is_shown = |choice: &Choice| choice.why_not.is_none() || choice.decision.is_always_shown();
    Decision::ALL.into_iter().map(choice).filter(is_shown).collect()
}

/// Why a decision is not possible in the stage of a request. The use cases check it again.
pub fn why_not(decision: Decision, standing: Standing, words: &'static ReturnOrder) -> Option<&'static str> {
    let Standing { stage, missing, received, has_arrived, is_exchange, is_above_limit, is_proposed } = standing;
    let group = stage.group();
    let unless = |is_possible: bool, why| (!is_possible).then_some(why);
    match decision {
        Decision::Approve | Decision::Reject => unless(stage == N::RequestedReview, words.when_review),
        Decision::Count => {
            let is_sent = !matches!(group, StageGroup::Requested | StageGroup::Submitted);
            unless(is_sent || stage == N::SubmittedReady, words.when_sent).or(unless(missing > 0, words.when_counted))
        }
        Decision::GiveUp => unless(stage == N::ReceivedPartial, words.when_here),
        Decision::Inspect => {
            let is_here = matches!(group, StageGroup::Inspection | StageGroup::Resolution) && received > 0;
            unless(is_here, words.when_here).or(unless(!stage.is_approved(), words.when_decided))
        }
        Decision::Lost => unless(stage == N::SubmittedReady || group == StageGroup::Shipment, words.when_sent),
        Decision::Grant | Decision::Deny => {
            unless(stage == N::ResolutionPending, words.when_pending).or(unless(!is_above_limit, words.above_limit))
        }
        Decision::Propose => {
            unless(stage == N::ResolutionPending && is_above_limit && !is_proposed, words.when_pending)
        }
        Decision::Retry | Decision::Complete if is_above_limit && stage.is_approved() => Some(words.above_limit),
        Decision::Reopen => unless(stage == N::ResolutionDenied, words.when_pending),
        Decision::Retry => unless(stage == N::ResolutionFailed, words.when_pending),
        Decision::Complete => unless(stage.is_approved() && stage != N::ResolutionCompleted, words.when_pending),
        Decision::Adjust if is_exchange => Some(words.when_exchange),
        Decision::Adjust => {
            unless(!stage.is_approved(), words.when_decided).or(unless(!stage.is_end(), words.when_over))
        }
        Decision::Amend => {
            let is_early =
                matches!(group, StageGroup::Requested | StageGroup::Submitted | StageGroup::Shipment) && !has_arrived;
            unless(!stage.is_end(), words.when_over).or(unless(is_early, words.when_not_here))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::Words;
    use ui::language::Language;

    fn possible(stage: N, missing: u32) -> Vec<&'static str> {
        let received = 2 - missing;
        let (has_arrived, is_exchange, is_above_limit, is_proposed) = (received > 0, false, false, false);
        let standing = Standing { stage, missing, received, has_arrived, is_exchange, is_above_limit, is_proposed };
        let all = choices(standing, Words::of(Language::En).return_order);
        all.into_iter().filter(|choice| choice.why_not.is_none()).map(|choice| choice.decision.name()).collect()
    }

    #[test]
    fn each_stage_has_its_decisions() {
        for (stage, missing, decisions) in [
            (N::RequestedEvidencePending, 2, &["adjust", "amend"][..]),
            (N::RequestedReview, 2, &["approve", "reject", "adjust", "amend"]),
            (N::RequestedRejected, 2, &[]),
            (N::SubmittedLabelFailed, 2, &["adjust", "amend"]),
            (N::SubmittedReady, 2, &["count", "lost", "adjust", "amend"]),
            (N::ShipmentDelivered, 2, &["count", "lost", "adjust", "amend"]),
            (N::ReceivedPartial, 1, &["count", "give-up", "adjust"]),
            (N::InspectionPending, 0, &["inspect", "adjust"]),
            (N::ResolutionPending, 0, &["inspect", "grant", "deny", "adjust"]),
            (N::ResolutionApproved, 0, &["complete"]),
            (N::ResolutionFailed, 0, &["retry", "complete"]),
            (N::ResolutionCompleted, 0, &[]),
            (N::ResolutionDenied, 0, &["inspect", "reopen"]),
            (N::ClosedCancelled, 2, &["count"]),
        ] {
            assert_eq!(possible(stage, missing), decisions, "{stage}");
        }
    }

    #[test]
    fn above_the_limit_the_refund_is_proposed() {
        let words = Words::of(Language::En).return_order;
        let why = |decision, is_above_limit, is_proposed| {
            let (stage, missing, received) = (N::ResolutionPending, 0, 1);
            let (has_arrived, is_exchange) = (true, false);
            let standing = Standing { stage, missing, received, has_arrived, is_exchange, is_above_limit, is_proposed };
            why_not(decision, standing, words)
        };
        for decision in [Decision::Grant, Decision::Deny] {
            assert_eq!(why(decision, true, false), Some(words.above_limit));
            assert_eq!(why(decision, false, false), None);
        }
        assert_eq!(why(Decision::Propose, true, false), None);
        assert!(why(Decision::Propose, false, false).is_some() && why(Decision::Propose, true, true).is_some());
    }

    #[test]
    fn what_is_usual_stays_with_the_reason_and_what_is_rare_goes() {
        let words = Words::of(Language::En).return_order;
        let standing = Standing {
            stage: N::SubmittedReady,
            missing: 1,
            received: 0,
            has_arrived: false,
            is_exchange: true,
            is_above_limit: false,
            is_proposed: false,
        };
        let grey = choices(standing, words).into_iter().filter_map(|choice| Some((choice.decision, choice.why_not?)));
        let expected = [
            (Decision::Approve, words.when_review),
            (Decision::Reject, words.when_review),
            (Decision::Inspect, words.when_here),
            (Decision::Grant, words.when_pending),
            (Decision::Deny, words.when_pending),
            (Decision::Adjust, words.when_exchange),
        ];
        assert_eq!(grey.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn names_lead_back_to_their_decision_and_moves_to_their_scope() {
        for decision in Decision::ALL {
            assert_eq!(Decision::parse(decision.name()), Some(decision));
        }
        assert_eq!(Decision::parse("fly"), None);
        for (decision, scope) in [
            (Decision::Approve, Scope::Write),
            (Decision::Count, Scope::Receive),
            (Decision::Deny, Scope::Resolve),
            (Decision::Lost, Scope::Resolve),
            (Decision::Adjust, Scope::Resolve),
            (Decision::Amend, Scope::Write),
        ] {
            assert_eq!(decision.scope(true), scope, "{decision:?}");
        }
        assert_eq!((Decision::GiveUp.scope(true), Decision::GiveUp.scope(false)), (Scope::Write, Scope::Resolve));
    }
}
