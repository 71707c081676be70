//! Exchanges through the API.

use crate::harness::{Service, choose, on_both_databases, text};
use serde_json::{Value, json};

on_both_databases! {
    the_wanted_item_is_stored_and_can_be_replaced_by_a_refund
    items_without_a_replacement_cannot_be_exchanged
}

async fn items_without_a_replacement_cannot_be_exchanged(service: Service) {
    let ada = service.ada().await;
    let purchases = service.purchases(&ada).await;
    let find = |sku: &str| purchases.iter().find(|one| one["product"]["sku"] == sku).unwrap();
    let (mug, shirt) = (find("CM-031"), find("LS-204-M"));
    assert_eq!(mug["resolutions"], json!(["Refund", "StoreCredit"]));
    assert_eq!(mug["returnReasons"][0]["resolutions"], json!(["Refund", "StoreCredit"]));
    assert_eq!(shirt["resolutions"], json!(["Refund", "Exchange", "StoreCredit"]));
    let mut chosen = choose(mug, 1);
    chosen["requestedResolution"] = json!("Exchange");
    let drafts = format!("/consumer/{}/draft-return-order", ada.id);
    let refused = service.post(&drafts, &ada.token, json!({"selectedPurchases": [chosen]})).await;
    let field = "selectedPurchases[0].requestedResolution".to_owned();
    assert_eq!((refused.status, refused.fields()), (422, vec![field]));
}

async fn the_wanted_item_is_stored_and_can_be_replaced_by_a_refund(service: Service) {
    let (ada, key) = (service.ada().await, service.demo.key.clone());
    let purchases = service.purchases(&ada).await;
    let shirt = purchases.iter().find(|one| one["product"]["sku"] == "LS-204-M").unwrap();
    assert_eq!(shirt["product"]["exchangeOptions"][2], json!({"sku": "LS-204-L", "name": "Size L"}));
    let body = |wanted: Value| {
        let mut chosen = choose(shirt, 1);
        chosen["requestedResolution"] = json!("Exchange");
        chosen["exchangeFor"] = wanted;
        json!({"selectedPurchases": [chosen], "shippingOptionId": shirt["shippingOptions"][0]["id"]})
    };
    let drafts = format!("/consumer/{}/draft-return-order", ada.id);
    for (wanted, field) in [
        (json!({"sku": "LS-204-XXL"}), "selectedPurchases[0].exchangeFor.sku"),
        (json!({}), "selectedPurchases[0].exchangeFor.sku"),
    ] {
        let refused = service.post(&drafts, &ada.token, body(wanted)).await;
        assert_eq!((refused.status, refused.fields()), (422, vec![field.to_owned()]));
    }
    let draft = service.post(&drafts, &ada.token, body(json!({"sku": "LS-204-L"}))).await.json();
    assert_eq!(draft["selectedPurchases"][0]["exchangeFor"], json!({"sku": "LS-204-L", "name": "Size L"}));
    let submit = json!({"draftReturnOrderId": draft["id"]});
    let order = service.post(&format!("/consumer/{}/return-order", ada.id), &ada.token, submit).await.json();
    let of_order = format!("/api/v0/return-requests?filter=returnOrderId:{}", text(&order["id"]));
    let request = service.get(&of_order, &key).await.json()["data"][0].clone();
    assert_eq!(
        (&request["exchangeFor"]["sku"], &request["resolution"]["value"]["value"]),
        (&json!("LS-204-L"), &json!("0.00"))
    );
    assert!(request["product"].get("exchangeOptions").is_none(), "the choice has been made");

    let path = format!("/api/v0/return-requests/{}", text(&request["id"]));
    let early = json!({"stage": "Resolution: Processing", "requestedResolution": "Refund"});
    let early = service.patch(&path, &key, early).await;
    assert_eq!((early.status, early.error_code().as_str()), (409, "IllegalTransition"));
    let half = service.patch(&path, &key, json!({"stage": "Resolution: Completed", "exchangeFor": {"sku": "A"}})).await;
    assert_eq!((half.status, half.fields()), (422, vec!["exchangeFor".to_owned()]));
    service.post(&format!("{path}/receipts"), &key, json!({"quantity": 1})).await;
    for stage in ["Resolution: Processing", "Resolution: Failed"] {
        let moved = service.patch(&path, &key, json!({"stage": stage, "comment": "Sold out"})).await;
        assert_eq!(moved.status, 200, "{}", moved.text());
    }
    let refund =
        json!({"stage": "Resolution: Completed", "requestedResolution": "Refund", "externalReference": "re_1"});
    let given = service.patch(&path, &key, refund).await.json();
    assert_eq!((&given["requestedResolution"], &given["exchangeFor"]), (&json!("Refund"), &Value::Null));
    assert_eq!(
        (&given["resolution"]["type"], &given["resolution"]["value"]["value"]),
        (&json!("Refund"), &json!("59.00"))
    );
}
