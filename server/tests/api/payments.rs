//! Paying for a return, from the submit to the label, and back.

use crate::harness::{Service, choose, on_both_databases, text};
use reqwest::Method;
use serde_json::json;

on_both_databases! {
    what_a_return_owes_is_paid_where_its_return_order_says
    a_payment_is_found_by_its_return_in_its_own_shop_only
}

/// The demo shop has its fees paid first, and Ada sends a shirt back.
async fn owing(service: &Service) -> (String, String) {
    let settings = json!({"payment": {"kind": "simulated"}, "policy": {"feeCollection": "prepay"}});
    let changed = service.patch("/api/v0/account", &service.demo.key, settings).await;
    assert_eq!((changed.status, &changed.json()["payment"]), (200, &json!({"kind": "simulated"})));
    let ada = service.ada().await;
    let purchases = service.get(&format!("/consumer/{}/purchases", ada.id), &ada.token).await.json();
    let option = &purchases["data"][0]["shippingOptions"][0]["id"];
    let body = json!({"selectedPurchases": [choose(&purchases["data"][0], 1)], "shippingOptionId": option});
    let draft = service.post(&format!("/consumer/{}/draft-return-order", ada.id), &ada.token, body).await;
    draft.matches_snapshot("draft-with-fees-to-be-paid");
    let body = json!({"draftReturnOrderId": draft.json()["id"]});
    let order = service.post(&format!("/consumer/{}/return-order", ada.id), &ada.token, body).await;
    order.matches_snapshot("return-order-to-be-paid");
    (format!("/consumer/{}/return-order/{}", ada.id, text(&order.json()["id"])), ada.token)
}

async fn what_a_return_owes_is_paid_where_its_return_order_says(service: Service) {
    let (order, token) = owing(&service).await;
    let found = service.get(&order, &token).await.json();
    assert_eq!((&found["status"], &found["paymentStatus"]), (&json!("AwaitingPayment"), &json!("Pending")));
    assert_eq!(service.get(&format!("{order}/label"), &token).await.status, 404);
    let checkout = text(&found["payment"]["checkoutUrl"]);
    let page = service.get(&checkout, "").await;
    assert_eq!((page.status, page.text().contains("No money moves")), (200, true));
    for _ in 0..2 {
        // Led on to the return, and from there to the look-up, since this is nobody's browser.
        let paid = crate::harness::send(service.request(Method::POST, &checkout, "")).await;
        assert_eq!((paid.status, paid.text().contains("No money moves")), (200, false));
    }
    let paid = service.get(&order, &token).await;
    paid.matches_snapshot("return-order-paid");
    assert_eq!(service.get(&format!("{order}/label"), &token).await.status, 200);
    let again = service.get(&checkout, "").await;
    assert_eq!((again.status, again.text().contains("No money moves")), (200, false), "there is nothing left to pay");
    let cancelled = crate::harness::send(service.request(Method::POST, &format!("{order}/cancel"), &token)).await;
    cancelled.matches_snapshot("return-order-refunded");
}

async fn a_payment_is_found_by_its_return_in_its_own_shop_only(service: Service) {
    let (order, token) = owing(&service).await;
    let checkout = text(&service.get(&order, &token).await.json()["payment"]["checkoutUrl"]);
    let elsewhere = checkout.replacen("/fjord-fern/", &format!("/{}/", service.other_account), 1);
    assert_eq!(service.get(&elsewhere, "").await.status, 404);
    assert_eq!(crate::harness::send(service.request(Method::POST, &elsewhere, "")).await.status, 404);
    for wrong in ["/fjord-fern/pay/x", "/fjord-fern/pay/0190a5b1-9e4f-7b21-a3d4-5e6f708192a3"] {
        assert_eq!(service.get(wrong, "").await.status, 404, "{wrong}");
    }
    assert_eq!(service.get(&order, &token).await.json()["paymentStatus"], "Pending");
}
