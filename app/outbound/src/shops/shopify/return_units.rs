//! The units that are part of a return which staff made in Shopify: they cannot be returned here, too.

use super::{
    client::ShopifySession, documents::UNITS_IN_RETURNS, responses::LineId, responses::Nodes,
    return_asked::ReturnStatus,
};
use crate::bridge::BridgeError;
use serde::Deserialize;
use serde_json::json;
use std::collections::HashMap;

/// What our numbers begin with, and how many letters and digits follow.
const OUR_PREFIX: &str = "R-";
const OUR_LETTERS: usize = 8;

/// The response to `UNITS_IN_RETURNS`.
#[derive(Deserialize)]
struct UnitsResponse {
    order: Option<OrderReturns>,
}

#[derive(Deserialize)]
struct OrderReturns {
    returns: Nodes<OrderReturn>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct OrderReturn {
    status: String,
    return_line_items: Nodes<LineInReturn>,
}

/// A line of a return, or an empty object for something else.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct LineInReturn {
    quantity: Option<u32>,
    processed_quantity: Option<u32>,
    refunded_quantity: Option<u32>,
    return_reason_note: Option<String>,
    customer_note: Option<String>,
    fulfillment_line_item: Option<FulfilledLine>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct FulfilledLine {
    line_item: LineId,
}

/// Units by line.
#[derive(Debug, Default)]
pub(super) struct UnitsInReturns(HashMap<String, u32>);

impl UnitsInReturns {
    /// Reads the units in returns of others. An app that may not read returns knows none.
    pub async fn read(session: &ShopifySession<'_>, order_id: &str) -> Result<Self, BridgeError> {
        Self::read_of(session, order_id, |one| !one.is_ours()).await
    }

    /// Reads the units in all returns, as [`Self::read`] does.
    pub async fn read_all(session: &ShopifySession<'_>, order_id: &str) -> Result<Self, BridgeError> {
        Self::read_of(session, order_id, |_| true).await
    }

    /// Units that are processed or refunded are left out: Shopify counts them as refunded.
    async fn read_of(
        session: &ShopifySession<'_>,
        order_id: &str,
        is_wanted: impl Fn(&OrderReturn) -> bool + Send,
    ) -> Result<Self, BridgeError> {
        let response: UnitsResponse = match session.query(UNITS_IN_RETURNS, json!({"order": order_id})).await {
            Ok(response) => response,
            Err(BridgeError::KeyRefused(_)) => return Ok(Self::default()),
            Err(error) => return Err(error),
        };
        let mut units: HashMap<String, u32> = HashMap::new();
        for one in response.order.into_iter().flat_map(|order| order.returns.nodes) {
            let counts =
                !matches!(ReturnStatus::of(&one.status), Some(ReturnStatus::Cancelled | ReturnStatus::Declined));
            if !counts || !is_wanted(&one) {
                continue;
            }
            for line in one.return_line_items.nodes {
                let (Some(item), Some(quantity)) = (line.fulfillment_line_item, line.quantity) else { continue };
                let gone = line.processed_quantity.max(line.refunded_quantity).unwrap_or(0);
                let sum = units.entry(item.line_item.id).or_default();
                *sum = sum.saturating_add(quantity.saturating_sub(gone));
            }
        }
        Ok(Self(units))
    }

    /// The units of a line.
    pub fn of_line(&self, line: &str) -> u32 {
        self.0.get(line).copied().unwrap_or(0)
    }
}

impl OrderReturn {
    fn is_ours(&self) -> bool {
        self.return_line_items.nodes.iter().any(LineInReturn::is_ours)
    }
}

impl LineInReturn {
    fn is_ours(&self) -> bool {
        [&self.return_reason_note, &self.customer_note].into_iter().flatten().any(|note| names_ours(note))
    }
}

/// Whether a note begins with a number of ours.
fn names_ours(note: &str) -> bool {
    let Some(rest) = note.strip_prefix(OUR_PREFIX) else { return false };
    let number = rest.split(|letter: char| !letter.is_ascii_alphanumeric()).next().unwrap_or_default();
    number.len() == OUR_LETTERS && !number.bytes().any(|byte| byte.is_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::names_ours;

    #[test]
    fn our_notes_begin_with_our_number() {
        assert!(names_ours("R-70A4C4S9: Too small") && names_ours("R-70A4C4S9"));
        for note in ["", "Too small", "R-70A4C4S", "R-70A4C4S99", "R-returned", "see R-70A4C4S9"] {
            assert!(!names_ours(note), "{note}");
        }
    }
}
