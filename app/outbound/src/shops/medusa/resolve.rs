//! Settling a return request, step by step. Each step checks whether an earlier call has already done it.
//!
//! First the units are taken back, then the money is refunded: the refund pays what the shop owes since the return. In the
//! other order the shop would owe the money once more, and somebody might pay it.

use super::{client::MedusaSession, plan::MedusaPlan, refund, refund_note, take_back};
use crate::{
    bridge::{BridgeError, Resolved, contract::ResolveReturn},
    shops::resolution::{EarlyExit, failed, refund_ids, run_steps},
};
use domain::policy;

/// See [`super::Medusa::resolve_return`].
pub(super) async fn resolve(session: &MedusaSession<'_>, asked: &ResolveReturn) -> Result<Resolved, BridgeError> {
    if let Some(reason) = unsupported(asked.kind) {
        return Ok(failed(reason));
    }
    run_steps(|| steps(session, asked)).await
}

/// Why a person has to settle a kind of resolution.
fn unsupported(kind: policy::Resolution) -> Option<&'static str> {
    match kind {
        policy::Resolution::Refund => None,
        policy::Resolution::StoreCredit => {
            Some("Retour cannot give store credit in Medusa: carry out the resolution by hand.")
        }
        policy::Resolution::Exchange => {
            Some("Retour cannot make exchanges in Medusa: place the new order and carry out the resolution by hand.")
        }
    }
}

async fn steps(session: &MedusaSession<'_>, asked: &ResolveReturn) -> Result<Resolved, EarlyExit> {
    let plan = MedusaPlan::new(session, asked).await?;
    let refunds = refund::our_refunds(&plan, &plan.order)?;
    refund_note::check(session, &plan, &refunds).await?;
    let mut taken_back = take_back::TakenBack::default();
    if refunds.is_empty() {
        refund::next_refund(&plan, &plan.order, &refunds)?; // fails before anything is changed
        taken_back = take_back::take_back(session, &plan).await?;
    }
    let (refunds, order) = refund::refund(session, &plan, taken_back.missing).await?;
    take_back::balance(session, &plan, &order, &taken_back).await;
    Ok(Resolved::Completed { external_reference: refund_ids(&refunds) })
}
