//! What the clients of Vendure and Medusa share when they settle a return.
//!
//! # No refund is requested twice without a person's decision
//!
//! These shops have no idempotency keys, and what they show of a refund is not everything that happened. If the payment
//! provider pays and the shop fails right after, the shop deletes its record or never stores one. If its answer is lost
//! too, the next call sees an order that looks untouched.
//!
//! So before each refund we write a note in the shop: the time, and how many refunds there were before. A later call that
//! finds the note but no additional refund
//!
//! - answers "pending" until [`IN_FLIGHT_LIMIT`](crate::bridge::IN_FLIGHT_LIMIT) after the note,
//! - then removes the note and leaves the decision to a person: [`Resolved::Unclear`](crate::bridge::Resolved::Unclear).
//!   The next request happens because a person wants it, and it refunds.
//!
//! If the note cannot be removed, the person has to decide once more. If the process died between the note and the refund,
//! the person checks the payment provider in vain. Both are better than paying twice.

mod change_error;
mod early_exit;
mod issued_refund;
mod refunds;

pub(super) use change_error::{ChangeError, error_name};
pub(super) use early_exit::{EarlyExit, failed, run_steps};
pub(super) use issued_refund::{IssuedRefund, refund_ids, total_refunded};
pub(super) use refunds::{amount_owed, crashed_refund, unseen_refund};
