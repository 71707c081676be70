//! A row of the list, made of a return order or of a return request.

use domain::{
    Money, ReturnRequestId, ShippingOptionId, Timestamp, policy::Resolution, returning::ShipmentStatus,
    stage::StageName,
};
use returns::view::{Expandable, ReturnOrderView, ReturnRequestView};
use ui::components::ProductSummary;

/// An item of a return.
pub struct Item {
    pub product: ProductSummary,
    pub quantity: u32,
    pub received: u32,
}

/// A row of the list.
pub struct ListRow {
    /// The return requests of the row, for actions on ticked rows.
    pub requests: Vec<ReturnRequestId>,
    pub number: String,
    /// Empty: the person's role does not show it, or it is unknown.
    pub customer: String,
    pub orders: String,
    pub items: Vec<Item>,
    /// Each once.
    pub wanted: Vec<Resolution>,
    /// What the items cost. `None` if their currencies differ or the role shows no money.
    pub value: Option<Money>,
    pub stage: Option<StageName>,
    pub since: Option<Timestamp>,
    pub option: Option<ShippingOptionId>,
    pub parcel: Option<ShipmentStatus>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

impl ListRow {
    /// The row of a return order with its requests, shipments and consumer.
    pub fn of_order(order: ReturnOrderView) -> Self {
        let requests = order.return_requests.unwrap_or_default();
        // Of its requests, the one that is furthest behind says where the return is.
        let behind = requests.iter().min_by_key(|request| (request.stage.is_end(), request.stage));
        let customer = match &order.consumer_id {
            Expandable::Object(consumer) => name_of(&consumer.address.name, &consumer.email),
            Expandable::Id(_) => String::new(),
        };
        let shipments = order.shipments.unwrap_or_default();
        Self {
            stage: behind.map(|request| request.stage),
            since: behind.map(|request| request.stage_since),
            parcel: shipments.last().map(|shipment| shipment.status),
            number: order.number,
            customer,
            orders: order.purchase_order_numbers.join(", "),
            option: order.shipping_option_id,
            created_at: order.created_at,
            updated_at: order.updated_at,
            requests: requests.iter().map(|request| request.id).collect(),
            wanted: each_once(requests.iter().map(|request| request.requested_resolution)),
            value: sum(requests.iter().map(|request| request.purchase_price)),
            items: requests.iter().map(item).collect(),
        }
    }

    /// The row of a return request with its consumer.
    pub fn of_request(request: ReturnRequestView) -> Self {
        let customer = match &request.consumer_id {
            Expandable::Object(consumer) => name_of(&consumer.address.name, &consumer.email),
            Expandable::Id(_) => String::new(),
        };
        Self {
            items: vec![item(&request)],
            requests: vec![request.id],
            number: request.return_number,
            customer,
            orders: request.purchase_order_number,
            wanted: vec![request.requested_resolution],
            value: request.purchase_price,
            stage: Some(request.stage),
            since: Some(request.stage_since),
            option: None,
            parcel: None,
            created_at: request.created_at,
            updated_at: request.updated_at,
        }
    }
}

fn name_of(name: &str, email: &str) -> String {
    let name = name.trim();
    if name.is_empty() { email.to_owned() } else { name.to_owned() }
}

fn item(request: &ReturnRequestView) -> Item {
    Item {
        product: ProductSummary::new(&request.product),
        quantity: request.quantity,
        received: request.received_quantity,
    }
}

fn each_once(all: impl Iterator<Item = Resolution>) -> Vec<Resolution> {
    all.collect::<std::collections::BTreeSet<_>>().into_iter().collect()
}

/// The sum of amounts in one currency.
fn sum(amounts: impl Iterator<Item = Option<Money>>) -> Option<Money> {
    let amounts: Vec<Money> = amounts.collect::<Option<_>>()?;
    let currency = amounts.first()?.currency;
    if amounts.iter().any(|amount| amount.currency != currency) {
        return None;
    }
    Some(Money::new(amounts.iter().fold(0, |sum, amount| sum.saturating_add(amount.minor)), currency))
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::Currency;

    #[test]
    fn amounts_of_different_currencies_have_no_sum() {
        let money = |minor, code| Some(Money::new(minor, Currency::from_code(code).unwrap()));
        assert_eq!(sum([money(100, "EUR"), money(250, "EUR")].into_iter()), money(350, "EUR"));
        assert_eq!(sum([money(100, "EUR"), money(250, "USD")].into_iter()), None);
        assert_eq!(sum([money(100, "EUR"), None].into_iter()), None);
        assert_eq!(sum([].into_iter()), None);
    }
}
