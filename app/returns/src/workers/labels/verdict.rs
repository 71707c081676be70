//! The result of a request for a label.

use domain::{Timestamp, shipping::LabelFile};
use outbound::bridge::CarrierLabel as MadeLabel;
use store::Lease;

/// Why there is no label yet: a code for programs, and a message for the merchant's staff.
#[derive(Debug, Clone)]
pub(crate) struct LabelProblem {
    pub code: String,
    pub message: String,
}

/// The number of failed requests to a carrier, and the time of the next one.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LabelAttempts {
    pub failed_attempts: u32,
    pub next_attempt_at: Option<Timestamp>,
}

/// What to do after the call.
#[derive(Debug)]
pub(crate) enum LabelVerdict {
    Made(Box<MadeLabel>, Option<LabelFile>),
    /// The carrier made none; staff have to act.
    Failed(LabelProblem),
    /// It is unknown whether the carrier made one; staff have to act.
    Unclear(LabelProblem),
    Again {
        at: Timestamp,
        tries: u32,
        hold: Lease,
        /// `None` if there was no error.
        trouble: Option<LabelProblem>,
        /// Whether staff and shopper see that the label is late.
        is_late: bool,
    },
}
