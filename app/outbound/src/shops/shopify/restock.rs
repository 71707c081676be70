//! The places where sellable units go back into stock: those that they were sent from.

use super::{
    client::ShopifySession, documents::PLACES, order_state::PlacesResponse, plan::ShopifyPlan, responses::is_sent,
};
use crate::{bridge::BridgeError, bridge::contract::Item};
use domain::stage::Disposition;
use serde_json::{Value, json};
use std::collections::HashMap;

/// Locations by line.
#[derive(Default)]
pub(super) struct Places(HashMap<String, String>);

impl Places {
    /// Reads the places, if any unit is to go back into stock.
    pub async fn of(session: &ShopifySession<'_>, plan: &ShopifyPlan<'_>) -> Result<Self, BridgeError> {
        if !plan.asked.items.iter().any(is_restocked) {
            return Ok(Self::default());
        }
        Self::read(session, &plan.order.id).await
    }

    /// Reads the places of an order. An app that may not read locations knows none.
    pub async fn read(session: &ShopifySession<'_>, order_id: &str) -> Result<Self, BridgeError> {
        let response: PlacesResponse = match session.query(PLACES, json!({"id": order_id})).await {
            Ok(response) => response,
            Err(BridgeError::KeyRefused(_)) => return Ok(Self::default()),
            Err(error) => return Err(error),
        };
        let mut places = HashMap::new();
        let fulfillments = response.order.into_iter().flat_map(|order| order.fulfillments);
        for fulfillment in fulfillments.filter(|fulfillment| is_sent(&fulfillment.status)) {
            let Some(location) = fulfillment.location else { continue };
            for line in fulfillment.fulfillment_line_items.nodes {
                places.insert(line.line_item.id, location.id.clone());
            }
        }
        Ok(Self(places))
    }

    /// The place that a line was sent from.
    pub fn of_line(&self, line: &str) -> Option<&String> {
        self.0.get(line)
    }

    /// The `RefundLineItemInput` of an item.
    pub fn input(&self, item: &Item) -> Value {
        let (line, units) = (&item.purchase_id, item.quantity);
        match self.0.get(line).filter(|_| is_restocked(item)) {
            Some(place) => {
                json!({"lineItemId": line, "quantity": units, "restockType": "RETURN", "locationId": place})
            }
            None => json!({"lineItemId": line, "quantity": units, "restockType": "NO_RESTOCK"}),
        }
    }

    /// How many sellable units have no place to go back to.
    pub fn missing(&self, items: &[Item]) -> u32 {
        let missing = items.iter().filter(|item| is_restocked(item) && !self.0.contains_key(&item.purchase_id));
        missing.map(|item| item.quantity).fold(0, u32::saturating_add)
    }
}

fn is_restocked(item: &Item) -> bool {
    item.disposition == Some(Disposition::Restock)
}
