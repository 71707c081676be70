//! What people with a scanner do, through the API: they look codes up, receive parcels at once and take them back.

use crate::{
    desk::ADA,
    harness::{Service, on_both_databases, text},
};
use reqwest::Method;
use returns::Role;
use serde_json::{Value, json};

on_both_databases! {
    a_scanned_parcel_is_received_and_taken_back
    a_form_that_is_sent_twice_takes_one_parcel_back
    an_old_page_counts_nothing
    a_code_needs_its_parameter
    a_parcel_without_papers_is_matched
    bad_bodies_are_named_and_change_nothing
    the_command_sheet_is_a_pdf
}

/// A return of Ada's first purchase, with its requests and shipments.
async fn returned(service: &Service) -> Value {
    let ada = service.ada().await;
    let purchases = service.purchases(&ada).await;
    let order = service.create_return(&ada, &purchases[..1]).await;
    let path = format!("/api/v0/return-orders/{}?expand=returnRequests&expand=shipments", text(&order["id"]));
    service.get(&path, &service.demo.key).await.json()
}

async fn a_scanned_parcel_is_received_and_taken_back(service: Service) {
    let key = &service.demo.key;
    let order = returned(&service).await;
    let (id, request) = (text(&order["id"]), text(&order["returnRequests"][0]["id"]));
    let barcode = text(&order["shipments"][0]["labelBarcode"]);
    let scan = service.get(&format!("/api/v0/scan?code=%5DC100{barcode}"), key).await.json();
    assert_eq!(
        (text(&scan["code"]), text(&scan["matches"][0]["kind"])),
        (format!("00{barcode}"), "Shipment".to_owned())
    );
    assert_eq!(text(&scan["matches"][0]["returnOrderId"]), id);
    let path = format!("/api/v0/return-orders/{id}/receivings");
    let body = json!({"externalReference": "P-1", "items": [{
        "returnRequestId": request, "quantity": 1, "inspection": {"condition": "Opened", "disposition": "Restock"},
    }]});
    let counted = service.post(&path, key, body.clone()).await;
    assert_eq!(
        (counted.status, text(&counted.json()["returnRequests"][0]["stage"])),
        (201, "Resolution: Approved".to_owned())
    );
    let again = service.post(&path, key, body).await;
    assert_eq!((again.status, again.json()["id"].clone()), (200, counted.json()["id"].clone()));
    let tally = service.get("/api/v0/scans/tally", key).await.json();
    assert_eq!((tally["parcels"].clone(), tally["units"].clone()), (json!(1), json!(1)));
    assert_eq!(tally["last"]["id"], counted.json()["id"]);
    let reverse = format!("{path}/{}/reverse", text(&counted.json()["id"]));
    let back = service.post(&reverse, key, json!({"reason": "The wrong shelf"})).await;
    assert_eq!((back.status, text(&back.json()["returnRequests"][0]["stage"])), (200, "Submitted: Ready".to_owned()));
    assert_eq!(service.post(&reverse, key, json!({})).await.status, 404, "it is taken back once");
    let receipts = format!("/api/v0/return-requests/{request}/receipts");
    assert_eq!(service.post(&receipts, key, json!({"quantity": 1})).await.status, 200);
    let receipt = text(&service.get(&receipts, key).await.json()["data"][0]["id"]);
    let claim = json!({"stage": "Resolution: Processing"});
    assert_eq!(service.patch(&format!("/api/v0/return-requests/{request}"), key, claim).await.status, 200);
    let late = service.post(&format!("{receipts}/{receipt}/reverse"), key, json!({})).await;
    assert_eq!((late.status, late.error_code()), (409, "StageConflict".to_owned()));
}

async fn a_form_that_is_sent_twice_takes_one_parcel_back(service: Service) {
    let key = &service.demo.key;
    let ada = service.ada().await;
    let purchases = service.purchases(&ada).await;
    let browser = service.at_desk(ADA, Role::Warehouse).await;
    let mut paths = Vec::new();
    for (form_key, purchase) in ["r-1", "r-2"].into_iter().zip(purchases.chunks(1)) {
        let order = service.create_return(&ada, purchase).await;
        let path = format!("/api/v0/return-orders/{}?expand=returnRequests", text(&order["id"]));
        let number = text(&order["number"]);
        let form = [("here", "/desk/scan"), ("key", form_key), ("open", &*number), ("units-0", "1")];
        let counted = browser.send(Method::POST, "/desk/call/receive", &form).await;
        assert_eq!(counted.status, 303, "{}", counted.text());
        paths.push(path);
    }
    for _ in 0..2 {
        let form = [("here", "/desk/scan"), ("key", "t-1")];
        let sent = browser.send(Method::POST, "/desk/call/take-back", &form).await;
        assert_eq!(sent.status, 303, "{}", sent.text());
    }
    let mut counted = Vec::new();
    for path in paths {
        counted.push(service.get(&path, key).await.json()["returnRequests"][0]["receivedQuantity"].clone());
    }
    assert_eq!(counted, [json!(1), json!(0)]);
}

async fn an_old_page_counts_nothing(service: Service) {
    let key = &service.demo.key;
    let order = returned(&service).await;
    let (id, request, number) = (text(&order["id"]), text(&order["returnRequests"][0]["id"]), text(&order["number"]));
    let path = format!("/api/v0/return-orders/{id}/receivings");
    let parcel = |reference: &str| {
        let item = json!({"returnRequestId": request, "quantity": 1, "fromArrivedQuantity": 0});
        json!({"externalReference": reference, "items": [item]})
    };
    for (reference, status) in [("P-1", 201), ("P-1", 200), ("P-2", 409)] {
        assert_eq!(service.post(&path, key, parcel(reference)).await.status, status, "{reference}");
    }
    assert_eq!(service.post(&path, key, parcel("P-2")).await.error_code(), "StageConflict");
    let browser = service.at_desk(ADA, Role::Warehouse).await;
    for (seen, status) in [("0", 409), ("1", 303)] {
        let form = [("here", "/desk/scan"), ("key", seen), ("open", &*number), ("units-0", "1"), ("seen-0", seen)];
        let sent = browser.send(Method::POST, "/desk/call/receive", &form).await;
        assert_eq!(sent.status, status, "{}", sent.text());
    }
    let request = service.get(&format!("/api/v0/return-requests/{request}"), key).await.json();
    assert_eq!((request["receivedQuantity"].clone(), request["surplusQuantity"].clone()), (json!(1), json!(1)));
}

async fn a_code_needs_its_parameter(service: Service) {
    let key = &service.demo.key;
    for (query, status) in [
        ("", 400),
        ("?code=1&code=2", 400),
        ("?code=1&colour=red", 400),
        ("?code=1&returnOrder=x", 400),
        ("?code=", 422),
        ("?code=1&returnOrder=01999999-0000-7000-8000-000000000000", 404),
        ("?code=%24RETOUR-DONE", 200),
        ("?code=%1D", 200), // nothing that can be seen: no match
    ] {
        assert_eq!(service.get(&format!("/api/v0/scan{query}"), key).await.status, status, "{query}");
    }
}

async fn a_parcel_without_papers_is_matched(service: Service) {
    let key = &service.demo.key;
    let order = returned(&service).await;
    let found =
        service.post("/api/v0/found-parcels", key, json!({"carrier": "Parcel Force", "note": "No papers"})).await;
    assert_eq!(found.status, 201);
    let path = format!("/api/v0/found-parcels/{}", text(&found.json()["id"]));
    let matched = service.patch(&path, key, json!({"returnOrderId": order["id"]})).await;
    assert_eq!((matched.status, text(&matched.json()["status"])), (200, "Matched".to_owned()));
    let list = service.get("/api/v0/found-parcels?filter=status:Matched", key).await.json();
    assert_eq!(list["data"].as_array().map(Vec::len), Some(1));
}

async fn bad_bodies_are_named_and_change_nothing(service: Service) {
    let key = &service.demo.key;
    let order = returned(&service).await;
    let request = &order["returnRequests"][0]["id"];
    let before = service.contents().await;
    let receivings = format!("/api/v0/return-orders/{}/receivings", text(&order["id"]));
    for (path, body, field) in [
        (receivings.as_str(), json!({}), "items"),
        (&receivings, json!({"items": [{"returnRequestId": request}]}), "items[0].quantity"),
        (&receivings, json!({"items": [{"returnRequestId": request, "quantity": 0}]}), "items[0].quantity"),
        (
            &receivings,
            json!({"items": [{"returnRequestId": request, "quantity": 1, "inspection": {"refused": 1}}]}),
            "items[0].inspection.note",
        ),
        ("/api/v0/found-parcels", json!({}), "contents"),
        ("/api/v0/found-parcels", json!({"colour": "red"}), "colour"),
        ("/api/v0/found-parcels", json!({"code": "1\u{0}2"}), "code"),
    ] {
        let answer = service.post(path, key, body.clone()).await;
        assert_eq!((answer.status, answer.fields()), (422, vec![field.to_owned()]), "{body}: {}", answer.text());
    }
    assert_eq!(service.contents().await, before);
}

async fn the_command_sheet_is_a_pdf(service: Service) {
    let sheet = service.get("/api/v0/scans/sheet", &service.demo.key).await;
    assert!(sheet.status == 200 && sheet.body.starts_with(b"%PDF"));
}
