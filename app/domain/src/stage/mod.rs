//! The life of a return request: which stages there are, what each knows, and what leads from one to the next.
//!
//! [`StageName`] is the flat list and the table; [`Stage`] adds each stage's own data; [`Request`] is all that
//! the machine remembers; [`Request::apply`] makes one [`Move`] and answers with a [`Step`]: the new state, the
//! stages entered, and what becomes of the purchase's units. Source: the table "Stages of a return request".

mod machine;
mod moves;
mod names;
mod step;
#[cfg(test)]
mod tests;

pub use machine::{Submission, submit};
pub use moves::{Move, Scan, Target};
pub use names::{StageGroup, StageName};
pub use step::{Approval, Step};

use crate::{
    TimeZone, Timestamp, integration::FailedAttempts, order::OrderReview, policy::Policy, quantity::TakenUnits,
};
use serde::{Deserialize, Serialize};

/// Days of 24 hours after the last receipt until units that are still missing are given up.
pub const MISSING_UNITS_DAYS: u32 = 14;

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

/// Everything that the machine remembers of one return request. Stored as JSON.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own: none excludes another")]
pub struct Request {
    /// Where it is.
    pub stage: Stage,
    /// Units asked to go back.
    pub quantity: u32,
    /// Units of the purchase that it holds now: all, after a partial receipt the received ones, after a
    /// cancellation none. Refused and denied units stay held, so that nobody returns them again and again.
    pub taken: TakenUnits,
    /// Whether the consumer keeps the item: nothing is sent.
    pub kept: bool,
    /// Whether a carrier has seen it.
    pub scanned: bool,
    /// Units that arrived and count.
    pub received: u32,
    /// Units that arrived and do not count: more than asked for, or gone by the time they came.
    pub surplus: u32,
    /// What the warehouse found.
    pub inspection: Option<Inspection>,
    /// Whether it came to be resolved before anything arrived: an early `resolveOn`, a kept item, a lost parcel.
    pub without_receipt: bool,
    /// Whether it ended before anybody had agreed to it: if it arrives all the same, a person decides.
    #[serde(default)]
    pub undecided: bool,
    /// Units that the resolution was approved for. Fixed from then on, whatever arrives or is found later.
    pub approved_units: Option<u32>,
    /// Why a person approves its resolution, whatever `autoResolve` says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub review: Option<ReviewReason>,
}

/// Why a person decides about a return request, whatever the policy says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
pub enum ReviewReason {
    /// Less is left of what was paid for its order than it would come to.
    RefundLimit,
    /// The sums of its order do not add up.
    SumsDiffer,
    /// The shop has given something back of its order, or of these units, since the return was made: it may be the same money.
    RefundedByShop,
}

impl ReviewReason {
    /// The reason that a timeline tells in this sentence.
    pub fn of_sentence(sentence: &str) -> Option<Self> {
        [Self::RefundLimit, Self::SumsDiffer, Self::RefundedByShop].into_iter().find(|one| one.sentence() == sentence)
    }

    /// The reason in a sentence, for the timeline.
    pub fn sentence(self) -> &'static str {
        match self {
            Self::RefundLimit => "Less is left of what was paid for the order than this return comes to.",
            Self::SumsDiffer => "The order's lines, shipping and taxes do not add up to its total.",
            Self::RefundedByShop => {
                "The shop has refunded something of the order since this return was made: it may be the same money."
            }
        }
    }
}

impl From<OrderReview> for ReviewReason {
    fn from(review: OrderReview) -> Self {
        match review {
            OrderReview::SumsDiffer => Self::SumsDiffer,
        }
    }
}

impl Request {
    /// Units to refund: the accepted ones after inspection; the received ones where there is none; the
    /// requested ones where it is resolved without a receipt. Never more than it holds.
    pub fn refundable_units(&self) -> u32 {
        let units = match (self.approved_units, &self.inspection) {
            (Some(approved), _) => approved,
            (None, Some(inspection)) => inspection.accepted,
            (None, None) if self.without_receipt => self.quantity,
            (None, None) => self.received,
        };
        units.min(self.taken.units)
    }

    /// Whether it can be called off now: until a carrier or the warehouse has seen the parcel, and until the
    /// resolution is approved.
    pub fn is_cancellable(&self) -> bool {
        let name = self.stage.name();
        let untouched = !self.scanned && self.received == 0 && self.surplus == 0;
        name.next().contains(&StageName::ClosedCancelled) && (name != StageName::ResolutionPending || untouched)
    }

    /// The same without what people wrote: reasons and notes may name whose return it was.
    #[must_use]
    pub fn without_words(self) -> Self {
        let stage = match self.stage {
            Stage::RequestedRejected { .. } => Stage::RequestedRejected { reason: String::new() },
            Stage::SubmittedLabelFailed { .. } => Stage::SubmittedLabelFailed { error: String::new() },
            Stage::ResolutionPending { .. } => Stage::ResolutionPending { reason: None },
            Stage::ResolutionDenied { .. } => Stage::ResolutionDenied { reason: String::new() },
            Stage::ResolutionFailed { .. } => Stage::ResolutionFailed { reason: String::new() },
            Stage::ResolutionProcessing { failed } => Stage::ResolutionProcessing {
                failed: failed.map(|failed| FailedAttempts { message: String::new(), ..failed }),
            },
            stage => stage,
        };
        let inspection = self.inspection.map(|inspection| Inspection { note: None, ..inspection });
        Self { stage, inspection, ..self }
    }

    /// The failed calls to the shop that carries out the resolution.
    pub fn failed_attempts(&self) -> Option<&FailedAttempts> {
        match &self.stage {
            Stage::ResolutionProcessing { failed } => failed.as_ref(),
            _ => None,
        }
    }

    /// Replaces the failed calls to the shop. `false` if they are the same, or in a stage other than `Resolution: Processing`.
    pub fn note_attempts(&mut self, attempts: Option<FailedAttempts>) -> bool {
        match &mut self.stage {
            Stage::ResolutionProcessing { failed } if *failed != attempts => {
                *failed = attempts;
                true
            }
            _ => false,
        }
    }

    /// The stages that can follow now.
    pub fn next(&self) -> Vec<StageName> {
        let mut next = self.stage.name().next().to_vec();
        next.retain(|&stage| stage != StageName::ClosedCancelled || self.is_cancellable());
        next
    }
}

/// What the warehouse found when it looked at what it received.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Inspection {
    /// The number of units that are refunded.
    pub accepted: u32,
    /// The number of units that are not refunded.
    pub refused: u32,
    /// The condition that the units are in.
    #[serde(default)]
    pub condition: Option<Condition>,
    /// What the warehouse does with the units.
    #[serde(default)]
    pub disposition: Option<Disposition>,
    /// A note for the merchant's people.
    #[serde(default)]
    pub note: Option<String>,
}

/// The condition that things come back in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(remote = "Condition")]
pub enum Condition {
    /// Unopened, as it was sold.
    New,
    /// Unpacked but not used.
    Opened,
    /// Shows signs of use.
    Used,
    /// Broken or damaged.
    Damaged,
    /// Parts or accessories are missing.
    Incomplete,
    /// Another item than the one that was bought.
    WrongItem,
}

/// What becomes of things that came back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(remote = "Disposition")]
pub enum Disposition {
    /// Sold again as new.
    Restock,
    /// Repaired and sold again.
    Refurbish,
    /// Sold at a lower price.
    Outlet,
    /// Given to a charity.
    Donate,
    /// Thrown away or recycled.
    Dispose,
    /// Sent back to the consumer.
    ReturnToConsumer,
}

words!(Condition, Disposition);

/// What a move is made in.
#[derive(Debug, Clone, Copy)]
pub struct Context<'a> {
    /// The merchant's rules.
    pub policy: &'a Policy,
    /// Whose days their days are.
    pub zone: &'a TimeZone,
    /// The moment.
    pub now: Timestamp,
}
