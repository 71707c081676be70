//! What Shopify shows of a return.

use super::{
    client::ShopifySession,
    documents::{RETURN, RETURNS_OF_ORDER},
    order_state::Identified,
    responses::{LineId, Nodes, Page},
    return_asked::{MirroredItem, ReturnStatus},
};
use crate::bridge::BridgeError;
use serde::Deserialize;
use serde_json::json;

/// The most parcels that the document asks for.
const MOST_PARCELS: usize = 20;
const RETURN_ID: &str = "gid://shopify/Return/";

/// The response to `RETURNS_OF_ORDER`.
#[derive(Deserialize)]
struct ReturnsResponse {
    order: Option<OrderReturns>,
}

#[derive(Deserialize)]
struct OrderReturns {
    returns: Page<NotedReturn>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct NotedReturn {
    id: String,
    return_line_items: Nodes<NotedLine>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct NotedLine {
    #[serde(default)]
    return_reason_note: Option<String>,
    #[serde(default)]
    customer_note: Option<String>,
}

/// The response to `RETURN`.
#[derive(Deserialize)]
struct ReturnResponse {
    #[serde(rename = "return")]
    found: Option<ReturnView>,
}

/// A return in Shopify.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ReturnView {
    pub id: String,
    /// What staff call it, such as `#1001-R1`.
    pub name: String,
    status: String,
    return_line_items: Page<ReturnedLine>,
    pub reverse_fulfillment_orders: Nodes<ReverseOrder>,
    exchange_line_items: Page<ExchangeLine>,
    refunds: Nodes<ReturnRefund>,
}

/// Units that the return sends out, for units that come back.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ExchangeLine {
    pub id: String,
    /// `None` if the shop no longer has the variant.
    pub variant_id: Option<String>,
    pub quantity: u32,
    /// How many were sent.
    #[serde(rename = "processedQuantity")]
    pub processed: u32,
    /// How many can be sent.
    #[serde(rename = "processableQuantity")]
    pub processable: u32,
    /// The lines of the order by which units were sent.
    line_items: Option<Vec<Identified>>,
}

impl ExchangeLine {
    /// The ids of the order's lines by which units were sent.
    pub fn sent_by(&self) -> impl Iterator<Item = &str> {
        self.line_items.iter().flatten().map(|line| line.id.as_str())
    }
}

/// A line of a return, or an empty object for something else.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct ReturnedLine {
    id: Option<String>,
    quantity: Option<u32>,
    processed_quantity: Option<u32>,
    processable_quantity: Option<u32>,
    fulfillment_line_item: Option<FulfilledUnits>,
}

/// Units that were sent.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct FulfilledUnits {
    pub id: String,
    pub line_item: SoldLine,
}

/// The line of the order that units belong to.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct SoldLine {
    pub id: String,
    /// `None` for a line of no product, and where it was not asked for.
    #[serde(default)]
    pub variant: Option<Identified>,
}

/// What comes back to one place.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ReverseOrder {
    pub id: String,
    status: String,
    pub line_items: Nodes<ReverseLine>,
    reverse_deliveries: Nodes<ReverseDelivery>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ReverseLine {
    pub id: String,
    pub total_quantity: u32,
    /// `None` if the line belongs to nothing that was sent.
    fulfillment_line_item: Option<Identified>,
    dispositions: Vec<DisposedUnits>,
}

#[derive(Debug, Deserialize)]
struct DisposedUnits {
    #[serde(rename = "type")]
    kind: String,
    quantity: u32,
}

#[derive(Debug, Deserialize)]
struct ReverseDelivery {
    deliverable: Option<Deliverable>,
}

#[derive(Debug, Deserialize)]
struct Deliverable {
    tracking: Option<Tracking>,
}

#[derive(Debug, Deserialize)]
struct Tracking {
    number: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct ReturnRefund {
    id: String,
    refund_line_items: Nodes<RefundedLine>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct RefundedLine {
    line_item: LineId,
}

/// A line of a return that units of an order's line come back by.
pub(super) struct LineOfReturn<'a> {
    pub id: &'a str,
    pub quantity: u32,
    pub processed: u32,
    /// How many can be processed.
    pub processable: u32,
    pub sent: &'a FulfilledUnits,
}

/// The returns of an order whose notes name a number of ours, the latest first.
pub(super) struct NamedReturns {
    pub ids: Vec<String>,
    /// Whether the order has more returns than were read.
    pub may_be_more: bool,
}

/// The returns of an order whose notes name this number.
pub(super) async fn named(
    session: &ShopifySession<'_>,
    order_id: &str,
    number: &str,
) -> Result<NamedReturns, BridgeError> {
    let ReturnsResponse { order } = session.query(RETURNS_OF_ORDER, json!({"order": order_id})).await?;
    let Some(order) = order else {
        return Err(BridgeError::bad_field("data.order", "expected the order: the shop no longer shows it"));
    };
    let is_named = |one: &NotedReturn| {
        let mut notes =
            one.return_line_items.nodes.iter().flat_map(|line| [&line.return_reason_note, &line.customer_note]);
        notes.any(|note| note.as_deref().is_some_and(|note| names(note, number)))
    };
    let may_be_more = order.returns.page_info.has_next_page;
    let ids = order.returns.nodes.into_iter().filter(is_named).map(|one| one.id).collect();
    Ok(NamedReturns { ids, may_be_more })
}

/// A return by its id; `None` if Shopify has none.
pub(super) async fn read(session: &ShopifySession<'_>, id: &str) -> Result<Option<ReturnView>, BridgeError> {
    if !id.starts_with(RETURN_ID) {
        return Ok(None);
    }
    let ReturnResponse { found } = session.query(RETURN, json!({"id": id})).await?;
    let Some(view) = found else { return Ok(None) };
    if view.return_line_items.page_info.has_next_page {
        return Err(BridgeError::bad_field("data.return.returnLineItems", "expected at most 100 lines"));
    }
    if view.exchange_line_items.page_info.has_next_page {
        return Err(BridgeError::bad_field("data.return.exchangeLineItems", "expected at most 50 lines"));
    }
    Ok(Some(view))
}

/// Whether a note contains our number as a word of its own.
fn names(note: &str, number: &str) -> bool {
    let mut words = note.split(|letter: char| !letter.is_alphanumeric() && letter != '-');
    words.any(|word| word == number)
}

impl ReturnView {
    pub fn status(&self) -> Result<ReturnStatus, BridgeError> {
        ReturnStatus::of(&self.status)
            .ok_or_else(|| BridgeError::bad_field("data.return.status", "expected a status that Retour knows"))
    }

    /// The lines by which units of an order's line come back.
    pub fn lines_of<'a>(&'a self, line_item: &'a str) -> impl Iterator<Item = LineOfReturn<'a>> {
        self.lines().filter(move |line| line.sent.line_item.id == line_item)
    }

    fn lines(&self) -> impl Iterator<Item = LineOfReturn<'_>> {
        self.return_line_items.nodes.iter().filter_map(|line| {
            let (id, sent) = (line.id.as_deref()?, line.fulfillment_line_item.as_ref()?);
            let (processed, processable) =
                (line.processed_quantity.unwrap_or(0), line.processable_quantity.unwrap_or(0));
            Some(LineOfReturn { id, quantity: line.quantity?, processed, processable, sent })
        })
    }

    /// Whether nothing but units of these items comes back by it. Their number may have changed since it was made.
    pub fn is_within(&self, items: &[MirroredItem]) -> bool {
        self.lines().all(|line| items.iter().any(|item| item.purchase_id == line.sent.line_item.id))
    }

    /// Whether all of its units are processed.
    pub fn is_processed(&self) -> bool {
        self.lines().next().is_some() && self.lines().all(|line| line.processed >= line.quantity)
    }

    /// The processed units of other lines of the order than this one, for which nothing was refunded.
    pub fn exchanged_apart_from(&self, line_item: &str) -> u32 {
        let is_other = |line: &LineOfReturn<'_>| {
            let other = line.sent.line_item.id.as_str();
            other != line_item && self.refunds_of(other).next().is_none()
        };
        self.lines().filter(is_other).map(|line| line.processed).fold(0, u32::saturating_add)
    }

    /// All of its units.
    pub fn units(&self) -> u32 {
        self.lines().map(|line| line.quantity).fold(0, u32::saturating_add)
    }

    /// How many of the units that were sent by this part of a fulfilment have a disposition.
    pub fn disposed_of(&self, sent: &FulfilledUnits) -> u32 {
        let lines = self.reverse_fulfillment_orders.nodes.iter().flat_map(|order| &order.line_items.nodes);
        let own = lines.filter(|line| line.fulfillment_line_item.as_ref().is_some_and(|item| item.id == sent.id));
        own.map(ReverseLine::disposed).fold(0, u32::saturating_add)
    }

    /// What it sends out.
    pub fn exchange_lines(&self) -> &[ExchangeLine] {
        &self.exchange_line_items.nodes
    }

    /// Whether units were processed or refunded, or have a disposition.
    pub fn is_touched(&self) -> bool {
        let is_disposed = |order: &ReverseOrder| order.line_items.nodes.iter().any(|line| line.disposed() > 0);
        !self.refunds.nodes.is_empty()
            || self.lines().any(|line| line.processed > 0)
            || self.reverse_fulfillment_orders.nodes.iter().any(is_disposed)
    }

    /// The ids of its refunds that contain an order's line.
    pub fn refunds_of<'a>(&'a self, line_item: &'a str) -> impl Iterator<Item = &'a str> {
        let contains = move |refund: &&ReturnRefund| {
            refund.refund_line_items.nodes.iter().any(|line| line.line_item.id == line_item)
        };
        self.refunds.nodes.iter().filter(contains).map(|refund| refund.id.as_str())
    }

    /// The lines that come back of units of an order's line, each with its place.
    pub fn reverse_lines<'a>(
        &'a self,
        line_item: &'a str,
    ) -> impl Iterator<Item = (&'a ReverseLine, &'a ReverseOrder)> {
        let sent: Vec<&str> = self.lines_of(line_item).map(|line| line.sent.id.as_str()).collect();
        self.reverse_fulfillment_orders.nodes.iter().flat_map(move |order| {
            let own = |line: &&ReverseLine| {
                line.fulfillment_line_item.as_ref().is_some_and(|item| sent.contains(&item.id.as_str()))
            };
            let own: Vec<&ReverseLine> = order.line_items.nodes.iter().filter(own).collect();
            own.into_iter().map(move |line| (line, order))
        })
    }

    /// Whether Shopify may have more parcels of it than it shows.
    pub fn may_have_more_parcels(&self) -> bool {
        self.reverse_fulfillment_orders.nodes.iter().any(|order| order.reverse_deliveries.nodes.len() >= MOST_PARCELS)
    }

    /// Whether one of its parcels has this tracking number.
    pub fn has_parcel(&self, tracking_number: &str) -> bool {
        let deliveries = self.reverse_fulfillment_orders.nodes.iter().flat_map(|order| &order.reverse_deliveries.nodes);
        let mut trackings = deliveries.filter_map(|one| one.deliverable.as_ref()?.tracking.as_ref());
        trackings.any(|tracking| tracking.number.as_deref() == Some(tracking_number))
    }
}

impl ReverseOrder {
    pub fn is_open(&self) -> bool {
        self.status == "OPEN"
    }
}

impl ReverseLine {
    /// How many of its units have a disposition.
    pub fn disposed(&self) -> u32 {
        self.dispositions.iter().map(|one| one.quantity).fold(0, u32::saturating_add)
    }

    /// How many of its units have a disposition of this kind.
    pub fn disposed_as(&self, kind: &str) -> u32 {
        let own = self.dispositions.iter().filter(|one| one.kind == kind);
        own.map(|one| one.quantity).fold(0, u32::saturating_add)
    }
}

#[cfg(test)]
mod tests {
    use super::names;

    #[test]
    fn a_note_names_our_return_by_its_whole_number() {
        for note in ["R-70A4C4S9", "R-70A4C4S9: Too small", "see R-70A4C4S9.", "(R-70A4C4S9)"] {
            assert!(names(note, "R-70A4C4S9"), "{note}");
        }
        for note in ["", "R-70A4C4S90", "XR-70A4C4S9", "R-70A4C4S9-2", "R-70A4C4S8"] {
            assert!(!names(note, "R-70A4C4S9"), "{note}");
        }
    }
}
