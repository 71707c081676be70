//! What the bridges to shops that need no component of the merchant's have in common.
//!
//! # No refund is asked for twice by itself
//!
//! These shops know no idempotency keys, and what they show of a refund is not all that became of it: where the payment
//! provider has paid and the shop fails right after, its record is gone, or was never kept. If its answer is lost as
//! well, the next call finds an order that looks untouched. So a refund is noted in the shop before it is asked for: when,
//! and how many there were before. A later call that finds the note, and no refund more,
//!
//! - answers that it is pending, until [`SETTLED_AFTER`] the note was made;
//! - then takes the note back and leaves it to people: [`crate::bridge::Resolved::Unclear`]. What is asked after that is
//!   asked because they say so, and refunds.
//!
//! A note that could not be taken back makes them say so once more; one that was made without a refund being asked for
//! (the process died between them) sends them to the payment provider in vain. Either is better than to pay twice.

mod change_error;
mod early_exit;

pub(crate) use stop::{Given, Stop, ended, failed, owed, pending, reference, stop, total, unclear};
pub(crate) use trouble::{Trouble, name_of, not_understood, unanswered};

use domain::Timestamp;
use std::time::Duration;

/// After which time a request of ours has ended in the shop, whatever became of its answer: a refund takes as long as
/// the shop's payment provider does.
pub const SETTLED_AFTER: Duration = Duration::from_mins(2);

/// Whether a refund may still be under way that was begun then.
pub(crate) fn may_be_under_way(begun: Timestamp, now: Timestamp) -> bool {
    let seconds = i64::try_from(SETTLED_AFTER.as_secs()).unwrap_or(i64::MAX);
    now < begun.plus_seconds(seconds)
}

/// A refund of an amount was noted, and does not show.
pub(crate) fn not_known(amount: &str) -> String {
    format!(
        "A refund of {amount} was begun, and the shop shows none and did not say what became of it: ask the payment \
         provider whether the money was given. If not, try again; if it was, settle it by hand."
    )
}

/// The shop's own records of a refund are gone, whatever the payment provider did.
pub(crate) fn broken_off(amount: &str) -> String {
    format!(
        "The shop failed while it refunded {amount} and kept no record of it: ask the payment provider whether the money \
         was given. If not, try again; if it was, settle it by hand."
    )
}
