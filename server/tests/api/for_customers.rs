//! Returns that staff make for customers: the look-up, overrides of rules, and the link to a prepared draft.

use crate::{
    harness::{Answer, Service, on_both_databases, text},
    mail::{Post, link},
    mail_links::Browser,
};
use serde_json::{Value, json};

on_both_databases! {
    staff_return_an_item_whose_window_has_ended
    a_look_up_names_the_wrong_field
    a_customer_finishes_the_draft_behind_a_link
    a_draft_is_not_mailed_without_a_mail_server
}

async fn look_up(service: &Service, body: Value) -> Answer {
    service.post("/api/v0/consumers", &service.demo.key, body).await
}

/// The body of a return of the first purchase of an order.
async fn first_of(service: &Service, order: &str) -> Value {
    let consumer = text(&look_up(service, json!({"orderNumber": order})).await.json()["id"]);
    let purchases = service.get(&format!("/consumer/{consumer}/purchases"), &service.demo.key).await.json();
    let first = &purchases["data"][0];
    json!({
        "consumerId": consumer,
        "selectedPurchases": [{"purchaseId": first["id"], "returnReasonId": first["returnReasons"][0]["id"]}],
        "shippingOptionId": first["shippingOptions"][0]["id"],
    })
}

async fn staff_return_an_item_whose_window_has_ended(service: Service) {
    let key = &service.demo.key;
    let made = look_up(&service, json!({"orderNumber": "1003"})).await;
    assert_eq!((made.status, made.json()["email"].as_str()), (201, Some("cleo@example.com")));
    let again = look_up(&service, json!({"orderNumber": "# 1003"})).await;
    assert_eq!((again.status, &again.json()["id"]), (200, &made.json()["id"]));
    let mut body = first_of(&service, "1003").await;
    let refused = service.post("/api/v0/return-orders", key, body.clone()).await;
    assert_eq!((refused.status, refused.json()["error"]["details"][0]["code"].as_str()), (422, Some("NotReturnable")));
    body["overrides"] = json!([{"rule": "ReturnWindow", "reason": "no"}]);
    let refused = service.post("/api/v0/return-orders", key, body.clone()).await;
    assert_eq!(refused.json()["error"]["details"][0]["field"], "overrides[0].reason");
    body["overrides"] = json!([{"rule": "ReturnWindow", "reason": "The parcel was lost for weeks"}]);
    let order = service.post("/api/v0/return-orders", key, body).await;
    assert_eq!(order.status, 201, "{}", order.text());
    let id = text(&order.json()["id"]);
    let whole =
        service.get(&format!("/api/v0/return-orders/{id}?expand=returnRequests&expand=draftReturnOrder"), key).await;
    assert_eq!(whole.json()["draftReturnOrderId"]["overrides"][0]["rule"], "ReturnWindow");
    let request = text(&whole.json()["returnRequests"][0]["id"]);
    let timeline = service.get(&format!("/api/v0/return-requests/{request}/timeline"), key).await;
    assert!(timeline.text().contains("The parcel was lost for weeks"), "{}", timeline.text());
}

async fn a_look_up_names_the_wrong_field(service: Service) {
    for (body, field) in [
        (json!({"orderNumber": "9999"}), "orderNumber"),
        (json!({}), "orderNumber"),
        (json!({"orderNumber": "1001", "email": "eve@example.com"}), "orderNumber"),
        (json!({"orderNumber": "1001", "orderId": "01999999-0000-7000-8000-000000000000"}), "orderId"),
        (json!({"orderId": "01999999-0000-7000-8000-000000000000"}), "orderId"),
    ] {
        let refused = look_up(&service, body.clone()).await;
        assert_eq!(
            (refused.status, refused.json()["error"]["details"][0]["field"].as_str()),
            (422, Some(field)),
            "{body}"
        );
    }
    let other = service.post("/api/v0/consumers", &service.other_key, json!({"orderNumber": "1003"})).await;
    assert_eq!(other.status, 422, "of another shop");
}

async fn a_customer_finishes_the_draft_behind_a_link(mut service: Service) {
    let post = Post::open(&mut service, 1);
    let mut body = first_of(&service, "1001").await;
    body.as_object_mut().unwrap().remove("shippingOptionId");
    let draft = service.post("/api/v0/draft-return-orders", &service.demo.key, body).await.json();
    let path = format!("/api/v0/draft-return-orders/{}/mail", text(&draft["id"]));
    let mailed = service.post(&path, &service.demo.key, json!({})).await;
    assert_eq!(mailed.status, 200, "{}", mailed.text());
    assert!(text(&mailed.json()["expiresAt"]) > text(&draft["expiresAt"]), "the draft is kept for a week");
    let mails = post.wait_for(&service, 1).await;
    let browser = Browser::new(&service);
    let opened = browser.get(&link(&mails[0], "")).await;
    assert!(opened.location.ends_with(&format!("review?draft={}", text(&draft["id"]))), "{}", opened.location);
    let review = browser.get(&opened.location).await;
    assert!(review.status == 200 && review.text.contains("Linen shirt"), "{}", review.text);
    let listed = service.get("/api/v0/mails", &service.demo.key).await.json();
    assert_eq!(listed["data"][0]["about"], "Draft");
    // Asked again, it is sent again.
    service.post(&path, &service.demo.key, json!({})).await;
    post.wait_for(&service, 2).await;
}

async fn a_draft_is_not_mailed_without_a_mail_server(service: Service) {
    let body = first_of(&service, "1001").await;
    let draft = service.post("/api/v0/draft-return-orders", &service.demo.key, body).await.json();
    let path = format!("/api/v0/draft-return-orders/{}/mail", text(&draft["id"]));
    let refused = service.post(&path, &service.demo.key, json!({})).await;
    assert_eq!((refused.status, refused.error_code()), (422, "ValidationFailed".to_owned()));
}
