//! Returns of gifts through the API. No answer to a gift recipient contains an amount.

use crate::harness::{Answer, Consumer, Service, choose, on_both_databases, text};
use serde_json::{Value, json};

on_both_databases! {
    a_gift_is_proved_by_postal_code_with_the_recipients_email
    no_answer_to_a_gift_recipient_has_an_amount
    errors_in_the_proof_of_a_gift_name_the_field
    a_gift_recipient_never_sees_the_name_of_the_buyer
}

/// What was paid, the price of a unit, the fee, the shipping costs, and the currency.
const AMOUNTS: [&str; 7] = ["37.01", "18.51", "18.50", "3.95", "4.45", "GBP", "currency"];

/// The demo shop accepts returns of gifts, and has an order of two scarves that was sent to Leith.
pub async fn give(service: &Service) {
    let policy = json!({"policy": {"giftReturns": true, "lookUpBy": ["email"], "feeCollection": "prepay",
        "resolutions": ["Refund", "StoreCredit", "Exchange"]}});
    assert_eq!(service.patch("/api/v0/account", &service.demo.key, policy).await.status, 200);
    let order = json!({"externalId": "g-1", "number": "2001", "email": "ada@example.com", "currency": "GBP",
        "orderedAt": "2026-11-10T10:00:00Z", "shippingPaid": {"value": "4.45", "currency": "GBP"},
        "address": {"name": "Ada Lovelace", "street": "12 Quay", "postalCode": "EH6 7AB", "city": "Leith", "country": "GB"}});
    let scarf = json!({"externalId": "g-1/1", "product": {"name": "Scarf", "exchangeOptions": [{"sku": "S-2", "name": "Blue"}]},
        "quantity": 2, "totalPrice": {"value": "37.01", "currency": "GBP"}, "fulfilledAt": "2026-11-11T10:00:00Z"});
    let body = json!({"orders": [{"order": order, "purchases": [scarf]}]});
    let imported = service.post("/api/v0/purchases/import", &service.demo.key, body).await;
    assert_eq!((imported.status, &imported.json()["lines"]), (200, &json!(1)), "{}", imported.text());
}

async fn prove(service: &Service, proof: Value) -> Answer {
    let mut body = json!({"account": "fjord-fern", "orderNumber": "2001"});
    body.as_object_mut().unwrap().extend(proof.as_object().unwrap().clone());
    service.post("/auth/consumer", "", body).await
}

pub async fn eve(service: &Service) -> Consumer {
    give(service).await;
    Consumer::of(prove(service, json!({"postalCode": "eh67ab", "giftRecipientEmail": "eve@example.com"})).await)
}

async fn a_gift_is_proved_by_postal_code_with_the_recipients_email(service: Service) {
    give(&service).await;
    let proof = json!({"postalCode": "eh67ab", "giftRecipientEmail": "eve@example.com"});
    let first = prove(&service, proof.clone()).await;
    first.matches_snapshot("auth-gift-201");
    let again = prove(&service, proof).await;
    assert_eq!((again.status, &again.json()["consumer"]), (200, &first.json()["consumer"]));
    let buyer = prove(&service, json!({"email": "ada@example.com"})).await.json();
    assert_eq!(buyer["consumer"]["giftRecipient"], false);
    assert_ne!(buyer["consumer"]["id"], first.json()["consumer"]["id"]);
    let path = format!("/api/v0/consumers/{}", text(&first.json()["consumer"]["id"]));
    let known = service.get(&path, &service.demo.key).await.json();
    assert_eq!((&known["email"], &known["giftRecipient"]), (&json!("eve@example.com"), &json!(true)));
    assert_eq!(known["address"]["street"], "12 Quay", "the recipient's address comes from the order");
}

async fn no_answer_to_a_gift_recipient_has_an_amount(service: Service) {
    let eve = eve(&service).await;
    // The shop's own server shows its pages to recipients, so it gets no amounts either.
    let key = service.demo.key.clone();
    let other =
        Consumer::of(prove(&service, json!({"postalCode": "EH6 7AB", "giftRecipientEmail": "bob@example.com"})).await);
    for (consumer, credential, wanted) in [(&eve, eve.token.clone(), "StoreCredit"), (&other, key.clone(), "Exchange")]
    {
        let answers = follow(&service, consumer, &credential, wanted).await;
        assert!(answers.len() > 8);
        for answer in &answers {
            assert!(answer.status < 300, "{}", answer.text());
            for amount in AMOUNTS.into_iter().chain(["ada@example.com", "restockingFeePercent"]) {
                assert!(!answer.text().contains(amount), "{amount} in {}", answer.text());
            }
        }
    }
    // The shop and its programs see the amounts.
    let orders = service.get("/api/v0/return-orders?expand=returnRequests&expand=consumer", &key).await.json();
    let credit =
        orders["data"].as_array().unwrap().iter().find(|one| one["consumerId"]["email"] == "eve@example.com").unwrap();
    assert_eq!(credit["costBreakdown"]["payableNow"]["value"], "0.00");
    assert_eq!(credit["returnRequests"][0]["purchasePrice"]["value"], "18.51");
    let events = service.get("/api/v0/events?limit=100", &key).await.text();
    assert!(events.contains("18.51") && events.contains("eve@example.com"));
}

/// In answers, labels and lists alike. The shop and the buyer see the sender as before.
async fn a_gift_recipient_never_sees_the_name_of_the_buyer(service: Service) {
    give(&service).await;
    let policy = json!({"policy": {"lookUpBy": ["email", "postalCode"], "feeCollection": "deduct"}});
    assert_eq!(service.patch("/api/v0/account", &service.demo.key, policy).await.status, 200);
    let proofs = [
        (json!({"postalCode": "eh67ab"}), true),
        (json!({"postalCode": "eh67ab", "giftRecipientEmail": "eve@example.com"}), true),
        (json!({"email": "ada@example.com"}), false),
    ];
    for (proof, is_hidden) in proofs {
        let proved = prove(&service, proof.clone()).await;
        let consumer = Consumer::of(proved.clone());
        let path = |rest: &str| format!("/consumer/{}/{rest}", consumer.id);
        let purchases = service.get(&path("purchases"), &consumer.token).await;
        let mut chosen = choose(&purchases.json()["data"][0], 1);
        chosen["requestedResolution"] = json!("StoreCredit");
        let options = purchases.json()["data"][0]["shippingOptions"].clone();
        let option = options.as_array().unwrap().iter().find(|one| one["method"] == "Label").unwrap().clone();
        let draft = json!({"selectedPurchases": [chosen], "shippingOptionId": option["id"]});
        let draft = service.post(&path("draft-return-order"), &consumer.token, draft).await;
        let submit = json!({"draftReturnOrderId": draft.json()["id"]});
        let order = service.post(&path("return-order"), &consumer.token, submit).await;
        let id = text(&order.json()["id"]);
        let of_order = path(&format!("return-order/{id}"));
        let whole = format!("{of_order}?expand=shipments&expand=consumer&expand=returnRequests");
        let shown = service.get(&whole, &consumer.token).await;
        let shipment = text(&shown.json()["shipments"][0]["id"]);
        let mut answers = vec![proved, purchases, draft, order, shown];
        let mut labels = Vec::new();
        for label in [format!("{of_order}/label"), format!("{of_order}/shipments/{shipment}/label")] {
            for key in [&consumer.token, &service.demo.key] {
                let label = service.request(reqwest::Method::GET, &label, key).header("accept", "application/zpl");
                labels.push(crate::harness::send(label).await);
            }
        }
        for label in &labels {
            assert_eq!(label.text().contains("Lovelace"), !is_hidden, "{proof}");
            assert!(label.text().contains("EH6 7AB"), "the recipient proved the postal code");
        }
        answers.extend(labels.into_iter().filter(|_| is_hidden));
        for answer in &answers {
            assert!(answer.status < 300, "{proof} {}", answer.text());
            for hidden in ["Lovelace", "12 Quay", "Leith"] {
                assert!(!answer.text().contains(hidden), "{proof}: {hidden} in {}", answer.text());
            }
            assert!(!is_hidden || !answer.text().contains("ada@example.com"), "{proof}");
        }
        let own = format!("/api/v0/shipments/{shipment}");
        assert_eq!(service.get(&own, &service.demo.key).await.json()["sender"]["name"], "Ada Lovelace");
        let label = service.request(reqwest::Method::GET, &format!("{own}/label"), &service.demo.key);
        let label = crate::harness::send(label.header("accept", "application/zpl")).await;
        assert!(label.text().contains("Lovelace"), "the shop's label has the name");
        assert_eq!(service.post(&format!("{of_order}/cancel"), &consumer.token, json!({})).await.status, 200);
    }
}

/// Everything that a consumer can call, on the way to a return and back.
async fn follow(service: &Service, consumer: &Consumer, credential: &str, wanted: &str) -> Vec<Answer> {
    let path = |rest: &str| format!("/consumer/{}/{rest}", consumer.id);
    let purchases = service.get(&path("purchases"), credential).await;
    let scarf = purchases.json()["data"][0].clone();
    assert_eq!(scarf["resolutions"], json!(["StoreCredit", "Exchange"]));
    let mut chosen = choose(&scarf, 1);
    let refund = json!({"selectedPurchases": [chosen]});
    let refused = service.post(&path("draft-return-order"), credential, refund).await;
    assert_eq!((refused.status, refused.fields()), (422, vec!["selectedPurchases[0].requestedResolution".to_owned()]));
    chosen["requestedResolution"] = json!(wanted);
    let draft = service.post(&path("draft-return-order"), credential, json!({"selectedPurchases": [chosen]})).await;
    let of_draft = path(&format!("draft-return-order/{}", text(&draft.json()["id"])));
    let option = scarf["shippingOptions"].as_array().unwrap().iter().find(|one| one["method"] == "Label").unwrap();
    let choice = json!({"shippingOptionId": option["id"]});
    let sent = service.patch(&format!("{of_draft}/shipping-option"), credential, choice).await;
    assert_eq!(sent.json()["gift"]["storeCredit"], wanted == "StoreCredit", "{}", sent.text());
    assert_eq!(sent.json()["gift"]["chargesTakenOff"], wanted == "StoreCredit");
    let submit = json!({"draftReturnOrderId": draft.json()["id"]});
    let order = service.post(&path("return-order"), credential, submit.clone()).await;
    let again = service.post(&path("return-order"), credential, submit).await;
    let of_order = path(&format!("return-order/{}", text(&order.json()["id"])));
    let beside = "expand=returnRequests&expand=shipments&expand=consumer";
    let mut answers = vec![purchases, draft, service.get(&of_draft, credential).await, sent, order, again];
    answers.push(service.get(&format!("{of_order}?{beside}"), credential).await);
    answers.push(service.get(&format!("{}?{beside}", path("return-orders")), credential).await);
    if wanted == "Exchange" {
        answers.push(service.post(&format!("{of_order}/cancel"), credential, json!({})).await);
    } else {
        let label = service.request(reqwest::Method::GET, &format!("{of_order}/label"), credential);
        answers.push(crate::harness::send(label.header("accept", "application/zpl")).await);
    }
    answers
}

async fn errors_in_the_proof_of_a_gift_name_the_field(service: Service) {
    let of_gift = json!({"postalCode": "EH6 7AB", "giftRecipientEmail": "eve@example.com"});
    let off = prove(&service, of_gift).await;
    assert_eq!(
        (off.status, off.fields()),
        (422, vec!["giftRecipientEmail".to_owned()]),
        "the shop accepts no returns of gifts"
    );
    give(&service).await;
    for (proof, field) in [
        (json!({"giftRecipientEmail": "eve@example.com"}), "postalCode"),
        (json!({"email": "ada@example.com", "giftRecipientEmail": "eve@example.com"}), "email"),
        (
            json!({"postalCode": "EH6 7AB", "email": "ada@example.com", "giftRecipientEmail": "eve@example.com"}),
            "email",
        ),
        (json!({"postalCode": "EH6 7AB", "giftRecipientEmail": "eve"}), "giftRecipientEmail"),
        (json!({"postalCode": "EH6 7AB"}), "postalCode"),
    ] {
        let refused = prove(&service, proof.clone()).await;
        assert_eq!((refused.status, refused.fields()), (422, vec![field.to_owned()]), "{proof}");
    }
    for code in ["EH6 7AC", "", "ada@example.com"] {
        let wrong = prove(&service, json!({"postalCode": code, "giftRecipientEmail": "eve@example.com"})).await;
        assert_eq!((wrong.status, wrong.error_code().as_str()), (401, "InvalidOrderCredentials"), "{code}");
    }
    let unusable = json!({"policy": {"resolutions": ["Refund"]}});
    let unusable = service.patch("/api/v0/account", &service.demo.key, unusable).await;
    assert_eq!((unusable.status, unusable.fields()), (422, vec!["policy.giftReturns".to_owned()]));
}
