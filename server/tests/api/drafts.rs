//! What a merchant does with drafts, and returns that a merchant creates for a consumer.

use crate::harness::{Service, choose, on_both_databases, text};
use reqwest::Method;
use serde_json::{Value, json};

on_both_databases! {
    a_draft_is_created_listed_and_accepted_for_its_consumer
    a_rejected_draft_cannot_be_submitted
    a_return_is_created_for_a_consumer_without_review
    a_repeated_request_creates_one_return
    bad_values_are_named
    null_means_left_out
    null_means_left_out_in_what_replaces_as_a_whole
    an_expired_draft_has_its_status
}

/// Ada's purchases, and the body of a return of the first one.
async fn set_up(service: &Service) -> (crate::harness::Consumer, Vec<Value>, Value) {
    let ada = service.ada().await;
    let purchases = service.purchases(&ada).await;
    let body = json!({"consumerId": ada.id, "selectedPurchases": [choose(&purchases[0], 1)],
        "shippingOptionId": purchases[0]["shippingOptions"][0]["id"]});
    (ada, purchases, body)
}

async fn put(service: &Service, path: &str) -> crate::harness::Answer {
    crate::harness::send(service.request(Method::PUT, path, &service.demo.key)).await
}

async fn a_draft_is_created_listed_and_accepted_for_its_consumer(service: Service) {
    let (ada, _, body) = set_up(&service).await;
    let key = &service.demo.key;
    let made = service.post("/api/v0/draft-return-orders", key, body).await;
    assert_eq!(made.status, 201, "{}", made.text());
    let path = format!("/api/v0/draft-return-orders/{}", text(&made.json()["id"]));
    assert_eq!(service.get(&path, key).await.json(), made.json());
    for (query, found) in [("status:Open", 1), ("status:Accepted", 0), (&format!("consumerId:{}", ada.id), 1)] {
        let list = service.get(&format!("/api/v0/draft-return-orders?filter={query}"), key).await;
        assert_eq!(list.json()["data"].as_array().unwrap().len(), found, "{query}");
    }
    service.get("/api/v0/draft-return-orders?search=ada@", key).await.matches_snapshot("draft-return-orders");

    let accepted = put(&service, &format!("{path}/accept")).await;
    assert_eq!((accepted.status, accepted.json()["source"].as_str()), (201, Some("Merchant")));
    let again = put(&service, &format!("{path}/accept")).await;
    assert_eq!((again.status, &again.json()["id"]), (200, &accepted.json()["id"]));
    assert_eq!(put(&service, &format!("{path}/reject")).await.error_code(), "DraftOutdated");
    let order = format!("/api/v0/return-orders/{}?expand=draftReturnOrder", text(&accepted.json()["id"]));
    assert_eq!(service.get(&order, key).await.json()["draftReturnOrderId"]["status"], "Accepted");
    let theirs = service.get(&format!("/consumer/{}/return-orders", ada.id), &ada.token).await;
    assert_eq!(theirs.json()["data"][0]["id"], accepted.json()["id"], "the consumer sees it, too");
}

async fn a_rejected_draft_cannot_be_submitted(service: Service) {
    let (ada, purchases, _) = set_up(&service).await;
    let draft = service.draft(&ada, &purchases[..1]).await;
    let path = format!("/api/v0/draft-return-orders/{}", text(&draft["id"]));
    for _ in 0..2 {
        let rejected = put(&service, &format!("{path}/reject")).await;
        assert_eq!((rejected.status, rejected.json()["status"].as_str()), (200, Some("Rejected")));
    }
    let submit = json!({"draftReturnOrderId": draft["id"]});
    let refused = service.post(&format!("/consumer/{}/return-order", ada.id), &ada.token, submit).await;
    assert_eq!((refused.status, refused.error_code().as_str()), (409, "DraftRejected"));
    assert_eq!(put(&service, &format!("{path}/accept")).await.error_code(), "DraftRejected");
    for absent in ["accept", "reject"] {
        let path = format!("/api/v0/draft-return-orders/01999999-0000-7000-8000-000000000000/{absent}");
        assert_eq!(put(&service, &path).await.status, 404);
        let path = format!("/api/v0/draft-return-orders/{}/{absent}", text(&draft["id"]));
        let stranger = service.request(Method::PUT, &path, &service.other_key);
        assert_eq!(crate::harness::send(stranger).await.status, 404);
    }
}

async fn a_return_is_created_for_a_consumer_without_review(service: Service) {
    let (_, _, body) = set_up(&service).await;
    let mut account = service.demo.account.clone();
    account.policy.auto_approve = false;
    let policy = account.policy.clone();
    service
        .retour
        .operator()
        .update_account(
            account.id,
            returns::AccountUpdate { policy: Some(policy), ..returns::AccountUpdate::default() },
        )
        .await
        .unwrap();
    let made = service.post("/api/v0/return-orders", &service.demo.key, body).await;
    assert_eq!(made.status, 201, "{}", made.text());
    made.matches_snapshot("return-order-of-merchant");
    let path = format!("/api/v0/return-orders/{}?expand=returnRequests&expand=shipments", text(&made.json()["id"]));
    let order = service.get(&path, &service.demo.key).await.json();
    assert_eq!(order["returnRequests"][0]["stage"], "Submitted: Ready");
    assert_eq!(order["shipments"].as_array().unwrap().len(), 1);
    let request = text(&order["returnRequests"][0]["id"]);
    let timeline = service.get(&format!("/api/v0/return-requests/{request}/timeline"), &service.demo.key).await.json();
    assert_eq!(timeline["data"][0]["actor"], "Merchant");
    assert!(timeline["data"][0]["actorId"].is_string());
}

async fn a_repeated_request_creates_one_return(service: Service) {
    let (_, _, body) = set_up(&service).await;
    let send = || {
        let request = service.request(Method::POST, "/api/v0/return-orders", &service.demo.key);
        crate::harness::send(request.header("Idempotency-Key", "make-1").json(&body))
    };
    let (first, second) = tokio::join!(send(), send());
    assert_eq!((first.status, second.status), (201, 201));
    assert_eq!(first.body, second.body);
    assert_eq!(
        service.get("/api/v0/return-orders", &service.demo.key).await.json()["data"].as_array().unwrap().len(),
        1
    );
    let third = service.post("/api/v0/return-orders", &service.demo.key, body).await;
    assert_eq!((third.status, third.fields()), (422, vec!["selectedPurchases[0].purchaseId".to_owned()]));
}

async fn bad_values_are_named(service: Service) {
    let (_, purchases, body) = set_up(&service).await;
    let before = service.contents().await;
    let with = |name: &str, value: Value| {
        let mut body = body.clone();
        body[name] = value;
        body
    };
    for path in ["/api/v0/return-orders", "/api/v0/draft-return-orders"] {
        for (body, field) in [
            (with("consumerId", json!("01999999-0000-7000-8000-000000000000")), "consumerId"),
            (with("consumerId", json!("ada")), "consumerId"),
            (with("selectedPurchases", json!([])), "selectedPurchases"),
            (
                with("selectedPurchases", json!([{"purchaseId": purchases[0]["id"]}])),
                "selectedPurchases[0].returnReasonId",
            ),
            (with("shippingOptionId", purchases[0]["id"].clone()), "shippingOptionId"),
            (with("consumer", json!("")), "consumer"),
        ] {
            let answer = service.post(path, &service.demo.key, body).await;
            assert_eq!((answer.status, answer.fields()), (422, vec![field.to_owned()]), "{path}: {}", answer.text());
        }
    }
    let undecided = with("shippingOptionId", Value::Null);
    let answer = service.post("/api/v0/return-orders", &service.demo.key, undecided).await;
    assert_eq!(answer.fields(), ["shippingOptionId"]);
    assert_eq!(service.contents().await, before, "nothing has changed");
}

async fn an_expired_draft_has_its_status(service: Service) {
    let (ada, purchases, _) = set_up(&service).await;
    let draft = service.draft(&ada, &purchases[..1]).await;
    let path = format!("/api/v0/draft-return-orders/{}", text(&draft["id"]));
    service.clock.set(crate::harness::NOW.plus_hours(25));
    assert_eq!(service.get(&path, &service.demo.key).await.json()["status"], "Expired");
    assert_eq!(put(&service, &format!("{path}/accept")).await.error_code(), "DraftExpired");
    service.retour.operator().prune().await.unwrap();
    let list = service.get("/api/v0/draft-return-orders?filter=status:Expired", &service.demo.key).await.json();
    assert_eq!(list["data"][0]["id"], draft["id"]);
}

async fn null_means_left_out(service: Service) {
    let (ada, purchases, body) = set_up(&service).await;
    let mut with_nulls = body.clone();
    for field in ["quantity", "returnReasonComment", "requestedResolution", "answers", "exchangeFor"] {
        with_nulls["selectedPurchases"][0][field] = Value::Null;
    }
    let made = service.post("/api/v0/draft-return-orders", &service.demo.key, with_nulls.clone()).await;
    assert_eq!(made.status, 201, "{}", made.text());
    with_nulls.as_object_mut().unwrap().remove("consumerId");
    let own = service.post(&format!("/consumer/{}/draft-return-order", ada.id), &ada.token, with_nulls.clone()).await;
    assert_eq!(own.status, 201, "{}", own.text());
    let selected = &own.json()["selectedPurchases"][0];
    assert_eq!((&selected["quantity"], &selected["requestedResolution"]), (&json!(1), &json!("Refund")), "{selected}");
    with_nulls["selectedPurchases"][0]["purchaseId"] = Value::Null;
    let missing = service.post(&format!("/consumer/{}/draft-return-order", ada.id), &ada.token, with_nulls).await;
    assert_eq!((missing.status, missing.fields()), (422, vec!["selectedPurchases[0].purchaseId".to_owned()]));
    assert!(purchases.len() > 1);

    let subscription = json!({"url": "https://erp.example/", "eventTypes": null, "eventName": null, "stages": null,
        "description": null, "enabled": null});
    let made = service.post("/api/v0/webhook-subscriptions", &service.demo.key, subscription).await;
    assert_eq!((made.status, &made.json()["enabled"]), (201, &json!(true)), "{}", made.text());
    let one = format!("/api/v0/webhook-subscriptions/{}", text(&made.json()["id"]));
    let kept = service.patch(&one, &service.demo.key, json!({"description": null})).await;
    assert_eq!((kept.status, kept.fields()), (422, vec!["description".to_owned()]), "in a PATCH, null is a value");
}

async fn null_means_left_out_in_what_replaces_as_a_whole(service: Service) {
    let key = &service.demo.key;
    let purchase = json!({
        "order": {"externalId": "order-7", "number": "#C-7", "email": "eve@example.com", "currency": "GBP", "tags": null,
            "orderedAt": "2026-11-10T09:00:00Z", "address": {"postalCode": "PH1 5", "country": "GB", "province": null}},
        "product": {"name": "Mug", "sku": null, "attributes": null}, "quantity": 1, "finalSale": null,
        "totalPrice": {"value": "10.00", "currency": "GBP"},
    });
    let request = service.request(Method::PUT, "/api/v0/purchases/line-7", key).json(&purchase);
    let written = crate::harness::send(request).await;
    assert_eq!((written.status, &written.json()["finalSale"]), (201, &json!(false)), "{}", written.text());

    let address = json!({"name": "Fjord & Fern", "street": "Storgata 1", "postalCode": "0155", "city": "Oslo", "country": "NO",
        "province": null});
    let location = json!({"name": "Oslo", "address": address});
    let made = service.post("/api/v0/return-locations", key, location).await;
    assert_eq!((made.status, &made.json()["address"]["province"]), (201, &json!("")), "{}", made.text());
    let one = format!("/api/v0/return-locations/{}", text(&made.json()["id"]));
    let kept = service.patch(&one, key, json!({"address": address})).await;
    assert_eq!((kept.status, &kept.json()["address"]["province"]), (200, &json!("")), "{}", kept.text());

    // A preview takes the same body as a change of the account, in which null clears a field.
    let preview = |branding: Value| service.post("/api/v0/account/previews", key, json!({"branding": branding}));
    let made = preview(json!({"logoUrl": null})).await;
    assert_eq!((made.status, &made.json()["branding"]["logoUrl"]), (201, &Value::Null), "{}", made.text());
    let refused = preview(json!({"wording": null})).await;
    assert_eq!((refused.status, refused.fields()), (422, vec!["branding.wording".to_owned()]), "{}", refused.text());
}
