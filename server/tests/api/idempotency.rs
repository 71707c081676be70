//! `Idempotency-Key`: a repeated request gets the same answer, and has one effect.

use crate::{
    contract::DOCUMENT,
    harness::{Answer, Consumer, Service, choose, on_both_databases, send, text},
};
use reqwest::Method;
use serde_json::{Value, json};

on_both_databases! {
    repeated_requests_get_the_same_bytes_and_have_one_effect
    a_draft_is_repeated_even_if_its_items_are_gone
    a_key_belongs_to_one_request
    a_key_belongs_to_one_caller
    concurrent_requests_with_one_key_have_one_effect
    a_refused_request_leaves_its_key_free
    a_key_expires_after_a_day
    malformed_keys_are_refused
}

async fn keyed(service: &Service, method: Method, path: &str, consumer: &Consumer, key: &str, body: &Value) -> Answer {
    send(service.request(method, path, &consumer.token).header("idempotency-key", key).json(body)).await
}

fn same(one: &Answer, other: &Answer) {
    assert_eq!((one.status, one.text()), (other.status, other.text()));
    assert_eq!(one.header("content-type"), other.header("content-type"));
}

async fn repeated_requests_get_the_same_bytes_and_have_one_effect(service: Service) {
    let ada = service.ada().await;
    let purchases = service.purchases(&ada).await;
    let path = |rest: &str| format!("/consumer/{}/{rest}", ada.id);
    let option = json!({"shippingOptionId": purchases[0]["shippingOptions"][1]["id"]});

    let mut requests =
        vec![(Method::POST, path("draft-return-order"), json!({"selectedPurchases": [choose(&purchases[0], 1)]}))];
    let mut answers: Vec<Answer> = Vec::new();
    for step in 0..4 {
        let (method, rest, body) = requests.last().unwrap().clone();
        answers.push(keyed(&service, method, &rest, &ada, &format!("step {step}"), &body).await);
        let id = text(&answers.last().unwrap().json()["id"]);
        match step {
            0 => requests.push((
                Method::PATCH,
                path(&format!("draft-return-order/{id}/shipping-option")),
                option.clone(),
            )),
            1 => requests.push((Method::POST, path("return-order"), json!({"draftReturnOrderId": id}))),
            2 => requests.push((Method::POST, path(&format!("return-order/{id}/cancel")), json!({}))),
            _ => {}
        }
    }
    assert_eq!(answers.iter().map(|answer| answer.status).collect::<Vec<_>>(), [201, 200, 201, 200]);
    let before = service.contents().await;
    service.clock.set(crate::harness::NOW.plus_hours(1));
    for (step, ((method, path, body), answer)) in requests.iter().zip(&answers).enumerate() {
        same(&keyed(&service, method.clone(), path, &ada, &format!("step {step}"), body).await, answer);
    }
    assert_eq!(service.contents().await, before);
}

async fn a_draft_is_repeated_even_if_its_items_are_gone(service: Service) {
    let ada = service.ada().await;
    let purchases = service.purchases(&ada).await;
    let path = format!("/consumer/{}/draft-return-order", ada.id);
    let body = json!({"selectedPurchases": [choose(&purchases[0], 1)]});
    let first = keyed(&service, Method::POST, &path, &ada, "draft", &body).await;
    service.create_return(&ada, &purchases[..1]).await;
    assert_eq!(
        service.post(&path, &ada.token, body.clone()).await.status,
        422,
        "without the key the request fails now"
    );
    same(&keyed(&service, Method::POST, &path, &ada, "draft", &body).await, &first);
}

async fn a_key_belongs_to_one_request(service: Service) {
    let ada = service.ada().await;
    let purchases = service.purchases(&ada).await;
    let path = format!("/consumer/{}/draft-return-order", ada.id);
    let body = |index: usize| json!({"selectedPurchases": [choose(&purchases[index], 1)]});
    let first = keyed(&service, Method::POST, &path, &ada, "one", &body(0)).await;
    let before = service.contents().await;
    let other_body = keyed(&service, Method::POST, &path, &ada, "one", &body(1)).await;
    other_body.matches_snapshot("idempotency-mismatch");
    let submit = json!({"draftReturnOrderId": first.json()["id"]});
    let other_path =
        keyed(&service, Method::POST, &format!("/consumer/{}/return-order", ada.id), &ada, "one", &submit).await;
    same(&other_path, &other_body);
    assert_eq!(service.contents().await, before);
}

async fn a_key_belongs_to_one_caller(service: Service) {
    let (ada, ben) = (service.ada().await, service.prove("1002", "ben@example.com").await);
    let mut drafts = Vec::new();
    for consumer in [&ada, &ben] {
        let body = json!({"selectedPurchases": [choose(&service.purchases(consumer).await[0], 1)]});
        let path = format!("/consumer/{}/draft-return-order", consumer.id);
        let answer = keyed(&service, Method::POST, &path, consumer, "the same", &body).await;
        assert_eq!(answer.status, 201);
        drafts.push(answer.json()["id"].clone());
    }
    assert_ne!(drafts[0], drafts[1]);
    // Another token of the same consumer is the same caller.
    let again = service.ada().await;
    let body = json!({"selectedPurchases": [choose(&service.purchases(&ada).await[0], 1)]});
    let path = format!("/consumer/{}/draft-return-order", ada.id);
    assert_eq!(keyed(&service, Method::POST, &path, &again, "the same", &body).await.json()["id"], drafts[0]);
}

async fn concurrent_requests_with_one_key_have_one_effect(service: Service) {
    let ada = service.ada().await;
    let purchases = service.purchases(&ada).await;
    let path = format!("/consumer/{}/draft-return-order", ada.id);
    let body = json!({"selectedPurchases": [choose(&purchases[0], 1)]});
    let send = || keyed(&service, Method::POST, &path, &ada, "at once", &body);
    let (one, two, three) = tokio::join!(send(), send(), send());
    assert_eq!(one.status, 201);
    same(&one, &two);
    same(&one, &three);
    assert_eq!(service.database.rows("draft_return_orders").await, 1);
}

async fn a_refused_request_leaves_its_key_free(service: Service) {
    let ada = service.ada().await;
    let purchases = service.purchases(&ada).await;
    let path = format!("/consumer/{}/draft-return-order", ada.id);
    let body = |quantity| json!({"selectedPurchases": [choose(&purchases[2], quantity)]});
    assert_eq!(keyed(&service, Method::POST, &path, &ada, "key", &body(99)).await.status, 422);
    assert_eq!(keyed(&service, Method::POST, &path, &ada, "key", &body(1)).await.status, 201);
}

async fn a_key_expires_after_a_day(service: Service) {
    let ada = service.ada().await;
    let purchases = service.purchases(&ada).await;
    let path = format!("/consumer/{}/draft-return-order", ada.id);
    let body = json!({"selectedPurchases": [choose(&purchases[0], 1)]});
    let first = keyed(&service, Method::POST, &path, &ada, "key", &body).await;
    service.clock.set(crate::harness::NOW.plus_hours(24));
    let ada = service.ada().await;
    let second = keyed(&service, Method::POST, &path, &ada, "key", &body).await;
    assert_eq!(second.status, 201);
    assert_ne!(first.json()["id"], second.json()["id"]);
}

async fn malformed_keys_are_refused(service: Service) {
    let ada = service.ada().await;
    let purchases = service.purchases(&ada).await;
    let path = format!("/consumer/{}/draft-return-order", ada.id);
    let body = json!({"selectedPurchases": [choose(&purchases[0], 1)]});
    let before = service.contents().await;
    for key in [&b""[..], "x".repeat(256).as_bytes(), "schlüssel".as_bytes(), b"\xff"] {
        let header = reqwest::header::HeaderValue::from_bytes(key).unwrap();
        let answer =
            send(service.request(Method::POST, &path, &ada.token).header("idempotency-key", header).json(&body)).await;
        answer.matches_snapshot("bad-idempotency-key");
    }
    assert_eq!(service.contents().await, before);
    let parameters = &DOCUMENT["paths"]["/consumer/{consumer_id}/draft-return-order"]["post"]["parameters"];
    let parameter = parameters.as_array().unwrap().iter().find(|parameter| parameter["name"] == "Idempotency-Key");
    let schema = &parameter.unwrap()["schema"];
    for key in [&*"x".repeat(255), "the return of Monday"] {
        assert_eq!(keyed(&service, Method::POST, &path, &ada, key, &body).await.status, 201, "{key}");
        assert!(jsonschema::is_valid(schema, &json!(key)), "{key}");
    }
}
