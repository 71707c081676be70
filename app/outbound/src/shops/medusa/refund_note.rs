//! The note that a refund is about to be requested, in the order's metadata: see [`crate::shops::resolution`].
//!
//! Medusa deletes its own record of a refund if anything fails during the payment, even if the payment provider has paid.

use super::{client::MedusaSession, plan::MedusaPlan};
use crate::{
    bridge::may_be_in_flight,
    http::Method,
    shops::resolution::{ChangeError, EarlyExit, IssuedRefund, total_refunded, unseen_refund},
};
use domain::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// The note.
#[derive(Serialize, Deserialize)]
struct RefundNote {
    /// A sentence for people.
    #[serde(skip_deserializing)]
    note: String,
    /// How many refunds of this resolution there were before.
    before: usize,
    at: Timestamp,
}

/// Stops if a refund was started that the shop does not show. A person decides once; the next request then refunds.
pub(super) async fn check(
    session: &MedusaSession<'_>,
    plan: &MedusaPlan<'_>,
    refunds: &[IssuedRefund],
) -> Result<(), EarlyExit> {
    let Some(started_at) = unseen_since(plan, refunds.len()) else { return Ok(()) };
    if may_be_in_flight(started_at, session.now) {
        return Err(EarlyExit::pending(refunds));
    }
    withdraw(session, plan).await;
    let rest = plan.owed.saturating_sub(total_refunded(refunds));
    Err(EarlyExit::unclear(refunds, unseen_refund(&plan.text(rest))))
}

/// When a refund was started that is not among the `seen` ones.
fn unseen_since(plan: &MedusaPlan<'_>, seen: usize) -> Option<Timestamp> {
    let note = plan.order.metadata.as_ref()?.get(key(plan))?;
    match RefundNote::deserialize(note) {
        Ok(note) => (note.before >= seen).then_some(note.at),
        Err(_) => Some(Timestamp::from_micros(0)), // somebody has edited it
    }
}

/// Notes that a refund is about to be requested. If the note may not have been written, the refund must not be requested.
pub(super) async fn write(
    session: &MedusaSession<'_>,
    plan: &MedusaPlan<'_>,
    refunds: &[IssuedRefund],
    amount: i64,
) -> Result<(), EarlyExit> {
    let text = format!("{}: a refund of {} is begun", plan.reason, plan.text(amount));
    let note = RefundNote { note: text, before: refunds.len(), at: session.now };
    match put(session, plan, json!(note)).await {
        Ok(()) => Ok(()),
        Err(ChangeError::NotDone(error)) => Err(EarlyExit::Error(error)),
        Err(ChangeError::Refused(kind)) => {
            Err(plan.not_refunded(refunds, &format!("The shop did not record the start of the refund: {kind}.")))
        }
        Err(ChangeError::Crashed | ChangeError::Unknown) => {
            withdraw(session, plan).await;
            Err(EarlyExit::pending(refunds))
        }
    }
}

/// Withdraws the note, because the refund was not requested or a person decides about it. If this fails, a person has to
/// decide once more than necessary.
pub(super) async fn withdraw(session: &MedusaSession<'_>, plan: &MedusaPlan<'_>) {
    let _ = put(session, plan, json!("")).await; // Medusa removes empty entries
}

async fn put(session: &MedusaSession<'_>, plan: &MedusaPlan<'_>, note: Value) -> Result<(), ChangeError> {
    let input = json!({"metadata": {(key(plan)): note}});
    session.change(Method::POST, &["orders", &plan.order.id], input).await
}

fn key(plan: &MedusaPlan<'_>) -> String {
    format!("retour:{}", plan.mark)
}
