//! The note that a refund is begun, in the order's metadata: see [`crate::shops::resolution`]. Medusa's own record of a refund is
//! deleted when anything fails while it pays, also where the payment provider has paid.

use crate::shops::medusa::{client::Session, refund::not_given, resolve::Plan};
use crate::{
    http::Method,
    shops::resolution::{Given, Stop, Trouble, may_be_under_way, not_known, pending, total, unclear},
};
use domain::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// What is kept.
#[derive(Serialize, Deserialize)]
struct Begun {
    /// For people.
    #[serde(skip_deserializing)]
    note: String,
    /// How many refunds of this resolution's there were before.
    before: usize,
    at: Timestamp,
}

/// Stops where a refund was begun that does not show. People are told once: what is asked after that, is asked by them.
pub(super) async fn check(session: &Session<'_>, plan: &Plan<'_>, given: &[Given]) -> Result<(), Stop> {
    let Some(at) = unseen(plan, given.len()) else { return Ok(()) };
    if may_be_under_way(at, session.now) {
        return Err(pending(given));
    }
    forget(session, plan).await;
    let rest = plan.owed.saturating_sub(total(given));
    Err(unclear(given, not_known(&plan.text(rest))))
}

/// When a refund was begun that did not make them more.
fn unseen(plan: &Plan<'_>, seen: usize) -> Option<Timestamp> {
    let note = plan.order.metadata.as_ref()?.get(key(plan))?;
    match Begun::deserialize(note) {
        Ok(begun) => (begun.before >= seen).then_some(begun.at),
        Err(_) => Some(Timestamp::from_micros(0)), // somebody has changed it
    }
}

/// Notes that a refund of so much is about to be asked for. Where that is not certain, it must not be.
pub(super) async fn begin(session: &Session<'_>, plan: &Plan<'_>, given: &[Given], amount: i64) -> Result<(), Stop> {
    let text = format!("{}: a refund of {} is begun", plan.reason, plan.text(amount));
    let begun = Begun { note: text, before: given.len(), at: session.now };
    match note(session, plan, json!(begun)).await {
        Ok(()) => Ok(()),
        Err(Trouble::NotDone(error)) => Err(Stop::Error(error)),
        Err(Trouble::Refused(kind)) => {
            Err(not_given(plan, given, &format!("The shop did not note that a refund begins: {kind}.")))
        }
        Err(Trouble::BrokenOff | Trouble::Lost) => {
            forget(session, plan).await;
            Err(pending(given))
        }
    }
}

/// Takes the note back: either nothing was asked for, or people are told what came of it. If that fails, they are told
/// more than is needed.
pub(super) async fn forget(session: &Session<'_>, plan: &Plan<'_>) {
    let _ = note(session, plan, json!("")).await; // what is empty is removed
}

async fn note(session: &Session<'_>, plan: &Plan<'_>, note: Value) -> Result<(), Trouble> {
    let input = json!({"metadata": {(key(plan)): note}});
    session.change(Method::POST, &["orders", &plan.order.id], input).await
}

fn key(plan: &Plan<'_>) -> String {
    format!("retour:{}", plan.mark)
}
