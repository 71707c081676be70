//! Deliveries and events through the API.

use crate::{
    harness::{NOW, Service, on_both_databases, send, text},
    receiver::{Receiver, until},
    webhooks::{each, list, refused},
};
use domain::Timestamp;
use reqwest::Method;
use serde_json::{Value, json};

on_both_databases! {
    a_receiver_is_tested
    failed_deliveries_are_listed_and_repeated
    past_events_are_delivered_on_request
    disabled_subscriptions_receive_nothing
    events_are_listed_filtered_and_paged
    a_retrieved_event_equals_the_delivered_one
    metrics_show_the_backlog_and_no_personal_data
}

async fn a_receiver_is_tested(service: Service) {
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
    assert_eq!(service.read(&path).await["failingSince"], Value::Null, "a test says nothing about deliveries");
}

async fn failed_deliveries_are_listed_and_repeated(service: Service) {
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

    // After ten attempts, the delivery is listed as failed.
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
    let requests = receiver.received();
    assert!(requests.iter().all(|received| received.header("webhook-id") == text(&details["eventId"])));
    assert!(requests.iter().all(|received| received.json() == details["request"]["body"]));

    receiver.answer(204);
    let again = service.post(&format!("/api/v0/deliveries/{id}/redeliver"), key, json!({})).await;
    assert_eq!((again.status, &again.json()["status"], &again.json()["id"]), (202, &json!("Pending"), &json!(id)));
    until(async || first().await["status"] == "Delivered").await;
    assert_eq!(first().await["attemptCount"], 11);
    let of_event = format!("/api/v0/events/{}/redeliver", text(&details["eventId"]));
    let once_more = send(service.request(Method::POST, &of_event, key)).await;
    assert_eq!((once_more.status, each(&once_more.json(), "id")), (202, vec![id.clone()]));
    receiver.wait_for(12).await;
    until(async || first().await["attemptCount"] == json!(12)).await;
    let mine = json!({"subscriptionId": path.rsplit('/').next().unwrap()});
    assert_eq!(service.post(&of_event, key, mine).await.status, 202);
    receiver.wait_for(13).await;
    until(async || first().await["attemptCount"] == json!(13)).await;
    let nobody = json!({"subscriptionId": service.demo.account.id});
    refused(&service.post(&of_event, key, nobody).await, 404, "NotFound");

    // A receiver that answers 410 gets no further events until somebody enables the subscription.
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

async fn past_events_are_delivered_on_request(service: Service) {
    service.one_return().await;
    let receiver = Receiver::start().await;
    let path = service.subscribe(json!({"url": receiver.url, "stages": ["Submitted: Ready"]})).await;
    service.deliver_webhooks();
    let pending = format!("{path}/deliveries?filter=status:Pending");
    let asked = service.post(&format!("{path}/redeliver"), &service.demo.key, json!({"since": NOW})).await;
    assert_eq!((asked.status, &asked.json()["catchingUp"], asked.header("etag")), (202, &json!(true), Some("\"2\"")));
    let requests = receiver.wait_for(4).await;
    let types: Vec<String> = requests.iter().map(|received| text(&received.json()["type"])).collect();
    let expected =
        ["return_request.stage_changed", "return_order.created", "return_order.confirmed", "shipment.label_created"];
    assert_eq!(types, expected, "events are in order");
    until(async || service.read(&path).await["catchingUp"] == json!(false)).await;
    until(async || list(&service.read(&pending).await).is_empty()).await;
    let all = json!({"since": NOW, "which": "All"});
    assert_eq!(service.post(&format!("{path}/redeliver"), &service.demo.key, all).await.status, 202);
    let requests = receiver.wait_for(8).await;
    assert_eq!(
        requests[4..].iter().map(|received| &received.body).collect::<Vec<_>>(),
        requests[..4].iter().map(|received| &received.body).collect::<Vec<_>>()
    );
    let later = service.clock.now().plus_hours(1);
    service.clock.set(later);
    let nothing = service.post(&format!("{path}/redeliver"), &service.demo.key, json!({"since": later})).await;
    assert_eq!((nothing.status, &nothing.json()["catchingUp"]), (202, &json!(false)), "there are no events since then");
}

async fn disabled_subscriptions_receive_nothing(service: Service) {
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
    assert_eq!((nobody.status, list(&nobody.json())), (202, Vec::new()), "no enabled subscription is about the event");
    let only = json!({"subscriptionId": path.rsplit('/').next().unwrap()});
    refused(&service.post(&of_event, &service.demo.key, only).await, 409, "Disabled");
    assert_eq!(receiver.received().len(), 0);
    service.patch(&path, &service.demo.key, json!({"enabled": true})).await;
    assert_eq!(service.post(&format!("{path}/redeliver"), &service.demo.key, since).await.status, 202);
    receiver.wait_for(1).await;
}

async fn events_are_listed_filtered_and_paged(service: Service) {
    let order = service.one_return().await;
    service.clock.set(NOW.plus_hours(1));
    let ben = service.prove("1002", "ben@example.com").await;
    service.create_return(&ben, &service.purchases(&ben).await[..1]).await;
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

async fn a_retrieved_event_equals_the_delivered_one(service: Service) {
    let receiver = Receiver::start().await;
    let path = service.subscribe(json!({"url": receiver.url, "eventName": "shipment.label_created"})).await;
    service.deliver_webhooks();
    service.one_return().await;
    let requests = receiver.wait_for(1).await.remove(0);
    let id = requests.header("webhook-id").to_owned();
    let event = service.get(&format!("/api/v0/events/{id}"), &service.demo.key).await;
    assert_eq!((event.status, String::from_utf8_lossy(&requests.body)), (200, event.text().into()));
    event.matches_snapshot("event-label-created");
    assert_eq!(requests.header("content-type"), "application/json");
    assert_eq!(requests.header("webhook-timestamp"), NOW.seconds().to_string());
    let secret = text(&service.read(&format!("{path}/secret")).await["secret"]);
    let signed = standardwebhooks::Webhook::new(&secret).unwrap().sign(&id, NOW.seconds(), &requests.body).unwrap();
    assert_eq!(requests.header("webhook-signature"), signed);

    // While a secret is replaced, both secrets sign.
    let rotated = service.post(&format!("{path}/rotate-secret"), &service.demo.key, json!({})).await.json();
    service.post(&format!("/api/v0/events/{id}/redeliver"), &service.demo.key, json!({})).await;
    let again = receiver.wait_for(2).await.remove(1);
    let new = standardwebhooks::Webhook::new(&text(&rotated["secret"])).unwrap().sign(&id, NOW.seconds(), &again.body);
    assert_eq!(again.header("webhook-signature"), format!("{} {signed}", new.unwrap()));
    assert_eq!(again.body, requests.body);
}

async fn metrics_show_the_backlog_and_no_personal_data(service: Service) {
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
        let is_ours = ["retour_", "process_"].iter().any(|start| line.starts_with(start));
        assert!(is_ours && line.rsplit(' ').next().unwrap().parse::<f64>().is_ok(), "{line}");
    }
}
