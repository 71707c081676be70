//! Refunding what is owed, or sending an exchange, by processing units of a return, once.
//!
//! Shopify's `returnProcess` takes no idempotency key, but a unit of a return can be processed once. So we read the return
//! before each request: if units of the item were processed, by us or by staff, the refunds that contain them are the result, and the
//! units that were sent instead. A
//! request without an answer is not repeated before [`super::IN_FLIGHT_LIMIT`] has passed, so that no two are executed at the same
//! time. The order's metafield says when the latest began ([`begun`]).

use super::{
    begun::{self, Attempt, Record},
    client::{MutationError, ShopifySession},
    documents::PROCESS_RETURN,
    duties::DutyRefund,
    order_state::Refund,
    plan::ShopifyPlan,
    refund::{UNEXPLAINED, all_arrived, check_time, issued, too_much},
    resolve,
    return_asked::ReturnStatus,
    return_changes::{ChangeResponse, refusal},
    return_exchange::Exchange,
    return_view::{self, ReturnView},
};
use crate::{
    bridge::{BridgeError, Resolved, contract::ResolveReturn, may_be_in_flight, one_line},
    shops::resolution::{EarlyExit, IssuedRefund, failed, refund_ids, run_steps, total_refunded},
};
use domain::policy::Resolution;
use serde_json::{Value, json};

const GONE: &str = "Shopify no longer has the return. Look at the order there, and carry out the resolution by hand.";
const NOT_THERE: &str = "The return was cancelled or declined in Shopify, so nothing can be exchanged there. Place the new order and carry \
    out the resolution by hand.";
const GIFT: &str = "Shopify sends exchanges to the buyer of an order: send the recipient of the gift the item by hand.";
const CLOSED: &str =
    "The return was closed in Shopify. Open it again there and try again, or carry out the resolution by hand.";

/// See [`super::Shopify::resolve_mirrored_return`].
pub(super) async fn resolve(
    session: &ShopifySession<'_>,
    asked: &ResolveReturn,
    return_id: &str,
) -> Result<Resolved, BridgeError> {
    if let Some(reason) = unsupported(asked) {
        return Ok(failed(reason));
    }
    run_steps(|| steps(session, asked, return_id)).await
}

/// Why a person has to settle a resolution.
fn unsupported(asked: &ResolveReturn) -> Option<&'static str> {
    match asked.kind {
        Resolution::Refund | Resolution::StoreCredit => resolve::unsupported(asked),
        Resolution::Exchange => asked.gift_recipient_email.as_ref().map(|_| GIFT),
    }
}

/// The name of the metafield of a resolution. Refunds without a return have another one.
fn record_key(asked: &ResolveReturn) -> String {
    format!("process_{}", asked.transaction_id.simple())
}

async fn steps(session: &ShopifySession<'_>, asked: &ResolveReturn, return_id: &str) -> Result<Resolved, EarlyExit> {
    let plan = ShopifyPlan::new(session, asked, &record_key(asked)).await?;
    let Some(view) = return_view::read(session, return_id).await? else { return Err(EarlyExit::failed(GONE)) };
    let is_begun = begun::open_attempt(&plan).is_some_and(|attempt| may_be_in_flight(attempt.began_at, session.now));
    let exchange = Exchange::of(session, asked, &view).await?;
    let exchange = exchange.as_ref();
    if is_processed(&plan, &view) {
        return conclude(&plan, &view, exchange, is_begun);
    }
    if is_begun {
        return Err(EarlyExit::pending(&[]));
    }
    match view.status()? {
        // Such a return stays as it is, so no unit of it is processed any more.
        ReturnStatus::Cancelled | ReturnStatus::Declined if exchange.is_some() => {
            return Err(EarlyExit::failed(NOT_THERE));
        }
        ReturnStatus::Cancelled | ReturnStatus::Declined => return Box::pin(resolve::steps(session, asked)).await,
        _ if plan.our_refunds().next().is_some() => return conclude(&plan, &view, exchange, is_begun),
        // It waits for the approval that we have given here.
        ReturnStatus::Requested => return Err(EarlyExit::pending(&[])),
        ReturnStatus::Closed | ReturnStatus::Open if plan.owed == 0 && exchange.is_none() => {}
        ReturnStatus::Closed => return Err(EarlyExit::failed(CLOSED)),
        ReturnStatus::Open => return process(session, &plan, &view, exchange).await,
    }
    Ok(Resolved::Completed { external_reference: None })
}

/// Whether units of the items were processed or refunded by the return.
fn is_processed(plan: &ShopifyPlan<'_>, view: &ReturnView) -> bool {
    plan.asked.items.iter().any(|item| {
        let line = &item.purchase_id;
        view.lines_of(line).any(|line| line.processed > 0) || view.refunds_of(line).next().is_some()
    })
}

/// The result of units that are processed: their refunds, and what was sent instead.
fn conclude(
    plan: &ShopifyPlan<'_>,
    view: &ReturnView,
    exchange: Option<&Exchange<'_>>,
    is_begun: bool,
) -> Result<Resolved, EarlyExit> {
    let of_items: Vec<&str> = plan.asked.items.iter().flat_map(|item| view.refunds_of(&item.purchase_id)).collect();
    let is_result = |refund: &&Refund| plan.is_ours(refund) || of_items.contains(&refund.id.as_str());
    let refunds: Vec<&Refund> = plan.order.refunds.iter().filter(is_result).collect();
    let is_pending = refunds.iter().any(|refund| refund.is_pending());
    let is_unexplained = refunds.iter().any(|refund| refund.is_unexplained());
    let refunds: Vec<IssuedRefund> = refunds.into_iter().map(issued).collect();
    let refunded = total_refunded(&refunds);
    if refunded > plan.owed {
        return Err(too_much(plan, &refunds));
    }
    if refunded == plan.owed {
        let refunds = all_arrived(refunds, is_pending)?;
        let not_sent = exchange.filter(|exchange| !exchange.is_sent(begun::open_attempt(plan).as_ref()));
        return match not_sent {
            None => Ok(Resolved::Completed { external_reference: reference(&refunds, view, exchange) }),
            Some(_) if is_begun => Err(EarlyExit::pending(&refunds)),
            Some(exchange) => Err(EarlyExit::unclear(&refunds, exchange.not_sent())),
        };
    }
    if is_pending || is_begun {
        return Err(EarlyExit::pending(&refunds));
    }
    if is_unexplained {
        return Err(EarlyExit::unclear(&refunds, UNEXPLAINED.to_owned()));
    }
    let (refunded, owed) = (plan.text(refunded), plan.text(plan.owed));
    let reason = format!(
        "In Shopify, units of this return were processed and {refunded} of {owed} were refunded. Look at the return there, and \
         carry out the rest by hand."
    );
    Err(EarlyExit::unclear(&refunds, reason))
}

/// The refunds by their numbers, and the return of an exchange by its name: it shows what was sent. Fulfilments of the exchange by
/// their names.
fn reference(refunds: &[IssuedRefund], view: &ReturnView, exchange: Option<&Exchange<'_>>) -> Option<String> {
    let ids = refund_ids(refunds);
    let Some(exchange) = exchange else { return ids };
    let name = std::iter::once(one_line(&view.name));
    let parts = name.chain(exchange.fulfilments().iter().map(|name| one_line(name))).chain(ids);
    Some(parts.collect::<Vec<_>>().join(", "))
}

/// Processes the units, refunds what is owed and sends an exchange. The steps then run again, and read the result.
async fn process(
    session: &ShopifySession<'_>,
    plan: &ShopifyPlan<'_>,
    view: &ReturnView,
    exchange: Option<&Exchange<'_>>,
) -> Result<Resolved, EarlyExit> {
    let (lines, exchanged) =
        (lines_to_process(plan, view)?, exchange.map_or(Ok(Vec::new()), Exchange::lines_to_process)?);
    if let Some(exchange) = exchange {
        exchange.check_even(session, plan, view, &lines, &exchanged).await?;
    }
    plan.check_shipping().map_err(|reason| EarlyExit::failed(&reason))?;
    let duties = DutyRefund::of(plan).map_err(|reason| EarlyExit::failed(&reason))?;
    let input = process_input(plan, view, &lines, &exchanged, &duties)?;
    let attempt = Attempt::new(plan, input, session.now);
    check_time(session, &[])?;
    match begun::remember(session, plan, &Record::Begun(attempt.clone())).await {
        Ok(()) => {}
        Err(MutationError::NotDone(error)) => return Err(EarlyExit::Error(error)),
        Err(MutationError::Unknown) => return Err(EarlyExit::pending(&[])),
    }
    check_time(session, &[])?;
    let response: ChangeResponse = match session.mutate(PROCESS_RETURN, &json!({"input": attempt.input})).await {
        Ok(response) => response,
        Err(MutationError::Unknown) => return Err(EarlyExit::pending(&[])),
        Err(MutationError::NotDone(error)) => {
            begun::end(session, plan, &attempt).await;
            return Err(EarlyExit::Error(error));
        }
    };
    let Some(payload) = response.done else { return Err(EarlyExit::pending(&[])) };
    if payload.user_errors.is_empty() {
        return Err(EarlyExit::StateChanged);
    }
    // An error beside an effect would leave processed units.
    let is_untouched = return_view::read(session, &view.id).await?.is_some_and(|now| !is_processed(plan, &now));
    if !is_untouched {
        return Err(EarlyExit::pending(&[]));
    }
    begun::end(session, plan, &attempt).await;
    let what = if exchange.is_some() { "the exchange" } else { "the refund" };
    Err(plan.not_refunded(&[], &refusal(what, &payload.user_errors)))
}

/// The lines of the return with exactly the units of the items.
fn lines_to_process(plan: &ShopifyPlan<'_>, view: &ReturnView) -> Result<Vec<Value>, EarlyExit> {
    plan.check_units()?;
    let mut lines = Vec::new();
    for item in &plan.asked.items {
        let mut rest = item.quantity;
        for line in view.lines_of(&item.purchase_id) {
            let quantity = line.quantity.min(rest);
            if quantity > 0 {
                rest -= quantity;
                lines.push(json!({"id": line.id, "quantity": quantity}));
            }
        }
        if rest > 0 {
            let reason =
                "The return in Shopify has fewer units than are to be refunded. Carry out the resolution by hand.";
            return Err(EarlyExit::failed(reason));
        }
    }
    Ok(lines)
}

/// The `ReturnProcessInput`: these lines, and exactly what is owed.
fn process_input(
    plan: &ShopifyPlan<'_>,
    view: &ReturnView,
    lines: &[Value],
    exchanged: &[Value],
    duties: &DutyRefund,
) -> Result<Value, EarlyExit> {
    let mut input = json!({
        "returnId": view.id, "returnLineItems": lines, "exchangeLineItems": exchanged, "note": format!("{}{}", plan.reason, duties.note),
        "notifyCustomer": false,
    });
    if plan.owed == 0 {
        return Ok(input);
    }
    let shares = plan.shares(plan.owed, &[])?;
    let money =
        |minor: i64| json!({"amount": plan.decimal(minor), "currencyCode": plan.order.presentment_currency_code});
    // Store credit is limited by the payments, too: it takes the place of the money.
    let (payments, credits) = if plan.is_store_credit() {
        (Vec::new(), vec![json!({"storeCreditRefund": {"amount": money(plan.owed)}})])
    } else {
        let payments =
            shares.iter().map(|share| json!({"parentId": share.payment.id, "transactionAmount": money(share.amount)}));
        (payments.collect(), Vec::new())
    };
    let shipping = plan.shipping();
    if let Some(fields) = input.as_object_mut() {
        let refund = json!({"issueRefund": {"orderTransactions": payments, "refundMethods": credits}});
        fields.insert("financialTransfer".to_owned(), refund);
        if !duties.inputs.is_empty() {
            fields.insert("refundDuties".to_owned(), json!(duties.inputs));
        }
        if shipping > 0 {
            fields.insert("refundShipping".to_owned(), json!({"shippingRefundAmount": money(shipping)}));
        }
    }
    Ok(input)
}
