//! The result of a request for a label.

use domain::{Timestamp, shipping::LabelFile};
use outbound::bridge::CarrierLabel as MadeLabel;
use returns::internals::LabelProblem;
use store::Lease;

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
