use super::{Inspection, Request, StageGroup, StageName};
use serde::{Deserialize, Serialize};

use crate::{
    Refusal, RefusalCode, Timestamp,
    policy::{Policy, ResolveOn},
    quantity::Units,
};

/// Everything that can happen to a return request after it was submitted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Move {
    /// The consumer added what was asked for.
    AddEvidence,
    /// The merchant agrees.
    Approve,
    /// The merchant does not.
    Reject {
        /// Why; the consumer reads it.
        reason: String,
    },
    /// No request of the return order is undecided any more (see [`crate::status::proceed`]).
    Proceed {
        /// Whether something has to be paid before.
        payment_due: bool,
        /// Whether the way of sending needs a label.
        label_needed: bool,
    },
    /// What was due is paid.
    PaymentSettled,
    /// The carrier gave a label.
    LabelMade {
        /// When its life ends.
        expires: Timestamp,
    },
    /// The carrier gave none.
    LabelFailed {
        /// Why.
        error: String,
    },
    /// The carrier is asked again.
    RetryLabel,
    /// The carrier saw the parcel. Which of its reports is the latest is known to the caller.
    Track(Scan),
    /// The same, in a report that came after a later one: it moves nothing, unless it is what `resolveOn` waits for.
    TrackLate(Scan),
    /// Units arrived. They add up; that each receipt counts once is for the caller to see to.
    Receive {
        /// How many; at least 1.
        units: u32,
        /// The purchase as it is now: a late parcel takes its units again, as far as they are there.
        purchase: Units,
    },
    /// No more units are waited for: the merchant says so, or the days for it are over.
    CloseReceipt,
    /// The warehouse has looked at what arrived.
    Inspect(Inspection),
    /// The merchant resolves what did not arrive: a lost parcel.
    ResolveWithoutReceipt {
        /// Why.
        reason: String,
    },
    /// The consumer gets it.
    ApproveResolution,
    /// The consumer does not.
    DenyResolution {
        /// Why; the consumer reads it.
        reason: String,
    },
    /// The merchant takes a denial back.
    ReopenResolution {
        /// Why.
        reason: String,
    },
    /// Somebody begins to carry the resolution out.
    StartProcessing,
    /// It is carried out.
    CompleteResolution {
        /// What the system that did it calls it.
        external_reference: Option<String>,
    },
    /// It could not be carried out.
    FailResolution {
        /// Why.
        reason: String,
    },
    /// Consumer or merchant call it off.
    Cancel,
    /// Nothing happened in time (see [`super::Stage::deadline`]).
    Expire,
}

/// What a carrier saw. A parcel that is said to be in two places at one time is in the later of these.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(remote = "Scan")]
pub enum Scan {
    /// The carrier has the parcel.
    InTransit,
    /// It has trouble with it. Alone that does not prove that the parcel is on its way.
    Exception,
    /// The carrier delivered the parcel.
    Delivered,
}

words!(Scan);

impl Scan {
    /// The name in JSON and SQL.
    pub fn name(self) -> &'static str {
        match self {
            Self::InTransit => "InTransit",
            Self::Exception => "Exception",
            Self::Delivered => "Delivered",
        }
    }

    /// The scan of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::InTransit, Self::Exception, Self::Delivered].into_iter().find(|one| one.name() == name)
    }
}

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
