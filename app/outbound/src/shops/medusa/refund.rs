//! Refunding what is owed on the order's payments.
//!
//! Medusa executes every refund request that fits the payment. It can report an error although it has paid, and it shows a
//! refund before the payment has gone through. So after each request we read the order, and trust that more than the
//! response.

use super::{
    client::MedusaSession,
    money::{Decimal, sum},
    plan::MedusaPlan,
    refund_note,
    responses::{Order, Payment, PaymentCollection, Refund},
};
use crate::{
    http::Method,
    shops::resolution::{ChangeError, EarlyExit, IssuedRefund, crashed_refund, total_refunded},
};
use domain::{Currency, Timestamp};
use serde_json::json;

/// How long the payment provider may take, in seconds. After that, the shop has died during the refund. The value is generous
/// because the shop's clock may differ from ours.
const MAX_PROVIDER_SECONDS: i64 = 900;
/// The most refunds of one resolution: one per payment, and orders have a few payments.
const MAX_REFUNDS: usize = 20;

/// The next refund.
pub(super) struct NextRefund<'a> {
    payment: &'a Payment,
    amount: i64,
}

/// Refunds what has not been refunded yet. Returns all refunds of this resolution, including earlier ones, and the order's
/// state after them. `missing` units were not taken back; the refund's note mentions them.
pub(super) async fn refund(
    session: &MedusaSession<'_>,
    plan: &MedusaPlan<'_>,
    missing: u32,
) -> Result<(Vec<IssuedRefund>, Order), EarlyExit> {
    let mut order = read_order(session, plan).await?;
    for _ in 0..MAX_REFUNDS {
        let refunds = our_refunds(plan, &order)?;
        check_none_in_flight(session.now, plan, &order, &refunds)?;
        let Some(NextRefund { payment, amount }) = next_refund(plan, &order, &refunds)? else {
            return Ok((refunds, order));
        };
        if session.is_late() {
            return Err(EarlyExit::pending(&refunds)); // do not start what could lose its answer
        }
        refund_note::write(session, plan, &refunds, amount).await?;
        let input = json!({
            "amount": Decimal::from_minor(amount, order.currency_code).number(), "note": note(plan, missing),
        });
        let result = session.change(Method::POST, &["payments", &payment.id, "refund"], input).await;
        if let Err(ChangeError::NotDone(error)) = result {
            refund_note::withdraw(session, plan).await;
            return Err(EarlyExit::Error(error));
        }
        // Read the order whatever the response was.
        let Ok(after) = read_order(session, plan).await else { return Err(EarlyExit::pending(&refunds)) };
        order = after;
        if total_refunded(&our_refunds(plan, &order)?) == total_refunded(&refunds) {
            return Err(not_seen(session, plan, &refunds, amount, result).await);
        }
    }
    Err(EarlyExit::pending(&[]))
}

async fn read_order(session: &MedusaSession<'_>, plan: &MedusaPlan<'_>) -> Result<Order, EarlyExit> {
    let order = session.order(&plan.order.id).await?;
    order.ok_or_else(|| EarlyExit::failed("The shop no longer has this order."))
}

fn note(plan: &MedusaPlan<'_>, missing: u32) -> String {
    if missing == 0 {
        return plan.reason.clone();
    }
    format!("{}; units that the shop does not count as delivered, or has back already: {missing}", plan.reason)
}

/// The refunds of this resolution. If they exceed what is owed, a person has to look.
pub(super) fn our_refunds(plan: &MedusaPlan<'_>, order: &Order) -> Result<Vec<IssuedRefund>, EarlyExit> {
    let all = payments(order).into_iter().flat_map(|payment| payment.refunds.iter().flatten());
    let ours = all.filter(|refund| refund.note.as_ref().is_some_and(|note| note.contains(&plan.mark)));
    let issued =
        |refund: &Refund| IssuedRefund { id: refund.id.clone(), amount: refund.amount.minor(order.currency_code) };
    let refunds: Vec<IssuedRefund> = ours.map(issued).collect();
    if total_refunded(&refunds) > plan.owed {
        let (refunded, owed) = (plan.text(total_refunded(&refunds)), plan.text(plan.owed));
        let reason = format!("{refunded} were refunded instead of {owed}: look at the order in the shop.");
        return Err(EarlyExit::unclear(&refunds, reason));
    }
    Ok(refunds)
}

/// The order's payments, oldest first.
fn payments(order: &Order) -> Vec<&Payment> {
    let collections = order.payment_collections.iter().flatten();
    let mut payments: Vec<&Payment> = collections.flat_map(|one| one.payments.iter().flatten()).collect();
    payments.sort_by_key(|payment| (payment.created_at, &payment.id));
    payments
}

/// What was captured and not refunded, in minor units. The shop accepts that a fraction of a cent is rounded.
fn refundable(payment: &Payment, currency: Currency) -> i64 {
    let captured = sum(payment.captures.iter().flatten().map(|capture| capture.amount));
    let refunded = sum(payment.refunds.iter().flatten().map(|refund| refund.amount));
    captured.minus(refunded).minor(currency).max(0)
}

/// The next refund; `None` if everything is refunded. If the payments do not cover the rest, nothing more is refunded.
pub(super) fn next_refund<'a>(
    plan: &MedusaPlan<'_>,
    order: &'a Order,
    refunds: &[IssuedRefund],
) -> Result<Option<NextRefund<'a>>, EarlyExit> {
    let rest = plan.owed.saturating_sub(total_refunded(refunds));
    if rest == 0 {
        return Ok(None);
    }
    let payments = payments(order);
    if payments.iter().all(|payment| payment.captures.iter().flatten().next().is_none()) {
        let reason = "No payment of this order is captured in the shop, so there is nothing to refund.";
        return Err(plan.not_refunded(refunds, reason));
    }
    let candidates: Vec<NextRefund<'a>> = payments
        .into_iter()
        .map(|payment| NextRefund { payment, amount: refundable(payment, order.currency_code) })
        .collect();
    let available = candidates.iter().fold(0, |sum: i64, candidate| sum.saturating_add(candidate.amount));
    if available < rest {
        let (rest, available) = (plan.text(rest), plan.text(available));
        let reason = format!("The refund is {rest}, but only {available} of the payments can still be refunded.");
        return Err(plan.not_refunded(refunds, &reason));
    }
    let first = candidates.into_iter().find(|candidate| candidate.amount > 0);
    Ok(first.map(|first| NextRefund { amount: first.amount.min(rest), ..first }))
}

/// Stops while any refund of the order, ours or another, has not gone through: the next call sees its result.
fn check_none_in_flight(
    now: Timestamp,
    plan: &MedusaPlan<'_>,
    order: &Order,
    refunds: &[IssuedRefund],
) -> Result<(), EarlyExit> {
    let collections = order.payment_collections.iter().flatten();
    let unfinished: Vec<&Refund> =
        collections.filter(|one| is_in_flight(one, order.currency_code)).flat_map(refunds_of).collect();
    let Some(latest) = unfinished.iter().map(|refund| refund.created_at).max() else { return Ok(()) };
    if now < latest.plus_seconds(MAX_PROVIDER_SECONDS) {
        return Err(EarlyExit::pending(refunds));
    }
    let reason = "The shop began a refund and did not finish it: ask the payment provider whether it refunded the money, \
                  and carry out the resolution by hand.";
    Err(plan.not_refunded(refunds, reason))
}

/// Whether the payment provider has refunded less than the recorded refunds, by a minor unit or more.
fn is_in_flight(collection: &PaymentCollection, currency: Currency) -> bool {
    let recorded = sum(refunds_of(collection).map(|refund| refund.amount));
    recorded.minus(collection.refunded_amount.unwrap_or_default()) >= Decimal::from_minor(1, currency)
}

fn refunds_of(collection: &PaymentCollection) -> impl Iterator<Item = &Refund> {
    collection.payments.iter().flatten().flat_map(|payment| payment.refunds.iter().flatten())
}

/// The meaning of a refund that the order does not show after its request.
async fn not_seen(
    session: &MedusaSession<'_>,
    plan: &MedusaPlan<'_>,
    refunds: &[IssuedRefund],
    amount: i64,
    result: Result<(), ChangeError>,
) -> EarlyExit {
    let exit = match result {
        Ok(()) | Err(ChangeError::Unknown) => return EarlyExit::pending(refunds), // it may still appear
        Err(ChangeError::NotDone(error)) => EarlyExit::Error(error),
        Err(ChangeError::Refused(kind)) => plan.not_refunded(refunds, &format!("The shop refused the refund: {kind}.")),
        Err(ChangeError::Crashed) => EarlyExit::unclear(refunds, crashed_refund(&plan.text(amount))),
    };
    refund_note::withdraw(session, plan).await;
    exit
}
