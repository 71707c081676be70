//! Shipments through the API: reading them, their labels in three file types, and tracking.

use crate::harness::{Answer, Consumer, Service, on_both_databases, send, text};
use reqwest::{Method, header};
use serde_json::{Value, json};

on_both_databases! {
    a_shop_lists_its_shipments
    a_label_has_the_requested_file_type
    a_void_label_is_a_conflict
    reports_of_a_carrier_move_a_shipment
    bad_reports_are_named_and_change_nothing
    a_shipment_is_cancelled_only_if_there_are_others
    a_repeated_report_is_answered_as_before
    shipments_are_private
}

/// A return of Ada's shirt, and the path of its shipment.
struct ShipmentSetup {
    ada: Consumer,
    order: String,
    path: String,
}

async fn sent(service: &Service) -> ShipmentSetup {
    let ada = service.ada().await;
    let purchases = service.purchases(&ada).await;
    let order = text(&service.create_return(&ada, &purchases[..1]).await["id"]);
    let shown = service.get(&format!("/api/v0/return-orders/{order}?expand=shipments"), &service.demo.key).await.json();
    let path = format!("/api/v0/account/{}/shipments/{}", service.demo.account.id, text(&shown["shipments"][0]["id"]));
    ShipmentSetup { ada, order, path }
}

async fn label(service: &Service, path: &str, credential: &str, accept: &str) -> Answer {
    send(service.request(Method::GET, path, credential).header(header::ACCEPT, accept)).await
}

async fn track(service: &Service, sent: &ShipmentSetup, body: Value) -> Answer {
    service.post(&format!("{}/tracking-updates", sent.path), &service.demo.key, body).await
}

async fn a_shop_lists_its_shipments(service: Service) {
    let key = &service.demo.key;
    let sent = sent(&service).await;
    let one = service.get(&sent.path, key).await;
    one.matches_snapshot("shipment");
    assert_eq!(one.header("etag"), Some("\"1\""));
    let shipment = one.json();
    let list = service.get("/api/v0/shipments", key).await;
    list.matches_snapshot("shipments");
    let found = async |clause: String| {
        let answer = service.get(&format!("/api/v0/shipment?filter={clause}"), key).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        answer.json()["data"].as_array().unwrap().len()
    };
    assert_eq!(found(format!("returnOrderId:{}", sent.order)).await, 1);
    assert_eq!(found(format!("labelBarcode:{}", text(&shipment["labelBarcode"]))).await, 1);
    assert_eq!(found("status:LabelCreated".to_owned()).await, 1);
    assert_eq!(found("status:Delivered".to_owned()).await, 0);
    assert_eq!(found("trackingNumber:3S".to_owned()).await, 0);
    assert_eq!(found("createdAt>=2027-01-01T00:00:00Z".to_owned()).await, 0);
    assert_eq!(service.get("/api/v0/shipments?filter=status:Lost", key).await.status, 400);
    assert_eq!(service.get("/api/v0/shipments?expand=returnOrder", key).await.status, 400);
    assert_eq!(service.get("/api/v0/shipments?sortBy=updatedAt", key).await.status, 400);
}

async fn a_label_has_the_requested_file_type(service: Service) {
    let sent = sent(&service).await;
    let key = &service.demo.key;
    let first = format!("/consumer/{}/return-order/{}/label", sent.ada.id, sent.order);
    let shipment = text(&service.get(&sent.path, key).await.json()["id"]);
    let own = format!("/consumer/{}/return-order/{}/shipments/{shipment}/label", sent.ada.id, sent.order);
    let path = format!("/consumer/{}/return-order/{}?expand=shipments", sent.ada.id, sent.order);
    let shown = service.get(&path, &sent.ada.token).await;
    assert_eq!(text(&shown.json()["shipments"][0]["labelUrl"]), own, "the consumer's token can download it");
    let theirs = text(&service.get(&sent.path, key).await.json()["labelUrl"]);
    let cases: [(&str, &str, &[u8], &str); 11] = [
        ("application/json", "application/pdf", b"%PDF", "pdf"),
        ("application/octet-stream", "application/pdf", b"%PDF", "pdf"),
        ("text/html, image/jpeg", "application/pdf", b"%PDF", "pdf"),
        ("*/*;q=0", "application/pdf", b"%PDF", "pdf"),
        ("*/*", "application/pdf", b"%PDF", "pdf"),
        ("application/pdf", "application/pdf", b"%PDF", "pdf"),
        ("image/png", "image/png", b"\x89PNG", "png"),
        ("application/pdf;q=0.1, image/*", "image/png", b"\x89PNG", "png"),
        ("application/zpl", "application/zpl", b"^XA", "zpl"),
        ("x-application/zpl", "x-application/zpl", b"^XA", "zpl"),
        ("text/zpl", "text/zpl", b"^XA", "zpl"),
    ];
    for (path, credential) in [(&theirs, key), (&own, &sent.ada.token), (&first, &sent.ada.token)] {
        for (accept, media_type, beginning, extension) in cases {
            let answer = label(&service, path, credential, accept).await;
            assert_eq!((answer.status, answer.header("content-type")), (200, Some(media_type)), "{accept}");
            assert!(answer.body.starts_with(beginning), "{accept}");
            let name = format!("inline; filename=\"return-label.{extension}\"");
            assert_eq!(
                (answer.header("content-disposition"), answer.header("vary")),
                (Some(name.as_str()), Some("Accept"))
            );
        }
    }
    assert_eq!(service.get(&format!("{theirs}?format=png"), key).await.status, 400, "Accept chooses the file type");
}

async fn a_void_label_is_a_conflict(service: Service) {
    let sent = sent(&service).await;
    let cancel = format!("/consumer/{}/return-order/{}/cancel", sent.ada.id, sent.order);
    assert_eq!(service.post(&cancel, &sent.ada.token, json!({})).await.status, 200);
    let before = service.contents().await;
    service.get(&format!("{}/label", sent.path), &service.demo.key).await.matches_snapshot("shipment-cancelled");
    track(&service, &sent, json!({"status": "InTransit"})).await.matches_snapshot("shipment-cancelled");
    let shipment = service.get(&sent.path, &service.demo.key).await.json();
    assert_eq!((&shipment["status"], &shipment["labelUrl"]), (&json!("Cancelled"), &Value::Null));
    assert_eq!(service.contents().await, before);
}

async fn reports_of_a_carrier_move_a_shipment(service: Service) {
    let sent = sent(&service).await;
    let first = json!({"status": "InTransit", "explanation": "Sorted at the depot", "happenedAt": "2026-11-21T09:00:00+01:00",
        "carrier": "PostNL", "trackingNumber": "3SABC", "trackingUrl": "https://carrier.example/3SABC"});
    assert_eq!(track(&service, &sent, first).await.status, 200);
    let late = json!({"status": "Exception", "happenedAt": "2026-11-21T07:00:00Z"});
    assert_eq!(track(&service, &sent, late).await.json()["status"], "InTransit", "the status never goes back");
    let delivered = track(&service, &sent, json!({"status": "Delivered"})).await;
    delivered.matches_snapshot("shipment-delivered");
    assert_eq!(service.get(&sent.path, &service.demo.key).await.json(), delivered.json());
    let path = format!("/api/v0/return-requests?filter=returnOrderId:{}", sent.order);
    assert_eq!(service.get(&path, &service.demo.key).await.json()["data"][0]["stage"], "Shipment: Delivered");
    let found = service.get("/api/v0/shipments?filter=trackingNumber:3SABC", &service.demo.key).await.json();
    assert_eq!(found["data"][0], delivered.json());
}

async fn bad_reports_are_named_and_change_nothing(service: Service) {
    let sent = sent(&service).await;
    let before = service.contents().await;
    let bad = json!({"status": "InTransit", "explanation": "x".repeat(501), "happenedAt": "2999-01-01T00:00:00Z",
        "carrier": "x".repeat(101), "trackingNumber": "\u{0}", "trackingUrl": "ftp://carrier.example"});
    track(&service, &sent, bad).await.matches_snapshot("tracking-update-422");
    let cases = [
        (json!({}), "status"),
        (json!({"status": "Lost"}), "status"),
        (json!({"status": "Delivered", "happenedAt": "yesterday"}), "happenedAt"),
        (json!({"status": "Delivered", "when": "now"}), "when"),
        (json!({"status": "Delivered", "explanation": 3}), "explanation"),
    ];
    for (body, field) in cases {
        let answer = track(&service, &sent, body).await;
        assert_eq!((answer.status, answer.fields()), (422, vec![field.to_owned()]), "{}", answer.text());
    }
    assert_eq!(service.contents().await, before);
}

async fn a_shipment_is_cancelled_only_if_there_are_others(service: Service) {
    let sent = sent(&service).await;
    let key = &service.demo.key;
    let cancel = async |path: &str| service.post(&format!("{path}/cancel"), key, json!({})).await;
    cancel(&sent.path).await.matches_snapshot("shipment-only-one");
    let second = service.post(&format!("/api/v0/return-orders/{}/shipments", sent.order), key, json!({})).await;
    assert_eq!(second.status, 201, "{}", second.text());
    let second = format!("/api/v0/shipments/{}", text(&second.json()["id"]));
    let void = cancel(&second).await;
    assert_eq!((void.status, &void.json()["status"]), (200, &json!("Cancelled")), "{}", void.text());
    assert_eq!(cancel(&second).await.json(), void.json());
    assert_eq!(service.get(&second, key).await.json(), void.json());
    assert_eq!(cancel(&sent.path).await.status, 409, "it is the only shipment again");
    let found = service.get("/api/v0/shipments?filter=errorCode:LabelNotVoided", key).await.json();
    assert_eq!(found["data"], json!([]));
}

async fn a_repeated_report_is_answered_as_before(service: Service) {
    let sent = sent(&service).await;
    let report = async |status: &str| {
        let request = service.request(Method::POST, &format!("{}/tracking-updates", sent.path), &service.demo.key);
        send(request.header("Idempotency-Key", "t-1").json(&json!({"status": status}))).await
    };
    let first = report("InTransit").await;
    let before = service.contents().await;
    let again = report("InTransit").await;
    assert_eq!((first.status, again.status, &again.body), (200, 200, &first.body));
    assert_eq!(report("Delivered").await.status, 422, "another request with the same key");
    assert_eq!(service.contents().await, before);
}

async fn shipments_are_private(service: Service) {
    let sent = sent(&service).await;
    let own = sent.path.split("/shipments").nth(1).map(|rest| format!("/api/v0/shipments{rest}")).unwrap();
    let before = service.contents().await;
    for (credential, status) in [("", 401), (sent.ada.token.as_str(), 403), (service.other_key.as_str(), 404)] {
        for path in [&sent.path, &own] {
            assert_eq!(service.get(path, credential).await.status, status, "{path}");
            assert_eq!(service.get(&format!("{path}/label"), credential).await.status, status);
            assert_eq!(service.post(&format!("{path}/cancel"), credential, json!({})).await.status, status);
            let path = format!("{path}/tracking-updates");
            assert_eq!(service.post(&path, credential, json!({"status": "InTransit"})).await.status, status);
        }
    }
    assert_eq!(service.get("/api/v0/shipments", &service.other_key).await.json()["data"], json!([]));
    assert_eq!(service.contents().await, before);
}
