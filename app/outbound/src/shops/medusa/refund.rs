//! Giving money back on what was paid.
//!
//! Medusa pays whoever asks as long as it fits, may say no although it has paid, and shows a refund before it is
//! through. So what an answer says counts for less than what is seen afterwards.

use crate::shops::medusa::{
    client::Session,
    money::{Decimal, sum},
    refund_note,
    resolve::Plan,
    responses::{Collection, Order, Payment, Refund},
};
use crate::{
    http::Method,
    shops::resolution::{Given, Stop, Trouble, broken_off, pending, stop, total, unclear},
};
use domain::{Currency, Timestamp};
use serde_json::json;

/// No payment provider takes longer, seconds: the shop died while it refunded. Its clock may be another than ours.
const UNDER_WAY_FOR: i64 = 900;
/// Shops with more payments for one order are not known.
const MOST_REFUNDS: usize = 20;

/// Gives back what was not given yet: all refunds that bear our mark, those from before too, and the order as it is then.
pub(super) async fn refund(session: &Session<'_>, plan: &Plan<'_>, missing: u32) -> Result<(Vec<Given>, Order), Stop> {
    let mut order = look(session, plan).await?;
    for _ in 0..MOST_REFUNDS {
        let given = given(plan, &order)?;
        under_way(session.now, plan, &order, &given)?;
        let Some((payment, amount)) = check(plan, &order, &given)? else { return Ok((given, order)) };
        if session.is_late() {
            return Err(pending(&given)); // rather than to lose its answer
        }
        refund_note::begin(session, plan, &given, amount).await?;
        let input = json!({
            "amount": Decimal::from_minor(amount, order.currency_code).number(), "note": note(plan, missing),
        });
        let changed = session.change(Method::POST, &["payments", &payment.id, "refund"], input).await;
        if let Err(Trouble::NotDone(error)) = changed {
            refund_note::forget(session, plan).await;
            return Err(Stop::Error(error));
        }
        // Whatever it said.
        let Ok(after) = look(session, plan).await else { return Err(pending(&given)) };
        order = after;
        if total(&self::given(plan, &order)?) == total(&given) {
            return Err(not_seen(session, plan, &given, (amount, changed)).await);
        }
    }
    Err(pending(&[]))
}

async fn look(session: &Session<'_>, plan: &Plan<'_>) -> Result<Order, Stop> {
    let order = session.order(&plan.order.id).await?;
    order.ok_or_else(|| stop("The shop does not know this order any more."))
}

fn note(plan: &Plan<'_>, missing: u32) -> String {
    if missing == 0 {
        return plan.reason.clone();
    }
    format!("{}; units that the shop does not count as delivered, or has back already: {missing}", plan.reason)
}

/// The refunds that were made for this resolution. More than is owed is for people to look at.
pub(super) fn given(plan: &Plan<'_>, order: &Order) -> Result<Vec<Given>, Stop> {
    let refunds = payments(order).into_iter().flat_map(|payment| payment.refunds.iter().flatten());
    let ours = refunds.filter(|refund| refund.note.as_ref().is_some_and(|note| note.contains(&plan.mark)));
    let given: Vec<Given> =
        ours.map(|refund| Given { id: refund.id.clone(), amount: refund.amount.minor(order.currency_code) }).collect();
    if total(&given) > plan.owed {
        let (given_text, owed) = (plan.text(total(&given)), plan.text(plan.owed));
        let reason = format!("{given_text} were refunded instead of {owed}: look at the order in the shop.");
        return Err(unclear(&given, reason));
    }
    Ok(given)
}

/// As they came in.
fn payments(order: &Order) -> Vec<&Payment> {
    let collections = order.payment_collections.iter().flatten();
    let mut payments: Vec<&Payment> = collections.flat_map(|one| one.payments.iter().flatten()).collect();
    payments.sort_by_key(|payment| (payment.created_at, &payment.id));
    payments
}

/// What was captured and not given back, in minor units: the shop lets the fraction of a cent be rounded.
fn left(payment: &Payment, currency: Currency) -> i64 {
    let captured = sum(payment.captures.iter().flatten().map(|capture| capture.amount));
    let refunded = sum(payment.refunds.iter().flatten().map(|refund| refund.amount));
    captured.minus(refunded).minor(currency).max(0)
}

/// On which payment how much is to be given next; none where all is given. An error where there is not enough: nothing is
/// to be given then.
pub(super) fn check<'a>(
    plan: &Plan<'_>,
    order: &'a Order,
    given: &[Given],
) -> Result<Option<(&'a Payment, i64)>, Stop> {
    let to_give = plan.owed.saturating_sub(total(given));
    if to_give == 0 {
        return Ok(None);
    }
    let payments = payments(order);
    let lefts = payments.iter().map(|payment| (*payment, left(payment, order.currency_code)));
    let all = lefts.clone().fold(0, |sum: i64, (_, left)| sum.saturating_add(left));
    if payments.iter().all(|payment| payment.captures.iter().flatten().next().is_none()) {
        let reason = "No payment of this order is captured in the shop, so that there is nothing to refund.";
        return Err(not_given(plan, given, reason));
    }
    if all < to_give {
        let (to_give, all) = (plan.text(to_give), plan.text(all));
        let reason = format!("{to_give} are to be refunded, but only {all} of what was paid are left.");
        return Err(not_given(plan, given, &reason));
    }
    Ok(lefts.filter(|(_, left)| *left > 0).map(|(payment, left)| (payment, left.min(to_give))).next())
}

/// Stops while a refund, ours or another's, is not through: the next look tells.
fn under_way(now: Timestamp, plan: &Plan<'_>, order: &Order, given: &[Given]) -> Result<(), Stop> {
    let collections = order.payment_collections.iter().flatten();
    let refunds: Vec<&Refund> =
        collections.filter(|one| is_under_way(one, order.currency_code)).flat_map(refunds).collect();
    let Some(latest) = refunds.iter().map(|refund| refund.created_at).max() else { return Ok(()) };
    if now < latest.plus_seconds(UNDER_WAY_FOR) {
        return Err(pending(given));
    }
    let reason = "The shop began a refund and did not finish it: ask the payment provider whether the money was given, \
                  and settle it by hand.";
    Err(not_given(plan, given, reason))
}

/// The payment provider has given less than was refund_note, by a minor unit or more.
fn is_under_way(collection: &Collection, currency: Currency) -> bool {
    let refund_note = sum(refunds(collection).map(|refund| refund.amount));
    refund_note.minus(collection.refunded_amount.unwrap_or_default()) >= Decimal::from_minor(1, currency)
}

fn refunds(collection: &Collection) -> impl Iterator<Item = &Refund> {
    collection.payments.iter().flatten().flat_map(|payment| payment.refunds.iter().flatten())
}

/// What a refund comes to that is not there after its answer, or without one.
async fn not_seen(
    session: &Session<'_>,
    plan: &Plan<'_>,
    given: &[Given],
    (amount, changed): (i64, Result<(), Trouble>),
) -> Stop {
    let told = match changed {
        Ok(()) | Err(Trouble::Lost) => return pending(given), // it may still come
        Err(Trouble::NotDone(error)) => Stop::Error(error),
        Err(Trouble::Refused(kind)) => not_given(plan, given, &format!("The shop refused the refund: {kind}.")),
        Err(Trouble::BrokenOff) => unclear(given, broken_off(&plan.text(amount))),
    };
    refund_note::forget(session, plan).await;
    told
}

/// Nothing was given, or only a part, which people have to know.
pub(super) fn not_given(plan: &Plan<'_>, given: &[Given], reason: &str) -> Stop {
    if given.is_empty() {
        return stop(reason);
    }
    unclear(given, format!("Only {} of {} were refunded. {reason}", plan.text(total(given)), plan.text(plan.owed)))
}
