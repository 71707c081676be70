//! The note that a refund is about to be requested, in the order's history: see [`crate::shops::resolution`].
//!
//! Vendure stores a refund only after it has gone through. If anything fails before, Vendure keeps no trace of it, even if
//! the payment provider has paid.

use super::{
    client::VendureSession,
    plan::{OrderNote, VendurePlan, write_note},
};
use crate::{
    bridge::may_be_in_flight,
    shops::resolution::{ChangeError, EarlyExit, IssuedRefund, unseen_refund},
};
use domain::Timestamp;

const NOT_NOTED: &str =
    "The shop did not record the start of the refund on the order. The shop's log may contain the cause.";

/// Stops if a refund was started that the shop does not show. A person decides once; the next request then refunds.
pub(super) async fn check(
    session: &VendureSession<'_>,
    plan: &VendurePlan<'_>,
    refunds: &[IssuedRefund],
    rest: i64,
) -> Result<(), EarlyExit> {
    let number = plan.our_refunds().count() + 1;
    let Some(started_at) = unseen_since(plan, number) else { return Ok(()) };
    if may_be_in_flight(started_at, session.now) {
        return Err(EarlyExit::pending(refunds));
    }
    withdraw(session, plan, number).await;
    Err(EarlyExit::unclear(refunds, unseen_refund(&plan.text(rest))))
}

/// When the refund of this number was started, if its note was not withdrawn since.
fn unseen_since(plan: &VendurePlan<'_>, number: usize) -> Option<Timestamp> {
    let latest = |start: &str| {
        let notes = plan.notes().filter(|note: &OrderNote| note.text.starts_with(start));
        notes.map(|note| note.created_at).max()
    };
    let withdrawn = latest(&withdrawn_text(plan, number));
    latest(&started_text(plan, number)).filter(|at| Some(*at) >= withdrawn)
}

/// Notes that a refund is about to be requested. If the note may not have been written, the refund must not be requested.
pub(super) async fn write(
    session: &VendureSession<'_>,
    plan: &VendurePlan<'_>,
    refunds: &[IssuedRefund],
    number: usize,
    amount: i64,
) -> Result<(), EarlyExit> {
    let note = format!("{} {}", started_text(plan, number), plan.text(amount));
    match write_note(session, plan, &note).await {
        Ok(()) => Ok(()),
        Err(ChangeError::NotDone(error)) => Err(EarlyExit::Error(error)),
        Err(ChangeError::Refused(_) | ChangeError::Crashed) => {
            Err(plan.not_refunded(refunds, None, NOT_NOTED.to_owned()))
        }
        Err(ChangeError::Unknown) => {
            withdraw(session, plan, number).await;
            Err(EarlyExit::pending(refunds))
        }
    }
}

/// Withdraws the note, because the refund was not requested or a person decides about it. If this fails, a person has to
/// decide once more than necessary.
pub(super) async fn withdraw(session: &VendureSession<'_>, plan: &VendurePlan<'_>, number: usize) {
    let _ = write_note(session, plan, &withdrawn_text(plan, number)).await;
}

// We find the notes of earlier versions by these texts, so they must not change.

fn started_text(plan: &VendurePlan<'_>, number: usize) -> String {
    format!("{}: begins refund {number}:", plan.reason)
}

fn withdrawn_text(plan: &VendurePlan<'_>, number: usize) -> String {
    format!("{}: the shop shows no refund {number}; it is asked for again when somebody says so", plan.reason)
}
