//! Moves that a caller requests by naming the stage to reach.

use super::{
    moves::{Move, Scan},
    names::{StageGroup, StageName},
    request::RequestState,
};
use crate::{
    base::refusal::{Refusal, RefusalCode},
    order::Units,
    policy::{Policy, ResolveOn},
};

/// A requested stage, as the API's PATCH names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StageTarget {
    /// The stage to reach.
    pub stage: StageName,
    /// The reason of a rejection, a denial or a failure.
    pub comment: String,
    /// The reference of the system that carried out the resolution.
    pub external_reference: Option<String>,
}

impl RequestState {
    /// The move that leads to the target; `None` if the request is there already. Stages that need more data than a
    /// name, or that follow automatically, are refused with the way to reach them.
    pub fn move_to(&self, target: &StageTarget, policy: &Policy, purchase: Units) -> Result<Option<Move>, Refusal> {
        use StageName as N;
        let from = self.stage.name();
        let approved_before = target.stage == N::RequestedApproved && from.group() == StageGroup::Submitted;
        // A second completion: only `apply` can tell whether it comes from the same system.
        if approved_before || (from == target.stage && from != N::ResolutionCompleted) {
            return Ok(None);
        }
        if from != target.stage && !self.next().contains(&target.stage) {
            let stages = self.next().into_iter();
            let can = |&stage: &StageName| {
                self.move_by_name(&StageTarget { stage, ..target.clone() }, policy, purchase).is_ok()
            };
            return Err(self.illegal_but(&stages.filter(can).collect::<Vec<_>>()));
        }
        self.move_by_name(target, policy, purchase).map(Some)
    }

    /// The move for each stage that can be reached by its name alone.
    fn move_by_name(&self, target: &StageTarget, policy: &Policy, purchase: Units) -> Result<Move, Refusal> {
        use StageName as N;
        let from = self.stage.name();
        let reason = target.comment.clone();
        Ok(match target.stage {
            N::RequestedReview => Move::AddEvidence,
            N::RequestedApproved => Move::Approve,
            N::RequestedRejected => Move::Reject { reason },
            N::SubmittedLabelPending if from == N::SubmittedLabelFailed => Move::RetryLabel,
            N::ShipmentInTransit => Move::Track(Scan::InTransit),
            N::ShipmentException => Move::Track(Scan::Exception),
            N::ShipmentDelivered => Move::Track(Scan::Delivered),
            N::ReceivedComplete => Move::Receive { units: self.quantity.saturating_sub(self.received), purchase },
            N::InspectionPending if policy.resolve_on == ResolveOn::Inspection => Move::CloseReceipt,
            N::ResolutionPending => self.move_to_resolution(reason, policy)?,
            N::ResolutionApproved => Move::ApproveResolution,
            N::ResolutionDenied => Move::DenyResolution { reason },
            N::ResolutionProcessing => Move::StartProcessing,
            N::ResolutionCompleted => {
                Move::CompleteResolution { external_reference: target.external_reference.clone() }
            }
            N::ResolutionFailed => Move::FailResolution { reason },
            N::ClosedCancelled => Move::Cancel,
            N::ClosedExpired => Move::Expire,
            N::RequestedEvidencePending
            | N::SubmittedPaymentPending
            | N::SubmittedLabelPending
            | N::SubmittedLabelFailed
            | N::SubmittedReady
            | N::ReceivedPartial
            | N::InspectionPending => return Err(not_by_name(target.stage)),
        })
    }

    fn move_to_resolution(&self, reason: String, policy: &Policy) -> Result<Move, Refusal> {
        match self.stage.name().group() {
            StageGroup::Resolution => Ok(Move::ReopenResolution { reason }),
            StageGroup::Received if policy.resolve_on != ResolveOn::Inspection => Ok(Move::CloseReceipt),
            StageGroup::Shipment => Ok(Move::ResolveWithoutReceipt { reason }),
            _ if self.stage.name() == StageName::SubmittedReady => Ok(Move::ResolveWithoutReceipt { reason }),
            _ => Err(not_by_name(StageName::ResolutionPending)),
        }
    }
}

fn not_by_name(stage: StageName) -> Refusal {
    let way = match stage {
        StageName::ReceivedPartial => "post a receipt with its units",
        StageName::ResolutionPending => "post the inspection if one is due; otherwise Retour sets it",
        _ => "Retour sets it",
    };
    Refusal::new(RefusalCode::IllegalTransition, format!("{stage} cannot be set by its name: {way}."))
}
