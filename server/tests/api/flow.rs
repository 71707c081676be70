//! The consumer flow of a custom returns UI, step by step (docs/api.md), with a snapshot of each answer.

use crate::harness::{Consumer, Service, choose, on_both_databases, text};
use reqwest::Method;
use serde_json::json;

on_both_databases! {
    a_consumer_proves_an_order_and_returns_it
    the_shops_own_server_does_the_same_with_its_key
    the_flow_also_works_under_the_versioned_path
    order_numbers_and_emails_are_compared_as_people_type_them
    an_account_is_found_by_slug_by_id_and_by_its_own_key
    the_same_credentials_concurrently_give_the_same_consumer
    a_wrong_order_and_a_wrong_email_cannot_be_told_apart
    quantity_and_resolution_have_defaults
    submitting_a_draft_twice_gives_one_return
    a_cancelled_return_frees_its_units_and_has_no_label
    pages_of_purchases_contain_each_purchase_once
}

async fn a_consumer_proves_an_order_and_returns_it(service: Service) {
    let credentials = json!({"account": "fjord-fern", "orderNumber": "#1001", "email": "ada@example.com"});
    let first = service.post("/auth/consumer", "", credentials.clone()).await;
    first.matches_snapshot("auth-consumer-201");
    let again = service.post("/auth/consumer", "", credentials).await;
    again.matches_snapshot("auth-consumer-200");
    assert_eq!(first.json()["consumer"], again.json()["consumer"]);
    let consumer = Consumer::of(first);
    follow_the_flow(&service, "", &consumer, &consumer.token).await;
}

async fn the_shops_own_server_does_the_same_with_its_key(service: Service) {
    let body = json!({"orderNumber": "1001", "email": "ada@example.com"});
    let identified = service.post("/auth/consumer", &service.demo.key, body).await;
    assert_eq!(identified.status, 201, "the key determines the shop");
    follow_the_flow(&service, "", &Consumer::of(identified), &service.demo.key).await;
}

async fn the_flow_also_works_under_the_versioned_path(service: Service) {
    let body = json!({"account": "fjord-fern", "orderNumber": "1001", "email": "ada@example.com"});
    let consumer = Consumer::of(service.post("/api/v0/auth/consumer", "", body).await);
    follow_the_flow(&service, "/api/v0", &consumer, &consumer.token).await;
}

/// From the purchases to the cancelled return. Every answer must look the same for every caller, at every path.
async fn follow_the_flow(service: &Service, prefix: &str, consumer: &Consumer, credential: &str) {
    let path = |rest: &str| format!("{prefix}/consumer/{}/{rest}", consumer.id);

    let purchases = service.get(&path("purchases"), credential).await;
    purchases.matches_snapshot("purchases");
    let purchases = purchases.json()["data"].as_array().unwrap().clone();
    let options = purchases[0]["shippingOptions"].as_array().unwrap().clone();
    let selected = json!([
        {"purchaseId": purchases[0]["id"], "returnReasonId": purchases[0]["returnReasons"][0]["id"]},
        {"purchaseId": purchases[2]["id"], "quantity": 3, "returnReasonId": purchases[2]["returnReasons"][6]["id"],
         "returnReasonComment": "Not quite my colour.", "requestedResolution": "StoreCredit"},
    ]);
    let draft = service.post(&path("draft-return-order"), credential, json!({"selectedPurchases": selected})).await;
    draft.matches_snapshot("draft-201");
    let draft_id = text(&draft.json()["id"]);

    let body = json!({"shippingOptionId": options[0]["id"]});
    let chosen =
        service.patch(&path(&format!("draft-return-order/{draft_id}/shipping-option")), credential, body).await;
    chosen.matches_snapshot("draft-with-shipping-option");
    let read = service.get(&path(&format!("draft-return-order/{draft_id}")), credential).await;
    assert_eq!(read.json(), chosen.json());

    let created = service.post(&path("return-order"), credential, json!({"draftReturnOrderId": draft_id})).await;
    created.matches_snapshot("return-order-201");
    let repeated = service.post(&path("return-order"), credential, json!({"draftReturnOrderId": draft_id})).await;
    assert_eq!((repeated.status, repeated.json()), (200, created.json()));

    let order = path(&format!("return-order/{}", text(&created.json()["id"])));
    assert_eq!(service.get(&order, credential).await.json(), created.json());
    let expanded =
        service.get(&format!("{order}?expand=consumer&expand=shipments&expand=returnRequests"), credential).await;
    expanded.matches_snapshot("return-order-expanded");
    service.get(&path("return-orders"), credential).await.matches_snapshot("own-return-orders");

    let label = service.get(&format!("{order}/label"), credential).await;
    assert_eq!((label.status, label.header("content-type")), (200, Some("application/pdf")));
    assert!(label.body.starts_with(b"%PDF"));

    let cancelled = crate::harness::send(service.request(Method::POST, &format!("{order}/cancel"), credential)).await;
    cancelled.matches_snapshot("return-order-cancelled");
    let after = service.get(&format!("{order}?expand=shipments&expand=returnRequests"), credential).await;
    after.matches_snapshot("return-order-after-cancelling");
}

async fn order_numbers_and_emails_are_compared_as_people_type_them(service: Service) {
    let ada = service.ada().await;
    for (number, email) in
        [(" #1001 ", "ADA@Example.com"), ("##1001", " ada@example.com"), ("10 01", "Ada@EXAMPLE.COM ")]
    {
        assert_eq!(service.prove(number, email).await.id, ada.id);
    }
}

async fn an_account_is_found_by_slug_by_id_and_by_its_own_key(service: Service) {
    let ada = service.ada().await;
    let body = json!({"account": service.demo.account.id, "orderNumber": "1001", "email": "ada@example.com"});
    assert_eq!(Consumer::of(service.post("/auth/consumer", "", body).await).id, ada.id);
    let body = json!({"orderNumber": "1001", "email": "ada@example.com"});
    assert_eq!(Consumer::of(service.post("/auth/consumer", &service.demo.key, body.clone()).await).id, ada.id);
    // The same credentials are another consumer in another shop.
    assert_ne!(Consumer::of(service.post("/auth/consumer", &service.other_key, body).await).id, ada.id);
}

async fn the_same_credentials_concurrently_give_the_same_consumer(service: Service) {
    let (one, two) = tokio::join!(service.ada(), service.ada());
    assert_eq!(one.id, two.id);
    assert_ne!(one.token, two.token);
}

async fn a_wrong_order_and_a_wrong_email_cannot_be_told_apart(service: Service) {
    let wrong = |number: &str, email: &str| json!({"account": "fjord-fern", "orderNumber": number, "email": email});
    let (order, email, empty, other) = tokio::join!(
        service.post("/auth/consumer", "", wrong("9999", "ada@example.com")),
        service.post("/auth/consumer", "", wrong("1001", "eve@example.com")),
        service.post("/auth/consumer", "", wrong("1001", " ")),
        service.post("/auth/consumer", "", wrong("1002", "ada@example.com")),
    );
    order.matches_snapshot("auth-consumer-401");
    for other in [email, empty, other] {
        assert_eq!((other.status, &other.body), (order.status, &order.body));
        let names =
            |answer: &crate::harness::Answer| answer.headers.keys().map(ToString::to_string).collect::<Vec<_>>();
        assert_eq!(names(&other), names(&order));
    }
}

async fn quantity_and_resolution_have_defaults(service: Service) {
    let ada = service.ada().await;
    let purchases = service.purchases(&ada).await;
    let path = format!("/consumer/{}/draft-return-order", ada.id);
    let mut selected = choose(&purchases[2], 1);
    selected.as_object_mut().unwrap().remove("quantity");
    let draft = service.post(&path, &ada.token, json!({"selectedPurchases": [selected.clone()]})).await.json();
    assert_eq!(
        (&draft["selectedPurchases"][0]["quantity"], &draft["selectedPurchases"][0]["requestedResolution"]),
        (&json!(1), &json!("Refund"))
    );
    selected["resolutionType"] = json!("StoreCredit");
    let draft = service.post(&path, &ada.token, json!({"selectedPurchases": [selected]})).await.json();
    assert_eq!(draft["selectedPurchases"][0]["requestedResolution"], "StoreCredit");
}

async fn submitting_a_draft_twice_gives_one_return(service: Service) {
    let ada = service.ada().await;
    let purchases = service.purchases(&ada).await;
    let draft = service.draft(&ada, &purchases[..2]).await;
    let path = format!("/consumer/{}/return-order", ada.id);
    let body = json!({"draftReturnOrderId": draft["id"]});
    let (one, two) = tokio::join!(service.post(&path, &ada.token, body.clone()), service.post(&path, &ada.token, body));
    let mut statuses = [one.status, two.status];
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 201]);
    assert_eq!(one.json(), two.json());
    let list = service.get(&format!("/consumer/{}/return-orders", ada.id), &ada.token).await.json();
    assert_eq!(list["data"].as_array().unwrap().len(), 1);
}

async fn a_cancelled_return_frees_its_units_and_has_no_label(service: Service) {
    let ada = service.ada().await;
    let before = service.purchases(&ada).await;
    let order = service.create_return(&ada, &before[..1]).await;
    let between = service.purchases(&ada).await;
    assert_eq!(
        (&between[0]["returnableQuantity"], &between[0]["eligibility"]["code"]),
        (&json!(0), &json!("AlreadyReturned"))
    );

    let path = format!("/consumer/{}/return-order/{}", ada.id, text(&order["id"]));
    for _ in 0..2 {
        let cancelled = service.post(&format!("{path}/cancel"), &ada.token, json!({})).await;
        assert_eq!((cancelled.status, cancelled.json()["status"].clone()), (200, json!("Cancelled")));
    }
    assert_eq!(service.purchases(&ada).await, before);
    assert_eq!(service.get(&format!("{path}/label"), &ada.token).await.status, 404);
}

async fn pages_of_purchases_contain_each_purchase_once(service: Service) {
    let ada = service.ada().await;
    let all: Vec<String> = service.purchases(&ada).await.iter().map(|purchase| text(&purchase["id"])).collect();
    for limit in [1, 2, 5] {
        let mut walked = Vec::new();
        let mut page = "page=1".to_owned();
        while walked.len() <= all.len() {
            let list =
                service.get(&format!("/consumer/{}/purchases?limit={limit}&{page}", ada.id), &ada.token).await.json();
            walked.extend(list["data"].as_array().unwrap().iter().map(|purchase| text(&purchase["id"])));
            assert_eq!(list["hasMore"], !list["nextPage"].is_null());
            match list["nextPage"].as_i64() {
                Some(next) => page = format!("page={next}"),
                None => break,
            }
        }
        assert_eq!(walked, all, "limit {limit}");
    }
    let dora = service.prove("1004", "dora@example.com").await;
    let first = service.get(&format!("/consumer/{}/purchases", dora.id), &dora.token).await.json();
    assert_eq!((first["limit"].clone(), first["data"].as_array().unwrap().len()), (json!(20), 20));
}
