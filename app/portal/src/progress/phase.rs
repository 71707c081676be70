//! How far a return is, from the shopper's point of view.

use crate::words::Words;
use domain::{policy::Resolution, shipping::ShippingMethod, stage::StageName, status::ReturnOrderStatus};
use ui::components::{Tone, icons};

/// How far a return is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// The shop decides.
    Review,
    /// A photo is waited for.
    Evidence,
    /// Something is to be paid.
    Pay,
    /// It was paid in a way that takes days.
    Paying,
    /// The label is being made.
    LabelPending,
    /// It could not be made so far.
    LabelFailed,
    /// It can be sent.
    Ready,
    /// The carrier has it.
    Transit,
    /// The carrier has trouble with it.
    Delayed,
    /// The shop has it.
    Arrived,
    /// What comes back is on its way.
    Coming,
    /// The same, for what is not sent back.
    Kept,
    /// It is all settled.
    Done,
    /// Nothing came back.
    Denied,
    /// Called off.
    Cancelled,
    /// Nothing happened in time.
    Expired,
    /// The shop said no.
    Rejected,
}

impl Phase {
    /// Whether the carrier has yet to make the label.
    pub fn waits_for_label(self) -> bool {
        matches!(self, Self::LabelPending | Self::LabelFailed)
    }

    /// Whether nothing comes of the return.
    pub fn is_lost(self) -> bool {
        matches!(self, Self::Cancelled | Self::Expired | Self::Rejected | Self::Denied)
    }

    /// Whether a person of the shop may have to help.
    pub fn needs_help(self) -> bool {
        matches!(self, Self::LabelFailed | Self::Denied | Self::Expired | Self::Rejected)
    }

    /// Told from a return's status and the stages of its requests.
    pub fn new(status: ReturnOrderStatus, stages: &[StageName], kept: bool) -> Self {
        use StageName as N;
        let any = |wanted: &[N]| stages.iter().any(|stage| wanted.contains(stage));
        match status {
            ReturnOrderStatus::Requested if any(&[N::RequestedEvidencePending]) => Self::Evidence,
            ReturnOrderStatus::Requested => Self::Review,
            ReturnOrderStatus::AwaitingPayment => Self::Pay,
            ReturnOrderStatus::Completed if any(&[N::ResolutionCompleted]) => Self::Done,
            ReturnOrderStatus::Completed => Self::Denied,
            ReturnOrderStatus::Cancelled => Self::Cancelled,
            ReturnOrderStatus::Expired => Self::Expired,
            ReturnOrderStatus::Rejected => Self::Rejected,
            ReturnOrderStatus::Open if any(&[N::SubmittedLabelFailed]) => Self::LabelFailed,
            ReturnOrderStatus::Open if any(&[N::RequestedApproved, N::SubmittedLabelPending]) => Self::LabelPending,
            ReturnOrderStatus::Open if any(&[N::SubmittedReady]) => Self::Ready,
            ReturnOrderStatus::Open if any(&[N::ShipmentException]) => Self::Delayed,
            ReturnOrderStatus::Open if any(&[N::ShipmentInTransit]) => Self::Transit,
            ReturnOrderStatus::Open
                if any(&[N::ShipmentDelivered, N::ReceivedPartial, N::ReceivedComplete, N::InspectionPending]) =>
            {
                Self::Arrived
            }
            ReturnOrderStatus::Open if kept => Self::Kept,
            ReturnOrderStatus::Open => Self::Coming,
        }
    }

    /// In a word or two.
    pub fn tag(self, wanted: Resolution, method: Option<ShippingMethod>, words: &Words) -> StatusTag {
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
                _ => (Tone::Accent, icons::PRINTER, words.tag_label),
            },
            Self::Transit => (Tone::Accent, icons::TRUCK, words.tag_transit),
            Self::Delayed => (Tone::Warn, icons::TRUCK, words.tag_delayed),
            Self::Arrived => (Tone::Accent, icons::BOX, words.tag_arrived),
            Self::Coming | Self::Kept if wanted == Resolution::Refund => {
                (Tone::Accent, icons::WALLET, words.tag_coming)
            }
            Self::Coming | Self::Kept => (Tone::Accent, icons::WALLET, words.tag_coming_other),
            Self::Done if wanted == Resolution::Refund => (Tone::Good, icons::CHECK, words.tag_done),
            Self::Done => (Tone::Good, icons::CHECK, words.tag_done_other),
            Self::Denied => (Tone::Danger, icons::X, words.tag_denied),
            Self::Cancelled => (Tone::Quiet, icons::X, words.tag_cancelled),
            Self::Expired => (Tone::Quiet, icons::CLOCK, words.tag_expired),
            Self::Rejected => (Tone::Danger, icons::X, words.tag_rejected),
        };
        StatusTag { tone, icon, text }
    }
}

/// Where a return stands, in a word or two.
#[derive(Debug, Clone, Copy)]
pub struct StatusTag {
    /// How serious it is.
    pub tone: Tone,
    /// Its icon.
    pub icon: &'static str,
    /// What it says.
    pub text: &'static str,
}
