//! Paying for a return, from the submission to the label and the refund.

use crate::harness::{Service, choose, on_both_databases, text};
use reqwest::Method;
use serde_json::json;

on_both_databases! {
    a_return_is_paid_at_the_page_that_its_return_order_names
    a_payment_is_found_by_its_return_in_its_own_shop_only
    the_payment_provider_is_set_and_its_secrets_are_not_shown
    notices_need_no_credential_but_a_valid_signature
    the_server_of_a_carrier_is_set_and_its_notices_are_accepted
}

/// The demo shop requires its fees to be paid first, and Ada returns a shirt.
async fn create_unpaid_return(service: &Service) -> (String, String) {
    let settings = json!({"payment": {"kind": "simulated"}, "policy": {"feeCollection": "prepay"}});
    let changed = service.patch("/api/v0/account", &service.demo.key, settings).await;
    assert_eq!((changed.status, &changed.json()["payment"]["kind"]), (200, &json!("simulated")));
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

async fn a_return_is_paid_at_the_page_that_its_return_order_names(service: Service) {
    let (order, token) = create_unpaid_return(&service).await;
    let found = service.get(&order, &token).await.json();
    assert_eq!((&found["status"], &found["paymentStatus"]), (&json!("AwaitingPayment"), &json!("Pending")));
    assert_eq!(service.get(&format!("{order}/label"), &token).await.status, 404);
    let checkout = text(&found["payment"]["checkoutUrl"]);
    let page = service.get(&checkout, "").await;
    assert_eq!((page.status, page.text().contains("No money will be taken")), (200, true));
    let program = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).build().unwrap();
    let paid = program.post(format!("{}{checkout}", service.base())).send().await.unwrap();
    let next = paid.headers()["location"].to_str().unwrap().to_owned();
    assert_eq!((paid.status().as_u16(), next.as_str()), (303, format!("{checkout}/done").as_str()));
    assert_eq!(service.get(&next, "").await.status, 200);
    for _ in 0..2 {
        // The browser has no session, so it is redirected to a page that only confirms the payment.
        let paid = crate::harness::send(service.request(Method::POST, &checkout, "")).await;
        assert_eq!((paid.status, paid.text().contains("No money will be taken")), (200, false));
    }
    let paid = service.get(&order, &token).await;
    paid.matches_snapshot("return-order-paid");
    assert_eq!(service.get(&format!("{order}/label"), &token).await.status, 200);
    let again = service.get(&checkout, "").await;
    assert_eq!((again.status, again.text().contains("No money will be taken")), (200, false), "nothing is left to pay");
    let cancelled = crate::harness::send(service.request(Method::POST, &format!("{order}/cancel"), &token)).await;
    cancelled.matches_snapshot("return-order-refunded");
}

async fn a_payment_is_found_by_its_return_in_its_own_shop_only(service: Service) {
    let (order, token) = create_unpaid_return(&service).await;
    let checkout = text(&service.get(&order, &token).await.json()["payment"]["checkoutUrl"]);
    let elsewhere = checkout.replacen("/fjord-fern/", &format!("/{}/", service.other_account), 1);
    assert_eq!(service.get(&elsewhere, "").await.status, 404);
    assert_eq!(crate::harness::send(service.request(Method::POST, &elsewhere, "")).await.status, 404);
    for wrong in ["/fjord-fern/pay/x", "/fjord-fern/pay/0190a5b1-9e4f-7b21-a3d4-5e6f708192a3"] {
        assert_eq!(service.get(wrong, "").await.status, 404, "{wrong}");
    }
    assert_eq!(service.get(&order, &token).await.json()["paymentStatus"], "Pending");
}

const STRIPE: &str = "whsec_wRNftLajMZNeslQOP6vEPm4iVx5NlZ6z";

async fn the_payment_provider_is_set_and_its_secrets_are_not_shown(service: Service) {
    let setting = json!({"kind": "stripe", "apiKey": "sk_test_secret", "webhookSecret": STRIPE});
    let account = service.patch("/api/v0/account", &service.demo.key, json!({"payment": setting})).await;
    let id = text(&account.json()["id"]);
    assert_eq!(
        account.json()["payment"],
        json!({"kind": "stripe", "url": "https://api.stripe.com/", "takesNotices": true,
            "noticesUrl": format!("/api/v0/payment-notices/stripe/{id}")})
    );
    let bad = json!({"payment": {"kind": "mollie", "webhookSecret": STRIPE}});
    let refused = service.patch("/api/v0/account", &service.demo.key, bad).await;
    assert_eq!(
        (refused.status, refused.fields()),
        (422, vec!["payment.webhookSecret".to_owned(), "payment.apiKey".to_owned()])
    );
    let kept = service.database.texts("SELECT payment FROM accounts WHERE slug = 'fjord-fern'").await.concat();
    assert!(
        kept.contains("stripe") && !kept.contains("sk_test_secret") && !kept.contains("wRNftLajMZ"),
        "the secret is stored encrypted"
    );
    let without = service.without_secret_key();
    let refused = without
        .patch("/api/v0/account", &without.demo.key, json!({"payment": {"kind": "mollie", "apiKey": "test_x"}}))
        .await;
    assert_eq!((refused.status, refused.error_code().as_str()), (409, "NoSecretKey"));
}

async fn notices_need_no_credential_but_a_valid_signature(service: Service) {
    let setting = json!({"payment": {"kind": "stripe", "apiKey": "sk_test_secret", "webhookSecret": STRIPE}});
    let account = service.patch("/api/v0/account", &service.demo.key, setting).await.json();
    let service = service.with_limit(2);
    let stripe = text(&account["payment"]["noticesUrl"]);
    let tell = async |path: &str, signature: &str, body: &'static str| {
        let request = service.request(Method::POST, path, "").header("stripe-signature", signature).body(body);
        crate::harness::send(request).await
    };
    for _ in 0..3 {
        let forged = tell(&stripe, "t=1795255200,v1=00", "{}").await;
        assert_eq!((forged.status, forged.text().as_str()), (400, "the signature does not match this secret and body"));
    }
    // The signature of {} at this time with this secret, made with Stripe's own library.
    let signature = "t=1795255200,v1=71d8c5c1022541b21b8f0bd2384d71a6c70f0ae84c7f044d4f1a36619dfb7e78";
    assert_eq!(tell(&stripe, signature, "{}").await.status, 200);
    let nobody = stripe.replace(text(&account["id"]).as_str(), "0190a5b1-9e4f-7b21-a3d4-5e6f708192a3");
    assert_eq!(tell(&nobody, signature, "{}").await.status, 404);
    assert_eq!(tell(&stripe.replace(text(&account["id"]).as_str(), "x"), signature, "{}").await.status, 400);
    let mollie =
        "/api/v0/payment-notices/mollie/0190a5b1-9e4f-7b21-a3d4-5e6f708192a3/0190a5b1-9e4f-7b21-a3d4-5e6f708192a4";
    let notice = service.request(Method::POST, mollie, "").header("content-type", "application/x-www-form-urlencoded");
    let notice = crate::harness::send(notice.body("id=tr_1")).await;
    assert_eq!((notice.status, notice.text().as_str()), (200, ""), "an unknown id gets the same answer");
    let large = service.request(Method::POST, &stripe, "").body("x".repeat(300 * 1024));
    assert_eq!(crate::harness::send(large).await.status, 413);
}

async fn the_server_of_a_carrier_is_set_and_its_notices_are_accepted(service: Service) {
    let setting = json!({"kind": "karrio", "url": "https://karrio.example", "apiKey": "key_secret"});
    let account = service.patch("/api/v0/account", &service.demo.key, json!({"carrier": setting})).await;
    let notices = format!("/api/v0/carrier-notices/karrio/{}", text(&account.json()["id"]));
    let expected = json!({"kind": "karrio", "url": "https://karrio.example/", "noticesUrl": notices});
    assert_eq!((account.status, &account.json()["carrier"]), (200, &expected));
    assert!(!account.text().contains("key_secret"));
    let bad = json!({"carrier": {"kind": "bridge", "url": "https://karrio.example"}});
    let refused = service.patch("/api/v0/account", &service.demo.key, bad).await;
    assert_eq!((refused.status, refused.fields()), (422, vec!["carrier.url".to_owned()]));

    let elsewhere = "/api/v0/carrier-notices/karrio/0190a5b1-9e4f-7b21-a3d4-5e6f708192a3";
    for (path, body) in [
        (notices.as_str(), json!({"event": "tracker_updated", "data": {"tracking_number": "3S1"}})),
        (notices.as_str(), json!("nothing")),
        (elsewhere, json!({"event": "tracker_updated", "data": {"tracking_number": "3S1"}})),
    ] {
        let answer = service.post(path, "", body).await;
        assert_eq!(
            (answer.status, answer.text().as_str()),
            (200, ""),
            "{path}: the answer does not reveal which accounts exist"
        );
    }
}
