//! Who may see what: another shop's and another shopper's things look exactly like things that are not there.

use crate::harness::{Answer, Consumer, Service, on_both_databases, text};
use reqwest::{Method, header};
use returns::Scope;
use serde_json::{Value, json};

on_both_databases! {
    another_shops_things_are_not_there
    another_shops_webhooks_are_not_there
    another_shoppers_things_are_not_there
    a_consumers_token_does_not_open_the_accounts_paths
    without_a_valid_credential_nothing_opens
    a_token_ends_after_a_day
    a_key_does_what_its_scopes_say
    one_order_number_in_two_shops_is_two_orders
}

const ABSENT: &str = "01999999-0000-7000-8000-000000000000";

/// Every path under `/consumer/<id>`: method, rest of the path, body.
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

/// Ada with a return, a draft beside it and something left to return.
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
    let order = text(&service.give_back(&consumer, &purchases[..1]).await["id"]);
    let draft = text(&service.draft(&consumer, &purchases[1..2]).await["id"]);
    let requests = service.get("/api/v0/return-requests", &service.demo.key).await.json();
    Ada { consumer, order, request: text(&requests["data"][0]["id"]), draft, purchase: purchases[2].clone() }
}

async fn another_shops_things_are_not_there(service: Service) {
    let ada = ada(&service).await;
    let absent = service.get(&format!("/api/v0/return-orders/{ABSENT}"), &service.other_key).await;
    absent.matches_snapshot("not-found");
    let before = service.contents().await;

    let account = service.demo.account.id.to_string();
    for path in account_paths(&account, &ada.request, &ada.order) {
        let answer = service.get(&path, &service.other_key).await;
        assert_eq!((answer.status, &answer.body), (404, &absent.body), "{path}");
    }
    for (segment, id) in [("return-requests", &ada.request), ("return-orders", &ada.order)] {
        let mine = format!("/api/v0/account/{}/{segment}/{id}", service.other_account);
        assert_eq!(service.get(&mine, &service.other_key).await.body, absent.body, "under the asker's own account");
        assert_eq!(service.get(&format!("/api/v0/{segment}/{id}"), &service.other_key).await.body, absent.body);
        let list = service.get(&format!("/api/v0/{segment}"), &service.other_key).await.json();
        assert_eq!(list["data"], json!([]));
    }
    let token = Consumer::of(
        service
            .post("/auth/consumer", &service.other_key, json!({"orderNumber": "1001", "email": "ada@example.com"}))
            .await,
    );
    for path in consumer_paths(&ada.consumer.id, &ada.draft, &ada.order, &ada.purchase) {
        for credential in [&service.other_key, &token.token] {
            let answer = ask(&service, &path, credential).await;
            assert_eq!((answer.status, &answer.body), (404, &absent.body), "{path:?}");
        }
    }
    // Only the other shop's consumer and token are new.
    let changed: Vec<String> = service.contents().await.into_iter().filter(|line| !before.contains(line)).collect();
    assert_eq!(changed, ["consumers 2", "tokens 2"]);
}

async fn another_shops_webhooks_are_not_there(service: Service) {
    let (ours, theirs) = (&service.demo.key, &service.other_key);
    let subscribe = async |key: &str| {
        let made = service.post("/api/v0/webhook-subscriptions", key, json!({"url": "http://127.0.0.1:9/"})).await;
        text(&made.json()["id"])
    };
    let (subscription, of_theirs) = (subscribe(ours).await, subscribe(theirs).await);
    ada(&service).await;
    let deliveries = format!("webhook-subscriptions/{subscription}/deliveries");
    let delivery = text(&service.get(&format!("/api/v0/{deliveries}"), ours).await.json()["data"][0]["id"]);
    let event = text(&service.get("/api/v0/events", ours).await.json()["data"][0]["id"]);
    let absent = service.get(&format!("/api/v0/webhook-subscriptions/{ABSENT}"), theirs).await;
    let before = service.contents().await;
    let of_subscription = |rest: &str| format!("webhook-subscriptions/{subscription}{rest}");
    let since = json!({"since": crate::harness::NOW});
    let paths = [
        (Method::GET, of_subscription(""), Value::Null),
        (Method::PATCH, of_subscription(""), json!({"enabled": false})),
        (Method::DELETE, of_subscription(""), Value::Null),
        (Method::GET, of_subscription("/secret"), Value::Null),
        (Method::POST, of_subscription("/rotate-secret"), json!({})),
        (Method::GET, of_subscription("/timeline"), Value::Null),
        (Method::POST, of_subscription("/test"), Value::Null),
        (Method::GET, deliveries, Value::Null),
        (Method::POST, of_subscription("/redeliver"), since),
        (Method::GET, format!("deliveries/{delivery}"), Value::Null),
        (Method::POST, format!("deliveries/{delivery}/redeliver"), Value::Null),
        (Method::GET, format!("events/{event}"), Value::Null),
        (Method::POST, format!("events/{event}/redeliver"), json!({})),
        (Method::POST, format!("events/{event}/redeliver"), json!({"subscriptionId": of_theirs})),
    ];
    for (method, rest, body) in paths {
        for account in [
            String::new(),
            format!("account/{}/", service.demo.account.id),
            format!("account/{}/", service.other_account),
        ] {
            let path = (method.clone(), format!("/api/v0/{account}{rest}"), body.clone());
            let answer = ask(&service, &path, theirs).await;
            assert_eq!((answer.status, &answer.body), (404, &absent.body), "{path:?}");
        }
    }
    // Nor is what they have told of what happens here.
    let path = format!("/api/v0/events/{event}/redeliver");
    let mixed = service.post(&path, ours, json!({"subscriptionId": of_theirs})).await;
    assert_eq!((mixed.status, &mixed.body), (404, &absent.body));
    assert_eq!(service.contents().await, before);
    assert_eq!(service.get("/api/v0/events", theirs).await.json()["data"], json!([]));
    let told = service.get(&format!("/api/v0/webhook-subscriptions/{of_theirs}/deliveries"), theirs).await;
    assert_eq!(told.json()["data"], json!([]));
    let listed = service.get("/api/v0/webhook-subscriptions", theirs).await.json();
    assert_eq!(listed["data"].as_array().unwrap().len(), 1);
}

async fn another_shoppers_things_are_not_there(service: Service) {
    let ada = ada(&service).await;
    let ben = service.prove("1002", "ben@example.com").await;
    let absent = service.get(&format!("/consumer/{}/return-order/{ABSENT}", ben.id), &ben.token).await;
    assert_eq!(absent.status, 404);
    let before = service.contents().await;
    for path in consumer_paths(&ada.consumer.id, &ada.draft, &ada.order, &ada.purchase) {
        let answer = ask(&service, &path, &ben.token).await;
        assert_eq!((answer.status, &answer.body), (404, &absent.body), "with ben's token: {path:?}");
    }
    // Under his own id, and with the shop's key, ben's things are not ada's either.
    for path in consumer_paths(&ben.id, &ada.draft, &ada.order, &ada.purchase) {
        let (_, rest, _) = &path;
        if rest.ends_with("/purchases") || rest.ends_with("/return-orders") {
            continue;
        }
        for credential in [&ben.token, &service.demo.key] {
            let answer = ask(&service, &path, credential).await;
            if rest.ends_with("/draft-return-order") {
                assert_eq!((answer.status, answer.fields()), (422, vec!["selectedPurchases[0].purchaseId".to_owned()]));
            } else {
                assert_eq!((answer.status, &answer.body), (404, &absent.body), "{path:?}");
            }
        }
    }
    assert_eq!(service.contents().await, before);
}

async fn a_consumers_token_does_not_open_the_accounts_paths(service: Service) {
    let ada = ada(&service).await;
    let account = service.demo.account.id.to_string();
    for path in account_paths(&account, &ada.request, &ada.order) {
        let answer = service.get(&path, &ada.consumer.token).await;
        answer.matches_snapshot("forbidden");
    }
    for path in ["return-requests", "return-request", "return-orders", "return-order"] {
        let answer = service.get(&format!("/api/v0/{path}"), &ada.consumer.token).await;
        assert_eq!((answer.status, answer.error_code().as_str()), (403, "Forbidden"));
    }
}

async fn without_a_valid_credential_nothing_opens(service: Service) {
    let ada = ada(&service).await;
    let account = service.demo.account.id.to_string();
    let mut paths = consumer_paths(&ada.consumer.id, &ada.draft, &ada.order, &ada.purchase);
    paths.extend(
        account_paths(&account, &ada.request, &ada.order).into_iter().map(|path| (Method::GET, path, Value::Null)),
    );
    let (key, token) = (&service.demo.key, &ada.consumer.token);
    let other = |credential: &str| credential.chars().rev().collect::<String>();
    let cut = |credential: &str| credential[..credential.len() - 1].to_owned();
    let wrong = [
        "",
        "x",
        "rtk_",
        "rtc_",
        &other(key),
        &cut(key),
        &cut(token),
        &format!("{token}0"),
        &key.replace("rtk_", "rtc_"),
    ];
    let before = service.contents().await;
    for path in &paths {
        for credential in wrong {
            let answer = ask(&service, path, credential).await;
            assert_eq!(
                (answer.status, answer.header("www-authenticate")),
                (401, Some("Bearer")),
                "{path:?} {credential}"
            );
            assert_eq!(answer.error_code(), "Unauthorized");
        }
    }
    let path = "/api/v0/return-orders";
    service.get(path, "").await.matches_snapshot("unauthorized");
    for scheme in
        [format!("Basic {key}"), key.clone(), format!("Bearer{key}"), "Bearer".to_owned(), format!("Token {key}")]
    {
        let request = service.request(Method::GET, path, "").header(header::AUTHORIZATION, &scheme);
        assert_eq!(crate::harness::send(request).await.status, 401, "{scheme}");
    }
    let relaxed = service.request(Method::GET, path, "").header(header::AUTHORIZATION, format!("bearer  {key}"));
    assert_eq!(crate::harness::send(relaxed).await.status, 200, "the scheme's case does not matter");
    assert_eq!(service.contents().await, before);
}

async fn a_token_ends_after_a_day(service: Service) {
    let ada = service.ada().await;
    let path = format!("/consumer/{}/purchases", ada.id);
    service.clock.set(crate::harness::NOW.plus_hours(24).plus_seconds(-1));
    assert_eq!(service.get(&path, &ada.token).await.status, 200);
    service.clock.set(crate::harness::NOW.plus_hours(24));
    let answer = service.get(&path, &ada.token).await;
    assert_eq!((answer.status, answer.header("www-authenticate")), (401, Some("Bearer")));
    assert_eq!(service.ada().await.id, ada.id, "proving the order again opens the same consumer");
}

async fn a_key_does_what_its_scopes_say(service: Service) {
    let ada = ada(&service).await;
    let key =
        async |scope| service.retour.create_service_user(service.demo.account.id, "limited", &[scope]).await.unwrap();
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

async fn one_order_number_in_two_shops_is_two_orders(service: Service) {
    let body = |account: &str| json!({"account": account, "orderNumber": "1001", "email": "ada@example.com"});
    let here = Consumer::of(service.post("/auth/consumer", "", body("fjord-fern")).await);
    let there = Consumer::of(service.post("/auth/consumer", "", body("other")).await);
    assert_eq!(service.purchases(&here).await.len(), 5);
    let chairs = service.purchases(&there).await;
    assert_eq!(chairs.iter().map(|chair| &chair["product"]["name"]).collect::<Vec<_>>(), ["Chair"]);
    service.give_back(&there, &chairs).await;
    let ours = service.get("/api/v0/return-requests?filter=purchaseOrderNumber:1001", &service.demo.key).await.json();
    assert_eq!(ours["data"], json!([]));
}
