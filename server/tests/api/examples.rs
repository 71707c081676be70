//! Every example request of the reference, sent with ids of the shop in the test.

use crate::{
    contract::DOCUMENT,
    harness::{Answer, Service, on_both_databases, send, text},
    matrix::ShopObjects,
};
use serde_json::Value;
use server::api::{
    operation::{Access, Operation},
    operations,
};
use std::collections::BTreeMap;

on_both_databases! {
    the_service_accepts_every_request_of_the_reference
}

async fn the_service_accepts_every_request_of_the_reference(service: Service) {
    let key = service.demo.key.clone();
    let things = ShopObjects::of(&service, "fjord-fern", &key).await;
    let consumer = service.ada().await;
    let purchases = service.purchases(&consumer).await;
    let purchase = purchases.iter().find(|one| one["returnableQuantity"] != 0).unwrap();
    let first =
        async |list: &str| text(&service.get(&format!("/api/v0/{list}?limit=1"), &key).await.json()["data"][0]["id"]);
    let ids = BTreeMap::from([
        ("consumerId", consumer.id.clone()),
        ("purchaseId", text(&purchase["id"])),
        ("returnReasonId", text(&purchase["returnReasons"][0]["id"])),
        ("shippingOptionId", text(&purchase["shippingOptions"][0]["id"])),
        ("draftReturnOrderId", first("draft-return-orders").await),
        ("returnRequestId", first("return-requests").await),
        ("subscriptionId", first("webhook-subscriptions").await),
    ]);
    let mut sent = 0;
    for operation in operations() {
        let mut body = example(&operation).clone();
        // What users do about their own sign-in needs their token, and would change it: `sign_in` tries these.
        if body.is_null() || operation.access == Access::SignedIn {
            continue;
        }
        put_ids(&mut body, &ids);
        // The example's purchase must be new, because a purchase never changes its order.
        let path =
            if operation.id == "putPurchase" { "/api/v0/purchases/2001-1".to_owned() } else { things.path(&operation) };
        let credential = if operation.access == Access::Anyone { "" } else { &key };
        let answer = send(service.request(operation.method.clone(), &path, credential).json(&body)).await;
        assert!(is_accepted(&operation, &answer), "{}: {} {}\n{body:#}", operation.id, answer.status, answer.text());
        sent += 1;
    }
    assert!(sent > 30, "{sent}");
    // Sending the examples changes neither the shop's name nor its mail.
    let account = service.get("/api/v0/account", &key).await.json();
    assert_eq!((&account["name"], &account["policy"]["mail"]), (&"Fjord & Fern".into(), &true.into()));
}

fn example(operation: &Operation) -> &'static Value {
    let described = &DOCUMENT["paths"][operation.path()][operation.method.as_str().to_lowercase()];
    &described["requestBody"]["content"]["application/json"]["example"]
}

/// Replaces the example ids with ids of the shop.
fn put_ids(value: &mut Value, ids: &BTreeMap<&str, String>) {
    match value {
        Value::Object(fields) => {
            for (name, field) in fields {
                match ids.get(name.as_str()) {
                    Some(id) => *field = id.as_str().into(),
                    None => put_ids(field, ids),
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| put_ids(item, ids)),
        _ => {}
    }
}

/// Whether the request succeeded, or was refused only because of the current state. No field has a value that is never allowed.
fn is_accepted(operation: &Operation, answer: &Answer) -> bool {
    let is_of_the_moment = |detail: &Value| detail["code"] == "NotReturnable" || detail["code"] == "QuantityExceeded";
    match answer.status {
        200..300 | 409 => true,
        401 => ["setPassword", "signIn", "signInWithPasskey"].contains(&operation.id), // no user has these credentials
        422 => answer.json()["error"]["details"].as_array().is_some_and(|details| details.iter().all(is_of_the_moment)),
        _ => false,
    }
}
