//! The note that a refund is begun, in the order's history: see [`crate::shops::resolution`]. Vendure keeps a refund once it is
//! through: where anything fails before, there is no trace of it, also where the payment provider has paid.

use crate::shops::resolution::{Given, Stop, Trouble, may_be_under_way, not_known, pending, unclear};
use crate::shops::vendure::{
    client::Session,
    refund::{not_given, tried},
    resolve::{Plan, leave_note},
};
use domain::Timestamp;

/// Stops where a refund was begun that does not show. People are told once: what is asked after that, is asked by them.
pub(super) async fn check(session: &Session<'_>, plan: &Plan<'_>, given: &[Given], rest: i64) -> Result<(), Stop> {
    let number = tried(plan) + 1;
    let Some(at) = unseen(plan, number) else { return Ok(()) };
    if may_be_under_way(at, session.now) {
        return Err(pending(given));
    }
    forget(session, plan, number).await;
    Err(unclear(given, not_known(&plan.text(rest))))
}

/// When the refund of this number, which does not show, was begun.
fn unseen(plan: &Plan<'_>, number: usize) -> Option<Timestamp> {
    let latest = |start: &str| plan.notes().filter(|(note, _)| note.starts_with(start)).map(|(_, at)| at).max();
    let forgotten = latest(&forgotten(plan, number));
    latest(&begun(plan, number)).filter(|at| Some(*at) >= forgotten)
}

/// Notes that a refund is about to be asked for. Where that is not certain, it must not be.
pub(super) async fn begin(
    session: &Session<'_>,
    plan: &Plan<'_>,
    given: &[Given],
    (number, amount): (usize, i64),
) -> Result<(), Stop> {
    let note = format!("{} {}", begun(plan, number), plan.text(amount));
    match leave_note(session, plan, &note).await {
        Ok(()) => Ok(()),
        Err(Trouble::NotDone(error)) => Err(Stop::Error(error)),
        Err(Trouble::Refused(_) | Trouble::BrokenOff) => Err(not_given(plan, given, None, NOT_NOTED.to_owned())),
        Err(Trouble::Lost) => {
            forget(session, plan, number).await;
            Err(pending(given))
        }
    }
}

const NOT_NOTED: &str = "The shop did not note on the order that a refund begins: its own log may say why.";

/// Takes the note back: either nothing was asked for, or people are told what came of it. If that fails, they are told
/// more than is needed.
pub(super) async fn forget(session: &Session<'_>, plan: &Plan<'_>, number: usize) {
    let _ = leave_note(session, plan, &forgotten(plan, number)).await;
}

// By these texts notes are found again: they stay.

fn begun(plan: &Plan<'_>, number: usize) -> String {
    format!("{}: begins refund {number}:", plan.reason)
}

fn forgotten(plan: &Plan<'_>, number: usize) -> String {
    format!("{}: the shop shows no refund {number}; it is asked for again when somebody says so", plan.reason)
}
