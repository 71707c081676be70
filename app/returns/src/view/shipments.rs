//! Shipments and their tracking, as the API shows them.

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
    /// The units in the parcel, if this is known; `null`: all units that are sent.
    pub contents: Option<Vec<ParcelContent>>,
    /// The state of the shipment.
    pub status: ShipmentStatus,
    /// Why the shipment is sent.
    pub reason: ShipmentReason,
    /// The sender's address; its fields may be empty.
    pub sender: Address,
    /// The country that the parcel is sent from, which decides the format of the receiver's address. It is shown even
    /// if the sender is not.
    #[serde(skip)]
    pub sender_country: String,
    /// The address that the parcel is sent to.
    pub receiver: Address,
    /// The carrier's name; `null` while it is unknown.
    pub carrier: Option<String>,
    /// The path in this API that returns the label; `null` while there is none, and after it was voided.
    pub label_url: Option<String>,
    /// The media types of the label, for `Accept`; empty while there is none.
    pub label_media_types: Vec<LabelFormat>,
    /// The content of the label's barcode: on Retour's own labels the SSCC, 18 digits; empty while it is unknown.
    pub label_barcode: String,
    /// The content of the QR code that is shown instead of a label, if the carrier gave one; `null`: the return's
    /// number.
    pub qr_code: Option<String>,
    /// The carrier's tracking number.
    pub tracking_number: Option<String>,
    /// The carrier's tracking page of the parcel.
    pub tracking_url: Option<String>,
    /// The carrier's tracking updates, oldest first by the carrier's clock.
    pub tracking_updates: Vec<TrackingUpdateView>,
    /// The reason why there is no label, for programs.
    pub error_code: Option<String>,
    /// The carrier's error as a sentence for people.
    pub error_message: Option<String>,
    /// The number of label requests to the carrier that have failed.
    pub failed_attempts: u32,
    /// When Retour requests the label from the carrier again; `null`: there is a label, or a person has to look.
    pub next_attempt_at: Option<Timestamp>,
    /// When the shipment was created.
    pub created_at: Timestamp,
    /// When the shipment last changed.
    pub updated_at: Timestamp,
    /// The version of the shipment, from 1: it grows with each change and is the `ETag`.
    pub version: i64,
}

/// Why a shipment is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
pub enum ShipmentReason {
    /// The consumer sends items back.
    Return,
}

/// A carrier's report about a shipment.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "TrackingUpdate")]
pub struct TrackingUpdateView {
    /// The status that the carrier reports.
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
    /// The shipment as its consumer sees it: without a sender's address that may be another person's, without the
    /// fields for staff, and with a label path that the consumer's token may read.
    #[must_use]
    pub fn seen_by_consumer(self, consumer: ConsumerId) -> Self {
        let Self {
            id,
            return_order_id,
            contents,
            status,
            reason,
            sender: _,
            sender_country,
            receiver,
            carrier,
            label_url,
            label_media_types,
            label_barcode,
            qr_code,
            tracking_number,
            tracking_url,
            tracking_updates,
            error_code: _,
            error_message: _,
            failed_attempts: _,
            next_attempt_at: _,
            created_at,
            updated_at,
            version,
        } = self;
        Self {
            id,
            return_order_id,
            contents,
            status,
            reason,
            sender: Address::default(),
            sender_country,
            receiver,
            carrier,
            label_url: label_url
                .map(|_| format!("/consumer/{consumer}/return-order/{return_order_id}/shipments/{id}/label")),
            label_media_types,
            label_barcode,
            qr_code,
            tracking_number,
            tracking_url,
            tracking_updates,
            error_code: None,
            error_message: None,
            failed_attempts: 0,
            next_attempt_at: None,
            created_at,
            updated_at,
            version,
        }
    }
}
