//! Taking units back in the shop: a Medusa return, in five requests. Each request leaves the return in a visible state, so
//! that a later call continues what an earlier one left unfinished, or starts again.

use super::{
    client::MedusaSession,
    money::{Decimal, sum},
    plan::MedusaPlan,
    responses::{Fulfillment, LineCount, Order, Return},
};
use crate::{
    bridge::contract::Item,
    http::Method,
    shops::resolution::{ChangeError, EarlyExit},
};
use domain::stage::Disposition;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// How often the return's state is read. The longest way has five states: an unfinished one withdrawn, created, requested,
/// received, done.
const MAX_READS: usize = 6;
/// How long somebody may work on a change of the order, in seconds. After that, the answer asks people to finish it.
const MAX_CHANGE_SECONDS: i64 = 3_600;
/// The metadata key of our returns.
const MARK: &str = "retour";

const OPEN_CHANGE: &str = "The order has an unfinished return or change in the shop: finish or cancel it there, then try \
    again.";
const NO_LOCATION: &str = "The shop does not report from which location the units were sent, so it cannot take them back: \
    make the return there, then try again.";

/// What the shop took back.
#[derive(Default)]
pub(super) struct TakenBack {
    /// The units that the shop has back, by line.
    units: BTreeMap<String, u32>,
    /// Units that the shop does not take back.
    pub missing: u32,
}

impl TakenBack {
    fn new(plan: &MedusaPlan<'_>, units: BTreeMap<String, u32>) -> Self {
        let kept = kept_items(plan).map(|item| item.quantity).fold(0, u32::saturating_add);
        Self { missing: units.values().copied().fold(kept, u32::saturating_sub), units }
    }
}

/// The items that stay with the merchant.
fn kept_items<'a>(plan: &MedusaPlan<'a>) -> impl Iterator<Item = &'a Item> {
    plan.items.iter().filter(|item| item.disposition != Some(Disposition::ReturnToConsumer))
}

/// Takes back the items that stay with the merchant. Items that go back to the shopper stay sold.
pub(super) async fn take_back(session: &MedusaSession<'_>, plan: &MedusaPlan<'_>) -> Result<TakenBack, EarlyExit> {
    let units = returnable_units(plan);
    let mut is_new = false;
    for _ in 0..MAX_READS {
        match our_return(session, plan).await? {
            None if units.is_empty() => return Ok(TakenBack::new(plan, units)),
            None if is_new => break, // the shop confirmed the return but does not show it
            None => {
                create(session, plan, &units).await?;
                is_new = true;
            }
            Some(open) if open.status == "open" && is_new => request(session, &open, &units).await?,
            // An unfinished return of an earlier call does not show its items: withdraw it and start again.
            Some(open) if open.status == "open" => {
                done(session.change(Method::DELETE, &["returns", &open.id, "request"], json!({})).await)?;
            }
            Some(requested) if requested.status == "requested" => receive(session, plan, &requested, is_new).await?,
            Some(received) => {
                let items = received.items.into_iter().flatten();
                return Ok(TakenBack::new(plan, items.map(|item| (item.item_id, item.quantity)).collect()));
            }
        }
    }
    Err(EarlyExit::pending(&[]))
}

/// This resolution's return. A cancelled one does not count.
async fn our_return(session: &MedusaSession<'_>, plan: &MedusaPlan<'_>) -> Result<Option<Return>, EarlyExit> {
    let is_ours = |one: &Return| {
        let mark = one.metadata.as_ref().and_then(|metadata| metadata.get(MARK));
        mark.and_then(Value::as_str) == Some(&plan.mark) && one.status != "canceled"
    };
    Ok(session.returns(&plan.order.id).await?.into_iter().find(is_ours))
}

/// The units that the shop can take back, by line: those that it counts as delivered and does not have back yet.
fn returnable_units(plan: &MedusaPlan<'_>) -> BTreeMap<String, u32> {
    let mut units = BTreeMap::new();
    for item in kept_items(plan) {
        let line = plan.order.items.iter().find(|line| line.id == item.purchase_id);
        let out = line.map_or(0, |line| line.detail.fulfilled_quantity.saturating_sub(line.detail.returned()));
        let taken: &mut u32 = units.entry(item.purchase_id.clone()).or_default();
        *taken = taken.saturating_add(item.quantity).min(out);
    }
    units.retain(|_, quantity| *quantity > 0);
    units
}

/// Creates a return without items.
async fn create(
    session: &MedusaSession<'_>,
    plan: &MedusaPlan<'_>,
    units: &BTreeMap<String, u32>,
) -> Result<(), EarlyExit> {
    if let Some(change) = session.open_change(&plan.order.id).await? {
        let is_recent = session.now < change.created_at.plus_seconds(MAX_CHANGE_SECONDS);
        return Err(if is_recent { EarlyExit::pending(&[]) } else { EarlyExit::failed(OPEN_CHANGE) });
    }
    // Without a location the shop cannot finish the return.
    let Some(location) = location(&plan.order, units) else { return Err(EarlyExit::failed(NO_LOCATION)) };
    let input = json!({
        "order_id": plan.order.id, "location_id": location, "internal_note": plan.reason,
        "metadata": {(MARK): plan.mark},
    });
    done(session.change(Method::POST, &["returns"], input).await)
}

/// The location that sent the units; the first one, if there are several.
fn location(order: &Order, units: &BTreeMap<String, u32>) -> Option<String> {
    let has_some = |fulfillment: &&Fulfillment| units.keys().any(|line| fulfillment.units(line) > 0);
    let sent = order.fulfillments.iter().flatten().filter(|fulfillment| fulfillment.canceled_at.is_none());
    sent.filter(has_some).find_map(|fulfillment| fulfillment.location_id.clone())
}

/// Adds the items to a return, and confirms the request.
async fn request(session: &MedusaSession<'_>, open: &Return, units: &BTreeMap<String, u32>) -> Result<(), EarlyExit> {
    let steps = [("request-items", items(units)), ("request", json!({"no_notification": true}))];
    for (step, input) in steps {
        done(session.change(Method::POST, &["returns", &open.id, step], input).await)?;
    }
    Ok(())
}

/// Receives a requested return: sellable units go back into stock, the others count as damaged.
async fn receive(
    session: &MedusaSession<'_>,
    plan: &MedusaPlan<'_>,
    requested: &Return,
    is_new: bool,
) -> Result<(), EarlyExit> {
    let path = |step| ["returns", requested.id.as_str(), step];
    if !is_new {
        // An earlier call may have stopped within this step. If it did not, the shop refuses to undo it, which is fine.
        match session.change(Method::DELETE, &path("receive"), json!({})).await {
            Ok(()) | Err(ChangeError::Refused(_)) => {}
            error => return done(error),
        }
    }
    done(session.change(Method::POST, &path("receive"), json!({})).await)?;
    let (mut sellable, mut damaged) = (BTreeMap::new(), BTreeMap::new());
    for item in requested.items.iter().flatten() {
        let restocked = restocked_units(plan, &item.item_id).min(item.quantity);
        sellable.insert(item.item_id.clone(), restocked);
        damaged.insert(item.item_id.clone(), item.quantity - restocked);
    }
    for (step, units) in [("receive-items", sellable), ("dismiss-items", damaged)] {
        let units = units.into_iter().filter(|(_, quantity)| *quantity > 0).collect::<BTreeMap<_, _>>();
        if !units.is_empty() {
            done(session.change(Method::POST, &path(step), items(&units)).await)?;
        }
    }
    let confirm = ["returns", requested.id.as_str(), "receive", "confirm"];
    done(session.change(Method::POST, &confirm, json!({"no_notification": true})).await)
}

/// How many units of a line go back into stock.
fn restocked_units(plan: &MedusaPlan<'_>, line: &str) -> u32 {
    let of_line = plan.items.iter().filter(|item| item.purchase_id == line);
    let sellable = of_line.filter(|item| item.disposition == Some(Disposition::Restock));
    sellable.map(|item| item.quantity).fold(0, u32::saturating_add)
}

fn items(units: &BTreeMap<String, u32>) -> Value {
    let items: Vec<Value> = units.iter().map(|(id, quantity)| json!({"id": id, "quantity": quantity})).collect();
    json!({ "items": items })
}

/// The meaning of a request of these steps. Each of them can be checked and repeated at any time.
fn done(result: Result<(), ChangeError>) -> Result<(), EarlyExit> {
    result.map_err(|error| match error {
        ChangeError::NotDone(error) => EarlyExit::Error(error),
        ChangeError::Crashed | ChangeError::Unknown => EarlyExit::pending(&[]),
        ChangeError::Refused(kind) => EarlyExit::failed(&format!(
            "The shop did not take the units back ({kind}), and nothing was refunded. Check there for an unfinished \
             return or change of the order: finish or cancel it, then try again."
        )),
    })
}

/// Credits the difference if less was refunded than the units had cost, for example because of a fee. Otherwise the shop
/// would show the rest as owed and ask its staff to pay it. A failure is ignored, because the refund is done.
pub(super) async fn balance(session: &MedusaSession<'_>, plan: &MedusaPlan<'_>, order: &Order, taken_back: &TakenBack) {
    let currency = order.currency_code;
    let pending = order.summary.as_ref().and_then(|summary| summary.pending_difference).unwrap_or_default();
    let is_ours = |id: &Option<String>| id.as_ref() == Some(&plan.mark);
    if order.credit_lines.iter().flatten().any(|line| is_ours(&line.reference_id)) {
        return;
    }
    let cost = |line: &LineCount| {
        let units = taken_back.units.get(&line.id).copied().unwrap_or(0);
        line.totals.all().share(Decimal::whole(units), Decimal::whole(line.quantity))
    };
    let kept = sum(order.items.iter().map(cost)).minus(Decimal::from_minor(plan.owed, currency));
    let owed = Decimal::default().minus(pending);
    let amount = kept.min(owed);
    if amount < Decimal::from_minor(1, currency) {
        return;
    }
    let input = json!({
        "amount": Decimal::default().minus(amount).number(), "reference": "retour", "reference_id": plan.mark,
    });
    let _ = session.change(Method::POST, &["orders", &order.id, "credit-lines"], input).await;
}
