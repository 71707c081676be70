//! Links from an answer to the operations that can follow it, with the values that they take from the answer.

use super::{own_account, schemas::SCHEMAS};
use crate::api::base::operation::Operation;
use serde_json::{Map, Value, json};

/// Operations on an object in an answer: the type of the object, the JSON pointer to an id in it, and the operations whose last path parameter is this id.
///
/// Operations that delete a user or revoke a key are left out, because a test that follows all links would lose its credential.
const BY_ID: &[(&str, &str, &[&str])] = &[
    ("IdentifiedConsumer", "/consumer/id", &["listOwnPurchases", "createOwnDraftReturnOrder", "listOwnReturnOrders"]),
    ("Consumer", "/id", &["getConsumer", "getConsumerData", "listOwnPurchases", "listOwnReturnOrders"]),
    ("ConsumerPurchase", "/id", &["createOwnPendingEvidence", "listOwnPendingEvidence"]),
    (
        "DraftReturnOrder",
        "/id",
        &[
            "getDraftReturnOrder",
            "acceptDraftReturnOrder",
            "rejectDraftReturnOrder",
            "getOwnDraftReturnOrder",
            "setOwnShippingOption",
            "renewOwnDraftReturnOrder",
        ],
    ),
    ("DraftReturnOrder", "/consumerId", &["getConsumer"]),
    (
        "ReturnOrder",
        "/id",
        &[
            "getReturnOrder",
            "cancelReturnOrder",
            "addShipment",
            "changeShippingOption",
            "previewShippingOption",
            "updateReturnOrder",
            "createNote",
            "listNotes",
            "listActivity",
            "createVisit",
            "getOwnReturnOrder",
            "cancelOwnReturnOrder",
            "getOwnLabel",
            "listOwnEvidence",
        ],
    ),
    ("BulkRun", "/id", &["getBulkRun", "continueBulkRun"]),
    ("ReturnOrder", "/consumerId", &["getConsumer"]),
    ("ReturnOrder", "/draftReturnOrderId", &["getDraftReturnOrder", "getOwnDraftReturnOrder"]),
    (
        "ReturnRequest",
        "/id",
        &[
            "getReturnRequest",
            "updateReturnRequest",
            "createReceipt",
            "listReceipts",
            "createInspection",
            "getInspection",
            "createEvidence",
            "listEvidence",
            "listTimelineEntries",
            "createAdjustment",
            "createAmendment",
            "previewAmendment",
            "createProposal",
        ],
    ),
    ("Note", "/returnOrderId", &["getReturnOrder"]),
    ("ReturnRequest", "/consumerId", &["getConsumer"]),
    ("ReturnRequest", "/returnOrderId", &["getReturnOrder"]),
    ("ReturnRequest", "/returnReasonId", &["getReturnReason"]),
    ("ReturnRequest", "/purchaseId", &["getPurchase"]),
    ("EvidenceFile", "/id", &["getEvidence", "deleteEvidence", "getOwnEvidence"]),
    ("PendingEvidence", "/id", &["getOwnPendingEvidence", "deleteOwnPendingEvidence"]),
    (
        "Shipment",
        "/id",
        &["getShipment", "getLabel", "retryLabel", "correctSender", "cancelShipment", "createTrackingUpdate"],
    ),
    ("Shipment", "/returnOrderId", &["getReturnOrder"]),
    ("Purchase", "/externalId", &["getPurchase", "deletePurchase"]),
    ("ReturnLocation", "/id", &["getReturnLocation", "updateReturnLocation", "deleteReturnLocation"]),
    ("ReturnReason", "/id", &["getReturnReason", "updateReturnReason", "deleteReturnReason"]),
    ("ShippingOption", "/id", &["getShippingOption", "updateShippingOption", "deleteShippingOption"]),
    ("ServiceUser", "/id", &["getServiceUser", "updateServiceUser"]),
    ("ServiceUserWithKey", "/id", &["getServiceUser", "updateServiceUser"]),
    ("User", "/id", &["getUser", "updateUser", "inviteUserAgain"]),
    ("InvitedUser", "/id", &["getUser", "updateUser", "inviteUserAgain"]),
    ("Mail", "/id", &["resendMail"]),
    ("Withdrawal", "/id", &["getWithdrawal", "updateWithdrawal"]),
    ("FoundParcel", "/id", &["getFoundParcel", "updateFoundParcel"]),
    (
        "WebhookSubscription",
        "/id",
        &[
            "getWebhookSubscription",
            "updateWebhookSubscription",
            "deleteWebhookSubscription",
            "testWebhookSubscription",
            "listWebhookDeliveries",
            "redeliverSince",
            "getWebhookSecret",
            "rotateWebhookSecret",
            "getWebhookSubscriptionTimeline",
        ],
    ),
    ("WebhookDelivery", "/id", &["getWebhookDelivery", "redeliverWebhookDelivery"]),
    ("WebhookDelivery", "/eventId", &["getEvent"]),
    ("WebhookDelivery", "/subscriptionId", &["getWebhookSubscription"]),
    ("WebhookDeliveryDetails", "/id", &["getWebhookDelivery", "redeliverWebhookDelivery"]),
    ("WebhookDeliveryDetails", "/eventId", &["getEvent"]),
    ("WebhookDeliveryDetails", "/subscriptionId", &["getWebhookSubscription"]),
    ("Event", "/id", &["getEvent", "redeliverEvent"]),
];

/// Lists of objects that belong to another object: its type, the list, and the field of the filter.
const BY_FILTER: &[(&str, &str, &str)] = &[
    ("Consumer", "listReturnOrders", "consumerId"),
    ("Consumer", "listReturnRequests", "consumerId"),
    ("Consumer", "listDraftReturnOrders", "consumerId"),
    ("ReturnOrder", "listReturnRequests", "returnOrderId"),
    ("ReturnOrder", "listShipments", "returnOrderId"),
    ("ReturnOrder", "listMails", "returnOrderId"),
    ("ReturnOrder", "listEvents", "returnOrderId"),
];

/// Operations whose body takes values from an answer: the type of the object, and the operation.
const BY_BODY: &[(&str, &str)] = &[
    ("ConsumerPurchase", "createOwnDraftReturnOrder"),
    ("DraftReturnOrder", "createOwnReturnOrder"),
    ("ReturnRequest", "createReceipt"),
];

/// The field of a link that has the body. The specification has `requestBody`, of any type, but openapi-generator accepts only a string.
const BODY: &str = "x-request-body";

/// The body of an operation of [`BY_BODY`]. `object`: the JSON pointer to the object in the answer.
fn body(operation: &str, object: &str) -> Option<Value> {
    let value = |place: &str| format!("$response.body#{object}{place}");
    Some(match operation {
        "createOwnDraftReturnOrder" => json!({
            "selectedPurchases": [{
                "purchaseId": value("/id"), "quantity": 1, "returnReasonId": value("/returnReasons/0/id"),
            }],
            "shippingOptionId": value("/shippingOptions/0/id"),
        }),
        "createOwnReturnOrder" => json!({"draftReturnOrderId": value("/id")}),
        "createReceipt" => json!({"quantity": value("/quantity")}),
        _ => return None,
    })
}

/// Adds links to the answers of all operations. `schemas`: the schemas of the document.
pub fn add_to(paths: &mut Map<String, Value>, schemas: &Map<String, Value>, operations: &[Operation]) {
    for from in operations {
        let method = from.method.as_str().to_lowercase();
        let described = paths.get_mut(&from.path()).and_then(|methods| methods.get_mut(method));
        let responses = described.and_then(|described| described.get_mut("responses")?.as_object_mut());
        for response in responses.into_iter().flat_map(Map::values_mut) {
            let Some((name, object)) = answered(response, schemas) else { continue };
            let links = links(from, operations, name, object);
            if let Some(fields) = response.as_object_mut().filter(|_| !links.is_empty()) {
                fields.insert("links".to_owned(), links.into());
            }
        }
    }
}

/// The type of the object in an answer, and the JSON pointer to it. For a list, this is the first row.
fn answered<'a>(response: &'a Value, schemas: &'a Map<String, Value>) -> Option<(&'a str, &'static str)> {
    let named = |schema: &'a Value| schema.get("$ref")?.as_str()?.strip_prefix(SCHEMAS);
    let name = named(response.pointer("/content/application~1json/schema")?)?;
    let items = schemas.get(name).and_then(|schema| schema.pointer("/properties/data/items"));
    Some(items.and_then(named).map_or((name, ""), |item| (item, "/data/0")))
}

/// The links from an answer of `from` with an object of the type `name`. `object`: the JSON pointer to the object.
fn links(from: &Operation, operations: &[Operation], name: &str, object: &str) -> Map<String, Value> {
    let known = path_parameters(from);
    let find = |id: &str| operations.iter().find(|operation| operation.id == id && operation.id != from.id);
    let mut links = Map::new();
    for (_, place, targets) in BY_ID.iter().filter(|(of, ..)| *of == name) {
        for to in targets.iter().filter_map(|id| find(id)) {
            let id_value = format!("$response.body#{object}{place}");
            if let Some(link) = link_by_id(to, &known, id_value) {
                links.entry(to.id).or_insert(link);
            }
        }
    }
    for (_, id, field) in BY_FILTER.iter().filter(|(of, ..)| *of == name) {
        let Some(to) = find(id) else { continue };
        let filter = format!("{field}:{{$response.body#{object}/id}}");
        let (id, link) = link_by_filter(to, &known, filter);
        links.insert(id, link);
    }
    for (_, id) in BY_BODY.iter().filter(|(of, _)| *of == name) {
        let Some(to) = find(id) else { continue };
        let link = links.get(*id).cloned().or_else(|| {
            let values = from_request(&path_parameters(to), &known)?;
            Some(json!({"operationId": id, "parameters": values}))
        });
        let Some(mut link) = link else { continue };
        if let (Some(fields), Some(body)) = (link.as_object_mut(), body(id, object)) {
            fields.insert(BODY.to_owned(), body);
        }
        links.insert((*id).to_owned(), link);
    }
    links
}

/// A link to an operation whose last path parameter is an id of the answer; `None` if the request lacks one of the other parameters.
fn link_by_id(to: &Operation, known: &[String], id_value: String) -> Option<Value> {
    let mut needed = path_parameters(to);
    let last = needed.pop()?;
    let mut values = from_request(&needed, known)?;
    values.insert(last, id_value.into());
    Some(json!({"operationId": to.id, "parameters": values}))
}

/// A link to a list, with the `operationId` that it points to. The request of a consumer does not name the account, so this link uses the path without
/// the account's id; the key determines the account.
fn link_by_filter(to: &Operation, known: &[String], filter: String) -> (String, Value) {
    let mut values = from_request(&path_parameters(to), known).unwrap_or_default();
    let id = if values.is_empty() { own_account::id(to.id) } else { to.id.to_owned() };
    values.insert("filter".to_owned(), filter.into());
    let link = json!({"operationId": id, "parameters": values});
    (id, link)
}

/// The names of an operation's path parameters.
fn path_parameters(operation: &Operation) -> Vec<String> {
    let path = operation.path();
    path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}')).map(str::to_owned).collect()
}

/// Path parameters with the values of the answered request; `None` if the request lacks one of them.
fn from_request(needed: &[String], known: &[String]) -> Option<Map<String, Value>> {
    let value =
        |name: &String| known.contains(name).then(|| (name.clone(), Value::from(format!("$request.path.{name}"))));
    needed.iter().map(value).collect()
}
