//! The webhooks of the OpenAPI document: there is one for each type of event, and deliveries match it.

use crate::{
    contract::DOCUMENT,
    harness::{Service, on_both_databases, text},
    receiver::{Receiver, until},
    validators::problems,
};
use domain::webhook::EventType;
use serde_json::{Value, json};
use server::api::openapi::webhooks::schema_name;
use std::collections::BTreeSet;

on_both_databases! {
    the_events_of_a_return_match_the_webhooks
}

/// The schema of a type of event, to which its webhook refers.
fn schema(kind: EventType) -> &'static Value {
    let webhook = &DOCUMENT["webhooks"][kind.name()]["post"];
    let schema = &webhook["requestBody"]["content"]["application/json"]["schema"];
    let reference = format!("#/components/schemas/{}", schema_name(kind));
    assert_eq!(schema, &json!({"$ref": reference}));
    DOCUMENT.pointer(reference.trim_start_matches('#')).unwrap()
}

#[test]
fn every_type_of_event_has_a_webhook_with_a_payload_of_its_own() {
    assert_eq!(DOCUMENT["webhooks"].as_object().unwrap().len(), EventType::ALL.len());
    let event = &DOCUMENT["components"]["schemas"]["Event"];
    assert_eq!(event["properties"]["data"]["type"], "object", "clients that poll can read any event");
    let mut ids = BTreeSet::new();
    for kind in EventType::ALL {
        let schema = schema(*kind);
        for field in ["type", "event"] {
            assert_eq!(schema["properties"][field]["enum"], json!([kind.name()]), "{}", kind.name());
        }
        assert_eq!(schema["required"], event["required"]);
        assert!(schema["properties"]["data"]["$ref"].is_string(), "{schema}");
        let webhook = &DOCUMENT["webhooks"][kind.name()]["post"];
        let headers = webhook["parameters"].as_array().unwrap().iter().map(|header| text(&header["name"]));
        assert_eq!(headers.collect::<Vec<_>>(), ["webhook-id", "webhook-timestamp", "webhook-signature"]);
        assert!(ids.insert(text(&webhook["operationId"])), "{webhook}");
    }
    assert_eq!(schema_name(EventType::TrackingUpdated), "ShipmentReceivedTrackingUpdatesEvent");
}

#[test]
fn events_contain_the_objects_that_answers_have_only_with_expand() {
    let property = |schema: &str, field: &str| DOCUMENT["components"]["schemas"][schema]["properties"][field].clone();
    for schema in ["ReturnRequestEventData", "ReturnOrderEventData"] {
        assert_eq!(property(schema, "consumerId")["$ref"], "#/components/schemas/Consumer", "{schema}");
    }
    assert_eq!(property("ShipmentEventData", "returnOrder")["$ref"], "#/components/schemas/ReturnOrderEventData");
    let order = &DOCUMENT["components"]["schemas"]["ReturnOrderEventData"];
    for field in ["returnRequests", "shipments"] {
        assert!(order["required"].as_array().unwrap().contains(&json!(field)), "{field}");
        assert_eq!(order["properties"][field]["type"], "array", "{field}");
    }
    // A payload of another type does not match.
    let mut event = json!({"id": "0190a5b1-7d3a-7c41-9f0e-2b6f6a1c9d10", "type": "consumer.erased", "event": "consumer.erased",
        "timestamp": "2026-01-31T12:00:00Z", "accountId": "0190a5b1-7d3a-7c41-9f0e-2b6f6a1c9d10", "data": {"consumerIds": []}});
    assert_eq!(problems(schema(EventType::ConsumerErased), &event), Vec::<String>::new());
    event["data"] = json!({"webhookSubscription": {}});
    assert!(!problems(schema(EventType::ConsumerErased), &event).is_empty());
}

/// `Received::json` checks each delivery against the document.
async fn the_events_of_a_return_match_the_webhooks(service: Service) {
    let receiver = Receiver::start().await;
    let path = service.subscribe(json!({"url": receiver.url})).await;
    service.deliver_webhooks();
    let key = service.demo.key.clone();
    let tried = service.post(&format!("{path}/test"), &key, json!({})).await;
    assert_eq!(tried.status, 200, "{}", tried.text());
    let order = service.one_return().await;
    let order = text(&order["id"]);
    let of_order = |list: &str| format!("/api/v0/{list}?filter=returnOrderId:{order}");
    let noted = service.post(&format!("/api/v0/return-orders/{order}/notes"), &key, json!({"text": "Called."})).await;
    assert_eq!(noted.status, 201, "{}", noted.text());
    let user = json!({"email": "ada@team.example", "name": "Ada", "role": "agent"});
    let user = service.post("/api/v0/users", &key, user).await.json()["id"].clone();
    let assigned = service.patch(&format!("/api/v0/return-orders/{order}"), &key, json!({"assigneeId": user})).await;
    assert_eq!(assigned.json()["assigneeId"], user, "{}", assigned.text());
    let shipment = text(&service.read(&of_order("shipments")).await["data"][0]["id"]);
    let report = json!({"status": "Delivered"});
    let tracked = service.post(&format!("/api/v0/shipments/{shipment}/tracking-updates"), &key, report).await;
    assert_eq!(tracked.status, 200, "{}", tracked.text());
    let request = text(&service.read(&of_order("return-requests")).await["data"][0]["id"]);
    let request = format!("/api/v0/return-requests/{request}");
    let arrived = service.post(&format!("{request}/receipts"), &key, json!({"quantity": 1})).await;
    assert_eq!(arrived.json()["stage"], "Resolution: Approved", "{}", arrived.text());
    let done = service.patch(&request, &key, json!({"stage": "Resolution: Completed"})).await;
    assert_eq!(done.status, 200, "{}", done.text());
    let withdrawn = json!({"name": "Ada", "contract": "Order 1001", "email": "ada@example.com", "language": "en"});
    let withdrawn = service.post("/api/v0/withdrawals", &key, withdrawn).await;
    assert_eq!(withdrawn.status, 201, "{}", withdrawn.text());
    let expected = [
        "test.ping",
        "return_order.created",
        "return_order.confirmed",
        "return_order.note_added",
        "return_order.assigned",
        "return_request.stage_changed",
        "shipment.label_created",
        "shipment.received_tracking_updates",
        "shipment.delivered",
        "return_order.completed",
        "withdrawal.received",
    ];
    let kinds = || receiver.received().iter().map(|one| text(&one.json()["type"])).collect::<BTreeSet<_>>();
    until(async || expected.iter().all(|kind| kinds().contains(*kind))).await;
    let received = receiver.received();
    let webhook = &DOCUMENT["webhooks"]["test.ping"]["post"]["parameters"];
    for header in webhook.as_array().unwrap() {
        let sent = json!(received[0].header(header["name"].as_str().unwrap()));
        assert_eq!(problems(&header["schema"], &sent), Vec::<String>::new(), "{header}");
    }
}
