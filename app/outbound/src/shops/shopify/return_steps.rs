//! What has to be done next, so that a return in Shopify agrees with ours.

use super::{
    client::ShopifySession,
    documents::RETURNABLE,
    look_up,
    responses::Nodes,
    return_asked::{
        MirroredDecision, MirroredItem, MirroredParcel, MirroredReturn, NextStep, ReturnChange, ReturnComparison,
        ReturnStatus, ReturnStep,
    },
    return_disposal, return_exchange,
    return_units::UnitsInReturns,
    return_view::{self, FulfilledUnits, ReturnView},
};
use crate::{bridge::BridgeError, shops::text::is_web_url};
use serde::Deserialize;
use serde_json::{Value, json};

/// The most characters of a note to a line. Shopify allows 255 from staff and 300 from customers.
const NOTE_CHARS: usize = 255;
const ORDER_ID: &str = "gid://shopify/Order/";
/// The name of a cancellation among the parts of a step.
pub(super) const CANCEL: &str = "cancel";
/// The most lines, and the most exchange lines, of a return that [`return_view::read`] reads.
const MOST_LINES: usize = 100;
const MOST_EXCHANGE_LINES: usize = 50;

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

/// An order of the shop, with a line that can be returned.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReturnableLine {
    /// Shopify's id of the order.
    pub order_id: String,
    /// What people call the order's number.
    pub order_name: String,
    /// Shopify's id of a line with a sent unit that no return has; `None` if there is none.
    pub line_id: Option<String>,
}

/// See [`super::Shopify::compare_return`].
pub(super) async fn compare(
    session: &ShopifySession<'_>,
    asked: &MirroredReturn,
) -> Result<ReturnComparison, BridgeError> {
    let found = match &asked.external_id {
        Some(id) => match return_view::read(session, id).await? {
            None => {
                return Err(BridgeError::bad_field("data.return", "expected the return: the shop no longer shows it"));
            }
            found => found,
        },
        None => find_ours(session, asked).await?,
    };
    let Some(view) = found else {
        let next = first_step(session, asked).await?;
        return Ok(ReturnComparison { external_id: None, status: None, is_processed: false, next });
    };
    let status = view.status()?;
    let next = match status {
        ReturnStatus::Requested => on_request(asked, &view).map_or(NextStep::Nothing, NextStep::Step),
        ReturnStatus::Open => on_open(session, asked, &view).await?.map_or(NextStep::Nothing, NextStep::Step),
        ReturnStatus::Closed | ReturnStatus::Cancelled | ReturnStatus::Declined => NextStep::Nothing,
    };
    let is_processed = view.is_processed();
    Ok(ReturnComparison { external_id: Some(view.id), status: Some(status), is_processed, next })
}

/// Our return among those that name our number. Others may name it, too: shoppers write notes for returns that they request in
/// Shopify, and such a request of other items must not be approved with ours.
async fn find_ours(session: &ShopifySession<'_>, asked: &MirroredReturn) -> Result<Option<ReturnView>, BridgeError> {
    let named = return_view::named(session, &asked.order_id, &asked.return_order_number).await?;
    for id in &named.ids {
        let view = return_view::read(session, id).await?;
        if let Some(ours) = view.filter(|view| view.is_within(&asked.items)) {
            return Ok(Some(ours));
        }
    }
    // Ours may be behind them, so it must not be made.
    if named.may_be_more {
        return Err(BridgeError::bad_field("data.order.returns", "expected at most 50 returns of an order"));
    }
    Ok(None)
}

/// A step without parts.
pub(super) fn step(change: ReturnChange, variables: Value) -> ReturnStep {
    ReturnStep { change, variables, parts: Vec::new() }
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
    let lines = match lines_to_make(session, asked, &coming, is_request).await? {
        Ok(lines) => lines,
        Err(obstacle) => return Ok(obstacle),
    };
    let mut input = json!({"orderId": asked.order_id, "returnLineItems": lines});
    if is_request {
        return Ok(NextStep::Step(step(ReturnChange::Request, json!({"input": input}))));
    }
    let (parts, exchanged): (Vec<String>, Vec<Value>) =
        return_exchange::lines_to_make(session, asked, &coming).await?.into_iter().unzip();
    if exchanged.len() > MOST_EXCHANGE_LINES {
        return Ok(too_many("exchange lines", MOST_EXCHANGE_LINES));
    }
    if !exchanged.is_empty()
        && let Some(fields) = input.as_object_mut()
    {
        fields.insert("exchangeLineItems".to_owned(), json!(exchanged));
    }
    Ok(NextStep::Step(ReturnStep { parts, ..step(ReturnChange::Create, json!({"input": input})) }))
}

/// See [`super::Shopify::returnable_line`].
pub(super) async fn returnable_line(
    session: &ShopifySession<'_>,
    number: &str,
) -> Result<Option<ReturnableLine>, BridgeError> {
    let Some(order) = look_up::named(session, number).await? else { return Ok(None) };
    let sent = returnable(session, &order.id).await?;
    let line = sent.into_iter().find(|units| units.quantity > 0);
    let line_id = line.map(|units| units.fulfillment_line_item.line_item.id);
    Ok(Some(ReturnableLine { order_id: order.id, order_name: order.name, line_id }))
}

/// The sent units of an order that no return has.
async fn returnable(session: &ShopifySession<'_>, order_id: &str) -> Result<Vec<ReturnableUnits>, BridgeError> {
    let response: ReturnableResponse = session.query(RETURNABLE, json!({"order": order_id})).await?;
    let fulfillments = response.returnable_fulfillments.nodes;
    Ok(fulfillments.into_iter().flat_map(|one| one.returnable_fulfillment_line_items.nodes).collect())
}

/// The lines of the return to make, or why it cannot be made.
async fn lines_to_make(
    session: &ShopifySession<'_>,
    asked: &MirroredReturn,
    coming: &[&MirroredItem],
    is_request: bool,
) -> Result<Result<Vec<Value>, NextStep>, BridgeError> {
    let sent = returnable(session, &asked.order_id).await?;
    let mut lines = Vec::new();
    for item in coming {
        let mut rest = item.quantity;
        for units in sent.iter().filter(|units| units.fulfillment_line_item.line_item.id == item.purchase_id) {
            let quantity = units.quantity.min(rest);
            if quantity > 0 {
                rest -= quantity;
                lines.push(line_input(&asked.return_order_number, item, units, quantity, is_request));
            }
        }
        if rest > 0 {
            return Ok(Err(obstacle(session, asked, item, rest).await?));
        }
    }
    // A larger one could be made, but not read.
    Ok(if lines.len() > MOST_LINES { Err(too_many("lines", MOST_LINES)) } else { Ok(lines) })
}

/// Why units of an item cannot be returned: another return has them, or they were never sent.
async fn obstacle(
    session: &ShopifySession<'_>,
    asked: &MirroredReturn,
    item: &MirroredItem,
    units: u32,
) -> Result<NextStep, BridgeError> {
    let others = UnitsInReturns::read_all(session, &asked.order_id).await?;
    let counted = format!("In Shopify, {units} of the {} units cannot be returned", item.quantity);
    if others.of_line(&item.purchase_id) > 0 {
        return Ok(NextStep::Elsewhere(format!(
            "{counted}: they are part of another return there. Refund them by that return, or remove them from it."
        )));
    }
    Ok(NextStep::Impossible(format!("{counted}: they were not sent. Retour refunds without a return there.")))
}

fn too_many(what: &str, most: usize) -> NextStep {
    NextStep::Impossible(format!(
        "The return would have more than {most} {what} in Shopify. Retour refunds without a return there."
    ))
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

/// Adds parcels, then dispositions, and removes what is not sent any more; then ends the return.
async fn on_open(
    session: &ShopifySession<'_>,
    asked: &MirroredReturn,
    view: &ReturnView,
) -> Result<Option<ReturnStep>, BridgeError> {
    let is_refused = asked.items.iter().all(|item| item.decision == MirroredDecision::Refused);
    if is_refused && !view.is_touched() && !asked.has_refused(CANCEL) {
        return Ok(Some(return_disposal::cancel(view)));
    }
    if let Some(added) = add_parcel(asked, view) {
        return Ok(Some(added));
    }
    if let Some(disposed) = return_disposal::dispose(session, asked, view).await? {
        return Ok(Some(disposed));
    }
    if let Some(removed) = return_exchange::remove_dropped(session, asked, view).await? {
        return Ok(Some(removed));
    }
    if !asked.items.iter().all(|item| item.is_over) {
        return Ok(None);
    }
    if let Some(removed) = return_disposal::remove(asked, view) {
        return Ok(Some(removed));
    }
    Ok(Some(step(ReturnChange::Close, json!({"id": view.id}))))
}

fn add_parcel(asked: &MirroredReturn, view: &ReturnView) -> Option<ReturnStep> {
    if view.may_have_more_parcels() {
        return None;
    }
    let part = |parcel: &MirroredParcel| format!("parcel {}", parcel.tracking_number);
    let is_missing =
        |parcel: &&MirroredParcel| !view.has_parcel(&parcel.tracking_number) && !asked.has_refused(&part(parcel));
    let missing = asked.parcels.iter().find(is_missing)?;
    let place = view.reverse_fulfillment_orders.nodes.iter().find(|order| order.is_open())?;
    let url = Some(&missing.tracking_url).filter(|url| is_web_url(url));
    let tracking = json!({"number": missing.tracking_number, "url": url});
    let variables = json!({"order": place.id, "tracking": tracking});
    Some(ReturnStep { parts: vec![part(missing)], ..step(ReturnChange::AddParcel, variables) })
}
