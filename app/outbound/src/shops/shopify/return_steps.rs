//! What has to be done next, so that a return in Shopify agrees with ours.

use super::{
    client::ShopifySession,
    documents::RETURNABLE,
    responses::Nodes,
    restock::Places,
    return_asked::{
        MirroredDecision, MirroredItem, MirroredReturn, NextStep, ReturnChange, ReturnComparison, ReturnStatus,
        ReturnStep,
    },
    return_exchange,
    return_view::{self, FulfilledUnits, ReturnView},
};
use crate::{bridge::BridgeError, shops::text::is_web_url};
use serde::Deserialize;
use serde_json::{Value, json};

/// The most characters of a note to a line. Shopify allows 255 from staff and 300 from customers.
const NOTE_CHARS: usize = 255;
const ORDER_ID: &str = "gid://shopify/Order/";
const RESTOCKED: &str = "RESTOCKED";
const NOT_RESTOCKED: &str = "NOT_RESTOCKED";
const MISSING: &str = "MISSING";

/// The response to `RETURNABLE`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ReturnableResponse {
    returnable_fulfillments: Nodes<ReturnableFulfillment>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ReturnableFulfillment {
    returnable_fulfillment_line_items: Nodes<ReturnableUnits>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ReturnableUnits {
    quantity: u32,
    fulfillment_line_item: FulfilledUnits,
}

/// Units with a disposition that Shopify does not show yet.
struct Disposal<'a> {
    reverse_line: &'a str,
    line_item: &'a str,
    kind: &'static str,
    quantity: u32,
}

/// See [`super::Shopify::compare_return`].
pub(super) async fn compare(
    session: &ShopifySession<'_>,
    asked: &MirroredReturn,
) -> Result<ReturnComparison, BridgeError> {
    let id = match &asked.external_id {
        Some(id) => Some(id.clone()),
        None => return_view::find_ours(session, &asked.order_id, &asked.return_order_number).await?,
    };
    let Some(id) = id else {
        return Ok(ReturnComparison { external_id: None, status: None, next: first_step(session, asked).await? });
    };
    let Some(view) = return_view::read(session, &id).await? else {
        return Err(BridgeError::bad_field("data.return", "expected the return: the shop no longer shows it"));
    };
    let status = view.status()?;
    let next = match status {
        ReturnStatus::Requested => on_request(asked, &view).map_or(NextStep::Nothing, NextStep::Step),
        ReturnStatus::Open => on_open(session, asked, &view).await?.map_or(NextStep::Nothing, NextStep::Step),
        ReturnStatus::Closed | ReturnStatus::Cancelled | ReturnStatus::Declined => NextStep::Nothing,
    };
    Ok(ReturnComparison { external_id: Some(view.id), status: Some(status), next })
}

fn step(change: ReturnChange, variables: Value) -> ReturnStep {
    ReturnStep { change, variables }
}

/// Makes the return, unless nothing comes back.
async fn first_step(session: &ShopifySession<'_>, asked: &MirroredReturn) -> Result<NextStep, BridgeError> {
    if !asked.order_id.starts_with(ORDER_ID) {
        return Ok(NextStep::Impossible("The order has no id of Shopify.".to_owned()));
    }
    let coming: Vec<&MirroredItem> =
        asked.items.iter().filter(|item| item.decision != MirroredDecision::Refused).collect();
    if coming.is_empty() {
        return Ok(NextStep::Nothing);
    }
    let is_request = coming.iter().any(|item| item.decision == MirroredDecision::Open);
    if is_request && coming.iter().any(|item| item.exchange_sku.is_some()) {
        return Ok(NextStep::Nothing); // a request cannot have exchange lines, so the return waits for the decision
    }
    let response: ReturnableResponse = session.query(RETURNABLE, json!({"order": asked.order_id})).await?;
    let fulfillments = response.returnable_fulfillments.nodes;
    let sent: Vec<ReturnableUnits> =
        fulfillments.into_iter().flat_map(|one| one.returnable_fulfillment_line_items.nodes).collect();
    let mut lines = Vec::new();
    for item in &coming {
        let mut rest = item.quantity;
        for units in sent.iter().filter(|units| units.fulfillment_line_item.line_item.id == item.purchase_id) {
            let quantity = units.quantity.min(rest);
            if quantity > 0 {
                rest -= quantity;
                lines.push(line_input(&asked.return_order_number, item, units, quantity, is_request));
            }
        }
        if rest > 0 {
            return Ok(NextStep::Impossible(format!(
                "In Shopify, {} of the {} units cannot be returned: they were not sent, or are part of another return \
                 there. Retour refunds without a return there.",
                rest, item.quantity
            )));
        }
    }
    let mut input = json!({"orderId": asked.order_id, "returnLineItems": lines});
    if is_request {
        return Ok(NextStep::Step(step(ReturnChange::Request, json!({"input": input}))));
    }
    let exchanged = return_exchange::lines_to_make(session, &coming).await?;
    if !exchanged.is_empty()
        && let Some(fields) = input.as_object_mut()
    {
        fields.insert("exchangeLineItems".to_owned(), json!(exchanged));
    }
    Ok(NextStep::Step(step(ReturnChange::Create, json!({"input": input}))))
}

/// A line of the return to make. A request has no note of staff, but one of the customer; and Shopify wants a note with the
/// reason "other".
fn line_input(number: &str, item: &MirroredItem, units: &ReturnableUnits, quantity: u32, is_request: bool) -> Value {
    let note: String = format!("{number}: {}", item.reason.trim()).chars().take(NOTE_CHARS).collect();
    let (reason, field) = if is_request { ("UNKNOWN", "customerNote") } else { ("OTHER", "returnReasonNote") };
    let id = &units.fulfillment_line_item.id;
    json!({"fulfillmentLineItemId": id, "quantity": quantity, "returnReason": reason, field: note})
}

/// Approves or declines a request, once everything is decided.
fn on_request(asked: &MirroredReturn, view: &ReturnView) -> Option<ReturnStep> {
    let is = |decision: MirroredDecision| asked.items.iter().any(|item| item.decision == decision);
    if is(MirroredDecision::Open) {
        return None;
    }
    if is(MirroredDecision::Approved) {
        return Some(step(ReturnChange::Approve, json!({"input": {"id": view.id}})));
    }
    Some(step(ReturnChange::Decline, json!({"input": {"id": view.id, "declineReason": "OTHER"}})))
}

/// Adds parcels, then dispositions; then ends the return.
async fn on_open(
    session: &ShopifySession<'_>,
    asked: &MirroredReturn,
    view: &ReturnView,
) -> Result<Option<ReturnStep>, BridgeError> {
    let is_refused = asked.items.iter().all(|item| item.decision == MirroredDecision::Refused);
    if is_refused && !view.is_touched() {
        return Ok(Some(step(ReturnChange::Cancel, json!({"id": view.id}))));
    }
    if let Some(added) = add_parcel(asked, view) {
        return Ok(Some(added));
    }
    let disposals: Vec<Disposal<'_>> = asked.items.iter().flat_map(|item| disposals(item, view)).collect();
    if !disposals.is_empty() {
        let is_restocked = disposals.iter().any(|one| one.kind == RESTOCKED);
        let places = if is_restocked { Places::read(session, &asked.order_id).await? } else { Places::default() };
        let inputs: Vec<Value> = disposals.iter().map(|one| disposal_input(one, &places)).collect();
        return Ok(Some(step(ReturnChange::Dispose, json!({"inputs": inputs}))));
    }
    let is_over = asked.items.iter().all(|item| item.is_over);
    Ok(is_over.then(|| step(ReturnChange::Close, json!({"id": view.id}))))
}

fn add_parcel(asked: &MirroredReturn, view: &ReturnView) -> Option<ReturnStep> {
    if view.may_have_more_parcels() {
        return None;
    }
    let missing = asked.parcels.iter().find(|parcel| !view.has_parcel(&parcel.tracking_number))?;
    let place = view.reverse_fulfillment_orders.nodes.iter().find(|order| order.is_open())?;
    let url = Some(&missing.tracking_url).filter(|url| is_web_url(url));
    let tracking = json!({"number": missing.tracking_number, "url": url});
    Some(step(ReturnChange::AddParcel, json!({"order": place.id, "tracking": tracking})))
}

/// The dispositions of an item's units, less those that Shopify shows already, of any kind.
fn disposals<'a>(item: &'a MirroredItem, view: &'a ReturnView) -> Vec<Disposal<'a>> {
    let lines: Vec<_> = view.reverse_lines(&item.purchase_id).collect();
    let wanted =
        [(RESTOCKED, item.units.restocked), (NOT_RESTOCKED, item.units.not_restocked), (MISSING, item.units.missing)];
    let mut planned: Vec<Disposal<'a>> = Vec::new();
    let shown = lines.iter().map(|(line, _)| line.disposed()).fold(0, u32::saturating_add);
    let in_all = wanted.iter().map(|(_, units)| *units).fold(0, u32::saturating_add);
    let mut rest = in_all.saturating_sub(shown);
    for (kind, units) in wanted {
        let known = lines.iter().flat_map(|(line, _)| &line.dispositions).filter(|one| one.kind == kind);
        let known = known.map(|one| one.quantity).fold(0, u32::saturating_add);
        let mut missing = units.saturating_sub(known).min(rest);
        for (line, _) in lines.iter().filter(|(_, is_open)| *is_open) {
            let taken = planned.iter().filter(|one| one.reverse_line == line.id).map(|one| one.quantity);
            let free = line.total_quantity.saturating_sub(line.disposed()).saturating_sub(taken.sum::<u32>());
            let quantity = free.min(missing);
            if quantity > 0 {
                missing -= quantity;
                rest -= quantity;
                planned.push(Disposal { reverse_line: &line.id, line_item: &item.purchase_id, kind, quantity });
            }
        }
    }
    planned
}

/// Without a known place, units do not go back into stock.
fn disposal_input(one: &Disposal<'_>, places: &Places) -> Value {
    let place = places.of_line(one.line_item).filter(|_| one.kind == RESTOCKED);
    let kind = if one.kind == RESTOCKED && place.is_none() { NOT_RESTOCKED } else { one.kind };
    json!({
        "reverseFulfillmentOrderLineItemId": one.reverse_line, "quantity": one.quantity, "dispositionType": kind,
        "locationId": place,
    })
}
