//! How far a return is, from the shopper's point of view.

use crate::words::Words;
use domain::{policy::Resolution, returning::ReturnOrderStatus, shipping::ShippingMethod, stage::StageName};
use ui::components::{Tone, icons};

/// How far a return is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// The shop reviews it.
    Review,
    /// It waits for a photo.
    Evidence,
    /// The shopper has to pay.
    Pay,
    /// The shopper has paid in a way that takes days.
    Paying,
    /// The carrier makes the label.
    LabelPending,
    /// The label could not be made so far.
    LabelFailed,
    /// It can be sent.
    Ready,
    /// The carrier has it.
    Transit,
    /// The carrier reports a problem.
    Delayed,
    /// The shop has it.
    Arrived,
    /// The shop decides what it gives back.
    Checking,
    /// The shopper is about to be compensated.
    Coming,
    /// The shopper keeps the items and is about to be compensated.
    Kept,
    /// It is settled.
    Done,
    /// It is settled, and gave nothing back.
    Denied,
    /// It was cancelled.
    Cancelled,
    /// It expired.
    Expired,
    /// The shop rejected it.
    Rejected,
}

/// The phases of an open return until its resolution is approved. A return whose requests are in several of them is in the first
/// one.
const BEFORE_APPROVAL: [Phase; 7] = [
    Phase::LabelFailed,
    Phase::LabelPending,
    Phase::Ready,
    Phase::Delayed,
    Phase::Transit,
    Phase::Arrived,
    Phase::Checking,
];

impl Phase {
    /// Whether the carrier has yet to make the label.
    pub fn waits_for_label(self) -> bool {
        matches!(self, Self::LabelPending | Self::LabelFailed)
    }

    /// Whether the return gives nothing back.
    pub fn is_lost(self) -> bool {
        matches!(self, Self::Cancelled | Self::Expired | Self::Rejected | Self::Denied)
    }

    /// Whether the shop's staff may have to help.
    pub fn needs_help(self) -> bool {
        matches!(self, Self::LabelFailed | Self::Denied | Self::Expired | Self::Rejected)
    }

    /// The phase by the status of a return and the stages of its requests.
    pub fn new(status: ReturnOrderStatus, stages: &[StageName], kept: bool) -> Self {
        match status {
            ReturnOrderStatus::Requested if stages.contains(&StageName::RequestedEvidencePending) => Self::Evidence,
            ReturnOrderStatus::Requested => Self::Review,
            ReturnOrderStatus::AwaitingPayment => Self::Pay,
            ReturnOrderStatus::Completed if stages.contains(&StageName::ResolutionCompleted) => Self::Done,
            ReturnOrderStatus::Completed => Self::Denied,
            ReturnOrderStatus::Cancelled => Self::Cancelled,
            ReturnOrderStatus::Expired => Self::Expired,
            ReturnOrderStatus::Rejected => Self::Rejected,
            ReturnOrderStatus::Open => {
                let is_reached =
                    |phase: &Self| stages.iter().any(|stage| Self::before_approval(*stage) == Some(*phase));
                let settling = if kept { Self::Kept } else { Self::Coming };
                BEFORE_APPROVAL.into_iter().find(is_reached).unwrap_or(settling)
            }
        }
    }

    /// The phase in which a request keeps its open return. `None` for stages before the way back to the shop and after the approval.
    fn before_approval(stage: StageName) -> Option<Self> {
        use StageName as N;
        match stage {
            N::SubmittedLabelFailed => Some(Self::LabelFailed),
            N::RequestedApproved | N::SubmittedLabelPending => Some(Self::LabelPending),
            N::SubmittedReady => Some(Self::Ready),
            N::ShipmentException => Some(Self::Delayed),
            N::ShipmentInTransit => Some(Self::Transit),
            N::ShipmentDelivered | N::ReceivedPartial | N::ReceivedComplete | N::InspectionPending => {
                Some(Self::Arrived)
            }
            N::ResolutionPending => Some(Self::Checking),
            N::RequestedEvidencePending
            | N::RequestedReview
            | N::RequestedRejected
            | N::SubmittedPaymentPending
            | N::ResolutionApproved
            | N::ResolutionProcessing
            | N::ResolutionCompleted
            | N::ResolutionFailed
            | N::ResolutionDenied
            | N::ClosedCancelled
            | N::ClosedExpired => None,
        }
    }

    /// The phase as a short tag. `wanted` is `None` if the return gives nothing back.
    pub fn tag(self, wanted: Option<Resolution>, method: Option<ShippingMethod>, words: &Words) -> StatusTag {
        let (tone, icon, text) = match self {
            Self::Review => (Tone::Warn, icons::CLOCK, words.tag_review),
            Self::Evidence => (Tone::Warn, icons::CAMERA, words.tag_evidence),
            Self::Pay => (Tone::Warn, icons::WALLET, words.tag_pay),
            Self::Paying => (Tone::Accent, icons::WALLET, words.tag_paying),
            Self::LabelPending => (Tone::Accent, icons::PRINTER, words.tag_making),
            Self::LabelFailed => (Tone::Warn, icons::PRINTER, words.tag_label_late),
            Self::Ready => match method {
                Some(ShippingMethod::InStore) => (Tone::Accent, icons::STORE, words.tag_ready),
                Some(ShippingMethod::OwnCarrier) => (Tone::Accent, icons::BOX, words.tag_ready_send),
                Some(ShippingMethod::Paperless | ShippingMethod::DropOff) => (Tone::Accent, icons::QR, words.tag_code),
                Some(ShippingMethod::Label | ShippingMethod::PickUp) | None => {
                    (Tone::Accent, icons::PRINTER, words.tag_label)
                }
            },
            Self::Transit => (Tone::Accent, icons::TRUCK, words.tag_transit),
            Self::Delayed => (Tone::Warn, icons::TRUCK, words.tag_delayed),
            Self::Arrived => (Tone::Accent, icons::BOX, words.tag_arrived),
            Self::Checking => (Tone::Accent, icons::CLOCK, words.tag_review),
            Self::Coming | Self::Kept if wanted == Some(Resolution::Refund) => {
                (Tone::Accent, icons::WALLET, words.tag_coming)
            }
            Self::Coming | Self::Kept => (Tone::Accent, icons::WALLET, words.tag_coming_other),
            Self::Done if wanted == Some(Resolution::Refund) => (Tone::Good, icons::CHECK, words.tag_done),
            Self::Done => (Tone::Good, icons::CHECK, words.tag_done_other),
            Self::Denied => (Tone::Danger, icons::X, words.tag_denied),
            Self::Cancelled => (Tone::Quiet, icons::X, words.tag_cancelled),
            Self::Expired => (Tone::Quiet, icons::CLOCK, words.tag_expired),
            Self::Rejected => (Tone::Danger, icons::X, words.tag_rejected),
        };
        StatusTag { tone, icon, text }
    }
}

/// A short tag.
#[derive(Debug, Clone, Copy)]
pub struct StatusTag {
    pub tone: Tone,
    pub icon: &'static str,
    pub text: &'static str,
}
