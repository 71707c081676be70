//! Giving money back on what was paid.

use crate::shops::vendure::{
    client::Session,
    documents, refund_note,
    resolve::Plan,
    responses::{Payment, Refund, counts, is_settled},
};
use crate::{
    bridge::Resolved,
    shops::resolution::{Given, Stop, Trouble, broken_off, name_of, pending, total, unclear},
};
use serde_json::json;

/// Gives back what was not given yet: the ids of all refunds that bear our mark, those from before too.
pub(super) async fn refund(session: &Session<'_>, plan: &Plan<'_>) -> Result<Vec<Given>, Stop> {
    let mut given = Vec::new();
    for refund in ours(plan).filter(|refund| counts(&refund.state)) {
        given.push(Given { id: refund.id.clone(), amount: refund.total });
        settle(session, plan, &refund.id, &refund.state, &given).await?;
    }
    let rest = plan.owed.saturating_sub(total(&given));
    if rest > 0 {
        refund_note::check(session, plan, &given, rest).await?;
    }
    for (number, (payment, amount)) in (tried(plan) + 1..).zip(shares(plan, rest, &given)?) {
        refund_note::begin(session, plan, &given, (number, amount)).await?;
        // The units are a record, not a check: they stand in the first refund of several.
        let lines: Vec<_> = if given.is_empty() {
            plan.items.iter().map(|item| json!({"orderLineId": item.purchase_id, "quantity": item.quantity})).collect()
        } else {
            Vec::new()
        };
        let input = json!({
            "paymentId": payment.id, "amount": amount, "shipping": 0, "adjustment": 0, "lines": lines,
            "reason": plan.reason,
        });
        match session.change(documents::REFUND, input).await {
            Ok((id, state)) if state == "Failed" => return Err(not_given(plan, &given, Some(id), DECLINED.to_owned())),
            Ok((id, state)) => {
                given.push(Given { id: id.clone(), amount });
                settle(session, plan, &id, &state, &given).await?;
            }
            Err(trouble) => return Err(not_done(session, plan, &given, (number, amount, trouble)).await),
        }
    }
    Ok(given)
}

const DECLINED: &str = "The payment provider refused the refund: the shop may know why.";

/// As they came in: the shop has them in any order.
fn payments<'a>(plan: &'a Plan<'_>) -> impl Iterator<Item = &'a Payment> {
    let mut payments: Vec<&Payment> = plan.order.payments.iter().flatten().collect();
    payments.sort_by_key(|payment| (payment.created_at, &payment.id));
    payments.into_iter()
}

/// The refunds that were made for this resolution. One that failed gave nothing: it is tried again.
fn ours<'a>(plan: &'a Plan<'_>) -> impl Iterator<Item = &'a Refund> {
    let all = payments(plan).flat_map(|payment| &payment.refunds);
    all.filter(|refund| refund.reason.as_deref().is_some_and(|reason| plan.is_ours(reason)))
}

/// How many refunds the shop shows that were tried for this resolution.
pub(super) fn tried(plan: &Plan<'_>) -> usize {
    ours(plan).count()
}

/// How much of what is to be given goes on which payment: as much as each has left, in their order.
fn shares<'a>(plan: &'a Plan<'_>, to_give: i64, given: &[Given]) -> Result<Vec<(&'a Payment, i64)>, Stop> {
    let (mut rest, mut shares) = (to_give.max(0), Vec::new());
    for payment in payments(plan).filter(|payment| is_settled(&payment.state)) {
        let amount = rest.min(payment.left());
        if amount > 0 {
            rest -= amount;
            shares.push((payment, amount));
        }
    }
    if rest == 0 {
        return Ok(shares);
    }
    let left = plan.text(to_give.saturating_sub(rest));
    let reason = if payments(plan).any(|payment| is_settled(&payment.state)) {
        format!("{} are to be refunded, but only {left} of what was paid are left.", plan.text(to_give))
    } else {
        "No payment of this order is settled in the shop, so that there is nothing to refund.".to_owned()
    };
    Err(not_given(plan, given, None, reason))
}

/// Says that a refund is through where the shop waits for somebody to say so.
async fn settle(session: &Session<'_>, plan: &Plan<'_>, id: &str, state: &str, given: &[Given]) -> Result<(), Stop> {
    if state != "Pending" {
        return Ok(());
    }
    let input = json!({"id": id, "transactionId": plan.mark});
    match session.change(documents::SETTLE, input).await {
        Ok(_) => Ok(()),
        Err(Trouble::NotDone(error)) => Err(Stop::Error(error)),
        // Somebody else may have settled it meanwhile: the next look tells.
        Err(_) => Err(pending(given)),
    }
}

/// What a refund that did not come through comes to.
async fn not_done(
    session: &Session<'_>,
    plan: &Plan<'_>,
    given: &[Given],
    (number, amount, trouble): (usize, i64, Trouble),
) -> Stop {
    let told = match trouble {
        Trouble::Lost => return pending(given), // it may still come
        // The refund is made and could not change its state, for one because the provider says that it takes its time.
        Trouble::Refused(code) if code == "REFUND_STATE_TRANSITION_ERROR" => return Stop::LookAgain,
        Trouble::Refused(code) => {
            not_given(plan, given, None, format!("The shop refused the refund: {}.", name_of(&code)))
        }
        Trouble::NotDone(error) => Stop::Error(error),
        Trouble::BrokenOff => unclear(given, broken_off(&plan.text(amount))),
    };
    refund_note::forget(session, plan, number).await;
    told
}

/// Nothing was given, or only a part, which people have to know.
pub(super) fn not_given(plan: &Plan<'_>, given: &[Given], tried: Option<String>, reason: String) -> Stop {
    if given.is_empty() {
        return Stop::Resolved(Resolved::Failed { external_reference: tried, reason });
    }
    unclear(given, format!("Only {} of {} were refunded. {reason}", plan.text(total(given)), plan.text(plan.owed)))
}
