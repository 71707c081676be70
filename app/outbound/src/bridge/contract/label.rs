//! `POST /get-label`.

use domain::{
    Money, ReturnOrderId, ShippingOptionId, Translated,
    address::Address,
    shipping::{LabelFormat, ShippingMethod},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// A return that is to be sent: have a carrier make its label.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct GetLabel {
    /// This label; the `webhook-id` too. It is sent again, with the same id, until the answer is known: whoever has made
    /// the label before makes no other and answers with that one once more.
    pub transaction_id: Uuid,
    /// The account's slug.
    pub account: String,
    /// Our id of the return order.
    pub return_order_id: ReturnOrderId,
    /// The number that people know the return by.
    pub return_order_number: String,
    /// The shop's orders that the things come from.
    pub order_numbers: Vec<String>,
    /// How it is sent, as the merchant has set it up.
    pub shipping_option: Option<LabelOption>,
    /// Who sends it; its fields may be empty, where the shop did not say.
    pub sender: Address,
    /// Where it goes.
    pub receiver: Address,
    /// A number that no other parcel has, for those who number parcels by GS1's SSCC: 18 digits.
    pub sscc: String,
    /// What is in it.
    pub items: Vec<LabelItem>,
    /// What all of it weighs, grams, without the box.
    pub weight: u64,
    /// Whether the parcel passes customs: then each item has its `hsCode` and `originCountry`.
    pub passes_customs: bool,
}

/// A way of sending things back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LabelOption {
    /// Our id of it.
    pub id: ShippingOptionId,
    /// What the consumer reads, by language.
    pub name: Translated,
    /// `Label`, `PickUp`: the consumer prints it. `Paperless`, `DropOff`: the consumer shows a code.
    pub method: ShippingMethod,
    /// What you call it (`carrierService` of the option); may be empty.
    pub carrier_service: String,
}

/// Units of a line that go back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LabelItem {
    /// The shop's own id of the line.
    pub purchase_id: String,
    /// What it is.
    pub name: String,
    /// Stock-keeping unit; may be empty.
    pub sku: String,
    /// Units, 1 or more.
    #[schemars(range(min = 1, max = 1_000_000))]
    pub quantity: u32,
    /// What was paid for all of these units, tax included.
    pub value: Money,
    /// Of one unit, grams: as the shop says it, or else what the account has set for such goods.
    pub weight: u32,
    /// For customs: the code of the Harmonized System; may be empty.
    pub hs_code: String,
    /// For customs: where it was made, ISO 3166-1 alpha-2; may be empty.
    pub origin_country: String,
}

/// What became of it.
#[derive(Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Label")]
pub struct MadeLabel {
    /// Where it stands.
    pub status: LabelStatus,
    /// What is to be printed. With `Created`, this or `qrCode` is needed; with the methods `Paperless` and `DropOff`,
    /// `qrCode`.
    pub label: Option<LabelFile>,
    /// What a code says that is shown in place of a label, up to 500 characters: it is drawn by us.
    #[schemars(length(max = 500))]
    pub qr_code: Option<String>,
    /// What scanners read on the label, up to 100 characters. Left out: the tracking number.
    #[schemars(length(max = 100))]
    pub barcode: Option<String>,
    /// Who carries it, up to 100 characters.
    #[schemars(length(max = 100))]
    pub carrier: Option<String>,
    /// The carrier's number of the parcel, up to 100 characters.
    #[schemars(length(max = 100))]
    pub tracking_number: Option<String>,
    /// Where people can follow it: an address that begins with `https://`, up to 2,000 characters.
    #[schemars(length(max = 2_000))]
    pub tracking_url: Option<String>,
    /// Why there is none, for programs, up to 100 characters: shown to the merchant beside the reason.
    #[schemars(length(max = 100))]
    pub error_code: Option<String>,
    /// Why there is none, in a sentence for the merchant's people: needed with `Failed`. Longer ones are cut to 500
    /// characters.
    pub reason: Option<String>,
}

/// Where a label stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
pub enum LabelStatus {
    /// Here it is, made now or before.
    Created,
    /// Not yet, but it will be: asked again with the same `transactionId` every minute, for 24 hours at most.
    Pending,
    /// It was not made. Whoever tries again does so with another `transactionId`.
    Failed,
}

/// A file that is printed.
#[derive(Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LabelFile {
    /// What it is.
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
