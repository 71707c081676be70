//! The dispositions of a return's units, and the units that leave it.

use super::{
    client::ShopifySession,
    restock::Places,
    return_asked::{MirroredItem, MirroredReturn, ReturnChange, ReturnStep},
    return_steps::{CANCEL, step},
    return_view::{ReturnView, ReverseLine},
};
use crate::bridge::BridgeError;
use serde_json::{Value, json};

const RESTOCKED: &str = "RESTOCKED";
const NOT_RESTOCKED: &str = "NOT_RESTOCKED";
const MISSING: &str = "MISSING";

/// Units with a disposition that Shopify does not show yet.
struct Disposal<'a> {
    /// The id of the reverse fulfilment order.
    order: &'a str,
    reverse_line: &'a str,
    line_item: &'a str,
    kind: &'static str,
    quantity: u32,
}

impl Disposal<'_> {
    /// Its name among the parts of a step. Another quantity is another part: staff may have disposed of some units in the meantime, and
    /// so the rest is tried again.
    fn part(&self) -> String {
        format!("{} {} {}", self.kind, self.quantity, self.reverse_line)
    }
}

/// The next dispositions: those of one reverse fulfilment order, because Shopify refuses several in one request.
pub(super) async fn dispose(
    session: &ShopifySession<'_>,
    asked: &MirroredReturn,
    view: &ReturnView,
) -> Result<Option<ReturnStep>, BridgeError> {
    let mut disposals: Vec<Disposal<'_>> = asked.items.iter().flat_map(|item| disposals(asked, item, view)).collect();
    let Some(order) = disposals.first().map(|one| one.order) else { return Ok(None) };
    disposals.retain(|one| one.order == order);
    disposals.truncate(asked.most_parts());
    let is_restocked = disposals.iter().any(|one| one.kind == RESTOCKED);
    let places = if is_restocked { Places::read(session, &asked.order_id).await? } else { Places::default() };
    let inputs: Vec<Value> = disposals.iter().map(|one| input(one, &places)).collect();
    let parts = disposals.iter().map(Disposal::part).collect();
    Ok(Some(ReturnStep { parts, ..step(ReturnChange::Dispose, json!({"inputs": inputs})) }))
}

/// The dispositions of an item's units, less those that Shopify shows already, of any kind, and less those that it refuses.
fn disposals<'a>(asked: &MirroredReturn, item: &'a MirroredItem, view: &'a ReturnView) -> Vec<Disposal<'a>> {
    let lines: Vec<_> = view.reverse_lines(&item.purchase_id).collect();
    let missing = if must_stay(asked, item, view) { item.units.missing } else { 0 };
    let wanted = [(RESTOCKED, item.units.restocked), (NOT_RESTOCKED, item.units.not_restocked), (MISSING, missing)];
    let has_variant = view.lines_of(&item.purchase_id).all(|line| line.sent.line_item.variant.is_some());
    let mut planned: Vec<Disposal<'a>> = Vec::new();
    let shown = lines.iter().map(|(line, _)| line.disposed()).fold(0, u32::saturating_add);
    let in_all = wanted.iter().map(|(_, units)| *units).fold(0, u32::saturating_add);
    let mut rest = in_all.saturating_sub(shown);
    let of_kind = |kind: &str| lines.iter().map(|(line, _)| line.disposed_as(kind)).fold(0, u32::saturating_add);
    // Units that could not go back into stock.
    let instead = of_kind(NOT_RESTOCKED).saturating_sub(item.units.not_restocked);
    for (kind, units) in wanted {
        let known = of_kind(kind).saturating_add(if kind == RESTOCKED { instead } else { 0 });
        let mut missing = units.saturating_sub(known).min(rest);
        for (line, order) in lines.iter().filter(|(_, order)| order.is_open()) {
            let quantity = free(line, &planned).min(missing);
            if quantity > 0 {
                missing -= quantity;
                rest -= quantity;
                let one = Disposal {
                    order: &order.id,
                    reverse_line: &line.id,
                    line_item: &item.purchase_id,
                    kind: if kind == RESTOCKED && !has_variant { NOT_RESTOCKED } else { kind },
                    quantity,
                };
                planned.push(one);
            }
        }
    }
    planned.into_iter().filter_map(|one| allowed(asked, one)).collect()
}

/// The units of a line that have no disposition, and get none.
fn free(line: &ReverseLine, planned: &[Disposal<'_>]) -> u32 {
    let taken = planned.iter().filter(|one| one.reverse_line == line.id).map(|one| one.quantity);
    line.total_quantity.saturating_sub(line.disposed()).saturating_sub(taken.fold(0, u32::saturating_add))
}

/// Units that Shopify does not put back into stock are recorded without that. If it refuses that as well, they get no disposition.
fn allowed<'a>(asked: &MirroredReturn, mut one: Disposal<'a>) -> Option<Disposal<'a>> {
    if one.kind == RESTOCKED && asked.has_refused(&one.part()) {
        one.kind = NOT_RESTOCKED;
    }
    (!asked.has_refused(&one.part())).then_some(one)
}

/// Without a known place, units do not go back into stock.
fn input(one: &Disposal<'_>, places: &Places) -> Value {
    let place = places.of_line(one.line_item).filter(|_| one.kind == RESTOCKED);
    let kind = if one.kind == RESTOCKED && place.is_none() { NOT_RESTOCKED } else { one.kind };
    json!({
        "reverseFulfillmentOrderLineItemId": one.reverse_line, "quantity": one.quantity, "dispositionType": kind,
        "locationId": place,
    })
}

/// Takes units that neither arrived nor were refunded out of the return: in it, they could not be returned again.
pub(super) fn remove(asked: &MirroredReturn, view: &ReturnView) -> Option<ReturnStep> {
    let removals = asked.items.iter().flat_map(|item| removable(item, view));
    let removals: Vec<(&str, u32)> = removals.filter(|(line, _)| !asked.has_refused(&removal(line))).collect();
    let units = removals.iter().map(|(_, units)| *units).fold(0, u32::saturating_add);
    if units == 0 {
        return None;
    }
    // A return without units is cancelled instead.
    if units == view.units() {
        return (!view.is_touched() && !asked.has_refused(CANCEL)).then(|| cancel(view));
    }
    let removals = removals.get(..asked.most_parts().min(removals.len())).unwrap_or_default();
    let lines: Vec<Value> =
        removals.iter().map(|(line, units)| json!({"returnLineItemId": line, "quantity": units})).collect();
    let parts = removals.iter().map(|(line, _)| removal(line)).collect();
    Some(ReturnStep { parts, ..step(ReturnChange::Remove, json!({"id": view.id, "lines": lines})) })
}

/// Cancels a return of which nothing came back.
pub(super) fn cancel(view: &ReturnView) -> ReturnStep {
    ReturnStep { parts: vec![CANCEL.to_owned()], ..step(ReturnChange::Cancel, json!({"id": view.id})) }
}

/// The name of a line's removal among the parts of a step.
fn removal(line: &str) -> String {
    format!("remove {line}")
}

/// The lines with units of an item that can leave the return. Shopify keeps units that are processed or have a disposition.
fn removable<'a>(item: &'a MirroredItem, view: &'a ReturnView) -> Vec<(&'a str, u32)> {
    let in_return = view.lines_of(&item.purchase_id).map(|line| line.quantity).fold(0, u32::saturating_add);
    let removed = item.quantity.saturating_sub(in_return);
    let mut rest = item.units.missing.saturating_sub(removed);
    let mut lines = Vec::new();
    for line in view.lines_of(&item.purchase_id) {
        let kept = line.processed.max(view.disposed_of(line.sent));
        let units = line.quantity.saturating_sub(kept).min(line.processable).min(rest);
        if units > 0 {
            rest -= units;
            lines.push((line.id, units));
        }
    }
    lines
}

/// Whether Shopify refuses to remove units of an item, so that they are recorded as missing.
fn must_stay(asked: &MirroredReturn, item: &MirroredItem, view: &ReturnView) -> bool {
    view.lines_of(&item.purchase_id).any(|line| asked.has_refused(&removal(line.id)))
}
