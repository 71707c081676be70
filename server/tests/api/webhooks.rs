//! Webhook subscriptions and their secrets through the API.

use crate::{
    harness::{Answer, NOW, Service, on_both_databases, send, text},
    receiver::Receiver,
};
use reqwest::Method;
use returns::Scope;
use serde_json::{Value, json};
use tokio::task::JoinSet;

on_both_databases! {
    a_subscription_is_created_read_changed_and_deleted
    one_type_has_an_alias_of_older_systems
    wrong_values_are_refused_with_what_is_allowed
    urls_that_cannot_be_called_are_refused
    a_secret_is_for_admins_and_can_be_replaced
    a_repeated_request_has_one_effect
    an_account_has_at_most_fifty_subscriptions
    without_a_secret_key_no_subscription_is_created
}

pub const SUBSCRIPTIONS: &str = "/api/v0/webhook-subscriptions";

impl Service {
    pub async fn subscribe(&self, body: Value) -> String {
        let answer = self.post(SUBSCRIPTIONS, &self.demo.key, body).await;
        assert_eq!(answer.status, 201, "{}", answer.text());
        format!("{SUBSCRIPTIONS}/{}", text(&answer.json()["id"]))
    }

    pub async fn read(&self, path: &str) -> Value {
        let answer = self.get(path, &self.demo.key).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        answer.json()
    }

    /// Ada returns her first purchase.
    pub async fn one_return(&self) -> Value {
        let ada = self.ada().await;
        let purchases = self.purchases(&ada).await;
        self.create_return(&ada, &purchases[..1]).await
    }

    pub async fn keyed_post(&self, path: &str, key: &str, body: Value) -> Answer {
        send(self.request(Method::POST, path, &self.demo.key).header("idempotency-key", key).json(&body)).await
    }
}

pub fn refused(answer: &Answer, status: u16, code: &str) {
    assert_eq!((answer.status, answer.error_code().as_str()), (status, code), "{}", answer.text());
}

pub fn list(value: &Value) -> Vec<Value> {
    value["data"].as_array().unwrap().clone()
}

pub fn each(value: &Value, field: &str) -> Vec<String> {
    list(value).iter().map(|one| text(&one[field])).collect()
}

async fn a_subscription_is_created_read_changed_and_deleted(service: Service) {
    let key = &service.demo.key;
    let new = json!({
        "url": " https://erp.example/hook?shop=1 ", "description": " Accounting ",
        "eventTypes": ["return_request.stage_changed", "shipment.label_created"], "stages": ["Resolution: Approved"],
    });
    let made = service.post(SUBSCRIPTIONS, key, new).await;
    made.matches_snapshot("webhook-subscription-201");
    assert_eq!((made.header("etag"), made.header("cache-control")), (Some("\"1\""), Some("no-store")));
    let id = text(&made.json()["id"]);
    let path = format!("{SUBSCRIPTIONS}/{id}");
    let one = service.get(&path, key).await;
    assert_eq!((one.status, one.header("etag"), one.json()), (200, Some("\"1\""), made.json()));
    for rest in ["webhook-subscriptions", "webhook-subscription"] {
        let spelt = format!("/api/v0/account/{}/{rest}/{id}", service.demo.account.id);
        assert_eq!(service.get(&spelt, key).await.body, one.body);
    }

    let nothing = service.patch(&path, key, json!({})).await;
    assert_eq!((nothing.status, &nothing.json()["version"]), (200, &json!(1)));
    let change = json!({"eventTypes": [], "stages": [], "description": "All of it", "enabled": false});
    let if_match = |tag: &str| service.request(Method::PATCH, &path, key).header("if-match", tag).json(&change);
    refused(&send(if_match("\"9\"")).await, 412, "PreconditionFailed");
    let changed = send(if_match("\"1\"")).await;
    changed.matches_snapshot("webhook-subscription-changed");
    assert_eq!(changed.header("etag"), Some("\"2\""));
    refused(&send(if_match("\"1\"")).await, 412, "PreconditionFailed");
    assert_eq!(service.get(&path, key).await.json(), changed.json());

    let other = service.subscribe(json!({"url": "https://wms.example/"})).await;
    let ids = |list: Value| each(&list, "id");
    assert_eq!(ids(service.read(SUBSCRIPTIONS).await), [other.rsplit('/').next().unwrap(), &id]);
    assert_eq!(ids(service.read(&format!("{SUBSCRIPTIONS}?filter=enabled:false")).await), [id.as_str()]);
    service.patch(&path, key, json!({"enabled": true})).await;
    let timeline = service.get(&format!("{path}/timeline"), key).await;
    assert_eq!(each(&timeline.json(), "change"), ["Enabled", "Disabled: ByMerchant", "Created"]);
    timeline.matches_snapshot("webhook-subscription-timeline");

    assert_eq!(service.delete(&path, key).await.status, 204);
    for rest in ["", "/secret", "/timeline", "/deliveries"] {
        refused(&service.get(&format!("{path}{rest}"), key).await, 404, "NotFound");
    }
    refused(&service.delete(&path, key).await, 404, "NotFound");
    assert_eq!(list(&service.read(SUBSCRIPTIONS).await).len(), 1);
}

/// The name of `shipment.delivered` for clients of older systems.
const ALIAS: &str = "shipment.received_tracking_updates.delivered";

async fn one_type_has_an_alias_of_older_systems(service: Service) {
    let path = service.subscribe(json!({"url": "https://erp.example/", "eventName": "shipment.delivered"})).await;
    assert_eq!(service.read(&path).await["eventTypes"], json!(["shipment.delivered"]));
    let changed = service.patch(&path, &service.demo.key, json!({"eventName": "consumer.erased"})).await;
    assert_eq!(changed.json()["eventTypes"], json!(["consumer.erased"]));
    for alias in [json!({"eventName": ALIAS}), json!({"eventTypes": [ALIAS]})] {
        let changed = service.patch(&path, &service.demo.key, alias).await;
        assert_eq!(changed.json()["eventTypes"], json!(["shipment.delivered"]));
    }
    let both = json!({"eventName": "consumer.erased", "eventTypes": ["shipment.delivered"]});
    let refused = service.patch(&path, &service.demo.key, both).await;
    assert_eq!((refused.status, refused.fields()), (422, vec!["eventName".to_owned()]));
}

async fn wrong_values_are_refused_with_what_is_allowed(service: Service) {
    let (key, url) = (&service.demo.key, "https://erp.example/");
    let path = service.subscribe(json!({"url": url})).await;
    let before = service.contents().await;
    let long = "x".repeat(501);
    let cases = [
        (json!({"url": url, "eventTypes": ["return_request.created"]}), "eventTypes[0]", "shipment.label_created"),
        (json!({"url": url, "eventName": "shipment"}), "eventName", "return_request.stage_changed"),
        (json!({"url": url, "stages": ["Resolution: Approved", "Approved"]}), "stages[1]", "Resolution: Approved"),
        (json!({"url": url, "eventTypes": ["test.ping"], "stages": ["Resolution: Approved"]}), "stages", "eventTypes"),
        (json!({"url": url, "events": []}), "events", "eventTypes"),
        (json!({"url": url, "description": long}), "description", "500"),
        (json!({"url": url, "enabled": "yes"}), "enabled", "boolean"),
        (json!({"url": 1}), "url", "string"),
    ];
    for (body, field, allowed) in &cases {
        for answer in
            [service.post(SUBSCRIPTIONS, key, body.clone()).await, service.patch(&path, key, body.clone()).await]
        {
            refused(&answer, 422, "ValidationFailed");
            assert_eq!(answer.fields(), [*field], "{body}");
            assert!(text(&answer.json()["error"]["details"][0]["message"]).contains(allowed), "{}", answer.text());
        }
    }
    let missing = service.post(SUBSCRIPTIONS, key, json!({})).await;
    assert_eq!((missing.status, missing.fields()), (422, vec!["url".to_owned()]));
    service.post(SUBSCRIPTIONS, key, cases[0].0.clone()).await.matches_snapshot("webhook-subscription-422");

    for (rest, body, field) in [
        ("rotate-secret", json!({"overlapHours": 169}), "overlapHours"),
        ("rotate-secret", json!({"overlapHours": -1}), "overlapHours"),
        ("rotate-secret", json!({"hours": 1}), "hours"),
        ("redeliver", json!({}), "since"),
        ("redeliver", json!({"since": "yesterday"}), "since"),
        ("redeliver", json!({"since": NOW.plus_seconds(1)}), "since"),
        ("redeliver", json!({"since": NOW, "which": "Failed"}), "which"),
    ] {
        let answer = service.post(&format!("{path}/{rest}"), key, body.clone()).await;
        assert_eq!((answer.status, answer.fields()), (422, vec![field.to_owned()]), "{rest} {body}: {}", answer.text());
    }
    let event = format!("/api/v0/events/{}/redeliver", service.demo.account.id);
    let answer = service.post(&event, key, json!({"subscriptionId": "all"})).await;
    assert_eq!((answer.status, answer.fields()), (422, vec!["subscriptionId".to_owned()]));
    for query in [
        "events?filter=type:ping",
        "events?filter=stage:Approved",
        "events?filter=returnOrderId:1",
        "events?filter=createdAt:today",
        "events?filter=accountId:1",
        "events?sortBy=updatedAt",
        "events?search=ada",
        "webhook-subscriptions?filter=enabled:yes",
        "webhook-subscriptions?filter=url:x",
    ] {
        refused(&service.get(&format!("/api/v0/{query}"), key).await, 400, "BadRequest");
    }
    refused(&service.get(&format!("{path}/deliveries?filter=status:failed"), key).await, 400, "BadRequest");
    let condition = service.request(Method::POST, &format!("{path}/rotate-secret"), key).header("if-match", "\"1\"");
    refused(&send(condition).await, 400, "BadRequest");
    assert_eq!(service.contents().await, before);
}

async fn urls_that_cannot_be_called_are_refused(service: Service) {
    let path = service.subscribe(json!({"url": "http://127.0.0.1:9/opened"})).await;
    let before = service.contents().await;
    let long = format!("https://erp.example/{}", "x".repeat(3_000));
    for url in [
        "",
        "erp.example/hook",
        "/hook",
        "ftp://erp.example/",
        "javascript:alert(1)",
        "https://user:pass@erp.example/",
        "https://erp.example/#fragment",
        "https://",
        "https://:443/hook",
        "https://10.0.0.1/",
        "https://[::1]/",
        "https://169.254.169.254/latest/meta-data",
        "https://0x0a000001/",
        "http://93.184.216.34/",
        "https://erp.example/\r\nx: y",
        &long,
    ] {
        let body = json!({"url": url});
        for answer in [
            service.post(SUBSCRIPTIONS, &service.demo.key, body.clone()).await,
            service.patch(&path, &service.demo.key, body.clone()).await,
        ] {
            refused(&answer, 422, "ValidationFailed");
            assert_eq!(answer.fields(), ["url"], "{url}");
            assert!(!answer.text().contains("user:pass"), "the error does not repeat the URL");
        }
    }
    assert_eq!(service.contents().await, before);
}

async fn a_secret_is_for_admins_and_can_be_replaced(service: Service) {
    let key = &service.demo.key;
    let path = service.subscribe(json!({"url": "https://erp.example/"})).await;
    let of = async |scope| {
        service.retour.operator().create_service_user(service.demo.account.id, "limited", &[scope]).await.unwrap()
    };
    for scope in [Scope::Read, Scope::Write] {
        let limited = of(scope).await;
        refused(&service.get(&format!("{path}/secret"), &limited).await, 403, "Forbidden");
        refused(&service.post(&format!("{path}/rotate-secret"), &limited, json!({})).await, 403, "Forbidden");
    }
    let first = service.get(&format!("{path}/secret"), key).await;
    first.matches_snapshot("webhook-secret");
    assert_eq!(first.header("cache-control"), Some("no-store"));
    let secret = text(&first.json()["secret"]);
    assert_eq!((secret.len(), service.get(&format!("{path}/secret"), key).await.body), (50, first.body));

    // Without a body, both secrets sign for a day.
    let rotate = format!("{path}/rotate-secret");
    let rotated = send(service.request(Method::POST, &rotate, key)).await;
    rotated.matches_snapshot("webhook-secret-rotated");
    assert_eq!(rotated.header("cache-control"), Some("no-store"));
    let (new, ends_at) = (text(&rotated.json()["secret"]), NOW.plus_hours(24));
    assert_ne!(new, secret);
    assert_eq!(rotated.json()["previousSecret"], json!(secret));
    assert_eq!(rotated.json()["previousSecretExpiresAt"], json!(ends_at));
    assert_eq!(service.read(&format!("{path}/secret")).await, rotated.json());
    assert_eq!(service.read(&path).await["previousSecretExpiresAt"], json!(ends_at));
    assert!(!service.get(&path, key).await.text().contains("whsec_"));
    service.clock.set(ends_at);
    assert_eq!(service.read(&format!("{path}/secret")).await["previousSecret"], Value::Null);
    assert_eq!(service.read(&path).await["previousSecretExpiresAt"], Value::Null);

    // A leaked secret can be ended at once.
    let at_once = service.post(&rotate, key, json!({"overlapHours": 0})).await;
    assert_eq!((at_once.status, &at_once.json()["previousSecret"]), (200, &Value::Null));
    assert_ne!(text(&at_once.json()["secret"]), new);
    let longest = service.post(&rotate, key, json!({"overlapHours": 168})).await.json();
    assert_eq!(longest["previousSecretExpiresAt"], json!(ends_at.plus_hours(168)));
    assert_eq!(each(&service.read(&format!("{path}/timeline")).await, "change")[..3], ["SecretRotated"; 3]);
    let kept = service.database.texts("SELECT secret FROM webhook_subscriptions").await;
    assert!(kept.iter().all(|kept| !kept.is_empty() && !kept.contains("whsec_") && !kept.contains(&new[6..])));
}

async fn a_repeated_request_has_one_effect(service: Service) {
    let receiver = Receiver::start().await;
    let new = json!({"url": receiver.url});
    let made = service.keyed_post(SUBSCRIPTIONS, "one", new.clone()).await;
    let path = format!("{SUBSCRIPTIONS}/{}", text(&made.json()["id"]));
    let again = service.keyed_post(SUBSCRIPTIONS, "one", new).await;
    assert_eq!((again.status, &again.body, again.header("etag")), (201, &made.body, Some("\"1\"")));
    assert_eq!(again.header("idempotent-replayed"), Some("true"));
    service.one_return().await;
    let delivery = text(&list(&service.read(&format!("{path}/deliveries")).await)[0]["id"]);
    let event = text(&list(&service.read("/api/v0/events").await)[0]["id"]);
    for (key, path, body) in [
        ("two", format!("{path}/rotate-secret"), json!({})),
        ("three", format!("{path}/test"), json!({})),
        ("four", format!("{path}/redeliver"), json!({"since": NOW})),
        ("five", format!("/api/v0/deliveries/{delivery}/redeliver"), json!({})),
        ("six", format!("/api/v0/events/{event}/redeliver"), json!({})),
    ] {
        let first = service.keyed_post(&path, key, body.clone()).await;
        assert!(first.status == 200 || first.status == 202, "{path}: {}", first.text());
        let between = service.contents().await;
        let again = service.keyed_post(&path, key, body).await;
        assert_eq!((again.status, &again.body), (first.status, &first.body), "{path}");
        assert_eq!(again.header("idempotent-replayed"), Some("true"), "{path}");
        assert_eq!(service.contents().await, between, "{path}");
        let other = json!({"name": "Till", "scopes": ["read"]});
        refused(&service.keyed_post("/api/v0/service-users", key, other).await, 422, "IdempotencyKeyReused");
    }
    assert_eq!(receiver.received().len(), 1, "there was one test");
    let change = |key: &str| {
        let request = service.request(Method::PATCH, &path, &service.demo.key).header("idempotency-key", key);
        request.json(&json!({"description": "Till"}))
    };
    let (first, again) = (send(change("seven")).await, send(change("seven")).await);
    assert_eq!((first.body, first.status), (again.body, again.status));
    let kept = service.database.texts("SELECT body FROM idempotency_keys").await;
    assert!(kept.iter().all(|body| !body.contains("whsec_")));
}

async fn an_account_has_at_most_fifty_subscriptions(service: Service) {
    let new = json!({"url": "https://erp.example/"});
    for _ in 0..49 {
        service.subscribe(new.clone()).await;
    }
    // Of several concurrent requests, one gets the last place.
    let mut tries = JoinSet::new();
    for _ in 0..8 {
        tries.spawn(send(service.request(Method::POST, SUBSCRIPTIONS, &service.demo.key).json(&new)));
    }
    let statuses: Vec<u16> = tries.join_all().await.iter().map(|answer| answer.status).collect();
    assert_eq!(statuses.iter().filter(|status| **status == 201).count(), 1, "{statuses:?}");
    let refused = service.post(SUBSCRIPTIONS, &service.demo.key, new.clone()).await;
    refused.matches_snapshot("webhook-subscriptions-enough");
    let last = text(&list(&service.read(SUBSCRIPTIONS).await)[0]["id"]);
    service.delete(&format!("{SUBSCRIPTIONS}/{last}"), &service.demo.key).await;
    service.subscribe(new).await;
}

async fn without_a_secret_key_no_subscription_is_created(service: Service) {
    let path = service.subscribe(json!({"url": "https://erp.example/"})).await;
    let service = service.without_secret_key();
    let before = service.contents().await;
    let new = json!({"url": "https://erp.example/"});
    let made = service.post(SUBSCRIPTIONS, &service.demo.key, new).await;
    made.matches_snapshot("webhook-no-secret-key");
    refused(&service.post(&format!("{path}/rotate-secret"), &service.demo.key, json!({})).await, 409, "NoSecretKey");
    assert_eq!(service.contents().await, before);
    assert_eq!(service.get(&path, &service.demo.key).await.status, 200, "existing subscriptions can be read");
    assert_eq!(service.delete(&path, &service.demo.key).await.status, 204, "existing subscriptions can be deleted");
}
