//! Completes orders of an export whose fulfilments the file lacks, several by one request.
//!
//! Only what is missing is read, because Shopify's limit counts each object of a response. An order that has changed since the
//! export is read as a whole: old counts of units would not fit its fulfilments.

use super::{
    client::ShopifySession,
    documents::FULFILLED,
    export_orders::{ExportedContent, content_of},
};
use crate::bridge::BridgeError;
use domain::integration::ShopifyDuties;
use serde::Deserialize;
use serde_json::{Map, Value, json};

/// The most orders of one request.
const MOST_ORDERS: usize = 25;
/// The most points of one request if each object costs one: half of what Shopify allows.
const MOST_POINTS: usize = 500;
/// The most fulfilments of an order, and lines of a fulfilment, as in a look-up.
const MOST_FULFILLMENTS: usize = 10;
const MOST_LINES: usize = 250;

/// An order of an export whose fulfilments have to be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IncompleteOrder {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) node: Map<String, Value>,
    pub(super) lines: Vec<Value>,
}

/// The response to `FULFILLED`.
#[derive(Deserialize)]
struct FulfilledResponse {
    /// `None` for each order that the shop does not show.
    orders: Vec<Option<Map<String, Value>>>,
}

/// How much one request asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Extent {
    orders: usize,
    fulfillments: usize,
    lines: usize,
}

impl Extent {
    fn points(self) -> usize {
        self.orders * (1 + self.fulfillments * (3 + 2 * self.lines))
    }

    /// As many orders from the beginning as one request may ask for, but at least one.
    fn of(orders: &[IncompleteOrder]) -> Self {
        let mut extent = Self { orders: 0, fulfillments: 1, lines: 1 };
        for order in orders.iter().take(MOST_ORDERS) {
            let more = Self {
                orders: extent.orders + 1,
                fulfillments: extent.fulfillments.max(order.fulfillments().min(MOST_FULFILLMENTS)),
                lines: extent.lines.max(order.lines.len().min(MOST_LINES)),
            };
            if extent.orders > 0 && more.points() > MOST_POINTS {
                break;
            }
            extent = more;
        }
        extent
    }
}

/// See [`super::Shopify::complete_orders`].
pub(super) async fn complete(
    session: &ShopifySession<'_>,
    orders: &[IncompleteOrder],
) -> Result<Vec<ExportedContent>, BridgeError> {
    let extent = Extent::of(orders);
    let asked = orders.get(..extent.orders).unwrap_or_default();
    let ids: Vec<&str> = asked.iter().map(|order| order.id.as_str()).collect();
    let variables = json!({"ids": ids, "fulfillments": extent.fulfillments, "lines": extent.lines});
    let FulfilledResponse { orders: answers } = session.query(FULFILLED, variables).await?;
    if answers.len() != asked.len() {
        return Err(BridgeError::bad_field("data.orders", "expected an entry for each order that was asked for"));
    }
    Ok(asked.iter().zip(answers).map(|(order, answer)| order.completed(answer, session.api.duties)).collect())
}

impl IncompleteOrder {
    /// The order, to be read as a whole.
    pub fn to_be_read(&self) -> ExportedContent {
        ExportedContent::ToBeRead { id: self.id.clone(), name: self.name.clone() }
    }

    fn fulfillments(&self) -> usize {
        self.node.get("fulfillments").and_then(Value::as_array).map_or(0, Vec::len)
    }

    fn completed(&self, answer: Option<Map<String, Value>>, duties: ShopifyDuties) -> ExportedContent {
        let Some(mut answer) = answer else { return self.to_be_read() };
        let is_same = |name: &str| {
            let before = self.node.get(name).and_then(Value::as_str);
            before.is_some() && before == answer.get(name).and_then(Value::as_str)
        };
        if !is_same("id") || !is_same("updatedAt") {
            return self.to_be_read();
        }
        let mut order = self.node.clone();
        order.insert("fulfillments".to_owned(), answer.remove("fulfillments").unwrap_or_default());
        content_of(self.name.clone(), order, &self.lines, duties)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(fulfillments: usize, lines: usize) -> IncompleteOrder {
        let fulfillments = json!({"fulfillments": vec![json!({}); fulfillments]});
        let Value::Object(node) = fulfillments else { panic!("an object") };
        IncompleteOrder { id: String::new(), name: String::new(), node, lines: vec![json!({}); lines] }
    }

    #[test]
    fn a_request_stays_within_its_limit() {
        let many = vec![order(2, 2); 100];
        assert_eq!(Extent::of(&many), Extent { orders: 25, fulfillments: 2, lines: 2 });
        let mut mixed = vec![order(2, 2); 10];
        mixed.push(order(10, 20));
        let first = Extent::of(&mixed);
        assert_eq!((first, first.points() <= MOST_POINTS), (Extent { orders: 10, fulfillments: 2, lines: 2 }, true));
        let large = [order(30, 900), order(1, 1)];
        assert_eq!(Extent::of(&large), Extent { orders: 1, fulfillments: 10, lines: 250 }, "alone");
    }
}
