//! Moves that are asked for by the name of a stage.

use super::{
    moves::{Move, Scan},
    names::{StageGroup, StageName},
    request::Request,
};
use crate::{
    base::refusal::{Refusal, RefusalCode},
    order::Units,
    policy::{Policy, ResolveOn},
};

/// A move that is asked for by naming the stage to go to, as the API's PATCH does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// The stage.
    pub stage: StageName,
    /// Why; the reason of a rejection, a denial, a failure.
    pub comment: String,
    /// What the system that carried a resolution out calls it.
    pub external_reference: Option<String>,
}

impl Request {
    /// The move that leads to the target; `None` when it is there already. Stages that more must be known for
    /// than their name, or that come by themselves, are refused with the way to get there.
    pub fn move_to(&self, target: &Target, policy: &Policy, purchase: Units) -> Result<Option<Move>, Refusal> {
        use StageName as N;
        let from = self.stage.name();
        let approved_before = target.stage == N::RequestedApproved && from.group() == StageGroup::Submitted;
        // Completed twice: only apply() can tell whether by the same system.
        if approved_before || (from == target.stage && from != N::ResolutionCompleted) {
            return Ok(None);
        }
        if from != target.stage && !self.next().contains(&target.stage) {
            let stages = self.next().into_iter();
            let can = |&stage: &StageName| self.named(&Target { stage, ..target.clone() }, policy, purchase).is_ok();
            return Err(self.illegal_but(&stages.filter(can).collect::<Vec<_>>()));
        }
        self.named(target, policy, purchase).map(Some)
    }

    fn named(&self, target: &Target, policy: &Policy, purchase: Units) -> Result<Move, Refusal> {
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
            _ => return Err(not_by_name(target.stage)),
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
        StageName::ResolutionPending => "post the inspection if one is due; otherwise it comes by itself",
        _ => "it comes by itself",
    };
    Refusal::new(RefusalCode::IllegalTransition, format!("{stage} cannot be set by its name: {way}."))
}
