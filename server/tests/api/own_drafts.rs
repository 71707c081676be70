//! A consumer's drafts: submitting with another shipping option, renewing, and the resulting return.

use crate::harness::{Consumer, NOW, Service, choose, on_both_databases, send, text};
use reqwest::Method;
use serde_json::{Value, json};

on_both_databases! {
    a_submission_can_name_the_shipping_option
    a_shipping_option_that_is_not_offered_is_refused
    an_outdated_draft_can_be_renewed
    an_expired_draft_is_renewed_once_for_a_key
    a_draft_that_cannot_be_renewed_names_its_selections
    a_draft_names_its_return_order
}

fn orders(consumer: &Consumer) -> String {
    format!("/consumer/{}/return-order", consumer.id)
}

fn draft_path(consumer: &Consumer, draft: &Value) -> String {
    format!("/consumer/{}/draft-return-order/{}", consumer.id, text(&draft["id"]))
}

fn option(purchases: &[Value], place: usize) -> Value {
    purchases[0]["shippingOptions"][place]["id"].clone()
}

async fn a_submission_can_name_the_shipping_option(service: Service) {
    let ada = service.ada().await;
    let purchases = service.purchases(&ada).await;
    let draft = service.draft(&ada, &purchases[..1]).await;
    let body = |option: Value| json!({"draftReturnOrderId": draft["id"], "shippingOptionId": option});
    let made = service.post(&orders(&ada), &ada.token, body(option(&purchases, 1))).await;
    assert_eq!(made.status, 201, "{}", made.text());
    assert_eq!(made.json()["shippingOptionId"], option(&purchases, 1));
    let accepted = service.get(&draft_path(&ada, &draft), &ada.token).await.json();
    assert_eq!(accepted["shippingOptionId"], option(&purchases, 1));
    assert_eq!(accepted["costBreakdown"], made.json()["costBreakdown"]);
    for named in [option(&purchases, 1), option(&purchases, 0), purchases[0]["id"].clone(), Value::Null] {
        let again = service.post(&orders(&ada), &ada.token, body(named)).await;
        assert_eq!((again.status, again.json()), (200, made.json()));
    }
    let list = service.get(&format!("/consumer/{}/return-orders", ada.id), &ada.token).await.json();
    assert_eq!(list["data"].as_array().unwrap().len(), 1);
}

async fn a_shipping_option_that_is_not_offered_is_refused(service: Service) {
    let ada = service.ada().await;
    let purchases = service.purchases(&ada).await;
    let draft = service.draft(&ada, &purchases[..1]).await;
    let before = service.contents().await;
    for named in [purchases[0]["id"].clone(), json!("x"), json!(1)] {
        let body = json!({"draftReturnOrderId": draft["id"], "shippingOptionId": named});
        let refused = service.post(&orders(&ada), &ada.token, body).await;
        assert_eq!((refused.status, refused.fields()), (422, vec!["shippingOptionId".to_owned()]));
    }
    assert_eq!(service.contents().await, before, "nothing has changed");
    assert_eq!(service.get(&draft_path(&ada, &draft), &ada.token).await.json(), draft);
}

async fn an_outdated_draft_can_be_renewed(service: Service) {
    let ada = service.ada().await;
    let purchases = service.purchases(&ada).await;
    let old = service.draft(&ada, &purchases[..2]).await;
    let gone = format!("/api/v0/shipping-options/{}", text(&option(&purchases, 0)));
    assert_eq!(service.patch(&gone, &service.demo.key, json!({"archived": true})).await.status, 200);
    let submit = async |draft: &Value, option: Value| {
        let body = json!({"draftReturnOrderId": draft["id"], "shippingOptionId": option});
        service.post(&orders(&ada), &ada.token, body).await
    };
    let refused = submit(&old, Value::Null).await;
    assert_eq!((refused.status, refused.error_code().as_str()), (409, "DraftOutdated"));
    for path in [draft_path(&ada, &old), format!("/api/v0{}", draft_path(&ada, &old))] {
        let new = send(service.request(Method::POST, &format!("{path}/renew"), &ada.token)).await;
        assert_eq!(new.status, 201, "{}", new.text());
        let new = new.json();
        assert_ne!(new["id"], old["id"]);
        assert_eq!((&new["status"], &new["shippingOptionId"]), (&json!("Open"), &Value::Null));
        assert_eq!(new["selectedPurchases"], old["selectedPurchases"]);
        assert_eq!(service.get(&draft_path(&ada, &new), &ada.token).await.json(), new);
    }
    assert_eq!(service.get(&draft_path(&ada, &old), &ada.token).await.json(), old, "the older draft does not change");
    let new = service.post(&format!("{}/renew", draft_path(&ada, &old)), &service.demo.key, json!({})).await.json();
    assert_eq!(submit(&new, option(&purchases, 1)).await.status, 201);
}

async fn an_expired_draft_is_renewed_once_for_a_key(service: Service) {
    let ada = service.ada().await;
    let purchases = service.purchases(&ada).await;
    let old = service.draft(&ada, &purchases[..1]).await;
    service.clock.set(NOW.plus_hours(25));
    let ada = service.ada().await;
    let path = format!("{}/renew", draft_path(&ada, &old));
    let renew = || send(service.request(Method::POST, &path, &ada.token).header("idempotency-key", "renew"));
    let (first, second) = (renew().await, renew().await);
    assert_eq!((first.status, &first.body), (201, &second.body));
    assert_eq!((first.status, second.header("idempotent-replayed")), (second.status, Some("true")));
    assert_eq!(
        (&first.json()["status"], &first.json()["shippingOptionId"]),
        (&json!("Open"), &old["shippingOptionId"])
    );
    assert_eq!(service.database.rows("draft_return_orders").await, 2);
    let other = service.request(Method::POST, &path, &ada.token).header("idempotency-key", "renew").json(&json!({}));
    assert_eq!(send(other).await.error_code(), "IdempotencyKeyReused");
}

async fn a_draft_that_cannot_be_renewed_names_its_selections(service: Service) {
    let ada = service.ada().await;
    let purchases = service.purchases(&ada).await;
    let old = service.draft(&ada, &purchases[..2]).await;
    let path = format!("{}/renew", draft_path(&ada, &old));
    assert_eq!(service.post(&path, &ada.token, json!({"shippingOptionId": null})).await.fields(), ["shippingOptionId"]);
    service.create_return(&ada, &purchases[1..2]).await;
    let before = service.contents().await;
    let refused = service.post(&path, &ada.token, json!({})).await;
    assert_eq!((refused.status, refused.fields()), (422, vec!["selectedPurchases[1].purchaseId".to_owned()]));
    assert_eq!(service.contents().await, before, "nothing has changed");
}

async fn a_draft_names_its_return_order(service: Service) {
    let (ada, key) = (service.ada().await, &service.demo.key);
    let purchases = service.purchases(&ada).await;
    let body = json!({"selectedPurchases": [choose(&purchases[0], 1)], "shippingOptionId": option(&purchases, 0)});
    let drafts = format!("/consumer/{}/draft-return-order", ada.id);
    let draft = service.post(&drafts, &ada.token, body).await.json();
    assert_eq!(draft.get("returnOrderId"), Some(&Value::Null), "the field is there before the return order exists");
    let order = service.post(&orders(&ada), &ada.token, json!({"draftReturnOrderId": draft["id"]})).await.json();
    let open = service.draft(&ada, &purchases[1..2]).await;

    let shown = service.get(&draft_path(&ada, &draft), &ada.token).await.json();
    assert_eq!((&shown["status"], &shown["returnOrderId"]), (&json!("Accepted"), &order["id"]));
    let of_merchant = format!("/api/v0/draft-return-orders/{}", text(&draft["id"]));
    assert_eq!(service.get(&of_merchant, key).await.json(), shown);
    let list = service.get("/api/v0/draft-return-orders", key).await.json();
    let listed: Vec<_> =
        list["data"].as_array().unwrap().iter().map(|one| (&one["id"], &one["returnOrderId"])).collect();
    assert_eq!(listed, [(&open["id"], &Value::Null), (&draft["id"], &order["id"])]);
    let expanded = format!("/api/v0/return-orders/{}?expand=draftReturnOrder", text(&order["id"]));
    assert_eq!(service.get(&expanded, key).await.json()["draftReturnOrderId"]["returnOrderId"], order["id"]);
}
