//! The `webhooks` of the document: one for each type of event.

#![expect(
    clippy::indexing_slicing,
    reason = "a document of our own making: a JSON value indexed by a name gives null, or makes the field"
)]

use domain::webhook::EventType;
use returns::view;
use schemars::SchemaGenerator;
use serde_json::{Map, Value, json};

/// The name of an event type's schema in `components`: `shipment.delivered` is `ShipmentDeliveredEvent`.
pub fn schema_name(kind: EventType) -> String {
    let mut name = String::new();
    for word in kind.name().split(['.', '_']) {
        let mut letters = word.chars();
        name.extend(letters.next().map(|first| first.to_ascii_uppercase()));
        name.push_str(letters.as_str());
    }
    name + "Event"
}

/// The schema of `data` for each type of event.
pub(super) fn data_schemas(schemas: &mut SchemaGenerator) -> Vec<(EventType, Value)> {
    EventType::ALL.iter().map(|kind| (*kind, view::event_data(*kind, schemas).to_value())).collect()
}

/// Adds a schema for each type of event: `Event` with this one type and its payload in `data`.
pub(super) fn add_schemas(components: &mut Map<String, Value>, data: Vec<(EventType, Value)>) {
    let meanings = meanings(components);
    for ((kind, data), meaning) in data.into_iter().zip(meanings) {
        let mut event = components.get("Event").cloned().unwrap_or_default();
        event["description"] = format!("An event of the type `{}`. {meaning}", kind.name()).into();
        for field in ["type", "event"] {
            let description = event["properties"][field]["description"].clone();
            event["properties"][field] = json!({"type": "string", "enum": [kind.name()], "description": description});
        }
        let description = event["properties"]["data"]["description"].clone();
        event["properties"]["data"] = data;
        event["properties"]["data"]["description"] = description;
        components.insert(schema_name(kind), event);
    }
}

/// What each type of event means, in the order of the types.
fn meanings(components: &Map<String, Value>) -> Vec<String> {
    let known = components.get("EventType").and_then(|schema| schema["x-enum-descriptions"].as_array());
    known.into_iter().flatten().map(|text| text.as_str().unwrap_or_default().to_owned()).collect()
}

/// The `webhooks` of the document, by type of event.
pub(super) fn webhooks(components: &Map<String, Value>) -> Value {
    let meanings = meanings(components);
    let entries = EventType::ALL.iter().zip(meanings).map(|(kind, meaning)| {
        let name = schema_name(*kind);
        // No tag: openapi-generator writes the operations of a tag into a file, and then overwrites it with the tag's webhooks.
        let webhook = json!({"post": {
            "operationId": format!("on{}", name.trim_end_matches("Event")),
            "summary": format!("Receive {}", kind.name()),
            "description": meaning,
            "security": [],
            "parameters": headers(),
            "requestBody": {
                "required": true,
                "description": "The event. Verify the signature over these bytes before you parse them.",
                "content": {"application/json": {"schema": {"$ref": format!("#/components/schemas/{name}")}}},
            },
            "responses": responses(),
        }});
        (kind.name().to_owned(), webhook)
    });
    Value::Object(entries.collect())
}

/// The headers of Standard Webhooks.
fn headers() -> Value {
    let header = |name: &str, description: &str, schema: Value, example: &str| json!({"name": name, "in": "header", "required": true, "description": description, "schema": schema, "example": example});
    json!([
        header(
            "webhook-id",
            "The id of the event: the same in every attempt. Handle an event once.",
            json!({"type": "string", "format": "uuid", "maxLength": 36}),
            super::typical::ID,
        ),
        header(
            "webhook-timestamp",
            "The time of this attempt, in seconds since 1970 (UTC). Refuse a request that is more than five minutes old.",
            json!({"type": "string", "pattern": "^[0-9]{1,12}$", "maxLength": 12}),
            "1769860800",
        ),
        header(
            "webhook-signature",
            "`v1,` and the HMAC with SHA-256, in Base64, of id, timestamp and body with full stops between them. Two of these, with a space between them, while the secret is replaced.",
            json!({"type": "string", "pattern": "^v1,[A-Za-z0-9+/]{43}=( v1,[A-Za-z0-9+/]{43}=)?$", "maxLength": 200}),
            "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=",
        ),
    ])
}

/// The answers of a receiver, and their effects.
fn responses() -> Value {
    json!({
        "2XX": {"description": "The event is delivered. The body is ignored."},
        "410": {"description": "The receiver is gone: the subscription is disabled."},
        "default": {"description": "The attempt failed. Retour tries again, after the time in `Retry-After` if the answer has it."},
    })
}
