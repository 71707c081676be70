//! What the permission matrix (`matrix.rs`) does not try: empty lists of another shop, ids of another consumer under one's own path, malformed
//! credentials, and what a scope allows.

use crate::harness::{Answer, Consumer, NOW, Service, on_both_databases, text};
use reqwest::{Method, header};
use returns::Scope;
use serde_json::{Value, json};

on_both_databases! {
    refusals_have_these_bodies
    lists_contain_nothing_of_another_shop
    an_event_is_not_redelivered_to_another_shop
    objects_of_another_consumer_are_missing_under_the_own_path
    malformed_credentials_are_refused
    a_token_expires_after_a_day
    a_key_allows_exactly_its_scopes
    an_order_number_in_two_shops_means_two_orders
}

const ABSENT: &str = "01999999-0000-7000-8000-000000000000";

/// Every path under `/consumer/<id>`: method, path and body.
fn consumer_paths(consumer: &str, draft: &str, order: &str, purchase: &Value) -> Vec<(Method, String, Value)> {
    let selected = json!({"selectedPurchases": [{"purchaseId": purchase["id"], "returnReasonId": purchase["returnReasons"][0]["id"]}]});
    let option = json!({"shippingOptionId": purchase["shippingOptions"][0]["id"]});
    let path = |rest: String| format!("/consumer/{consumer}/{rest}");
    vec![
        (Method::GET, path("purchases".to_owned()), Value::Null),
        (Method::POST, path("draft-return-order".to_owned()), selected),
        (Method::GET, path(format!("draft-return-order/{draft}")), Value::Null),
        (Method::PATCH, path(format!("draft-return-order/{draft}/shipping-option")), option),
        (Method::POST, path(format!("draft-return-order/{draft}/renew")), json!({})),
        (Method::POST, path("return-order".to_owned()), json!({"draftReturnOrderId": draft})),
        (Method::GET, path("return-orders".to_owned()), Value::Null),
        (Method::GET, path(format!("return-order/{order}")), Value::Null),
        (Method::GET, path(format!("return-order/{order}/label")), Value::Null),
        (Method::POST, path(format!("return-order/{order}/cancel")), json!({})),
    ]
}

fn account_paths(account: &str, request: &str, order: &str) -> Vec<String> {
    let mut paths = Vec::new();
    for (plural, id) in [("return-requests", request), ("return-orders", order)] {
        for segment in [plural, plural.trim_end_matches('s')] {
            paths.push(format!("/api/v0/account/{account}/{segment}"));
            paths.push(format!("/api/v0/account/{account}/{segment}/{id}"));
        }
    }
    paths
}

async fn ask(service: &Service, (method, path, body): &(Method, String, Value), credential: &str) -> Answer {
    let request = service.request(method.clone(), path, credential);
    crate::harness::send(if body.is_null() { request } else { request.json(body) }).await
}

/// Ada with a return, a draft, and a purchase that is left to return.
struct Ada {
    consumer: Consumer,
    order: String,
    request: String,
    draft: String,
    purchase: Value,
}

async fn ada(service: &Service) -> Ada {
    let consumer = service.ada().await;
    let purchases = service.purchases(&consumer).await;
    let order = text(&service.create_return(&consumer, &purchases[..1]).await["id"]);
    let draft = text(&service.draft(&consumer, &purchases[1..2]).await["id"]);
    let requests = service.get("/api/v0/return-requests", &service.demo.key).await.json();
    Ada { consumer, order, request: text(&requests["data"][0]["id"]), draft, purchase: purchases[2].clone() }
}

async fn refusals_have_these_bodies(service: Service) {
    let ada = service.ada().await;
    let path = format!("/api/v0/return-orders/{ABSENT}");
    service.get(&path, &service.other_key).await.matches_snapshot("not-found");
    service.get("/api/v0/return-orders", &ada.token).await.matches_snapshot("forbidden");
    service.get("/api/v0/return-orders", "").await.matches_snapshot("unauthorized");
}

async fn lists_contain_nothing_of_another_shop(service: Service) {
    let subscribe = async |key: &str| {
        let body = json!({"url": "http://127.0.0.1:9/"});
        text(&service.post("/api/v0/webhook-subscriptions", key, body).await.json()["id"])
    };
    subscribe(&service.demo.key).await;
    let of_theirs = subscribe(&service.other_key).await;
    ada(&service).await;
    let deliveries = format!("webhook-subscriptions/{of_theirs}/deliveries");
    for list in ["return-requests", "return-orders", "draft-return-orders", "shipments", "events", &deliveries] {
        let rows = service.get(&format!("/api/v0/{list}"), &service.other_key).await.json();
        assert_eq!(rows["data"], json!([]), "{list}");
    }
    let subscriptions = service.get("/api/v0/webhook-subscriptions", &service.other_key).await.json();
    assert_eq!(subscriptions["data"].as_array().unwrap().len(), 1, "only its own subscription");
}

async fn an_event_is_not_redelivered_to_another_shop(service: Service) {
    let body = json!({"url": "http://127.0.0.1:9/"});
    let of_theirs = service.post("/api/v0/webhook-subscriptions", &service.other_key, body).await.json();
    ada(&service).await;
    let event = text(&service.get("/api/v0/events", &service.demo.key).await.json()["data"][0]["id"]);
    let path = |event: &str| format!("/api/v0/events/{event}/redeliver");
    let absent = service.post(&path(ABSENT), &service.demo.key, json!({})).await;
    let before = service.contents().await;
    let to_theirs = json!({"subscriptionId": of_theirs["id"]});
    for key in [&service.demo.key, &service.other_key] {
        let answer = service.post(&path(&event), key, to_theirs.clone()).await;
        assert_eq!((answer.status, &answer.body), (404, &absent.body));
    }
    assert_eq!(service.contents().await, before, "nothing has changed");
}

async fn objects_of_another_consumer_are_missing_under_the_own_path(service: Service) {
    let ada = ada(&service).await;
    let ben = service.prove("1002", "ben@example.com").await;
    let absent = service.get(&format!("/consumer/{}/return-order/{ABSENT}", ben.id), &ben.token).await;
    assert_eq!(absent.status, 404);
    let before = service.contents().await;
    for path in consumer_paths(&ben.id, &ada.draft, &ada.order, &ada.purchase) {
        let (_, place, _) = &path;
        if place.ends_with("/purchases") || place.ends_with("/return-orders") {
            continue; // Ben's own lists
        }
        for credential in [&ben.token, &service.demo.key] {
            let answer = ask(&service, &path, credential).await;
            if place.ends_with("/draft-return-order") {
                assert_eq!((answer.status, answer.fields()), (422, vec!["selectedPurchases[0].purchaseId".to_owned()]));
            } else {
                assert_eq!((answer.status, &answer.body), (404, &absent.body), "{path:?}");
            }
        }
    }
    assert_eq!(service.contents().await, before, "nothing has changed");
}

async fn malformed_credentials_are_refused(service: Service) {
    let ada = service.ada().await;
    let (key, token) = (&service.demo.key, &ada.token);
    let reversed = |credential: &str| credential.chars().rev().collect::<String>();
    let shortened = |credential: &str| credential[..credential.len() - 1].to_owned();
    let before = service.contents().await;
    for path in [format!("/consumer/{}/purchases", ada.id), "/api/v0/return-orders".to_owned()] {
        for credential in [
            "x",
            "rtk_",
            "rtc_",
            &reversed(key),
            &shortened(key),
            &shortened(token),
            &format!("{token}0"),
            &key.replace("rtk_", "rtc_"),
        ] {
            let answer = service.get(&path, credential).await;
            let challenge = answer.header("www-authenticate");
            assert_eq!((answer.status, challenge), (401, Some("Bearer")), "{path}: {credential}");
            assert_eq!(answer.error_code(), "Unauthorized");
        }
    }
    let with_header = async |value: &str| {
        let request = service.request(Method::GET, "/api/v0/return-orders", "");
        crate::harness::send(request.header(header::AUTHORIZATION, value)).await.status
    };
    for value in
        [format!("Basic {key}"), key.clone(), format!("Bearer{key}"), "Bearer".to_owned(), format!("Token {key}")]
    {
        assert_eq!(with_header(&value).await, 401, "{value}");
    }
    assert_eq!(with_header(&format!("bearer  {key}")).await, 200, "the case of the scheme does not matter");
    assert_eq!(service.contents().await, before, "nothing has changed");
}

async fn a_token_expires_after_a_day(service: Service) {
    let ada = service.ada().await;
    let path = format!("/consumer/{}/purchases", ada.id);
    service.clock.set(NOW.plus_hours(24).plus_seconds(-1));
    assert_eq!(service.get(&path, &ada.token).await.status, 200);
    service.clock.set(NOW.plus_hours(24));
    let answer = service.get(&path, &ada.token).await;
    assert_eq!((answer.status, answer.header("www-authenticate")), (401, Some("Bearer")));
    assert_eq!(service.ada().await.id, ada.id, "proving the order again gives the same consumer");
}

async fn a_key_allows_exactly_its_scopes(service: Service) {
    let ada = ada(&service).await;
    let key = async |scope| {
        service.retour.operator().create_service_user(service.demo.account.id, "limited", &[scope]).await.unwrap()
    };
    let (reader, writer) = (key(Scope::Read).await, key(Scope::Write).await);
    for path in consumer_paths(&ada.consumer.id, &ada.draft, &ada.order, &ada.purchase) {
        let (with, without) = if path.0 == Method::GET { (&reader, &writer) } else { (&writer, &reader) };
        let refused = ask(&service, &path, without).await;
        assert_eq!((refused.status, refused.error_code().as_str()), (403, "Forbidden"), "{path:?}");
        let allowed = ask(&service, &path, with).await;
        assert!(allowed.status < 300, "{path:?} {}", allowed.text());
    }
    for path in account_paths(&service.demo.account.id.to_string(), &ada.request, &ada.order) {
        assert_eq!(service.get(&path, &reader).await.status, 200);
        assert_eq!(service.get(&path, &writer).await.status, 403);
    }
}

async fn an_order_number_in_two_shops_means_two_orders(service: Service) {
    let body = |account: &str| json!({"account": account, "orderNumber": "1001", "email": "ada@example.com"});
    let here = Consumer::of(service.post("/auth/consumer", "", body("fjord-fern")).await);
    let there = Consumer::of(service.post("/auth/consumer", "", body("other")).await);
    assert_eq!(service.purchases(&here).await.len(), 5);
    let chairs = service.purchases(&there).await;
    assert_eq!(chairs.iter().map(|chair| &chair["product"]["name"]).collect::<Vec<_>>(), ["Chair"]);
    service.create_return(&there, &chairs).await;
    let ours = service.get("/api/v0/return-requests?filter=purchaseOrderNumber:1001", &service.demo.key).await.json();
    assert_eq!(ours["data"], json!([]));
}
