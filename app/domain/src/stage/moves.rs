//! The moves of a return request: everything that can happen to it.

use super::inspection_result::Inspection;
use crate::{base::timestamp::Timestamp, order::Units};
use serde::{Deserialize, Serialize};

/// Everything that can happen to a return request after its submission.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Move {
    /// The consumer added the required evidence.
    AddEvidence,
    /// The merchant approves.
    Approve,
    /// The merchant rejects.
    Reject {
        /// The reason; the consumer reads it.
        reason: String,
    },
    /// No request of the return order is undecided any more (see [`crate::returning::proceed`]).
    Proceed {
        /// Whether a payment is due first.
        payment_due: bool,
        /// Whether the shipping option needs a label.
        label_needed: bool,
    },
    /// The payment has arrived.
    PaymentSettled,
    /// The carrier made a label.
    LabelMade {
        /// When the label expires.
        expires: Timestamp,
    },
    /// The carrier refused to make a label.
    LabelFailed {
        /// The reason.
        error: String,
    },
    /// Retour asks the carrier again.
    RetryLabel,
    /// The merchant chose another way of sending, before anybody has seen the parcel.
    SendAnotherWay {
        /// Whether it needs a label.
        label_needed: bool,
    },
    /// A carrier reported the parcel. The caller knows which report is the latest.
    Track(Scan),
    /// A carrier's report that is older than the latest one. It has an effect only if `resolveOn` waits for it.
    TrackLate(Scan),
    /// Units arrived. They add up; the caller makes sure that each receipt counts once.
    Receive {
        /// The number of units; at least 1.
        units: u32,
        /// The purchase's current units: a late parcel takes its units again, as far as they are available.
        purchase: Units,
    },
    /// No more units are expected: the merchant says so, or the deadline has passed.
    CloseReceipt,
    /// The warehouse has inspected the received units.
    Inspect(Inspection),
    /// The merchant resolves units that did not arrive: a lost parcel.
    ResolveWithoutReceipt {
        /// The reason.
        reason: String,
    },
    /// The resolution is approved.
    ApproveResolution,
    /// The resolution is denied.
    DenyResolution {
        /// The reason; the consumer reads it.
        reason: String,
    },
    /// The merchant reverses a denial.
    ReopenResolution {
        /// The reason.
        reason: String,
    },
    /// A system begins to carry out the resolution.
    StartProcessing,
    /// The resolution was carried out.
    CompleteResolution {
        /// The reference of the system that carried it out.
        external_reference: Option<String>,
    },
    /// The resolution could not be carried out.
    FailResolution {
        /// The reason.
        reason: String,
    },
    /// The consumer or the merchant cancels.
    Cancel,
    /// A deadline has passed (see [`super::Stage::deadline`]).
    Expire,
}

/// A carrier's report. Of two reports with the same time, the later variant counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(remote = "Scan")]
pub enum Scan {
    /// The carrier has the parcel.
    InTransit,
    /// The carrier reports a problem. This alone does not prove that the parcel is on its way.
    Exception,
    /// The carrier delivered the parcel.
    Delivered,
}

string_enum!(Scan);

enum_names!(Scan { InTransit, Exception, Delivered });
