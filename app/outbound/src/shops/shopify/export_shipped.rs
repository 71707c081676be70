//! What an order in an export says about its fulfilments.
//!
//! A bulk operation cannot read which units a fulfilment has (export.graphql says why). Two kinds of orders need no more:
//! those of which nothing was sent, and those that were sent as a whole in one fulfilment, of which no unit was refunded or
//! removed. The fulfilments of the others are read by requests: see [`super::export_completion`].

use super::responses::is_sent;
use serde_json::{Map, Value, json};

/// What was sent of an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shipped {
    Nothing,
    /// All units, in one fulfilment.
    Everything,
    /// Its fulfilments have to be read.
    Unclear,
}

impl Shipped {
    /// `fulfillments`: the list in the node of the order. `lines`: the nodes of its lines.
    pub fn of(fulfillments: &Value, lines: &[Value]) -> Self {
        let fulfillments = fulfillments.as_array().map(Vec::as_slice).unwrap_or_default();
        let sent = fulfillments.iter().filter(|one| text(one, "status").is_some_and(is_sent)).count();
        match (sent, fulfillments.len()) {
            (0, _) => Self::Nothing,
            (1, 1) if lines.iter().all(is_sent_as_a_whole) => Self::Everything,
            _ => Self::Unclear,
        }
    }

    /// Adds the units to the order's fulfilments, in the form of a look-up.
    pub fn add_units(self, order: &mut Map<String, Value>, lines: &[Value]) {
        let units = |line: &Value| {
            let (id, quantity) = (line.get("id"), line.get("quantity"));
            json!({"quantity": quantity, "lineItem": {"id": id}})
        };
        let nodes: Vec<Value> = if self == Self::Everything { lines.iter().map(units).collect() } else { Vec::new() };
        let fulfillments = order.get_mut("fulfillments").and_then(Value::as_array_mut);
        for fulfillment in fulfillments.into_iter().flatten().filter_map(Value::as_object_mut) {
            fulfillment.insert("fulfillmentLineItems".to_owned(), json!({"nodes": nodes}));
        }
    }
}

/// A line that needs no shipping may be in no fulfilment, such as a tip.
fn is_sent_as_a_whole(line: &Value) -> bool {
    let number = |name: &str| line.get(name).and_then(Value::as_u64);
    let is_whole = number("quantity").is_some() && number("currentQuantity") == number("quantity");
    is_whole && number("unfulfilledQuantity") == Some(0) && line.get("requiresShipping") == Some(&Value::Bool(true))
}

fn text<'a>(value: &'a Value, name: &str) -> Option<&'a str> {
    value.get(name).and_then(Value::as_str)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn line(quantity: u32, current: u32, unfulfilled: u32, requires_shipping: bool) -> Value {
        json!({"id": "l", "quantity": quantity, "currentQuantity": current, "unfulfilledQuantity": unfulfilled,
            "requiresShipping": requires_shipping})
    }

    #[test]
    fn only_orders_whose_fulfilments_leave_no_question_are_taken_from_the_file() {
        let order = |statuses: &[&str]| {
            let fulfillments: Vec<Value> = statuses.iter().map(|status| json!({"status": status})).collect();
            json!({"fulfillments": fulfillments})
        };
        let whole = line(2, 2, 0, true);
        for (statuses, lines, expected) in [
            (&[][..], vec![line(2, 2, 2, true)], Shipped::Nothing),
            (&["CANCELLED", "ERROR"], vec![line(2, 1, 1, true)], Shipped::Nothing),
            (&["SUCCESS"], vec![whole.clone(), line(1, 1, 0, true)], Shipped::Everything),
            (&["SUCCESS"], vec![whole.clone(), line(2, 1, 0, true)], Shipped::Unclear), // refunded or removed
            (&["SUCCESS"], vec![whole.clone(), line(2, 2, 1, true)], Shipped::Unclear), // sent in part
            (&["SUCCESS"], vec![whole.clone(), line(1, 1, 0, false)], Shipped::Unclear), // perhaps a tip
            (&["SUCCESS", "SUCCESS"], vec![whole.clone()], Shipped::Unclear),
            (&["CANCELLED", "SUCCESS"], vec![whole.clone()], Shipped::Unclear),
            (&["SUCCESS"], vec![json!({"id": "l"})], Shipped::Unclear),
        ] {
            assert_eq!(Shipped::of(&order(statuses)["fulfillments"], &lines), expected, "{statuses:?} {lines:?}");
        }
        let (mut sent, lines) = (order(&["SUCCESS"]), [whole]);
        Shipped::Everything.add_units(sent.as_object_mut().unwrap(), &lines);
        let units = json!({"nodes": [{"quantity": 2, "lineItem": {"id": "l"}}]});
        assert_eq!(sent["fulfillments"][0]["fulfillmentLineItems"], units);
        Shipped::Nothing.add_units(sent.as_object_mut().unwrap(), &lines);
        assert_eq!(sent["fulfillments"][0]["fulfillmentLineItems"], json!({"nodes": []}));
    }
}
