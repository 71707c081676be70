//! Refunding what is owed on the order's payments.

use super::{
    client::{Mutated, VendureSession},
    graphql,
    plan::VendurePlan,
    refund_note,
    responses::{Payment, is_settled, moves_money},
};
use crate::shops::resolution::{ChangeError, EarlyExit, IssuedRefund, crashed_refund, error_name, total_refunded};
use serde_json::json;

const DECLINED: &str = "The payment provider refused the refund. The shop may show the cause.";

/// What to refund on one payment.
struct Share<'a> {
    payment: &'a Payment,
    amount: i64,
}

/// Refunds what has not been refunded yet. Returns all refunds of this resolution, including earlier ones.
pub(super) async fn refund(
    session: &VendureSession<'_>,
    plan: &VendurePlan<'_>,
) -> Result<Vec<IssuedRefund>, EarlyExit> {
    let mut refunds = Vec::new();
    for refund in plan.our_refunds().filter(|refund| moves_money(&refund.state)) {
        refunds.push(IssuedRefund { id: refund.id.clone(), amount: refund.total });
        settle(session, plan, &refund.id, &refund.state, &refunds).await?;
    }
    let rest = plan.owed.saturating_sub(total_refunded(&refunds));
    if rest > 0 {
        refund_note::check(session, plan, &refunds, rest).await?;
    }
    let first_number = plan.our_refunds().count() + 1;
    for (number, Share { payment, amount }) in (first_number..).zip(shares(plan, rest, &refunds)?) {
        refund_note::write(session, plan, &refunds, number, amount).await?;
        // The lines are a record, which the shop does not check. The first refund of several contains all of them.
        let lines: Vec<_> = if refunds.is_empty() {
            plan.items.iter().map(|item| json!({"orderLineId": item.purchase_id, "quantity": item.quantity})).collect()
        } else {
            Vec::new()
        };
        let input = json!({
            "paymentId": payment.id, "amount": amount, "shipping": 0, "adjustment": 0, "lines": lines,
            "reason": plan.reason,
        });
        match session.mutate(graphql::REFUND, input).await {
            Ok(Mutated { id, state }) if state == "Failed" => {
                return Err(plan.not_refunded(&refunds, Some(id), DECLINED.to_owned()));
            }
            Ok(Mutated { id, state }) => {
                refunds.push(IssuedRefund { id: id.clone(), amount });
                settle(session, plan, &id, &state, &refunds).await?;
            }
            Err(error) => return Err(not_confirmed(session, plan, &refunds, number, amount, error).await),
        }
    }
    Ok(refunds)
}

/// Distributes an amount over the payments, oldest first, as far as each can still be refunded.
fn shares<'a>(plan: &'a VendurePlan<'_>, amount: i64, refunds: &[IssuedRefund]) -> Result<Vec<Share<'a>>, EarlyExit> {
    let (mut rest, mut shares) = (amount.max(0), Vec::new());
    for payment in plan.payments().filter(|payment| is_settled(&payment.state)) {
        let amount = rest.min(payment.refundable());
        if amount > 0 {
            rest -= amount;
            shares.push(Share { payment, amount });
        }
    }
    if rest == 0 {
        return Ok(shares);
    }
    let left = plan.text(amount.saturating_sub(rest));
    let reason = if plan.payments().any(|payment| is_settled(&payment.state)) {
        format!("The refund is {}, but only {left} of the payments can still be refunded.", plan.text(amount))
    } else {
        "No payment of this order is settled in the shop, so there is nothing to refund.".to_owned()
    };
    Err(plan.not_refunded(refunds, None, reason))
}

/// Settles a refund that is pending: some payment methods wait until somebody confirms that the money was sent.
async fn settle(
    session: &VendureSession<'_>,
    plan: &VendurePlan<'_>,
    id: &str,
    state: &str,
    refunds: &[IssuedRefund],
) -> Result<(), EarlyExit> {
    if state != "Pending" {
        return Ok(());
    }
    let input = json!({"id": id, "transactionId": plan.mark});
    match session.mutate(graphql::SETTLE, input).await {
        Ok(_) => Ok(()),
        Err(ChangeError::NotDone(error)) => Err(EarlyExit::Error(error)),
        // Somebody else may have settled it at the same time: the next call sees its state.
        Err(_) => Err(EarlyExit::pending(refunds)),
    }
}

/// The meaning of a refund that the shop did not confirm.
async fn not_confirmed(
    session: &VendureSession<'_>,
    plan: &VendurePlan<'_>,
    refunds: &[IssuedRefund],
    number: usize,
    amount: i64,
    error: ChangeError,
) -> EarlyExit {
    let exit = match error {
        ChangeError::Unknown => return EarlyExit::pending(refunds), // it may still go through
        // The refund exists but could not change its state, for example because the provider processes it later.
        ChangeError::Refused(code) if code == "REFUND_STATE_TRANSITION_ERROR" => return EarlyExit::StateChanged,
        ChangeError::Refused(code) => {
            plan.not_refunded(refunds, None, format!("The shop refused the refund: {}.", error_name(&code)))
        }
        ChangeError::NotDone(error) => EarlyExit::Error(error),
        ChangeError::Crashed => EarlyExit::unclear(refunds, crashed_refund(&plan.text(amount))),
    };
    refund_note::withdraw(session, plan, number).await;
    exit
}
