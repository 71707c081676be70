//! Settling a return request, step by step. Each step checks whether an earlier call has already done it.

use super::{
    client::VendureSession,
    graphql,
    plan::{VendurePlan, write_note},
    refund,
};
use crate::{
    bridge::{BridgeError, Resolved, contract::ResolveReturn},
    shops::resolution::{ChangeError, EarlyExit, failed, refund_ids, run_steps},
};
use domain::{policy, stage::Disposition};
use serde_json::json;

/// See [`super::Vendure::resolve_return`].
pub(super) async fn resolve(session: &VendureSession<'_>, asked: &ResolveReturn) -> Result<Resolved, BridgeError> {
    if let Some(reason) = unsupported(asked.kind) {
        return Ok(failed(reason));
    }
    run_steps(|| steps(session, asked)).await
}

/// Why a person has to settle a kind of resolution.
fn unsupported(kind: policy::Resolution) -> Option<&'static str> {
    match kind {
        policy::Resolution::Refund => None,
        policy::Resolution::StoreCredit => Some("Vendure has no store credit: carry out the resolution by hand."),
        policy::Resolution::Exchange => {
            Some("Vendure has no exchanges: place the new order and carry out the resolution by hand.")
        }
    }
}

async fn steps(session: &VendureSession<'_>, asked: &ResolveReturn) -> Result<Resolved, EarlyExit> {
    let plan = VendurePlan::new(session, asked).await?;
    let refunds = refund::refund(session, &plan).await?;
    let external_reference = refund_ids(&refunds);
    let restocked = restock(session, &plan).await.map_err(|error| match error {
        ChangeError::NotDone(error) => EarlyExit::Error(error),
        // The money is refunded: the next call only has to restock.
        _ => EarlyExit::Resolved(Resolved::Pending { external_reference: external_reference.clone() }),
    })?;
    note_result(session, &plan, restocked).await;
    Ok(Resolved::Completed { external_reference })
}

/// What happened to the stock.
#[derive(Clone, Copy)]
enum Restocked {
    Nothing,
    Units(u32),
    /// The shop refused.
    Refused(u32),
}

/// Puts sellable units back into stock, by cancelling them in Vendure. If the shop refuses, the resolution continues: the
/// shopper has the money, and the note on the order mentions the units.
async fn restock(session: &VendureSession<'_>, plan: &VendurePlan<'_>) -> Result<Restocked, ChangeError> {
    let sellable = plan.items.iter().filter(|item| item.disposition == Some(Disposition::Restock));
    let units = sellable.clone().map(|item| item.quantity).fold(0, u32::saturating_add);
    if units == 0 {
        return Ok(Restocked::Nothing);
    }
    if plan.is_restocked() {
        return Ok(Restocked::Units(units));
    }
    let lines: Vec<_> =
        sellable.map(|item| json!({"orderLineId": item.purchase_id, "quantity": item.quantity})).collect();
    let input = json!({"orderId": plan.order.id, "lines": lines, "reason": plan.reason, "cancelShipping": false});
    match session.mutate(graphql::CANCEL, input).await {
        Ok(_) => Ok(Restocked::Units(units)),
        Err(ChangeError::Refused(_) | ChangeError::Crashed | ChangeError::NotDone(BridgeError::BadAnswer(_))) => {
            Ok(Restocked::Refused(units))
        }
        Err(error) => Err(error),
    }
}

/// Writes the result on the order for the merchant's staff. A failure is ignored, because the resolution is done.
async fn note_result(session: &VendureSession<'_>, plan: &VendurePlan<'_>, restocked: Restocked) {
    let start = format!("{}: refunded", plan.reason);
    if plan.notes().any(|note| note.text.starts_with(&start)) {
        return;
    }
    let stock = match restocked {
        Restocked::Nothing => String::new(),
        Restocked::Units(units) => format!(", units back in stock: {units}"),
        Restocked::Refused(units) => format!(", units that could not be put back into stock: {units}"),
    };
    let _ = write_note(session, plan, &format!("{start} {}{stock}", plan.text(plan.owed))).await;
}
