//! The names of the stages, and the table of transitions.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// The group of a stage: the first half of its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum StageGroup {
    /// Requested, and possibly not yet approved.
    Requested,
    /// Approved, and being prepared for sending.
    Submitted,
    /// A carrier has the parcel.
    Shipment,
    /// The warehouse has received units.
    Received,
    /// The warehouse inspects them.
    Inspection,
    /// The decision on what the consumer receives, and its execution.
    Resolution,
    /// Ended without a resolution.
    Closed,
}

/// One entry per stage: its Rust name, its group, its public name and the stages that may follow.
macro_rules! stages {
    ($($(#[$doc:meta])* $stage:ident = $group:ident $text:literal -> [$($next:ident),*];)+) => {
        /// The name of a stage, `Group: Status`, as in API answers, filters, events and SQL.
        ///
        /// A flat list without the data of a [`Stage`](super::Stage). [`StageName::next`] is the table of transitions;
        /// a test compares the machine with it.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum StageName {
            $($(#[$doc])* $stage,)+
        }

        impl StageName {
            /// All stages, in the order of a return's life.
            pub const fn all() -> &'static [Self] {
                &[$(Self::$stage),+]
            }

            /// All names, in the same order.
            pub const NAMES: &[&str] = &[$($text),+];

            /// The name, `Group: Status`.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$stage => $text,)+
                }
            }

            /// The group of the stage.
            pub const fn group(self) -> StageGroup {
                match self {
                    $(Self::$stage => StageGroup::$group,)+
                }
            }

            /// The stages that may follow; empty after a final end.
            pub const fn next(self) -> &'static [Self] {
                match self {
                    $(Self::$stage => &[$(Self::$next),*],)+
                }
            }
        }
    };
}

stages! {
    /// The consumer has to add photos.
    RequestedEvidencePending = Requested "Requested: Evidence Pending"
        -> [RequestedReview, ClosedCancelled, ClosedExpired];
    /// A person has to decide.
    RequestedReview = Requested "Requested: Review"
        -> [RequestedApproved, RequestedRejected, ClosedCancelled];
    /// Approved; waits for the other requests of its return order.
    RequestedApproved = Requested "Requested: Approved"
        -> [SubmittedPaymentPending, SubmittedLabelPending, SubmittedReady, ResolutionPending, ClosedCancelled];
    /// Rejected. An end.
    RequestedRejected = Requested "Requested: Rejected" -> [];
    /// The consumer has to pay first.
    SubmittedPaymentPending = Submitted "Submitted: Payment Pending"
        -> [SubmittedLabelPending, SubmittedReady, ResolutionPending, ClosedCancelled, ClosedExpired];
    /// Retour asks the carrier for a label.
    SubmittedLabelPending = Submitted "Submitted: Label Pending"
        -> [SubmittedReady, SubmittedLabelFailed, ClosedCancelled];
    /// The carrier made no label; Retour asks again.
    SubmittedLabelFailed = Submitted "Submitted: Label Failed"
        -> [SubmittedLabelPending, SubmittedReady, ClosedCancelled];
    /// The consumer can send it.
    SubmittedReady = Submitted "Submitted: Ready"
        -> [SubmittedLabelPending, ShipmentInTransit, ShipmentException, ShipmentDelivered, ReceivedPartial,
            ReceivedComplete, ResolutionPending, ClosedCancelled, ClosedExpired];
    /// On its way.
    ShipmentInTransit = Shipment "Shipment: In Transit"
        -> [ShipmentException, ShipmentDelivered, ReceivedPartial, ReceivedComplete, ResolutionPending];
    /// The carrier reports a problem.
    ShipmentException = Shipment "Shipment: Exception"
        -> [ShipmentInTransit, ShipmentDelivered, ReceivedPartial, ReceivedComplete, ResolutionPending];
    /// The carrier has delivered it.
    ShipmentDelivered = Shipment "Shipment: Delivered" -> [ReceivedPartial, ReceivedComplete, ResolutionPending];
    /// Some of its units have arrived. Further units add up without another stage.
    ReceivedPartial = Received "Received: Partial" -> [ReceivedComplete, InspectionPending, ResolutionPending];
    /// All of its units have arrived.
    ReceivedComplete = Received "Received: Complete" -> [InspectionPending, ResolutionPending];
    /// The warehouse has to inspect it.
    InspectionPending = Inspection "Inspection: Pending" -> [ResolutionPending];
    /// A decision about the resolution is due.
    ResolutionPending = Resolution "Resolution: Pending" -> [ResolutionApproved, ResolutionDenied, ClosedCancelled];
    /// The resolution is approved and has to be carried out.
    ResolutionApproved = Resolution "Resolution: Approved" -> [ResolutionProcessing, ResolutionCompleted];
    /// The resolution is being carried out.
    ResolutionProcessing = Resolution "Resolution: Processing" -> [ResolutionCompleted, ResolutionFailed];
    /// The resolution was carried out. An end.
    ResolutionCompleted = Resolution "Resolution: Completed" -> [];
    /// The resolution could not be carried out.
    ResolutionFailed = Resolution "Resolution: Failed" -> [ResolutionProcessing, ResolutionCompleted];
    /// The resolution was denied. An end, unless the merchant reopens it.
    ResolutionDenied = Resolution "Resolution: Denied" -> [ResolutionPending];
    /// Cancelled. An end, unless the parcel arrives anyway.
    ClosedCancelled = Closed "Closed: Cancelled" -> [ReceivedPartial, ReceivedComplete];
    /// A deadline has passed. An end, unless the parcel arrives anyway.
    ClosedExpired = Closed "Closed: Expired" -> [ReceivedPartial, ReceivedComplete];
}

impl StageName {
    /// The stage with that name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::all().iter().copied().find(|stage| stage.as_str() == name)
    }

    /// Whether the request is neither approved nor rejected; the other requests of its return order wait for it.
    pub const fn is_undecided(self) -> bool {
        matches!(self, Self::RequestedEvidencePending | Self::RequestedReview)
    }

    /// Whether its resolution was approved, so that its value is fixed.
    pub const fn is_approved(self) -> bool {
        matches!(
            self,
            Self::ResolutionApproved | Self::ResolutionProcessing | Self::ResolutionCompleted | Self::ResolutionFailed
        )
    }

    /// Whether it is an end. Late parcels and reopening can still revive some ends; see [`Self::next`].
    pub const fn is_end(self) -> bool {
        matches!(
            self,
            Self::RequestedRejected
                | Self::ResolutionCompleted
                | Self::ResolutionDenied
                | Self::ClosedCancelled
                | Self::ClosedExpired
        )
    }
}

impl fmt::Display for StageName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Serialize for StageName {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for StageName {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = std::borrow::Cow::<str>::deserialize(deserializer)?;
        Self::parse(&name).ok_or_else(|| serde::de::Error::unknown_variant(&name, Self::NAMES))
    }
}
