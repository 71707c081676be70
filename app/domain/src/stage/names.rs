use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// What a stage is part of: the first half of its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum StageGroup {
    /// Asked for, and perhaps not yet agreed to.
    Requested,
    /// Agreed to; being made ready to send.
    Submitted,
    /// A carrier has it.
    Shipment,
    /// The warehouse has it.
    Received,
    /// The warehouse looks at it.
    Inspection,
    /// What the consumer gets for it.
    Resolution,
    /// Over without a resolution.
    Closed,
}

/// One line a stage: its name here, its name everywhere else, its group, and the stages that may follow.
macro_rules! stages {
    ($($(#[$doc:meta])* $stage:ident = $group:ident $text:literal -> [$($next:ident),*];)+) => {
        /// The name of a stage: `Group: Status`, as it stands in API answers, filters, events and SQL.
        ///
        /// A flat list without the data that a [`Stage`](super::Stage) carries. [`StageName::next`] is the
        /// table of stages as data; a test holds the machine to it.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum StageName {
            $($(#[$doc])* $stage,)+
        }

        impl StageName {
            /// Every stage, in the order of a return's life.
            pub const fn all() -> &'static [Self] {
                &[$(Self::$stage),+]
            }

            /// Every name, in the same order.
            pub const NAMES: &[&str] = &[$($text),+];

            /// The name, `Group: Status`.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$stage => $text,)+
                }
            }

            /// What it is part of.
            pub const fn group(self) -> StageGroup {
                match self {
                    $(Self::$stage => StageGroup::$group,)+
                }
            }

            /// The stages that may follow. Empty after an end that nothing reopens.
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
    /// Agreed to; waits for the other requests of its return order.
    RequestedApproved = Requested "Requested: Approved"
        -> [SubmittedPaymentPending, SubmittedLabelPending, SubmittedReady, ResolutionPending, ClosedCancelled];
    /// Refused. An end.
    RequestedRejected = Requested "Requested: Rejected" -> [];
    /// Something is to be paid first.
    SubmittedPaymentPending = Submitted "Submitted: Payment Pending"
        -> [SubmittedLabelPending, SubmittedReady, ResolutionPending, ClosedCancelled, ClosedExpired];
    /// The carrier is asked for a label.
    SubmittedLabelPending = Submitted "Submitted: Label Pending"
        -> [SubmittedReady, SubmittedLabelFailed, ClosedCancelled];
    /// The carrier gave none; it is asked again.
    SubmittedLabelFailed = Submitted "Submitted: Label Failed" -> [SubmittedLabelPending, ClosedCancelled];
    /// The consumer can send it.
    SubmittedReady = Submitted "Submitted: Ready"
        -> [ShipmentInTransit, ShipmentException, ShipmentDelivered, ReceivedPartial, ReceivedComplete,
            ResolutionPending, ClosedCancelled, ClosedExpired];
    /// On its way.
    ShipmentInTransit = Shipment "Shipment: In Transit"
        -> [ShipmentException, ShipmentDelivered, ReceivedPartial, ReceivedComplete, ResolutionPending];
    /// The carrier has trouble with it.
    ShipmentException = Shipment "Shipment: Exception"
        -> [ShipmentInTransit, ShipmentDelivered, ReceivedPartial, ReceivedComplete, ResolutionPending];
    /// The carrier has handed it over.
    ShipmentDelivered = Shipment "Shipment: Delivered" -> [ReceivedPartial, ReceivedComplete, ResolutionPending];
    /// Some of its units have arrived. More of them add up without another stage.
    ReceivedPartial = Received "Received: Partial" -> [ReceivedComplete, InspectionPending, ResolutionPending];
    /// All of its units have arrived.
    ReceivedComplete = Received "Received: Complete" -> [InspectionPending, ResolutionPending];
    /// The warehouse has to look at it.
    InspectionPending = Inspection "Inspection: Pending" -> [ResolutionPending];
    /// It has to be decided what the consumer gets.
    ResolutionPending = Resolution "Resolution: Pending" -> [ResolutionApproved, ResolutionDenied, ClosedCancelled];
    /// The consumer gets it: somebody has to carry it out.
    ResolutionApproved = Resolution "Resolution: Approved" -> [ResolutionProcessing, ResolutionCompleted];
    /// It is being carried out.
    ResolutionProcessing = Resolution "Resolution: Processing" -> [ResolutionCompleted, ResolutionFailed];
    /// The consumer has it. An end.
    ResolutionCompleted = Resolution "Resolution: Completed" -> [];
    /// It could not be carried out.
    ResolutionFailed = Resolution "Resolution: Failed" -> [ResolutionProcessing, ResolutionCompleted];
    /// The consumer gets nothing. An end, unless the merchant reopens it.
    ResolutionDenied = Resolution "Resolution: Denied" -> [ResolutionPending];
    /// Called off. An end, unless the parcel arrives all the same.
    ClosedCancelled = Closed "Closed: Cancelled" -> [ReceivedPartial, ReceivedComplete];
    /// Too late. An end, unless the parcel arrives all the same.
    ClosedExpired = Closed "Closed: Expired" -> [ReceivedPartial, ReceivedComplete];
}

impl StageName {
    /// The stage of that name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::all().iter().copied().find(|stage| stage.as_str() == name)
    }

    /// Whether nobody has yet said yes or no: the other requests of the return order wait for it.
    pub const fn is_undecided(self) -> bool {
        matches!(self, Self::RequestedEvidencePending | Self::RequestedReview)
    }

    /// Whether a resolution of it was approved, and what it gives is fixed.
    pub const fn is_approved(self) -> bool {
        matches!(
            self,
            Self::ResolutionApproved | Self::ResolutionProcessing | Self::ResolutionCompleted | Self::ResolutionFailed
        )
    }

    /// Whether it is over. Late parcels and reopening can still wake some of these; see [`Self::next`].
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
