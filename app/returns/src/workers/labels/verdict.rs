//! How a request for a label ended.

use domain::{Timestamp, shipping::LabelFile};
use outbound::bridge::CarrierLabel as MadeLabel;
use store::Lease;

/// Why there is no label yet: for programs, and for the merchant's people.
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

/// What is to be done, once the carrier has been asked.
#[derive(Debug)]
pub(crate) enum LabelVerdict {
    Made(Box<MadeLabel>, Option<LabelFile>),
    /// There is none, and a person has to look.
    Failed(LabelProblem),
    /// Nobody knows, and a person has to look.
    Unclear(LabelProblem),
    Again {
        at: Timestamp,
        tries: u32,
        hold: Lease,
        /// `None` where nothing went wrong.
        trouble: Option<LabelProblem>,
        /// Whether people are to see that it did not work so far.
        is_late: bool,
    },
}
