//! What a warehouse and a back office do with return requests, through the API.

use crate::harness::{Answer, Service, on_both_databases, text};
use reqwest::Method;
use serde_json::{Value, json};

on_both_databases! {
    a_return_goes_through_the_warehouse_to_its_refund
    a_wrong_stage_is_refused_with_the_allowed_ones
    bad_values_are_named_and_change_nothing
    a_repeated_request_is_answered_as_before
    a_consumers_token_and_another_shops_key_are_refused
    a_shop_cancels_a_return
    a_change_of_an_older_version_is_refused
}

/// A return of Ada's shirt, and the path of its request.
async fn returned(service: &Service) -> (Value, String) {
    let ada = service.ada().await;
    let purchases = service.purchases(&ada).await;
    let order = service.create_return(&ada, &purchases[..1]).await;
    let path = format!("/api/v0/return-orders/{}?expand=returnRequests", text(&order["id"]));
    let request = service.get(&path, &service.demo.key).await.json()["returnRequests"][0].clone();
    let account = &service.demo.account.id;
    let path = format!("/api/v0/account/{account}/return-requests/{}", text(&request["id"]));
    (order, path)
}

async fn post(service: &Service, path: &str, body: Value) -> Answer {
    service.post(path, &service.demo.key, body).await
}

async fn a_return_goes_through_the_warehouse_to_its_refund(service: Service) {
    let (order, path) = returned(&service).await;
    let key = &service.demo.key;
    let moved =
        service.patch(&path, key, json!({"stage": "Shipment: In Transit", "comment": "Seen at the depot"})).await;
    assert_eq!((moved.status, text(&moved.json()["stage"]).as_str()), (200, "Shipment: In Transit"));
    let received =
        post(&service, &format!("{path}/receipts"), json!({"quantity": 1, "externalReference": "GR-1"})).await;
    assert_eq!((received.status, text(&received.json()["stage"]).as_str()), (200, "Resolution: Approved"));
    assert_eq!(service.get(&format!("{path}/inspection"), key).await.status, 404, "there is no inspection yet");
    let inspection =
        json!({"accepted": 1, "refused": 0, "condition": "Opened", "disposition": "Restock", "note": "Box torn"});
    assert_eq!(post(&service, &format!("{path}/inspection"), inspection).await.status, 200);
    let done =
        json!({"status": "Resolution: Completed", "fromStage": "Resolution: Approved", "externalReference": "re_77"});
    service.patch(&path, key, done).await.matches_snapshot("return-request-completed");
    service.get(&format!("{path}/timeline"), key).await.matches_snapshot("return-request-timeline");
    service.get(&format!("{path}/receipts"), key).await.matches_snapshot("return-request-receipts");
    service.get(&format!("{path}/inspection"), key).await.matches_snapshot("return-request-inspection");
    let order = service.get(&format!("/api/v0/return-order/{}", text(&order["id"])), key).await;
    assert_eq!(text(&order.json()["status"]), "Completed");
}

async fn a_wrong_stage_is_refused_with_the_allowed_ones(service: Service) {
    let (_, path) = returned(&service).await;
    let key = &service.demo.key;
    let illegal = service.patch(&path, key, json!({"stage": "Resolution: Completed"})).await;
    assert_eq!(illegal.status, 409);
    illegal.matches_snapshot("illegal-transition");
    let update = json!({"stage": "Shipment: Delivered", "fromStage": "Shipment: In Transit"});
    let conflict = service.patch(&path, key, update).await;
    assert_eq!(conflict.status, 409);
    conflict.matches_snapshot("stage-conflict");
    let again = service.patch(&path, key, json!({"stage": "Submitted: Ready"})).await;
    assert_eq!(again.status, 200, "the request is in this stage already");
}

async fn bad_values_are_named_and_change_nothing(service: Service) {
    let (_, path) = returned(&service).await;
    let before = service.contents().await;
    let long = "x".repeat(2_001);
    for (method, rest, body, field) in [
        (Method::PATCH, "", json!({}), "stage"),
        (Method::PATCH, "", json!({"stage": "Resolution: Approve"}), "stage"),
        (Method::PATCH, "", json!({"stage": "Closed: Cancelled", "comment": long}), "comment"),
        (Method::PATCH, "", json!({"stage": "Closed: Cancelled", "externalReference": long}), "externalReference"),
        (Method::PATCH, "", json!({"stage": "Closed: Cancelled", "version": 1}), "version"),
        (Method::POST, "/receipts", json!({"quantity": -1}), "quantity"),
        (Method::POST, "/receipts", json!({"quantity": 0}), "quantity"),
        (Method::POST, "/receipts", json!({"quantity": 1_000_001}), "quantity"),
        (Method::POST, "/receipts", json!({"quantity": 1_000_000_000_000_i64}), "quantity"),
        (Method::POST, "/inspection", json!({"accepted": 1}), "refused"),
        (Method::POST, "/inspection", json!({"accepted": 1, "refused": 0, "condition": "Fine"}), "condition"),
    ] {
        let request = service.request(method, &format!("{path}{rest}"), &service.demo.key).json(&body);
        let answer = crate::harness::send(request).await;
        assert_eq!((answer.status, answer.fields()), (422, vec![field.to_owned()]), "{body}: {}", answer.text());
    }
    assert_eq!(service.contents().await, before);
}

async fn a_repeated_request_is_answered_as_before(service: Service) {
    let (_, path) = returned(&service).await;
    let send = async |quantity: u32| {
        let request = service.request(Method::POST, &format!("{path}/receipts"), &service.demo.key);
        crate::harness::send(request.header("Idempotency-Key", "gr-1").json(&json!({"quantity": quantity}))).await
    };
    let first = send(1).await;
    let before = service.contents().await;
    let again = send(1).await;
    assert_eq!((again.status, &again.body), (first.status, &first.body));
    assert_eq!(send(2).await.status, 422, "another request with the same key");
    assert_eq!(service.contents().await, before);
}

async fn a_consumers_token_and_another_shops_key_are_refused(service: Service) {
    let (_, path) = returned(&service).await;
    let ada = service.ada().await;
    let own = path.split("/return-requests").nth(1).map(|rest| format!("/api/v0/return-requests{rest}")).unwrap();
    let before = service.contents().await;
    for (credential, status) in [("", 401), (ada.token.as_str(), 403), (service.other_key.as_str(), 404)] {
        for path in [&path, &own] {
            let body = json!({"stage": "Closed: Cancelled"});
            assert_eq!(service.patch(path, credential, body).await.status, status, "{path}");
            assert_eq!(
                service.post(&format!("{path}/receipts"), credential, json!({"quantity": 1})).await.status,
                status
            );
            assert_eq!(service.get(&format!("{path}/timeline"), credential).await.status, status);
        }
    }
    assert_eq!(service.contents().await, before);
}

async fn a_shop_cancels_a_return(service: Service) {
    let (order, path) = returned(&service).await;
    let cancel = format!("/api/v0/return-orders/{}/cancel", text(&order["id"]));
    let send = async |credential: &str| crate::harness::send(service.request(Method::POST, &cancel, credential)).await;
    assert_eq!(send(&service.other_key).await.status, 404);
    assert_eq!(send(&service.ada().await.token).await.status, 403);
    let cancelled = send(&service.demo.key).await;
    assert_eq!((cancelled.status, text(&cancelled.json()["status"]).as_str()), (200, "Cancelled"));
    let timeline = service.get(&format!("{path}/timeline"), &service.demo.key).await.json();
    let last = timeline["data"].as_array().unwrap().last().unwrap().clone();
    assert_eq!((text(&last["actor"]).as_str(), text(&last["toStage"]).as_str()), ("Merchant", "Closed: Cancelled"));
    let before = service.contents().await;
    assert_eq!(send(&service.demo.key).await.json(), cancelled.json(), "once");
    assert_eq!(service.contents().await, before);
}

async fn a_change_of_an_older_version_is_refused(service: Service) {
    let (_, path) = returned(&service).await;
    let key = &service.demo.key;
    let seen = text(&json!(service.get(&path, key).await.header("etag").unwrap()));
    let send = async |tag: &str| {
        let body = json!({"stage": "Shipment: In Transit"});
        crate::harness::send(service.request(Method::PATCH, &path, key).header("If-Match", tag).json(&body)).await
    };
    assert_eq!((send("\"7\"").await.status, send("\"7\"").await.error_code().as_str()), (412, "PreconditionFailed"));
    assert_eq!(send("7").await.status, 400, "an ETag has quotes");
    assert_eq!(send(&seen).await.status, 200);
    assert_eq!(send(&seen).await.status, 412, "the version has changed");
    assert_eq!(send("*").await.status, 200);
    assert_ne!(service.get(&path, key).await.header("etag"), Some(seen.as_str()));
}
