//! The payload (`data`) of each type of event.

use super::{
    consumer::Consumer, handling::NoteView, return_requests::ReturnRequestView, returns::ReturnOrderView,
    shipments::ShipmentView, webhooks::WebhookSubscription, withdrawals::Withdrawal,
};
use crate::base::{OrBroken, Result};
use domain::{
    ConsumerId, Timestamp, WebhookSubscriptionId,
    stage::StageName,
    webhook::{DisabledReason, EventType},
};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;
use serde_json::Value;

/// The schema of `data` for a type of event. The match is exhaustive, so a type of event without a payload does not compile.
pub fn event_data(kind: EventType, schemas: &mut SchemaGenerator) -> Schema {
    match kind {
        EventType::StageChanged => schemas.subschema_for::<ReturnRequestEventData>(),
        EventType::ReturnOrderCreated
        | EventType::ReturnOrderConfirmed
        | EventType::ReturnOrderCompleted
        | EventType::ReturnOrderCancelled
        | EventType::ReturnOrderAssigned => schemas.subschema_for::<ReturnOrderEventData>(),
        EventType::LabelCreated | EventType::TrackingUpdated | EventType::ShipmentDelivered => {
            schemas.subschema_for::<ShipmentEventData>()
        }
        EventType::NoteAdded => schemas.subschema_for::<NoteEventData>(),
        EventType::WithdrawalReceived => schemas.subschema_for::<Withdrawal>(),
        EventType::ConsumerErased => schemas.subschema_for::<ConsumerErasedEventData>(),
        EventType::SubscriptionDisabled => schemas.subschema_for::<SubscriptionDisabledEventData>(),
        EventType::Ping => schemas.subschema_for::<PingEventData>(),
    }
}

/// The return request as it was when it entered the stage.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(transform = with_whole_consumer)]
pub struct ReturnRequestEventData {
    /// The return request.
    #[serde(flatten)]
    pub request: ReturnRequestView,
    /// The stage before; `null` for the first stage.
    pub previous_stage: Option<StageName>,
}

/// The return order as it was when the event happened, with its return requests and its shipments.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(transform = with_related_objects)]
pub struct ReturnOrderEventData {
    /// The return order.
    #[serde(flatten)]
    pub order: ReturnOrderView,
}

/// The shipment as it was when the event happened, with its return order.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ShipmentEventData {
    /// The shipment.
    #[serde(flatten)]
    pub shipment: ShipmentView,
    /// The return order that the shipment belongs to. It is serialized once, because several events share it.
    #[schemars(with = "ReturnOrderEventData")]
    pub return_order: Value,
}

/// The note that staff added, for systems in which staff also work. Consumers must not see it.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct NoteEventData {
    /// The note.
    #[serde(flatten)]
    pub note: NoteView,
    /// The number of the return order that the note is about.
    pub return_order_number: String,
}

/// The consumers whose personal data were erased.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ConsumerErasedEventData {
    /// The ids of all consumers with the e-mail address of the erased person.
    pub consumer_ids: Vec<ConsumerId>,
}

/// The subscription that was disabled, without its URL.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SubscriptionDisabledEventData {
    /// Unique identifier of the subscription.
    pub id: WebhookSubscriptionId,
    /// What the subscription is for; may be empty.
    pub description: String,
    /// The reason why the subscription is disabled.
    pub disabled_reason: DisabledReason,
    /// When the subscription was disabled.
    pub disabled_at: Timestamp,
    /// The time since which every attempt has failed.
    pub failing_since: Timestamp,
}

/// The subscription that is tested.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PingEventData {
    /// The subscription.
    pub webhook_subscription: WebhookSubscription,
}

/// Replaces the schema of `consumerId` with that of the whole consumer, which every event has.
fn with_whole_consumer(schema: &mut Schema) {
    let name = Consumer::schema_name();
    let Some(property) = schema.pointer_mut("/properties/consumerId").and_then(Value::as_object_mut) else { return };
    if let Some(Value::String(reference)) = property.get_mut("$ref") {
        *reference = reference.replace(&format!("/{name}OrId"), &format!("/{name}"));
    }
    property.insert("description".to_owned(), "The consumer who made the return.".into());
}

/// Requires the consumer and the lists, which API responses have only with `expand`.
fn with_related_objects(schema: &mut Schema) {
    with_whole_consumer(schema);
    if let Some(Value::Array(required)) = schema.get_mut("required") {
        required.extend(["returnRequests", "shipments"].map(Value::from));
    }
    let descriptions = [
        ("returnRequests", "The return requests of the order."),
        ("shipments", "The shipments that the event is about; empty if there are none."),
    ];
    for (field, description) in descriptions {
        let property = schema.pointer_mut(&format!("/properties/{field}")).and_then(Value::as_object_mut);
        if let Some(property) = property {
            property.insert("description".to_owned(), description.into());
            property.insert("type".to_owned(), "array".into());
        }
    }
}

/// Serializes a view to JSON.
pub(crate) fn to_value(view: &impl Serialize) -> Result<Value> {
    serde_json::to_value(view).or_broken()
}
