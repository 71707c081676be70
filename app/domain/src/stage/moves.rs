//! Everything that can happen to a return request.

use super::inspection::Inspection;
use crate::{base::timestamp::Timestamp, order::Units};
use serde::{Deserialize, Serialize};

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
