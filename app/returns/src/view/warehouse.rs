//! What the warehouse does, as the API shows it: scanned codes, counted parcels, parcels without papers.

use super::return_requests::ReturnRequestView;
use domain::{
    FoundParcelId, ReceivingId, ReturnOrderId, ReturnRequestId, ShipmentId, Timestamp,
    returning::{FoundParcel, FoundParcelStatus, ReturnOrderStatus},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A parcel that was counted, and the return requests as they are now.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Receiving {
    /// Identifies the count to take it back; `null` if it is too old for that.
    pub id: Option<ReceivingId>,
    /// The return order that the parcel belongs to.
    pub return_order_id: ReturnOrderId,
    /// The number of the return order.
    pub return_order_number: String,
    /// The reference in the request, or an id that Retour made if the request has none.
    pub external_reference: String,
    /// When the parcel was counted.
    pub received_at: Timestamp,
    /// All return requests of the return order: their stages and resolutions say what follows.
    pub return_requests: Vec<ReturnRequestView>,
}

/// What a scanned code belongs to.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Scan {
    /// The code without what scanners add: control characters and the symbology identifier.
    #[schemars(extend("examples" = ["095212340000000013"]))]
    pub code: String,
    /// The command, if the code is one of the command sheet; `null` otherwise.
    #[schemars(extend("examples" = ["ALL-HERE"]))]
    pub command: Option<String>,
    /// What the code belongs to, the likeliest first. Empty: nothing is known about it.
    pub matches: Vec<ScanMatch>,
}

/// Something that a scanned code belongs to.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ScanMatch {
    /// What the code is.
    pub kind: ScanKind,
    /// The return order.
    pub return_order_id: ReturnOrderId,
    /// The number of the return order.
    pub return_order_number: String,
    /// The numbers of the sales orders that its items are from.
    pub purchase_order_numbers: Vec<String>,
    /// The state of the return order.
    pub status: ReturnOrderStatus,
    /// When the return order was created.
    pub created_at: Timestamp,
    /// The shipment, if the code is that of a parcel.
    pub shipment_id: Option<ShipmentId>,
    /// The return request, if the code is that of its product.
    pub return_request_id: Option<ReturnRequestId>,
}

/// What a scanned code is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(remote = "ScanKind")]
pub enum ScanKind {
    /// The barcode or tracking number of a parcel.
    Shipment,
    /// The number of a return order.
    ReturnOrder,
    /// The number of a sales order.
    Order,
    /// The barcode or stock-keeping unit of a product in the open return.
    Product,
}

domain::string_enum!(ScanKind);

/// What the caller has counted today.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ScanTally {
    /// Parcels that were counted as a whole.
    pub parcels: u32,
    /// Units that arrived.
    pub units: u32,
    /// Units that were refused.
    pub refused: u32,
    /// The last parcel, while it can be taken back without a reason; `null` otherwise.
    pub last: Option<LastReceiving>,
}

/// The parcel that the caller counted last.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LastReceiving {
    /// Identifies the count to take it back.
    pub id: ReceivingId,
    /// The return order that the parcel belongs to.
    pub return_order_id: ReturnOrderId,
    /// The number of the return order.
    pub return_order_number: String,
    /// When the parcel was counted.
    pub received_at: Timestamp,
}

/// A parcel that arrived without papers.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "FoundParcel")]
pub struct FoundParcelView {
    /// Unique identifier of the found parcel.
    pub id: FoundParcelId,
    /// A short number to write on the parcel.
    #[schemars(extend("examples" = ["F-7K3M9QXA"]))]
    pub number: String,
    /// The state of the found parcel.
    pub status: FoundParcelStatus,
    /// The code on it; may be empty.
    pub code: String,
    /// The carrier's name; may be empty.
    pub carrier: String,
    /// What is in it; may be empty.
    pub contents: String,
    /// The merchant's note; may be empty.
    pub note: String,
    /// The return order that it belongs to; `null` if nobody has found out.
    pub return_order_id: Option<ReturnOrderId>,
    /// The user or service user who found it; `null` for the operator.
    pub found_by: Option<uuid::Uuid>,
    /// When the parcel was found.
    pub created_at: Timestamp,
    /// When the found parcel last changed.
    pub updated_at: Timestamp,
    /// The version of the found parcel: it grows with each change and is the `ETag`.
    pub version: i64,
}

impl From<FoundParcel> for FoundParcelView {
    fn from(parcel: FoundParcel) -> Self {
        Self {
            id: parcel.id,
            number: parcel.number,
            status: parcel.status,
            code: parcel.code,
            carrier: parcel.carrier,
            contents: parcel.contents,
            note: parcel.note,
            return_order_id: parcel.return_order_id,
            found_by: parcel.found_by,
            created_at: parcel.created_at,
            updated_at: parcel.updated_at,
            version: parcel.version,
        }
    }
}
