//! Webhooks by the API: subscriptions, their secrets, deliveries and events (design 4).

use crate::{
    harness::{Answer, NOW, Service, on_both_databases, send, text},
    receiver::{Receiver, until},
};
use domain::Timestamp;
use reqwest::Method;
use returns::Scope;
use serde_json::{Value, json};
use tokio::task::JoinSet;

on_both_databases! {
    a_subscription_is_made_read_changed_and_ended
    one_type_may_be_named_as_in_older_systems
    what_is_not_allowed_is_named_with_what_is
    urls_that_cannot_be_called_are_refused
    a_secret_is_for_admins_and_can_be_replaced
    a_repeated_request_is_done_once
    a_receiver_is_tried
    what_failed_is_listed_and_delivered_again
    what_happened_before_is_delivered_to_who_asks
    nothing_is_delivered_to_who_is_disabled
    events_are_listed_filtered_and_walked
    an_event_reads_as_it_was_sent
    fifty_subscriptions_are_enough
    without_a_key_no_secret_is_kept
    figures_tell_how_much_waits_and_nothing_about_anybody
}

const SUBSCRIPTIONS: &str = "/api/v0/webhook-subscriptions";

impl Service {
    async fn subscribe(&self, body: Value) -> String {
        let answer = self.post(SUBSCRIPTIONS, &self.demo.key, body).await;
        assert_eq!(answer.status, 201, "{}", answer.text());
        format!("{SUBSCRIPTIONS}/{}", text(&answer.json()["id"]))
    }

    async fn read(&self, path: &str) -> Value {
        let answer = self.get(path, &self.demo.key).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        answer.json()
    }

    /// Ada returns what she bought first.
    async fn one_return(&self) -> Value {
        let ada = self.ada().await;
        let purchases = self.purchases(&ada).await;
        self.give_back(&ada, &purchases[..1]).await
    }

    async fn keyed_post(&self, path: &str, key: &str, body: Value) -> Answer {
        send(self.request(Method::POST, path, &self.demo.key).header("idempotency-key", key).json(&body)).await
    }
}

fn refused(answer: &Answer, status: u16, code: &str) {
    assert_eq!((answer.status, answer.error_code().as_str()), (status, code), "{}", answer.text());
}

fn list(value: &Value) -> Vec<Value> {
    value["data"].as_array().unwrap().clone()
}

fn each(value: &Value, field: &str) -> Vec<String> {
    list(value).iter().map(|one| text(&one[field])).collect()
}

async fn a_subscription_is_made_read_changed_and_ended(service: Service) {
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

async fn one_type_may_be_named_as_in_older_systems(service: Service) {
    let path = service.subscribe(json!({"url": "https://erp.example/", "eventName": "shipment.delivered"})).await;
    assert_eq!(service.read(&path).await["eventTypes"], json!(["shipment.delivered"]));
    let changed = service.patch(&path, &service.demo.key, json!({"eventName": "consumer.erased"})).await;
    assert_eq!(changed.json()["eventTypes"], json!(["consumer.erased"]));
    let both = json!({"eventName": "consumer.erased", "eventTypes": ["shipment.delivered"]});
    let refused = service.patch(&path, &service.demo.key, both).await;
    assert_eq!((refused.status, refused.fields()), (422, vec!["eventName".to_owned()]));
}

async fn what_is_not_allowed_is_named_with_what_is(service: Service) {
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
            assert!(!answer.text().contains("user:pass"), "what is refused is not repeated");
        }
    }
    assert_eq!(service.contents().await, before);
}

async fn a_secret_is_for_admins_and_can_be_replaced(service: Service) {
    let key = &service.demo.key;
    let path = service.subscribe(json!({"url": "https://erp.example/"})).await;
    let of =
        async |scope| service.retour.create_service_user(service.demo.account.id, "limited", &[scope]).await.unwrap();
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

    // Without a body both sign for a day.
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

    // Who is known to somebody else ends at once.
    let at_once = service.post(&rotate, key, json!({"overlapHours": 0})).await;
    assert_eq!((at_once.status, &at_once.json()["previousSecret"]), (200, &Value::Null));
    assert_ne!(text(&at_once.json()["secret"]), new);
    let longest = service.post(&rotate, key, json!({"overlapHours": 168})).await.json();
    assert_eq!(longest["previousSecretExpiresAt"], json!(ends_at.plus_hours(168)));
    assert_eq!(each(&service.read(&format!("{path}/timeline")).await, "change")[..3], ["SecretRotated"; 3]);
    let kept = service.database.texts("SELECT secret FROM webhook_subscriptions").await;
    assert!(kept.iter().all(|kept| !kept.is_empty() && !kept.contains("whsec_") && !kept.contains(&new[6..])));
}

async fn a_repeated_request_is_done_once(service: Service) {
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
    assert_eq!(receiver.received().len(), 1, "the one test");
    let change = |key: &str| {
        let request = service.request(Method::PATCH, &path, &service.demo.key).header("idempotency-key", key);
        request.json(&json!({"description": "Till"}))
    };
    let (first, again) = (send(change("seven")).await, send(change("seven")).await);
    assert_eq!((first.body, first.status), (again.body, again.status));
    let kept = service.database.texts("SELECT body FROM idempotency_keys").await;
    assert!(kept.iter().all(|body| !body.contains("whsec_")));
}

async fn a_receiver_is_tried(service: Service) {
    let receiver = Receiver::start().await;
    let path =
        service.subscribe(json!({"url": receiver.url, "eventTypes": ["consumer.erased"], "enabled": false})).await;
    let ping = format!("{path}/test");
    let good = send(service.request(Method::POST, &ping, &service.demo.key)).await;
    good.matches_snapshot("webhook-test");
    let [received] = &receiver.received()[..] else { panic!("one") };
    assert_eq!(received.json(), good.json()["request"]["body"]);
    assert_eq!(received.header("webhook-id"), good.json()["eventId"]);
    assert_eq!(good.json()["attempts"][0]["answer"], "thank you");

    receiver.answer(302);
    let moved = service.post(&ping, &service.demo.key, json!({})).await;
    moved.matches_snapshot("webhook-test-refused");
    service.patch(&path, &service.demo.key, json!({"url": "http://127.0.0.1:9/"})).await;
    let nobody = service.post(&ping, &service.demo.key, json!({})).await.json();
    assert_eq!((&nobody["status"], &nobody["attempts"][0]["outcome"]), (&json!("Failed"), &json!("NotConnected")));
    let tried = service.read(&format!("{path}/deliveries")).await;
    assert_eq!(each(&tried, "status"), ["Failed", "Failed", "Delivered"]);
    assert_eq!(each(&tried, "eventType"), ["test.ping"; 3]);
    assert_eq!(service.read(&path).await["failingSince"], Value::Null, "a test says nothing of deliveries");
}

async fn what_failed_is_listed_and_delivered_again(service: Service) {
    let (receiver, key) = (Receiver::start().await, &service.demo.key);
    let path = service.subscribe(json!({"url": receiver.url, "eventTypes": ["shipment.label_created"]})).await;
    service.deliver_webhooks();
    receiver.answer(500);
    service.one_return().await;
    receiver.wait_for(1).await;
    let deliveries = format!("{path}/deliveries");
    let first = async || list(&service.read(&deliveries).await)[0].clone();
    until(async || first().await["attemptCount"] == json!(1)).await;
    assert_eq!(first().await["status"], "Pending");
    assert!(service.read(&path).await["failingSince"].is_string());

    // Ten attempts, and then it is listed as failed.
    for attempt in 2..=10 {
        service.clock.set(Timestamp::parse(&text(&first().await["nextAttemptAt"])).unwrap());
        receiver.wait_for(attempt).await;
        until(async || first().await["attemptCount"] == json!(attempt)).await;
    }
    let failed = list(&service.read(&format!("{deliveries}?filter=status:Failed")).await);
    assert_eq!(failed, [first().await]);
    assert_eq!(list(&service.read(&format!("{deliveries}?filter=status:Delivered")).await), [] as [Value; 0]);
    let id = text(&failed[0]["id"]);
    let details = service.read(&format!("/api/v0/deliveries/{id}")).await;
    let attempts = details["attempts"].as_array().unwrap();
    assert_eq!(
        attempts.iter().map(|attempt| attempt["number"].as_i64().unwrap()).collect::<Vec<_>>(),
        (1..=10).collect::<Vec<_>>()
    );
    assert!(attempts.iter().all(|attempt| attempt["statusCode"] == 500 && attempt["outcome"] == "Refused"));
    let told = receiver.received();
    assert!(told.iter().all(|received| received.header("webhook-id") == text(&details["eventId"])));
    assert!(told.iter().all(|received| received.json() == details["request"]["body"]));

    receiver.answer(204);
    let again = service.post(&format!("/api/v0/deliveries/{id}/redeliver"), key, json!({})).await;
    assert_eq!((again.status, &again.json()["status"], &again.json()["id"]), (202, &json!("Pending"), &json!(id)));
    until(async || first().await["status"] == "Delivered").await;
    assert_eq!(first().await["attemptCount"], 11);
    let of_event = format!("/api/v0/events/{}/redeliver", text(&details["eventId"]));
    let once_more = send(service.request(Method::POST, &of_event, key)).await;
    assert_eq!((once_more.status, each(&once_more.json(), "id")), (202, vec![id.clone()]));
    receiver.wait_for(12).await;
    let mine = json!({"subscriptionId": path.rsplit('/').next().unwrap()});
    assert_eq!(service.post(&of_event, key, mine).await.status, 202);
    receiver.wait_for(13).await;
    let nobody = json!({"subscriptionId": service.demo.account.id});
    refused(&service.post(&of_event, key, nobody).await, 404, "NotFound");

    // Who answers 410 is not told of anything any more, until somebody says otherwise.
    receiver.answer(410);
    service.post(&of_event, key, json!({})).await;
    until(async || service.read(&path).await["enabled"] == json!(false)).await;
    service.get(&path, key).await.matches_snapshot("webhook-subscription-gone");
    assert_eq!(each(&service.read(&format!("{path}/timeline")).await, "change")[0], "Disabled: Gone");
    let disabled = service.post(&format!("/api/v0/deliveries/{id}/redeliver"), key, json!({})).await;
    disabled.matches_snapshot("webhook-disabled");
    assert_eq!(service.patch(&path, key, json!({"enabled": true})).await.json()["disabledReason"], Value::Null);
    assert_eq!(service.post(&format!("/api/v0/deliveries/{id}/redeliver"), key, json!({})).await.status, 202);
}

async fn what_happened_before_is_delivered_to_who_asks(service: Service) {
    service.one_return().await;
    let receiver = Receiver::start().await;
    let path = service.subscribe(json!({"url": receiver.url, "stages": ["Submitted: Ready"]})).await;
    service.deliver_webhooks();
    let asked = service.post(&format!("{path}/redeliver"), &service.demo.key, json!({"since": NOW})).await;
    assert_eq!((asked.status, &asked.json()["catchingUp"], asked.header("etag")), (202, &json!(true), Some("\"2\"")));
    let told = receiver.wait_for(4).await;
    let types: Vec<String> = told.iter().map(|received| text(&received.json()["type"])).collect();
    let expected =
        ["return_request.stage_changed", "return_order.created", "return_order.confirmed", "shipment.label_created"];
    assert_eq!(types, expected, "in order");
    until(async || service.read(&path).await["catchingUp"] == json!(false)).await;
    let all = json!({"since": NOW, "which": "All"});
    assert_eq!(service.post(&format!("{path}/redeliver"), &service.demo.key, all).await.status, 202);
    let told = receiver.wait_for(8).await;
    assert_eq!(
        told[4..].iter().map(|received| &received.body).collect::<Vec<_>>(),
        told[..4].iter().map(|received| &received.body).collect::<Vec<_>>()
    );
    let later = service.clock.now().plus_hours(1);
    service.clock.set(later);
    let nothing = service.post(&format!("{path}/redeliver"), &service.demo.key, json!({"since": later})).await;
    assert_eq!((nothing.status, &nothing.json()["catchingUp"]), (202, &json!(false)), "there is nothing since then");
}

async fn nothing_is_delivered_to_who_is_disabled(service: Service) {
    let receiver = Receiver::start().await;
    let path = service.subscribe(json!({"url": receiver.url, "enabled": false})).await;
    service.deliver_webhooks();
    service.one_return().await;
    assert_eq!(list(&service.read(&format!("{path}/deliveries")).await), [] as [Value; 0]);
    let since = json!({"since": NOW});
    refused(&service.post(&format!("{path}/redeliver"), &service.demo.key, since.clone()).await, 409, "Disabled");
    let event = text(&list(&service.read("/api/v0/events").await)[0]["id"]);
    let of_event = format!("/api/v0/events/{event}/redeliver");
    let nobody = service.post(&of_event, &service.demo.key, json!({})).await;
    assert_eq!((nobody.status, list(&nobody.json())), (202, Vec::new()), "nobody is about it who is enabled");
    let only = json!({"subscriptionId": path.rsplit('/').next().unwrap()});
    refused(&service.post(&of_event, &service.demo.key, only).await, 409, "Disabled");
    assert_eq!(receiver.received().len(), 0);
    service.patch(&path, &service.demo.key, json!({"enabled": true})).await;
    assert_eq!(service.post(&format!("{path}/redeliver"), &service.demo.key, since).await.status, 202);
    receiver.wait_for(1).await;
}

async fn events_are_listed_filtered_and_walked(service: Service) {
    let order = service.one_return().await;
    service.clock.set(NOW.plus_hours(1));
    let ben = service.prove("1002", "ben@example.com").await;
    service.give_back(&ben, &service.purchases(&ben).await[..1]).await;
    let all = service.read("/api/v0/events?limit=100").await;
    let mut oldest_first = each(&all, "id");
    oldest_first.reverse();
    let filtered = async |filters: &[&str]| {
        service.read(&format!("/api/v0/events?limit=100&filter={}", filters.join("&filter="))).await
    };
    assert_eq!(each(&filtered(&["type:shipment.label_created"]).await, "type"), ["shipment.label_created"; 2]);
    let ready = filtered(&["stage:Submitted: Ready"]).await;
    assert_eq!(list(&ready).len(), 2);
    assert!(list(&ready).iter().all(|event| event["data"]["stage"] == "Submitted: Ready"));
    let of_order = format!("returnOrderId:{}", text(&order["id"]));
    let ours = filtered(&[&of_order]).await;
    assert_eq!(list(&ours).len() * 2, oldest_first.len());
    assert_eq!(each(&filtered(&[&of_order, "type:return_order.created"]).await, "type"), ["return_order.created"]);
    let since = format!("createdAt>={}", text(&json!(NOW.plus_hours(1))));
    let until = format!("createdAt<{}", text(&json!(NOW.plus_hours(1))));
    assert_eq!(each(&filtered(&[&until]).await, "id"), each(&ours, "id"));
    assert_eq!([each(&filtered(&[&since]).await, "id"), each(&ours, "id")].concat(), each(&all, "id"));
    assert_eq!(filtered(&["type:test.ping"]).await["data"], json!([]));

    let (mut walked, mut page) = (Vec::new(), String::new());
    loop {
        let read = service.read(&format!("/api/v0/events?orderBy=asc&limit=3{page}")).await;
        walked.extend(each(&read, "id"));
        if read["hasMore"] == json!(false) {
            break;
        }
        page = format!("&page={}", read["nextPage"]);
    }
    assert_eq!(walked, oldest_first);
}

async fn an_event_reads_as_it_was_sent(service: Service) {
    let receiver = Receiver::start().await;
    let path = service.subscribe(json!({"url": receiver.url, "eventName": "shipment.label_created"})).await;
    service.deliver_webhooks();
    service.one_return().await;
    let told = receiver.wait_for(1).await.remove(0);
    let id = told.header("webhook-id").to_owned();
    let event = service.get(&format!("/api/v0/events/{id}"), &service.demo.key).await;
    assert_eq!((event.status, String::from_utf8_lossy(&told.body)), (200, event.text().into()));
    event.matches_snapshot("event-label-created");
    assert_eq!(told.header("content-type"), "application/json");
    assert_eq!(told.header("webhook-timestamp"), NOW.seconds().to_string());
    let secret = text(&service.read(&format!("{path}/secret")).await["secret"]);
    let signed = standardwebhooks::Webhook::new(&secret).unwrap().sign(&id, NOW.seconds(), &told.body).unwrap();
    assert_eq!(told.header("webhook-signature"), signed);

    // While a secret is replaced, either signs.
    let rotated = service.post(&format!("{path}/rotate-secret"), &service.demo.key, json!({})).await.json();
    service.post(&format!("/api/v0/events/{id}/redeliver"), &service.demo.key, json!({})).await;
    let again = receiver.wait_for(2).await.remove(1);
    let new = standardwebhooks::Webhook::new(&text(&rotated["secret"])).unwrap().sign(&id, NOW.seconds(), &again.body);
    assert_eq!(again.header("webhook-signature"), format!("{} {signed}", new.unwrap()));
    assert_eq!(again.body, told.body);
}

async fn fifty_subscriptions_are_enough(service: Service) {
    let new = json!({"url": "https://erp.example/"});
    for _ in 0..49 {
        service.subscribe(new.clone()).await;
    }
    // Of several at once one gets the last place.
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

async fn without_a_key_no_secret_is_kept(service: Service) {
    let path = service.subscribe(json!({"url": "https://erp.example/"})).await;
    let service = service.without_secret_key();
    let before = service.contents().await;
    let new = json!({"url": "https://erp.example/"});
    let made = service.post(SUBSCRIPTIONS, &service.demo.key, new).await;
    made.matches_snapshot("webhook-no-secret-key");
    refused(&service.post(&format!("{path}/rotate-secret"), &service.demo.key, json!({})).await, 409, "NoSecretKey");
    assert_eq!(service.contents().await, before);
    assert_eq!(service.get(&path, &service.demo.key).await.status, 200, "what is there can be read");
    assert_eq!(service.delete(&path, &service.demo.key).await.status, 204, "and ended");
}

async fn figures_tell_how_much_waits_and_nothing_about_anybody(service: Service) {
    let receiver = Receiver::start().await;
    let path = service.subscribe(json!({"url": receiver.url})).await;
    let order = service.one_return().await;
    service.clock.set(NOW.plus_seconds(90));
    let waiting = service.get("/metrics", "").await;
    assert_eq!((waiting.status, waiting.header("content-type")), (200, Some("text/plain; version=0.0.4")));
    let all = list(&service.read(&format!("{path}/deliveries")).await).len();
    for line in [format!("retour_webhook_pending {all}"), "retour_webhook_oldest_pending_seconds 90".to_owned()] {
        assert!(waiting.text().lines().any(|known| known == line), "{line}: {}", waiting.text());
    }
    service.deliver_webhooks();
    receiver.wait_for(all).await;
    let none = async || service.get("/metrics", "").await.text().contains("retour_webhook_pending 0\n");
    until(none).await;
    receiver.answer(503);
    service.post(&format!("{path}/test"), &service.demo.key, json!({})).await;
    let figures = service.get("/metrics", "").await.text();
    let name = "retour_webhook_attempt_duration_seconds";
    for (outcome, count) in [("Delivered", all), ("Refused", 1)] {
        for line in [
            format!("{name}_count{{outcome=\"{outcome}\"}} {count}"),
            format!("{name}_bucket{{outcome=\"{outcome}\",le=\"+Inf\"}} {count}"),
            format!("{name}_bucket{{outcome=\"{outcome}\",le=\"15\"}} {count}"),
        ] {
            assert!(figures.lines().any(|known| known == line), "{line}: {figures}");
        }
    }
    assert!(figures.contains("retour_webhook_oldest_pending_seconds 0\n"));
    for personal in ["ada", "fjord", "127.0.0.1", &text(&order["number"]), path.rsplit('/').next().unwrap()] {
        assert!(!figures.to_lowercase().contains(&personal.to_lowercase()), "{personal}: {figures}");
    }
    for line in figures.lines().filter(|line| !line.starts_with('#')) {
        assert!(line.starts_with("retour_") && line.rsplit(' ').next().unwrap().parse::<f64>().is_ok(), "{line}");
    }
}
