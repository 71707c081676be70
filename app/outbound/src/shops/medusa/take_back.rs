//! Taking units back in the shop: a return of Medusa's, in five requests, each of which leaves it in a state that can be
//! seen. What an earlier call left half done is gone on with, or begun anew.

use crate::shops::medusa::{
    client::Session,
    money::Decimal,
    resolve::{Plan, done},
    responses::{LineCount, Order, Parcel, Return},
};
use crate::{
    bridge::contract::Item,
    http::Method,
    shops::resolution::{Stop, Trouble, pending, stop},
};
use domain::stage::Disposition;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// More looks than a return takes that an earlier call had begun: taken back, begun, requested, received, done.
const MOST_LOOKS: usize = 6;
/// How long somebody may be at a change of the order before they are told that it holds something up, seconds.
const BUSY_FOR: i64 = 3_600;
/// What our returns bear in their metadata.
const MARK: &str = "retour";

/// What came of it.
#[derive(Default)]
pub(super) struct Taken {
    /// The units that the shop has back, by line.
    units: BTreeMap<String, u32>,
    /// Units that the shop does not take back.
    pub missing: u32,
}

impl Taken {
    fn new(plan: &Plan<'_>, units: BTreeMap<String, u32>) -> Self {
        let missing = sent_back(plan).map(|item| item.quantity).fold(0, u32::saturating_add);
        Self { missing: units.values().copied().fold(missing, u32::saturating_sub), units }
    }
}

/// What stays with the merchant.
fn sent_back<'a>(plan: &Plan<'a>) -> impl Iterator<Item = &'a Item> {
    plan.items.iter().filter(|item| item.disposition != Some(Disposition::ReturnToConsumer))
}

/// Takes back what the consumer sent. What goes back to them stays theirs.
pub(super) async fn take_back(session: &Session<'_>, plan: &Plan<'_>) -> Result<Taken, Stop> {
    let units = units(plan);
    let mut is_new = false;
    for _ in 0..MOST_LOOKS {
        match ours(session, plan).await? {
            None if units.is_empty() => return Ok(Taken::new(plan, units)),
            None if is_new => break, // it said that it has it, and does not show it
            None => {
                begin(session, plan, &units).await?;
                is_new = true;
            }
            Some(open) if open.status == "open" && is_new => request(session, &open, &units).await?,
            // Its items do not show: begin anew.
            Some(open) if open.status == "open" => {
                done(session.change(Method::DELETE, &["returns", &open.id, "request"], json!({})).await)?;
            }
            Some(requested) if requested.status == "requested" => receive(session, plan, &requested, is_new).await?,
            Some(received) => {
                let items = received.items.into_iter().flatten();
                return Ok(Taken::new(plan, items.map(|item| (item.item_id, item.quantity)).collect()));
            }
        }
    }
    Err(pending(&[]))
}

/// This resolution's return. One that was called off is none.
async fn ours(session: &Session<'_>, plan: &Plan<'_>) -> Result<Option<Return>, Stop> {
    let is_ours = |one: &Return| {
        let mark = one.metadata.as_ref().and_then(|metadata| metadata.get(MARK));
        mark.and_then(Value::as_str) == Some(&plan.mark) && one.status != "canceled"
    };
    Ok(session.returns(&plan.order.id).await?.into_iter().find(is_ours))
}

/// The units that the shop can take back, by line: those that it counts as delivered, and does not have back.
fn units(plan: &Plan<'_>) -> BTreeMap<String, u32> {
    let mut units = BTreeMap::new();
    for item in sent_back(plan) {
        let line = plan.order.items.iter().find(|line| line.id == item.purchase_id);
        let out = line.map_or(0, |line| line.detail.fulfilled_quantity.saturating_sub(line.detail.gone()));
        let taken: &mut u32 = units.entry(item.purchase_id.clone()).or_default();
        *taken = taken.saturating_add(item.quantity).min(out);
    }
    units.retain(|_, quantity| *quantity > 0);
    units
}

async fn begin(session: &Session<'_>, plan: &Plan<'_>, units: &BTreeMap<String, u32>) -> Result<(), Stop> {
    if let Some(change) = session.open_change(&plan.order.id).await? {
        let is_busy = session.now < change.created_at.plus_seconds(BUSY_FOR);
        return Err(if is_busy { pending(&[]) } else { stop(OPEN_CHANGE) });
    }
    // Without it the shop cannot finish the return.
    let Some(location) = location(&plan.order, units) else { return Err(stop(NO_LOCATION)) };
    let input = json!({
        "order_id": plan.order.id, "location_id": location, "internal_note": plan.reason,
        "metadata": {(MARK): plan.mark},
    });
    done(session.change(Method::POST, &["returns"], input).await)
}

const OPEN_CHANGE: &str = "Somebody has begun a return or a change of the order in the shop and not finished it: finish \
    it or take it back there, then try again.";
const NO_LOCATION: &str = "The shop does not say from where the units were sent, so that it cannot take them back: make \
    the return there, then try again.";

/// Where the units were sent from, or the first of them.
fn location(order: &Order, units: &BTreeMap<String, u32>) -> Option<String> {
    let has_some = |parcel: &&Parcel| units.keys().any(|line| parcel.units(line) > 0);
    let sent = order.fulfillments.iter().flatten().filter(|parcel| parcel.canceled_at.is_none());
    sent.filter(has_some).find_map(|parcel| parcel.location_id.clone())
}

async fn request(session: &Session<'_>, open: &Return, units: &BTreeMap<String, u32>) -> Result<(), Stop> {
    let steps = [("request-items", items(units)), ("request", json!({"no_notification": true}))];
    for (step, input) in steps {
        done(session.change(Method::POST, &["returns", &open.id, step], input).await)?;
    }
    Ok(())
}

/// Takes in what was requested: what is sold again goes back into stock, all else counts as damaged.
async fn receive(session: &Session<'_>, plan: &Plan<'_>, requested: &Return, is_new: bool) -> Result<(), Stop> {
    let path = |step| ["returns", requested.id.as_str(), step];
    if !is_new {
        // An earlier call may have broken off in the middle of it; if not, the shop says that there is nothing to undo.
        match session.change(Method::DELETE, &path("receive"), json!({})).await {
            Ok(()) | Err(Trouble::Refused(_)) => {}
            trouble => return done(trouble),
        }
    }
    done(session.change(Method::POST, &path("receive"), json!({})).await)?;
    let (mut sold, mut damaged) = (BTreeMap::new(), BTreeMap::new());
    for item in requested.items.iter().flatten() {
        let restocked = restocked(plan, &item.item_id).min(item.quantity);
        sold.insert(item.item_id.clone(), restocked);
        damaged.insert(item.item_id.clone(), item.quantity - restocked);
    }
    for (step, units) in [("receive-items", sold), ("dismiss-items", damaged)] {
        let units = units.into_iter().filter(|(_, quantity)| *quantity > 0).collect::<BTreeMap<_, _>>();
        if !units.is_empty() {
            done(session.change(Method::POST, &path(step), items(&units)).await)?;
        }
    }
    let confirm = ["returns", requested.id.as_str(), "receive", "confirm"];
    done(session.change(Method::POST, &confirm, json!({"no_notification": true})).await)
}

/// How many units of a line are sold again.
fn restocked(plan: &Plan<'_>, line: &str) -> u32 {
    let own = plan.items.iter().filter(|item| item.purchase_id == line);
    let sold = own.filter(|item| item.disposition == Some(Disposition::Restock));
    sold.map(|item| item.quantity).fold(0, u32::saturating_add)
}

fn items(units: &BTreeMap<String, u32>) -> Value {
    let items: Vec<Value> = units.iter().map(|(id, quantity)| json!({"id": id, "quantity": quantity})).collect();
    json!({ "items": items })
}

/// Tells the shop that it owes nothing more where less was refunded than the units had cost, for one after a fee: it would
/// ask its people for the rest. Left out rather than to hold anything up.
pub(super) async fn balance(session: &Session<'_>, plan: &Plan<'_>, order: &Order, taken: &Taken) {
    let currency = order.currency_code;
    let pending = order.summary.as_ref().and_then(|summary| summary.pending_difference).unwrap_or_default();
    let is_ours = |id: &Option<String>| id.as_ref() == Some(&plan.mark);
    if order.credit_lines.iter().flatten().any(|line| is_ours(&line.reference_id)) {
        return;
    }
    let cost = |line: &LineCount| {
        let units = taken.units.get(&line.id).copied().unwrap_or(0);
        line.totals.all().share(Decimal::whole(units), Decimal::whole(line.quantity))
    };
    let kept = super::money::sum(order.items.iter().map(cost)).minus(Decimal::from_minor(plan.owed, currency));
    let owes = Decimal::default().minus(pending);
    let amount = kept.min(owes);
    if amount < Decimal::from_minor(1, currency) {
        return;
    }
    let input = json!({
        "amount": Decimal::default().minus(amount).number(), "reference": "retour", "reference_id": plan.mark,
    });
    let _ = session.change(Method::POST, &["orders", &order.id, "credit-lines"], input).await;
}
