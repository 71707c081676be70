//! Orders that have changed: one order by its id, and a list of all.

use super::{
    client::ShopifySession,
    documents::{CHANGED, SCOPES},
    look_up,
    purchases::purchases,
    responses::{Installation, Page},
};
use crate::bridge::{BridgeError, contract::Purchases, valid_purchases};
use domain::Timestamp;
use serde::Deserialize;
use serde_json::json;

/// Apps without this scope do not see orders over 60 days old.
const ALL_ORDERS: &str = "read_all_orders";

/// An order as the shop has it now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OrderNow {
    /// The order, with all of its lines.
    Found(Box<Purchases>),
    /// The shop shows none with this id.
    NotShown {
        /// Whether the app may see orders of every age. If not, the order may just be over 60 days old.
        sees_all: bool,
    },
}

/// Orders that have changed, those that changed first at the beginning.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangedOrders {
    /// At most 250.
    pub orders: Vec<ChangedOrder>,
    /// Where the list goes on; `None` at its end.
    pub next: Option<String>,
}

/// An order that has changed.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ChangedOrder {
    /// The shop's id: `gid://shopify/Order/…`.
    pub id: String,
    /// When it changed last.
    pub updated_at: Timestamp,
}

#[derive(Deserialize)]
struct ChangedResponse {
    orders: Page<ChangedOrder>,
}

/// The response to `SCOPES`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ScopesResponse {
    current_app_installation: Installation,
}

/// See [`super::Shopify::get_order`].
pub(super) async fn order(session: &ShopifySession<'_>, id: &str) -> Result<OrderNow, BridgeError> {
    let Some((order, supplement)) = look_up::by_id(session, id).await? else {
        return Ok(OrderNow::NotShown { sees_all: scopes(session).await?.has(ALL_ORDERS) });
    };
    let found = purchases(&order, &supplement);
    if found.purchases.is_empty() {
        return Ok(OrderNow::NotShown { sees_all: true }); // nothing of it can be returned
    }
    Ok(OrderNow::Found(Box::new(valid_purchases(found)?)))
}

/// What the app may do in the shop. Every installed app may ask this.
pub(super) async fn scopes(session: &ShopifySession<'_>) -> Result<Installation, BridgeError> {
    let ScopesResponse { current_app_installation } = session.query(SCOPES, json!({})).await?;
    Ok(current_app_installation)
}

/// See [`super::Shopify::list_changed`].
pub(super) async fn changed(
    session: &ShopifySession<'_>,
    since: Timestamp,
    after: Option<&str>,
) -> Result<ChangedOrders, BridgeError> {
    let since = Timestamp::from_seconds(since.seconds()); // in whole seconds, as Shopify counts
    let variables = json!({"search": format!("updated_at:>='{since}'"), "after": after});
    let ChangedResponse { orders } = session.query(CHANGED, variables).await?;
    let next = match (orders.page_info.has_next_page, orders.page_info.end_cursor) {
        (false, _) => None,
        // Such pages would never end.
        (true, cursor) if cursor.is_none() || cursor.as_deref() == after || orders.nodes.is_empty() => {
            return Err(BridgeError::bad_field(
                "data.orders.pageInfo.endCursor",
                "expected the cursor of another page",
            ));
        }
        (true, cursor) => cursor,
    };
    Ok(ChangedOrders { orders: orders.nodes, next })
}
