//! Proposals: what an agent asks others to approve, because it is above the agent's limit.

use crate::{
    base::{id::ProposalId, timestamp::Timestamp},
    money::Money,
    stage::StageName,
};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

named_enum! {
    /// What a proposal asks for.
    ProposalKind {
        /// A change of the value of the return request.
        Adjustment,
        /// The approval of its resolution.
        Resolution,
        /// The approval of a return that staff made although a rule stands in its way.
        Override,
    }
}

/// What an agent asks others to approve about a return request. A request has one at most, until somebody decides.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Proposal {
    /// Unique identifier of the proposal.
    pub id: ProposalId,
    /// What it asks for.
    pub kind: ProposalKind,
    /// The amount to add to the value of the return request; negative: to take off. `null`: it is no adjustment.
    pub amount: Option<Money>,
    /// The reason in the words of the person who proposes.
    pub comment: String,
    /// The user who proposes; `null`: the operator.
    pub proposed_by: Option<Uuid>,
    /// When it was proposed.
    pub created_at: Timestamp,
}

impl Proposal {
    /// Whether it can still be decided in this stage. If not, the request has gone on without it.
    pub fn stands_in(&self, stage: StageName) -> bool {
        match self.kind {
            ProposalKind::Adjustment => !stage.is_approved() && !stage.is_end(),
            ProposalKind::Resolution => stage == StageName::ResolutionPending,
            ProposalKind::Override => stage == StageName::RequestedReview,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stage::StageName as N;

    #[test]
    fn a_proposal_stands_until_its_request_has_gone_on() {
        let stands = |kind, stage| {
            let id = ProposalId(Uuid::nil());
            let created_at = Timestamp::from_seconds(0);
            Proposal { id, kind, amount: None, comment: String::new(), proposed_by: None, created_at }.stands_in(stage)
        };
        for (kind, stage, expected) in [
            (ProposalKind::Adjustment, N::SubmittedReady, true),
            (ProposalKind::Adjustment, N::ResolutionPending, true),
            (ProposalKind::Adjustment, N::ResolutionApproved, false),
            (ProposalKind::Adjustment, N::ClosedCancelled, false),
            (ProposalKind::Resolution, N::ResolutionPending, true),
            (ProposalKind::Resolution, N::ResolutionDenied, false),
            (ProposalKind::Override, N::RequestedReview, true),
            (ProposalKind::Override, N::RequestedApproved, false),
            (ProposalKind::Override, N::RequestedRejected, false),
        ] {
            assert_eq!(stands(kind, stage), expected, "{kind} in {stage}");
        }
    }
}
