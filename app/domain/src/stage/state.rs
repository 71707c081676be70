//! The stages of a return request, each with its own data.

use super::{moves::Move, names::StageName};
use crate::{base::timestamp::Timestamp, integration::FailedAttempts};
use serde::{Deserialize, Serialize};

/// Days of 24 hours between the expiry of a label and the expiry of its return. Parcels handed in on the last day are
/// scanned later, and expired returns are no longer tracked.
pub const LATE_SCAN_DAYS: u32 = 7;

/// A stage with its data. In JSON its name is the field `stage`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "stage", rename_all_fields = "camelCase")]
pub enum Stage {
    /// The consumer has to add photos.
    #[serde(rename = "Requested: Evidence Pending")]
    RequestedEvidencePending {
        /// The deadline.
        due: Timestamp,
    },
    /// A person has to decide.
    #[serde(rename = "Requested: Review")]
    RequestedReview,
    /// The merchant approved the return.
    #[serde(rename = "Requested: Approved")]
    RequestedApproved,
    /// The merchant rejected the return.
    #[serde(rename = "Requested: Rejected")]
    RequestedRejected {
        /// Why, in the merchant's words.
        reason: String,
    },
    /// The consumer has to pay first.
    #[serde(rename = "Submitted: Payment Pending")]
    SubmittedPaymentPending {
        /// The deadline.
        due: Timestamp,
        /// Whether a label is needed afterwards.
        label_needed: bool,
    },
    /// Retour asks the carrier for a label.
    #[serde(rename = "Submitted: Label Pending")]
    SubmittedLabelPending,
    /// The carrier made no label.
    #[serde(rename = "Submitted: Label Failed")]
    SubmittedLabelFailed {
        /// Why, in the carrier's words.
        error: String,
    },
    /// The consumer can send it.
    #[serde(rename = "Submitted: Ready")]
    SubmittedReady {
        /// When the label expires; `None` without a label.
        expires: Option<Timestamp>,
    },
    /// On its way.
    #[serde(rename = "Shipment: In Transit")]
    ShipmentInTransit,
    /// The carrier reports a problem.
    #[serde(rename = "Shipment: Exception")]
    ShipmentException,
    /// The carrier has delivered it.
    #[serde(rename = "Shipment: Delivered")]
    ShipmentDelivered,
    /// Some of its units have arrived.
    #[serde(rename = "Received: Partial")]
    ReceivedPartial {
        /// When the missing units are given up.
        due: Timestamp,
    },
    /// All of its units have arrived.
    #[serde(rename = "Received: Complete")]
    ReceivedComplete,
    /// The warehouse has to inspect it.
    #[serde(rename = "Inspection: Pending")]
    InspectionPending,
    /// A decision about the resolution is due.
    #[serde(rename = "Resolution: Pending")]
    ResolutionPending {
        /// The merchant's reason, if a person moved it here: a lost parcel, a reversed denial.
        reason: Option<String>,
    },
    /// The resolution is approved and has to be carried out.
    #[serde(rename = "Resolution: Approved")]
    ResolutionApproved,
    /// The resolution is being carried out.
    #[serde(rename = "Resolution: Processing")]
    ResolutionProcessing {
        /// Failed calls to the shop since its last usable answer; `None`: none failed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        failed: Option<FailedAttempts>,
    },
    /// The resolution was carried out.
    #[serde(rename = "Resolution: Completed")]
    ResolutionCompleted {
        /// The reference of the system that carried it out.
        external_reference: Option<String>,
    },
    /// The resolution could not be carried out.
    #[serde(rename = "Resolution: Failed")]
    ResolutionFailed {
        /// Why, in that system's words.
        reason: String,
    },
    /// The consumer gets nothing.
    #[serde(rename = "Resolution: Denied")]
    ResolutionDenied {
        /// Why, in the merchant's words.
        reason: String,
    },
    /// The return was cancelled.
    #[serde(rename = "Closed: Cancelled")]
    ClosedCancelled,
    /// A deadline has passed.
    #[serde(rename = "Closed: Expired")]
    ClosedExpired,
}

impl Stage {
    /// The name of the stage.
    pub fn name(&self) -> StageName {
        match self {
            Self::RequestedEvidencePending { .. } => StageName::RequestedEvidencePending,
            Self::RequestedReview => StageName::RequestedReview,
            Self::RequestedApproved => StageName::RequestedApproved,
            Self::RequestedRejected { .. } => StageName::RequestedRejected,
            Self::SubmittedPaymentPending { .. } => StageName::SubmittedPaymentPending,
            Self::SubmittedLabelPending => StageName::SubmittedLabelPending,
            Self::SubmittedLabelFailed { .. } => StageName::SubmittedLabelFailed,
            Self::SubmittedReady { .. } => StageName::SubmittedReady,
            Self::ShipmentInTransit => StageName::ShipmentInTransit,
            Self::ShipmentException => StageName::ShipmentException,
            Self::ShipmentDelivered => StageName::ShipmentDelivered,
            Self::ReceivedPartial { .. } => StageName::ReceivedPartial,
            Self::ReceivedComplete => StageName::ReceivedComplete,
            Self::InspectionPending => StageName::InspectionPending,
            Self::ResolutionPending { .. } => StageName::ResolutionPending,
            Self::ResolutionApproved => StageName::ResolutionApproved,
            Self::ResolutionProcessing { .. } => StageName::ResolutionProcessing,
            Self::ResolutionCompleted { .. } => StageName::ResolutionCompleted,
            Self::ResolutionFailed { .. } => StageName::ResolutionFailed,
            Self::ResolutionDenied { .. } => StageName::ResolutionDenied,
            Self::ClosedCancelled => StageName::ClosedCancelled,
            Self::ClosedExpired => StageName::ClosedExpired,
        }
    }

    /// The deadline of the stage, and the move that is due then.
    pub fn deadline(&self) -> Option<(Timestamp, Move)> {
        match self {
            Self::RequestedEvidencePending { due } | Self::SubmittedPaymentPending { due, .. } => {
                Some((*due, Move::Expire))
            }
            Self::SubmittedReady { expires } => expires.map(|at| (at.plus_days(LATE_SCAN_DAYS), Move::Expire)),
            Self::ReceivedPartial { due } => Some((*due, Move::CloseReceipt)),
            Self::RequestedReview
            | Self::RequestedApproved
            | Self::RequestedRejected { .. }
            | Self::SubmittedLabelPending
            | Self::SubmittedLabelFailed { .. }
            | Self::ShipmentInTransit
            | Self::ShipmentException
            | Self::ShipmentDelivered
            | Self::ReceivedComplete
            | Self::InspectionPending
            | Self::ResolutionPending { .. }
            | Self::ResolutionApproved
            | Self::ResolutionProcessing { .. }
            | Self::ResolutionCompleted { .. }
            | Self::ResolutionFailed { .. }
            | Self::ResolutionDenied { .. }
            | Self::ClosedCancelled
            | Self::ClosedExpired => None,
        }
    }
}
