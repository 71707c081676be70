//! `POST /get-label`.

use domain::{
    Money, ReturnOrderId, ShippingOptionId, Translated,
    address::Address,
    shipping::{LabelFormat, ShippingMethod},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// A return that the consumer is about to send: the component has a carrier make its label.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct GetLabel {
    /// The id of this label, which is also the `webhook-id`. Retour sends the request again with the same id until it
    /// knows the result: if you have already made the label, answer with that label.
    pub transaction_id: Uuid,
    /// The account's slug.
    pub account: String,
    /// Retour's id of the return order.
    pub return_order_id: ReturnOrderId,
    /// The number of the return order that people see.
    pub return_order_number: String,
    /// The numbers of the shop's orders that the items come from.
    pub order_numbers: Vec<String>,
    /// The shipping option of the return, as the merchant has set it up.
    pub shipping_option: Option<LabelOption>,
    /// The address of the sender; its fields may be empty if the shop did not report them.
    pub sender: Address,
    /// The address of the receiver.
    pub receiver: Address,
    /// A serial shipping container code (SSCC, GS1) of 18 digits, which no other parcel has.
    pub sscc: String,
    /// The items in the parcel.
    pub items: Vec<LabelItem>,
    /// The weight of all items in grams, without the box.
    pub weight: u64,
    /// Whether the parcel passes customs: then each item has its `hsCode` and `originCountry`.
    pub passes_customs: bool,
}

/// A way to send items back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LabelOption {
    /// Retour's id of the shipping option.
    pub id: ShippingOptionId,
    /// The name that the consumer reads, by language.
    pub name: Translated,
    /// `Label`, `PickUp`: the consumer prints the label. `Paperless`, `DropOff`: the consumer shows a code.
    pub method: ShippingMethod,
    /// Your own name for the carrier's service (`carrierService` of the option); may be empty.
    pub carrier_service: String,
}

/// Units of an order line that go back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LabelItem {
    /// The shop's own id of the order line.
    pub purchase_id: String,
    /// The name of the product.
    pub name: String,
    /// Stock-keeping unit; may be empty.
    pub sku: String,
    /// The number of units, 1 or more.
    #[schemars(range(min = 1, max = 1_000_000))]
    pub quantity: u32,
    /// The amount that the consumer paid for all of these units, tax included.
    pub value: Money,
    /// The weight of one unit in grams: the shop's figure, or else the account's default for such goods.
    pub weight: u32,
    /// For customs: the code of the Harmonized System; may be empty.
    pub hs_code: String,
    /// For customs: the country of origin, ISO 3166-1 alpha-2; may be empty.
    pub origin_country: String,
}

/// The result of a request for a label.
#[derive(Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Label")]
pub struct MadeLabel {
    /// Whether the label exists.
    pub status: LabelStatus,
    /// The file to print. `Created` requires this or `qrCode`; the methods `Paperless` and `DropOff` require `qrCode`.
    pub label: Option<LabelFile>,
    /// The content of the code that the consumer shows instead of a label, up to 500 characters. Retour draws the
    /// code.
    #[schemars(length(max = 500))]
    pub qr_code: Option<String>,
    /// The bar code on the label, as scanners read it, up to 100 characters. If you leave it out, it is the tracking
    /// number.
    #[schemars(length(max = 100))]
    pub barcode: Option<String>,
    /// The name of the carrier, up to 100 characters.
    #[schemars(length(max = 100))]
    pub carrier: Option<String>,
    /// The carrier's number of the parcel, up to 100 characters.
    #[schemars(length(max = 100))]
    pub tracking_number: Option<String>,
    /// The page that shows where the parcel is: a URL that begins with `https://`, up to 2,000 characters.
    #[schemars(length(max = 2_000))]
    pub tracking_url: Option<String>,
    /// The cause of a failure as a code for programs, up to 100 characters. The merchant sees it beside the reason.
    #[schemars(length(max = 100))]
    pub error_code: Option<String>,
    /// The cause of a failure in a sentence for the merchant's staff. `Failed` requires it. Retour cuts it to 500
    /// characters.
    pub reason: Option<String>,
}

/// The status of a label.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
pub enum LabelStatus {
    /// The label exists, made now or before.
    Created,
    /// The label will exist later. Retour asks again every minute with the same `transactionId`, for 24 hours at most.
    Pending,
    /// No label was made. A new attempt has another `transactionId`.
    Failed,
}

/// A file to print.
#[derive(Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LabelFile {
    /// The format of the file.
    pub media_type: LabelFormat,
    /// The file in Base64 (RFC 4648, section 4).
    #[schemars(length(min = 1))]
    pub data: String,
}

/// Does not show what is printed on the label.
impl std::fmt::Debug for MadeLabel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("MadeLabel").field("status", &self.status).finish_non_exhaustive()
    }
}

/// Does not show what is printed on the label.
impl std::fmt::Debug for LabelFile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LabelFile").field("media_type", &self.media_type).finish_non_exhaustive()
    }
}
