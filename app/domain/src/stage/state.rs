//! The stages of a return request, each with its own data.

use super::{moves::Move, names::StageName};
use crate::{base::timestamp::Timestamp, integration::FailedAttempts};
use serde::{Deserialize, Serialize};

/// Days of 24 hours after a label's life until a return is given up that nobody has seen: parcels that were handed in on the last day are
/// reported later, and what is given up is followed no more.
pub const LATE_SCAN_DAYS: u32 = 7;

/// A stage with what belongs to it alone. In JSON the name stands under `stage`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "stage", rename_all_fields = "camelCase")]
pub enum Stage {
    /// The consumer has to add photos.
    #[serde(rename = "Requested: Evidence Pending")]
    RequestedEvidencePending {
        /// Until when.
        due: Timestamp,
    },
    /// A person has to decide.
    #[serde(rename = "Requested: Review")]
    RequestedReview,
    /// Agreed to.
    #[serde(rename = "Requested: Approved")]
    RequestedApproved,
    /// Refused.
    #[serde(rename = "Requested: Rejected")]
    RequestedRejected {
        /// Why, in the merchant's words.
        reason: String,
    },
    /// Something is to be paid first.
    #[serde(rename = "Submitted: Payment Pending")]
    SubmittedPaymentPending {
        /// Until when.
        due: Timestamp,
        /// Whether a label is to be made afterwards.
        label_needed: bool,
    },
    /// The carrier is asked for a label.
    #[serde(rename = "Submitted: Label Pending")]
    SubmittedLabelPending,
    /// The carrier gave none.
    #[serde(rename = "Submitted: Label Failed")]
    SubmittedLabelFailed {
        /// Why, in the carrier's words.
        error: String,
    },
    /// The consumer can send it.
    #[serde(rename = "Submitted: Ready")]
    SubmittedReady {
        /// When the label's life ends; without a label it has no end.
        expires: Option<Timestamp>,
    },
    /// On its way.
    #[serde(rename = "Shipment: In Transit")]
    ShipmentInTransit,
    /// The carrier has trouble with it.
    #[serde(rename = "Shipment: Exception")]
    ShipmentException,
    /// The carrier has handed it over.
    #[serde(rename = "Shipment: Delivered")]
    ShipmentDelivered,
    /// Some of its units have arrived.
    #[serde(rename = "Received: Partial")]
    ReceivedPartial {
        /// When the missing ones are given up.
        due: Timestamp,
    },
    /// All of its units have arrived.
    #[serde(rename = "Received: Complete")]
    ReceivedComplete,
    /// The warehouse has to look at it.
    #[serde(rename = "Inspection: Pending")]
    InspectionPending,
    /// It has to be decided what the consumer gets.
    #[serde(rename = "Resolution: Pending")]
    ResolutionPending {
        /// Why the merchant brought it here, where a person did: a lost parcel, a denial taken back.
        reason: Option<String>,
    },
    /// Somebody has to carry it out.
    #[serde(rename = "Resolution: Approved")]
    ResolutionApproved,
    /// It is being carried out.
    #[serde(rename = "Resolution: Processing")]
    ResolutionProcessing {
        /// Failed calls to the shop since its last usable answer; `None`: none failed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        failed: Option<FailedAttempts>,
    },
    /// The consumer has it.
    #[serde(rename = "Resolution: Completed")]
    ResolutionCompleted {
        /// What the system that carried it out calls it.
        external_reference: Option<String>,
    },
    /// It could not be carried out.
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
    /// Called off.
    #[serde(rename = "Closed: Cancelled")]
    ClosedCancelled,
    /// Too late.
    #[serde(rename = "Closed: Expired")]
    ClosedExpired,
}

impl Stage {
    /// Its name.
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

    /// When something has to happen without anybody doing anything, and which move it is.
    pub fn deadline(&self) -> Option<(Timestamp, Move)> {
        match self {
            Self::RequestedEvidencePending { due } | Self::SubmittedPaymentPending { due, .. } => {
                Some((*due, Move::Expire))
            }
            Self::SubmittedReady { expires } => expires.map(|at| (at.plus_days(LATE_SCAN_DAYS), Move::Expire)),
            Self::ReceivedPartial { due } => Some((*due, Move::CloseReceipt)),
            _ => None,
        }
    }
}
