//! Parcels and their way, as the API shows them.

use domain::{
    ConsumerId, ReturnOrderId, ShipmentId, Timestamp,
    address::Address,
    returning::{ParcelContent, Shipment, ShipmentStatus, TrackingUpdate},
    shipping::LabelFormat,
    stage::Scan,
};
use schemars::JsonSchema;
use serde::Serialize;

/// A shipment: one parcel of a return order.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Shipment")]
pub struct ShipmentView {
    /// Unique identifier of the shipment.
    pub id: ShipmentId,
    /// The return order whose units are in the parcel.
    pub return_order_id: ReturnOrderId,
    /// Which units of it, where that was said; `null`: all that is sent.
    pub contents: Option<Vec<ParcelContent>>,
    /// The state of the parcel.
    pub status: ShipmentStatus,
    /// Why the parcel is sent.
    pub reason: ShipmentReason,
    /// The sender's address; its fields may be empty.
    pub sender: Address,
    /// The country that the parcel is sent from, for the form of the receiver's address; also where the sender is not shown.
    #[serde(skip)]
    pub sender_country: String,
    /// The address that the parcel is sent to.
    pub receiver: Address,
    /// The carrier's name; `null` while it is unknown.
    pub carrier: Option<String>,
    /// Where its label is: a path of this API. `null` while there is none, and when it is void.
    pub label_url: Option<String>,
    /// What the label can be had as, by `Accept`; empty while there is none.
    pub label_media_types: Vec<LabelFormat>,
    /// What scanners read on the label: on ours the SSCC, 18 digits; empty while it is not known.
    pub label_barcode: String,
    /// What a code says that is shown in place of a label, where a carrier said so; `null`: the return's number.
    pub qr_code: Option<String>,
    /// The carrier's number of the parcel.
    pub tracking_number: Option<String>,
    /// The carrier's page that shows where the parcel is.
    pub tracking_url: Option<String>,
    /// What the carrier reported, oldest first in its own time.
    pub tracking_updates: Vec<TrackingUpdateView>,
    /// The reason why there is no label, for programs.
    pub error_code: Option<String>,
    /// The carrier's error as a sentence for people.
    pub error_message: Option<String>,
    /// How often the carrier was asked for the label in vain.
    pub failed_attempts: u32,
    /// When Retour asks the carrier for the label again; `null`: it has the label, or a person has to look.
    pub next_attempt_at: Option<Timestamp>,
    /// When the shipment was created.
    pub created_at: Timestamp,
    /// When the shipment last changed.
    pub updated_at: Timestamp,
    /// The version of the shipment, from 1: it grows with each change and is the `ETag`.
    pub version: i64,
}

/// Why a parcel is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
pub enum ShipmentReason {
    /// The consumer sends items back.
    Return,
}

/// A carrier's report about a parcel.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "TrackingUpdate")]
pub struct TrackingUpdateView {
    /// What the carrier reports.
    pub status: Scan,
    /// The carrier's own words; may be empty.
    pub explanation: String,
    /// When it happened, by the carrier's clock.
    pub happened_at: Timestamp,
}

impl From<TrackingUpdate> for TrackingUpdateView {
    fn from(update: TrackingUpdate) -> Self {
        Self { status: update.status, explanation: update.explanation, happened_at: update.happened_at }
    }
}

impl From<Shipment> for ShipmentView {
    fn from(shipment: Shipment) -> Self {
        let known = |text: String| Some(text).filter(|text| !text.is_empty());
        let formats = if shipment.check_label().is_ok() { shipment.label.formats() } else { Vec::new() };
        Self {
            id: shipment.id,
            return_order_id: shipment.return_order_id,
            contents: shipment.contents,
            status: shipment.status,
            reason: ShipmentReason::Return,
            sender_country: shipment.sender.country.clone(),
            sender: shipment.sender,
            receiver: shipment.receiver,
            carrier: known(shipment.carrier),
            label_url: (!formats.is_empty()).then(|| format!("/api/v0/shipments/{}/label", shipment.id)),
            label_media_types: formats,
            label_barcode: shipment.label_barcode,
            qr_code: shipment.label.qr_code().map(str::to_owned),
            tracking_number: known(shipment.tracking_number),
            tracking_url: known(shipment.tracking_url),
            tracking_updates: shipment.tracking.into_iter().map(Into::into).collect(),
            error_code: known(shipment.error_code),
            error_message: known(shipment.error_message),
            failed_attempts: shipment.failed_attempts,
            next_attempt_at: shipment.next_attempt_at,
            created_at: shipment.created_at,
            updated_at: shipment.updated_at,
            version: shipment.version,
        }
    }
}

impl ShipmentView {
    /// As its consumer sees it: without an address that may not be theirs, without what the merchant's people are to see
    /// to, and with a label that their token opens.
    #[must_use]
    pub fn seen_by_consumer(self, consumer: ConsumerId) -> Self {
        let label = format!("/consumer/{consumer}/return-order/{}/shipments/{}/label", self.return_order_id, self.id);
        let sender = Address::default();
        Self {
            sender,
            label_url: self.label_url.map(|_| label),
            error_code: None,
            error_message: None,
            failed_attempts: 0,
            next_attempt_at: None,
            ..self
        }
    }
}
