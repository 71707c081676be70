//! The links of the OpenAPI document: each one names an operation and values of the answer, and a client can make a whole return with links alone.

use crate::{
    contract::DOCUMENT,
    harness::{Answer, Service, on_both_databases, send, text},
    validators::problems,
};
use reqwest::Method;
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};

on_both_databases! {
    a_return_can_be_created_and_received_with_links_alone
    a_delivery_can_be_found_with_links_alone
}

/// An operation, by its id.
struct DescribedOperation {
    method: String,
    path: String,
    operation: &'static Value,
}

fn described_operation(id: &str) -> Option<DescribedOperation> {
    DOCUMENT["paths"].as_object().unwrap().iter().find_map(|(path, methods)| {
        let (method, operation) = methods.as_object().unwrap().iter().find(|(_, one)| one["operationId"] == id)?;
        Some(DescribedOperation { method: method.to_uppercase(), path: path.clone(), operation })
    })
}

impl DescribedOperation {
    fn parameter(&self, name: &str) -> Option<&'static Value> {
        self.operation["parameters"].as_array().unwrap().iter().find(|parameter| parameter["name"] == name)
    }

    fn needed(&self) -> BTreeSet<&'static str> {
        let parameters = self.operation["parameters"].as_array().unwrap().iter();
        parameters.filter(|one| one["in"] == "path").map(|one| one["name"].as_str().unwrap()).collect()
    }
}

/// The value of a runtime expression; `None` if the answer lacks it.
fn value(expression: &str, ids: &BTreeMap<String, String>, answer: &Value) -> Option<Value> {
    if let Some((before, rest)) = expression.split_once('{') {
        let (inner, after) = rest.split_once('}').unwrap();
        return Some(format!("{before}{}{after}", value(inner, ids, answer)?.as_str()?).into());
    }
    if let Some(name) = expression.strip_prefix("$request.path.") {
        return ids.get(name).map(|id| id.as_str().into());
    }
    match expression.strip_prefix("$response.body#") {
        Some(pointer) => answer.pointer(pointer).filter(|value| !value.is_null()).cloned(),
        None => Some(expression.into()),
    }
}

/// A body with its expressions replaced by values.
fn body(node: &Value, ids: &BTreeMap<String, String>, answer: &Value) -> Option<Value> {
    Some(match node {
        Value::String(expression) => value(expression, ids, answer)?,
        Value::Array(items) => items.iter().map(|item| body(item, ids, answer)).collect::<Option<_>>()?,
        Value::Object(fields) => {
            let field = |(name, field): (&String, &Value)| Some((name.clone(), body(field, ids, answer)?));
            Value::Object(fields.iter().map(field).collect::<Option<Map<_, _>>>()?)
        }
        other => other.clone(),
    })
}

#[test]
fn every_link_has_an_operation_and_values_that_the_answer_has() {
    let (mut checked, mut targets) = (0, BTreeSet::new());
    for methods in DOCUMENT["paths"].as_object().unwrap().values() {
        for from in methods.as_object().unwrap().values() {
            let from = described_operation(from["operationId"].as_str().unwrap()).unwrap();
            let ids: BTreeMap<String, String> =
                from.needed().into_iter().map(|name| (name.to_owned(), "1".to_owned())).collect();
            for (status, response) in from.operation["responses"].as_object().unwrap() {
                let example = &response["content"]["application/json"]["example"];
                for (name, link) in response["links"].as_object().into_iter().flatten() {
                    let place = format!("{} {status} {name}", from.operation["operationId"]);
                    check(&place, link, (&ids, example));
                    targets.insert(link["operationId"].as_str().unwrap().to_owned());
                    checked += 1;
                }
            }
        }
    }
    assert!(checked > 300, "{checked}");
    for expected in [
        "createOwnDraftReturnOrder",
        "createOwnReturnOrder",
        "getOwnLabel",
        "createOwnPendingEvidence",
        "acceptDraftReturnOrder",
        "createReceipt",
        "createInspection",
        "createEvidence",
        "getEvidence",
        "getLabel",
        "listWebhookDeliveries",
        "getWebhookDelivery",
        "getEvent",
        "updateReturnReason",
        "updateShippingOptionOfOwnAccount",
    ] {
        assert!(targets.contains(expected), "{expected}");
    }
}

fn check(place: &str, link: &Value, (ids, example): (&BTreeMap<String, String>, &Value)) {
    let to = described_operation(link["operationId"].as_str().unwrap())
        .unwrap_or_else(|| panic!("{place}: there is no such operation"));
    let given = link["parameters"].as_object().unwrap();
    let names: BTreeSet<&str> = given.keys().map(String::as_str).collect();
    assert!(names.is_superset(&to.needed()), "{place}: {names:?}");
    for (name, expression) in given {
        let parameter = to.parameter(name).unwrap_or_else(|| panic!("{place}: there is no parameter {name}"));
        let expression = expression.as_str().unwrap();
        let value = value(expression, ids, example).unwrap_or_else(|| panic!("{place}: {expression} in {example:#}"));
        if name == "filter" {
            let errors = problems(&parameter["schema"]["items"], &value);
            assert!(errors.is_empty(), "{place}: {errors:?}");
        }
        assert!(value.is_string(), "{place}: {name} is {value}");
    }
    if let Some(given) = link.get("x-request-body") {
        let sent = body(given, ids, example).unwrap_or_else(|| panic!("{place}: {given} in {example:#}"));
        let errors = problems(&to.operation["requestBody"]["content"]["application/json"]["schema"], &sent);
        assert!(errors.is_empty(), "{place}: {errors:?} {sent}");
    }
}

/// One step of a walk: an operation, the ids in its path, and its answer.
struct WalkStep {
    operation: String,
    ids: BTreeMap<String, String>,
    answer: Answer,
}

impl WalkStep {
    /// Follows a link of the answer.
    async fn follow(&self, service: &Service, credential: &str, name: &str) -> WalkStep {
        let from = described_operation(&self.operation).unwrap();
        let link = &from.operation["responses"][self.answer.status.to_string()]["links"][name];
        assert!(link.is_object(), "{} {} has no link {name}", self.operation, self.answer.status);
        let to = described_operation(link["operationId"].as_str().unwrap()).unwrap();
        let answered = self.answer.json();
        let (mut path, mut filter, mut ids) = (to.path.clone(), String::new(), BTreeMap::new());
        for (name, expression) in link["parameters"].as_object().unwrap() {
            let value = text(&value(expression.as_str().unwrap(), &self.ids, &answered).unwrap());
            if to.needed().contains(name.as_str()) {
                path = path.replace(&format!("{{{name}}}"), &value);
                ids.insert(name.clone(), value);
            } else {
                filter = format!("?{name}={value}");
            }
        }
        let method = Method::from_bytes(to.method.as_bytes()).unwrap();
        let mut request = service.request(method, &format!("{path}{filter}"), credential);
        if let Some(given) = link.get("x-request-body") {
            request = request.json(&body(given, &self.ids, &answered).unwrap());
        }
        let answer = send(request).await;
        assert!(answer.status < 300, "{name}: {} {}", answer.status, answer.text());
        WalkStep { operation: text(&link["operationId"]), ids, answer }
    }
}

async fn a_return_can_be_created_and_received_with_links_alone(service: Service) {
    let credentials = json!({"account": "fjord-fern", "orderNumber": "1001", "email": "ada@example.com"});
    let answer = service.post("/auth/consumer", "", credentials).await;
    let token = text(&answer.json()["accessToken"]);
    let proved = WalkStep { operation: "createConsumer".to_owned(), ids: BTreeMap::new(), answer };
    let purchases = proved.follow(&service, &token, "listOwnPurchases").await;
    let draft = purchases.follow(&service, &token, "createOwnDraftReturnOrder").await;
    let order = draft.follow(&service, &token, "createOwnReturnOrder").await;
    let label = order.follow(&service, &token, "getOwnLabel").await;
    assert!(label.answer.body.starts_with(b"%PDF"));

    let key = service.demo.key.clone();
    let requests = order.follow(&service, &key, "listReturnRequestsOfOwnAccount").await;
    assert_eq!(requests.answer.json()["data"].as_array().unwrap().len(), 1);
    let received = requests.follow(&service, &key, "createReceiptOfOwnAccount").await;
    assert_eq!(received.answer.json()["receivedQuantity"], 1);
    let timeline = received.follow(&service, &key, "listTimelineEntriesOfOwnAccount").await;
    assert!(timeline.answer.json()["data"].as_array().unwrap().len() > 3);
    let shipments = order.follow(&service, &key, "listShipmentsOfOwnAccount").await;
    let label = shipments.follow(&service, &key, "getLabelOfOwnAccount").await;
    assert!(label.answer.body.starts_with(b"%PDF"));
}

async fn a_delivery_can_be_found_with_links_alone(service: Service) {
    let key = service.demo.key.clone();
    let receiver = crate::receiver::Receiver::start().await;
    let answer = service.post("/api/v0/webhook-subscriptions", &key, json!({"url": receiver.url})).await;
    let made = WalkStep { operation: "createWebhookSubscriptionOfOwnAccount".to_owned(), ids: BTreeMap::new(), answer };
    made.follow(&service, &key, "testWebhookSubscriptionOfOwnAccount").await;
    let deliveries = made.follow(&service, &key, "listWebhookDeliveriesOfOwnAccount").await;
    let delivery = deliveries.follow(&service, &key, "getWebhookDeliveryOfOwnAccount").await;
    assert_eq!(delivery.answer.json()["attempts"].as_array().unwrap().len(), 1);
    let event = delivery.follow(&service, &key, "getEventOfOwnAccount").await;
    assert_eq!(event.answer.json()["type"], "test.ping");
}
