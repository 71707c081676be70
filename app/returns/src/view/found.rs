//! What a search over everything finds, as the API shows it.

use domain::{ReturnOrderId, Timestamp};
use schemars::JsonSchema;
use serde::Serialize;
use uuid::Uuid;

/// The kind of object that a search found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
pub enum FoundKind {
    /// A shipment, by the code of its label or its tracking number.
    Shipment,
    /// A return order, by its number or by the number of the sales order.
    ReturnOrder,
    /// A withdrawal, by its number.
    Withdrawal,
    /// A sales order, by its number. `GET /purchases?filter=orderId:<id>` has its lines.
    Order,
    /// A consumer, by e-mail address or name.
    Consumer,
    /// A return request, by the SKU of its product.
    ReturnRequest,
}

/// An object that a search found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Found {
    /// The kind of object.
    pub kind: FoundKind,
    /// The id of the object.
    pub id: Uuid,
    /// What people know it by: its number, its name or its code.
    #[schemars(extend("examples" = ["R-7K3M9QXA"]))]
    pub title: String,
    /// What distinguishes it from others with this title; may be empty.
    #[schemars(extend("examples" = ["Order 1001"]))]
    pub detail: String,
    /// The return order that it belongs to; `null` if it belongs to none.
    pub return_order_id: Option<ReturnOrderId>,
    /// The number of that return order.
    #[schemars(extend("examples" = ["R-7K3M9QXA"]))]
    pub return_number: Option<String>,
    /// When it was created.
    pub created_at: Timestamp,
}
