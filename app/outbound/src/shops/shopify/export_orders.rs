//! Joins the lines of an export to orders, and turns each order into what a look-up of it shows.
//!
//! The file has the nodes of the query as lines of JSON: an order, then the lines of that order, which name the order in
//! `__parentId`. One order at a time is in memory.

use super::{
    client, export_completion::IncompleteOrder, export_lines::FileLine, export_shipped::Shipped, look_up,
    responses::ByIdResponse, supplement::Supplement,
};
use crate::{
    bridge::{BridgeError, contract::Purchases},
    shops::text::bounded_text,
};
use domain::integration::ShopifyDuties;
use serde_json::{Map, Value, json};

/// The most lines of an order in the contract.
const MAX_LINES: usize = 1_000;
/// The most bytes of an order with its lines.
const MAX_ORDER_BYTES: usize = 8 * 1024 * 1024;
/// The most wrong fields of an order that are named.
const MAX_PROBLEMS: usize = 3;
/// Ids of orders begin with this.
const ORDER_ID: &str = "gid://shopify/Order/";

/// An order of an export, or a part of the file that is none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExportedOrder {
    /// The position in the file after this order and its lines. A later download can begin here.
    pub end: u64,
    /// What the file says about it.
    pub content: ExportedContent,
}

impl ExportedOrder {
    /// The order, if the file lacks its fulfilments.
    pub fn incomplete(&self) -> Option<&IncompleteOrder> {
        match &self.content {
            ExportedContent::Incomplete(order) => Some(order),
            _ => None,
        }
    }
}

/// What an export says about an order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ExportedContent {
    /// What a look-up shows.
    Order(Box<Purchases>),
    /// A look-up does not show it: it was cancelled before anything was sent, or has no lines.
    NotShown,
    /// The file lacks its fulfilments: they have to be read ([`super::Shopify::complete_orders`]).
    Incomplete(Box<IncompleteOrder>),
    /// It has changed since the export, or is not shown by several at once: it has to be read by itself
    /// ([`super::Shopify::read_order`]).
    ToBeRead {
        /// Shopify's id of the order.
        id: String,
        /// Its name.
        name: String,
    },
    /// It cannot be read.
    Unreadable {
        /// Its name, or the position in the file.
        name: String,
        /// Which fields are wrong, and what was expected. No values.
        problem: String,
    },
}

/// The file is not an export.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct NotAnExport;

/// Joins lines to orders.
#[derive(Default)]
pub(super) struct OrderJoiner {
    current: Option<JoinedOrder>,
    /// The order that the last stray lines name, so that it is reported once.
    stray_of: Option<String>,
    /// Whether duties come back with units.
    duties: ShopifyDuties,
}

/// An order, with the lines that have followed it so far.
struct JoinedOrder {
    id: String,
    node: Map<String, Value>,
    lines: Vec<Value>,
    bytes: usize,
    start: u64,
    end: u64,
    /// Why it cannot be read as a whole.
    broken: Option<&'static str>,
    duties: ShopifyDuties,
}

impl OrderJoiner {
    /// Without an order. The argument says whether duties come back with units.
    pub fn new(duties: ShopifyDuties) -> Self {
        Self { duties, ..Self::default() }
    }

    /// Adds a line of the file. Returns what it ends: the order before it, or a line that belongs to no order.
    pub fn add(&mut self, line: FileLine) -> Result<Option<ExportedOrder>, NotAnExport> {
        let FileLine { start, end, text } = line;
        let length = text.as_ref().map_or(0, Vec::len);
        let is_blank = text.as_ref().is_some_and(|text| text.trim_ascii().is_empty());
        let node = text.and_then(|text| serde_json::from_slice::<Map<String, Value>>(&text).ok());
        let id = |name: &str| node.as_ref().and_then(|node| node.get(name)).and_then(Value::as_str).map(str::to_owned);
        match (id("__parentId"), id("id"), node) {
            (None, Some(id), Some(node)) if id.starts_with(ORDER_ID) => {
                let (lines, duties) = (Vec::new(), self.duties);
                let next = JoinedOrder { id, node, lines, bytes: length, start, end, broken: None, duties };
                Ok(self.current.replace(next).map(JoinedOrder::exported))
            }
            (Some(parent), Some(_), Some(node)) => Ok(self.add_child(parent, node, length, end)),
            _ => match &mut self.current {
                Some(order) => {
                    // Perhaps a line of this order, which is then incomplete.
                    order.broken = order.broken.or((!is_blank).then_some("a line of the file after it cannot be read"));
                    order.end = end;
                    Ok(None)
                }
                None if start == 0 => Err(NotAnExport),
                None => Ok(Some(stray(format!("byte {start} of the file"), end))),
            },
        }
    }

    /// The last order, at the end of the file.
    pub fn finish(&mut self) -> Option<ExportedOrder> {
        self.current.take().map(JoinedOrder::exported)
    }

    fn add_child(
        &mut self,
        parent: String,
        node: Map<String, Value>,
        length: usize,
        end: u64,
    ) -> Option<ExportedOrder> {
        // After a stray line, a later download begins with the order before it, which may have more lines.
        let resumed_at = match &mut self.current {
            Some(order) => {
                order.end = end;
                if order.id == parent {
                    order.add(node, length);
                    return None;
                }
                order.start
            }
            None => end,
        };
        let is_new = self.stray_of.as_ref() != Some(&parent);
        let found = stray(bounded_text(&parent), resumed_at);
        self.stray_of = Some(parent);
        is_new.then_some(found)
    }
}

fn stray(name: String, end: u64) -> ExportedOrder {
    let problem = "expected the order of this line before it".to_owned();
    ExportedOrder { end, content: ExportedContent::Unreadable { name, problem } }
}

impl JoinedOrder {
    fn add(&mut self, node: Map<String, Value>, length: usize) {
        self.bytes += length;
        if self.lines.len() >= MAX_LINES || self.bytes > MAX_ORDER_BYTES {
            self.broken = Some("expected at most 1000 lines, and 8 MiB");
            self.lines.clear();
        }
        if self.broken.is_none() {
            self.lines.push(Value::Object(node));
        }
    }

    fn exported(self) -> ExportedOrder {
        let (end, name) = (self.end, self.name());
        let shipped = Shipped::of(self.node.get("fulfillments").unwrap_or(&Value::Null), &self.lines);
        let content = match (self.broken, shipped) {
            (Some(broken), _) => ExportedContent::Unreadable { name, problem: broken.to_owned() },
            (None, Shipped::Unclear) => {
                let Self { id, node, lines, .. } = self;
                ExportedContent::Incomplete(Box::new(IncompleteOrder { id, name, node, lines }))
            }
            (None, shipped) => {
                let mut node = self.node;
                shipped.add_units(&mut node, &self.lines);
                content_of(name, node, &self.lines, self.duties)
            }
        };
        ExportedOrder { end, content }
    }

    fn name(&self) -> String {
        let name = self.node.get("name").and_then(Value::as_str).map(bounded_text);
        name.filter(|name| !name.is_empty()).unwrap_or_else(|| bounded_text(&self.id))
    }
}

/// What a look-up shows of an order with its fulfilments.
pub(super) fn content_of(
    name: String,
    order: Map<String, Value>,
    lines: &[Value],
    duties: ShopifyDuties,
) -> ExportedContent {
    match shown(order, lines, duties) {
        Ok(Some(found)) => ExportedContent::Order(Box::new(found)),
        Ok(None) => ExportedContent::NotShown,
        Err(error) => ExportedContent::Unreadable { name, problem: problem_of(&error) },
    }
}

/// The nodes become the response to a look-up by the order's id, and take its path.
fn shown(
    mut order: Map<String, Value>,
    lines: &[Value],
    duties: ShopifyDuties,
) -> Result<Option<Purchases>, BridgeError> {
    let page = json!({"nodes": lines, "pageInfo": {"hasNextPage": false, "endCursor": null}});
    order.insert("lineItems".to_owned(), page);
    let response = json!({"data": {"order": order}}).to_string();
    let ByIdResponse { order } = client::data(response.as_bytes())?;
    order.map_or(Ok(None), |order| look_up::shown(&order, &Supplement { duties, ..Supplement::default() }))
}

/// The fields of an answer that are wrong, and what was expected. No values.
fn problem_of(error: &BridgeError) -> String {
    match error {
        BridgeError::BadAnswer(problems) => {
            let fields =
                problems.0.iter().take(MAX_PROBLEMS).map(|(field, refusal)| format!("{field}: {}", refusal.message));
            fields.collect::<Vec<_>>().join("; ")
        }
        other => other.to_string(),
    }
}
