//! How staff handle returns through the API: who has one, notes, activity, visits, adjustments and many moves at once.

use crate::harness::{Answer, NOW, Service, on_both_databases, send, text};
use reqwest::Method;
use serde_json::{Value, json};

on_both_databases! {
    a_return_is_handed_over_and_flagged
    notes_are_written_changed_and_listed
    the_activity_lists_everything_with_names
    visits_of_others_are_shown
    the_value_of_a_request_is_adjusted
    what_a_request_asks_for_is_changed
    many_requests_are_moved_at_once
    many_requests_are_changed_in_the_background
    figures_and_recent_returns_are_read
    consumers_see_nothing_of_it
}

/// A return of Ada's first two purchases: its path, and the ids of its requests.
async fn returned(service: &Service) -> (String, Vec<String>) {
    let ada = service.ada().await;
    let purchases = service.purchases(&ada).await;
    let order = service.create_return(&ada, &purchases[..2]).await;
    let path = format!("/api/v0/return-orders/{}", text(&order["id"]));
    let whole = service.get(&format!("{path}?expand=returnRequests"), &service.demo.key).await.json();
    let ids = whole["returnRequests"].as_array().unwrap().iter().map(|request| text(&request["id"]));
    (path, ids.collect())
}

async fn post(service: &Service, path: &str, body: Value) -> Answer {
    service.post(path, &service.demo.key, body).await
}

async fn a_return_is_handed_over_and_flagged(service: Service) {
    let key = &service.demo.key;
    let (path, _) = returned(&service).await;
    let user = json!({"email": "ada@team.example", "name": "Ada", "role": "agent"});
    let user = post(&service, "/api/v0/users", user).await.json()["id"].clone();
    let before = service.get(&path, key).await;
    assert_eq!((&before.json()["assigneeId"], &before.json()["flags"]), (&Value::Null, &json!([])));
    let change = json!({"assigneeId": user, "flags": ["VIP"], "leaveOutOfBulk": true});
    let tag = before.header("etag").unwrap().to_owned();
    let request = || service.request(Method::PATCH, &path, key).header("If-Match", &tag).json(&change);
    let changed = send(request()).await;
    assert_eq!(changed.status, 200, "{}", changed.text());
    assert_eq!(changed.json()["assigneeId"], user);
    assert_eq!((&changed.json()["flags"], &changed.json()["leaveOutOfBulk"]), (&json!(["VIP"]), &json!(true)));
    assert_eq!(send(request()).await.status, 412, "it has changed since");
    let freed = service.patch(&path, key, json!({"assigneeId": null})).await.json();
    assert_eq!((&freed["assigneeId"], &freed["flags"]), (&Value::Null, &json!(["VIP"])), "other fields stay");
    for (body, field) in [
        (json!({"assigneeId": service.demo.account.id}), "assigneeId"),
        (json!({"flags": ["a", "b", "c", "d", "e", "f"]}), "flags"),
        (json!({"flags": [""]}), "flags[0]"),
        (json!({"status": "Open"}), "status"),
    ] {
        let answer = service.patch(&path, key, body.clone()).await;
        assert_eq!((answer.status, answer.fields()), (422, vec![field.to_owned()]), "{body}");
    }
}

async fn notes_are_written_changed_and_listed(service: Service) {
    let key = &service.demo.key;
    let notes = format!("{}/notes", returned(&service).await.0);
    let write = || service.request(Method::POST, &notes, key).header("Idempotency-Key", "n-1");
    let written = send(write().json(&json!({"text": "Called.\nThe handle broke."}))).await;
    assert_eq!((written.status, written.header("etag")), (201, Some("\"1\"")), "{}", written.text());
    let again = send(write().json(&json!({"text": "Called.\nThe handle broke."}))).await;
    assert_eq!((&again.body, again.header("idempotent-replayed")), (&written.body, Some("true")));
    let note = format!("{notes}/{}", text(&written.json()["id"]));
    let changed = service.patch(&note, key, json!({"text": "The lid broke."})).await;
    assert_eq!((&changed.json()["text"], &changed.json()["version"]), (&json!("The lid broke."), &json!(2)));
    let other =
        service.retour.operator().create_service_user(service.demo.account.id, "other", &[returns::Scope::Admin]);
    let other = other.await.unwrap();
    assert_eq!(service.patch(&note, &other, json!({"text": "No."})).await.status, 403, "only its author may");
    service.clock.set(NOW.plus_seconds(601));
    let late = service.patch(&note, key, json!({"text": "Late."})).await;
    assert_eq!((late.status, late.error_code().as_str()), (409, "TooLate"));
    let list = service.get(&notes, key).await.json();
    assert_eq!(list["data"], json!([changed.json()]));
    let empty = post(&service, &notes, json!({"text": " "})).await;
    assert_eq!((empty.status, empty.fields()), (422, vec!["text".to_owned()]));
}

async fn the_activity_lists_everything_with_names(service: Service) {
    let (path, ids) = returned(&service).await;
    post(&service, &format!("{path}/notes"), json!({"text": "Called."})).await;
    let receipts = format!("/api/v0/return-requests/{}/receipts", ids[0]);
    assert_eq!(post(&service, &receipts, json!({"quantity": 1})).await.status, 200);
    let list = service.get(&format!("{path}/activity"), &service.demo.key).await.json();
    let entries = list["data"].as_array().unwrap();
    let kinds: Vec<&str> = entries.iter().map(|entry| entry["type"].as_str().unwrap()).collect();
    for kind in ["Stage", "Note", "Receipt"] {
        assert!(kinds.contains(&kind), "{kinds:?}");
    }
    let note = entries.iter().find(|entry| entry["type"] == "Note").unwrap();
    assert_eq!((&note["text"], &note["actor"]), (&json!("Called."), &json!("Merchant")));
    assert!(note["actorName"].as_str().is_some_and(|name| !name.is_empty()), "{note}");
}

async fn visits_of_others_are_shown(service: Service) {
    let visits = format!("{}/visits", returned(&service).await.0);
    let other =
        service.retour.operator().create_service_user(service.demo.account.id, "Grace", &[returns::Scope::Admin]);
    let other = other.await.unwrap();
    assert_eq!(service.post(&visits, &other, json!({})).await.json()["data"], json!([]));
    let seen = post(&service, &visits, json!({})).await.json();
    assert_eq!(
        (&seen["data"][0]["visitorName"], &seen["data"][0]["isWriting"]),
        (&json!("Grace"), &json!(false)),
        "{seen}"
    );
    service.post(&visits, &other, json!({"isWriting": true})).await;
    assert_eq!(post(&service, &visits, json!({})).await.json()["data"][0]["isWriting"], true);
}

async fn the_value_of_a_request_is_adjusted(service: Service) {
    let (path, ids) = returned(&service).await;
    let adjustments = format!("/api/v0/return-requests/{}/adjustments", ids[0]);
    let less = json!({"amount": {"value": "-1.00", "currency": "GBP"}, "reason": "Stained"});
    let adjusted = post(&service, &adjustments, less).await;
    assert_eq!(adjusted.status, 200, "{}", adjusted.text());
    let costs = service.get(&path, &service.demo.key).await.json()["costBreakdown"].clone();
    let lines: Vec<&Value> =
        costs["lines"].as_array().unwrap().iter().filter(|line| line["kind"] == "Adjustment").collect();
    assert_eq!((lines.len(), &lines[0]["amount"]["value"]), (1, &json!("-1.00")));
    for (body, field) in [
        (json!({"amount": {"value": "1000.00", "currency": "GBP"}, "reason": "Goodwill"}), "amount"),
        (json!({"amount": {"value": "-1.00", "currency": "USD"}, "reason": "Stained"}), "amount"),
        (json!({"amount": {"value": "-1.00", "currency": "GBP"}, "reason": "x"}), "reason"),
        (json!({"amount": {"value": "-1.00", "currency": "GBP"}}), "reason"),
    ] {
        let answer = post(&service, &adjustments, body.clone()).await;
        assert_eq!((answer.status, answer.fields()), (422, vec![field.to_owned()]), "{body}");
    }
}

async fn many_requests_are_changed_in_the_background(service: Service) {
    let (path, ids) = returned(&service).await;
    let key = &service.demo.key;
    let question = json!({"action": "ReportDelivered", "returnRequestIds": ids});
    let plan = post(&service, "/api/v0/bulk-runs/plan", question).await.json();
    let of_plan = &plan["data"][0];
    assert_eq!((&of_plan["returnRequestId"], &of_plan["obstacle"]), (&json!(ids[0]), &Value::Null), "{plan}");
    assert!(of_plan["value"]["value"].is_string(), "{plan}");
    let items: Vec<Value> =
        ids.iter().map(|id| json!({"returnRequestId": id, "fromStage": "Submitted: Ready"})).collect();
    let body = json!({"action": "ReportDelivered", "items": items});
    let begin = || service.request(Method::POST, "/api/v0/bulk-runs", key).header("Idempotency-Key", "r-1").json(&body);
    let begun = send(begin()).await;
    assert_eq!((begun.status, &begun.json()["total"]), (201, &json!(2)), "{}", begun.text());
    let again = send(begin()).await;
    assert_eq!((&again.body, again.header("idempotent-replayed")), (&begun.body, Some("true")));
    let run = format!("/api/v0/bulk-runs/{}", text(&begun.json()["id"]));
    let seen = service.get(&run, key).await.json();
    assert_eq!((&seen["done"], &seen["failed"], &seen["isRunning"]), (&json!(2), &json!(0), &json!(false)), "{seen}");
    assert_eq!(seen["results"][1]["outcome"], "Done");
    let continued = post(&service, &format!("{run}/continue"), json!({})).await;
    assert_eq!((continued.status, continued.json()), (200, seen), "nothing is left to do");
    let listed = service.get("/api/v0/bulk-runs", key).await.json();
    assert_eq!((&listed["data"][0]["id"], listed["data"][0].get("results")), (&begun.json()["id"], None));
    let whole = service.get(&format!("{path}?expand=shipments"), key).await.json();
    assert_eq!(whole["shipments"][0]["status"], "Delivered");
    for (body, field) in [
        (json!({"action": "Approve", "items": []}), "items"),
        (json!({"action": "Reject", "items": items}), "comment"),
        (json!({"action": "Fly", "items": items}), "action"),
    ] {
        let answer = post(&service, "/api/v0/bulk-runs", body.clone()).await;
        assert_eq!((answer.status, answer.fields()), (422, vec![field.to_owned()]), "{body}");
    }
}

async fn figures_and_recent_returns_are_read(service: Service) {
    let (_, ids) = returned(&service).await;
    let receipts = format!("/api/v0/return-requests/{}/receipts", ids[0]);
    assert_eq!(post(&service, &receipts, json!({"quantity": 1})).await.status, 200);
    let summary = service.get("/api/v0/figures/summary", &service.demo.key).await;
    assert_eq!(summary.status, 200, "{}", summary.text());
    let summary = summary.json();
    assert_eq!((&summary["current"]["receivedUnits"], &summary["previous"]["receivedUnits"]), (&json!(1), &json!(0)));
    assert_eq!(summary["current"]["medianTotalSeconds"], Value::Null);
    let recent = service.get("/api/v0/return-orders/recent", &service.demo.key).await;
    assert_eq!((recent.status, &recent.json()["data"]), (200, &json!([])), "a program has no such list");
}

async fn what_a_request_asks_for_is_changed(service: Service) {
    let (_, ids) = returned(&service).await;
    let path = format!("/api/v0/return-requests/{}", ids[0]);
    let amendments = format!("{path}/amendments");
    let other = json!({"returnReasonComment": "Too big", "reason": "On the phone", "fromStage": "Submitted: Ready"});
    let changed = post(&service, &amendments, other).await;
    assert_eq!(
        (changed.status, &changed.json()["returnReasonComment"]),
        (200, &json!("Too big")),
        "{}",
        changed.text()
    );
    for (body, status, field) in [
        (json!({"quantity": 0, "reason": "On the phone"}), 422, "quantity"),
        (json!({"quantity": 1000, "reason": "On the phone"}), 422, "quantity"),
        (
            json!({"requestedResolution": "Refund", "exchangeFor": {"sku": "X"}, "reason": "On the phone"}),
            422,
            "exchangeFor",
        ),
        (json!({"quantity": 1}), 422, "reason"),
    ] {
        let answer = post(&service, &amendments, body.clone()).await;
        assert_eq!((answer.status, answer.fields()), (status, vec![field.to_owned()]), "{body}");
    }
    let receipt = post(&service, &format!("{path}/receipts"), json!({"quantity": 1})).await;
    assert_eq!(receipt.status, 200);
    let late = post(&service, &amendments, json!({"returnReasonComment": "", "reason": "On the phone"})).await;
    assert_eq!((late.status, &late.json()["error"]["code"]), (409, &json!("IllegalTransition")), "{}", late.text());
}

async fn many_requests_are_moved_at_once(service: Service) {
    let (_, ids) = returned(&service).await;
    let moved = |id: &str, from: &str| json!({"id": id, "stage": "Shipment: In Transit", "fromStage": from});
    let body = json!({"moves": [moved(&ids[0], "Submitted: Ready"), moved(&ids[1], "Requested: Review")]});
    let request = || {
        service
            .request(Method::POST, "/api/v0/return-requests/batch", &service.demo.key)
            .header("Idempotency-Key", "b-1")
    };
    let answer = send(request().json(&body)).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    let results = answer.json();
    assert_eq!((&results["done"], &results["failed"]), (&json!(1), &json!(1)));
    assert_eq!(results["results"][0]["stage"], "Shipment: In Transit");
    let conflict = &results["results"][1];
    assert_eq!((&conflict["outcome"], &conflict["code"]), (&json!("Conflict"), &json!("StageConflict")), "{conflict}");
    let again = send(request().json(&body)).await;
    assert_eq!((&again.body, again.header("idempotent-replayed")), (&answer.body, Some("true")));
    for (body, field) in [
        (json!({"moves": []}), "moves"),
        (json!({"moves": [{"id": ids[0], "stage": "Shipment: Delivered"}]}), "moves[0].fromStage"),
        (json!({}), "moves"),
    ] {
        let refused = post(&service, "/api/v0/return-requests/batch", body.clone()).await;
        assert_eq!((refused.status, refused.fields()), (422, vec![field.to_owned()]), "{body}");
    }
}

async fn consumers_see_nothing_of_it(service: Service) {
    let ada = service.ada().await;
    let (path, _) = returned(&service).await;
    post(&service, &format!("{path}/notes"), json!({"text": "Difficult customer"})).await;
    service.patch(&path, &service.demo.key, json!({"flags": ["difficult"], "leaveOutOfBulk": true})).await;
    let own = format!("/consumer/{}/return-order/{}", ada.id, path.rsplit('/').next().unwrap());
    let seen = service.get(&own, &ada.token).await;
    assert_eq!(seen.status, 200, "{}", seen.text());
    assert!(!seen.text().to_lowercase().contains("difficult"), "{}", seen.text());
    let seen = seen.json();
    assert_eq!(
        (&seen["assigneeId"], &seen["flags"], &seen["leaveOutOfBulk"]),
        (&Value::Null, &json!([]), &json!(false))
    );
    for rest in ["notes", "activity"] {
        assert_eq!(service.get(&format!("{path}/{rest}"), &ada.token).await.status, 403);
    }
}
