//! Refunding what is owed, once: see [`super::begun`].

use super::{
    begun::{self, Attempt, Record},
    client::{MutationError, ShopifySession},
    documents::REFUND_ONCE,
    duties::DutyRefund,
    order_state::{Refund, RefundPayload, RefundResponse, UserError},
    plan::ShopifyPlan,
    refund_input::refund_input,
};
use crate::{
    bridge::{may_be_in_flight, one_line},
    shops::resolution::{EarlyExit, IssuedRefund, total_refunded, unseen_refund},
};
use serde_json::json;
use std::time::Duration;

/// No refund begins with less time than this: its answer would be lost.
const LEAST_TIME_TO_REFUND: Duration = Duration::from_secs(4);
pub(super) const UNEXPLAINED: &str = "Shopify shows a refund of this return without an amount. Look at the order and at the customer's store \
    credit, and carry out the resolution by hand.";
const DECLINED: &str = "A payment provider refused a part of the refund: see the order in Shopify.";

// Shopify's answers about idempotency keys. `refundCreate` has no codes for them, only these sentences.
const IN_PROGRESS: &str = "currently in progress";
const ATTEMPT_FAILED: &str = "previous request with this idempotency key failed";
const OTHER_INPUT: &str = "different operation parameters";

/// Refunds what has not been refunded yet. Returns all refunds of this resolution, including earlier ones.
pub(super) async fn refund(
    session: &ShopifySession<'_>,
    plan: &ShopifyPlan<'_>,
) -> Result<Vec<IssuedRefund>, EarlyExit> {
    let refunds: Vec<IssuedRefund> = plan.our_refunds().map(issued).collect();
    let rest = plan.owed.saturating_sub(total_refunded(&refunds));
    if rest < 0 {
        return Err(too_much(plan, &refunds));
    }
    if rest == 0 {
        return all_arrived(refunds, plan.our_refunds().any(Refund::is_pending));
    }
    if plan.our_refunds().any(Refund::is_unexplained) {
        return Err(EarlyExit::unclear(&refunds, UNEXPLAINED.to_owned()));
    }
    match begun::open_attempt(plan) {
        None => begin(session, plan, refunds, rest).await,
        Some(attempt) if refunds.len() > attempt.refunds_before => {
            begun::end(session, plan, &attempt).await;
            Err(plan.not_refunded(&refunds, DECLINED))
        }
        Some(attempt) if attempt.can_be_repeated(session.now) => {
            check_rest(session, plan, &refunds, &attempt).await?;
            check_time(session, &refunds)?;
            send(session, plan, refunds, &attempt, IsFirst::No).await
        }
        Some(attempt) => {
            begun::end(session, plan, &attempt).await;
            Err(EarlyExit::unclear(&refunds, unseen_refund(&plan.text(rest))))
        }
    }
}

/// Stops before an attempt is repeated whose shipping costs or duties somebody has refunded since: unlike units, Shopify would refund
/// their amount again.
async fn check_rest(
    session: &ShopifySession<'_>,
    plan: &ShopifyPlan<'_>,
    refunds: &[IssuedRefund],
    attempt: &Attempt,
) -> Result<(), EarlyExit> {
    match plan.check_shipping().and_then(|()| DutyRefund::of(plan)) {
        Err(_) if refunds.is_empty() && may_be_in_flight(attempt.began_at, session.now) => {
            Err(EarlyExit::pending(refunds))
        }
        Err(reason) if refunds.is_empty() => {
            begun::end(session, plan, attempt).await;
            Err(EarlyExit::unclear(refunds, reason))
        }
        Ok(_) | Err(_) => Ok(()),
    }
}

/// Whether an attempt is sent for the first time.
#[derive(Clone, Copy, PartialEq, Eq)]
enum IsFirst {
    Yes,
    No,
}

/// Begins another attempt.
async fn begin(
    session: &ShopifySession<'_>,
    plan: &ShopifyPlan<'_>,
    refunds: Vec<IssuedRefund>,
    rest: i64,
) -> Result<Vec<IssuedRefund>, EarlyExit> {
    let input = refund_input(session, plan, &refunds, rest).await?;
    let attempt = Attempt::new(plan, input, session.now);
    check_time(session, &refunds)?;
    match begun::remember(session, plan, &Record::Begun(attempt.clone())).await {
        Ok(()) => {}
        Err(MutationError::NotDone(error)) => return Err(EarlyExit::Error(error)),
        Err(MutationError::Unknown) => return Err(EarlyExit::pending(&refunds)),
    }
    check_time(session, &refunds)?;
    send(session, plan, refunds, &attempt, IsFirst::Yes).await
}

/// Stops if the answer to a request might come too late. The next call continues.
pub(super) fn check_time(session: &ShopifySession<'_>, refunds: &[IssuedRefund]) -> Result<(), EarlyExit> {
    if session.time_left().is_some_and(|left| left >= LEAST_TIME_TO_REFUND) {
        return Ok(());
    }
    Err(EarlyExit::pending(refunds))
}

/// Sends an attempt, which Shopify carries out once however often it is sent.
async fn send(
    session: &ShopifySession<'_>,
    plan: &ShopifyPlan<'_>,
    mut refunds: Vec<IssuedRefund>,
    attempt: &Attempt,
    is_first: IsFirst,
) -> Result<Vec<IssuedRefund>, EarlyExit> {
    let variables = json!({"input": attempt.input, "key": attempt.key(plan)});
    let response: RefundResponse = match session.mutate(REFUND_ONCE, &variables).await {
        Ok(response) => response,
        Err(MutationError::Unknown) => return Err(EarlyExit::pending(&refunds)),
        Err(MutationError::NotDone(error)) => {
            if is_first == IsFirst::Yes {
                begun::end(session, plan, attempt).await;
            }
            return Err(EarlyExit::Error(error));
        }
    };
    match response.refund_create {
        Some(RefundPayload { refund: Some(refund), .. }) => {
            let (is_pending, is_unexplained) = (refund.is_pending(), refund.is_unexplained());
            refunds.push(issued(&refund));
            let rest = plan.owed.saturating_sub(total_refunded(&refunds));
            if rest == 0 {
                return all_arrived(refunds, is_pending);
            }
            begun::end(session, plan, attempt).await;
            if is_unexplained {
                return Err(EarlyExit::unclear(&refunds, UNEXPLAINED.to_owned()));
            }
            Err(if rest < 0 { too_much(plan, &refunds) } else { plan.not_refunded(&refunds, DECLINED) })
        }
        Some(RefundPayload { refund: None, user_errors }) if !user_errors.is_empty() => {
            Err(refused(session, plan, &refunds, attempt, &user_errors).await)
        }
        _ => Err(EarlyExit::pending(&refunds)), // no answer that we know: the next call reads the order
    }
}

/// The meaning of a refund that Shopify refused.
async fn refused(
    session: &ShopifySession<'_>,
    plan: &ShopifyPlan<'_>,
    refunds: &[IssuedRefund],
    attempt: &Attempt,
    errors: &[UserError],
) -> EarlyExit {
    let said = |words: &str| errors.iter().any(|error| error.message.contains(words));
    if said(IN_PROGRESS) {
        return EarlyExit::pending(refunds);
    }
    begun::end(session, plan, attempt).await;
    if said(ATTEMPT_FAILED) {
        return EarlyExit::StateChanged; // nothing was refunded: begin another attempt
    }
    if said(OTHER_INPUT) {
        return EarlyExit::unclear(refunds, unseen_refund(&plan.text(plan.owed)));
    }
    let messages: Vec<&str> = errors.iter().map(|error| error.message.as_str()).collect();
    plan.not_refunded(refunds, &one_line(&format!("Shopify refused the refund: {}", messages.join(" "))))
}

/// All is refunded: the result, unless a payment provider is still working on it.
pub(super) fn all_arrived(refunds: Vec<IssuedRefund>, is_pending: bool) -> Result<Vec<IssuedRefund>, EarlyExit> {
    if is_pending { Err(EarlyExit::pending(&refunds)) } else { Ok(refunds) }
}

pub(super) fn too_much(plan: &ShopifyPlan<'_>, refunds: &[IssuedRefund]) -> EarlyExit {
    let (refunded, owed) = (plan.text(total_refunded(refunds)), plan.text(plan.owed));
    let reason = format!("{refunded} were refunded instead of {owed}: look at the order in Shopify.");
    EarlyExit::unclear(refunds, reason)
}

pub(super) fn issued(refund: &Refund) -> IssuedRefund {
    IssuedRefund { id: refund.number().to_owned(), amount: refund.amount() }
}
