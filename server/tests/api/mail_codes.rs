//! Details in mail and on the page of a return: a code in place of a label, the carrier's tracking page, and the address that mail
//! was sent to.

use crate::{
    browser::Browser,
    harness::{Consumer, Service, choose, on_both_databases, text},
    mail::{Post, advance, link, shirt, subject},
};
use reqwest::Method;
use serde_json::{Value, json};

on_both_databases! {
    a_return_without_a_printer_has_its_code_in_the_mail
    an_in_store_return_has_its_code_in_the_mail
    a_return_with_a_carrier_of_the_shopper_s_choice_has_the_address_in_mail_page_and_api
    a_parcel_links_to_the_tracking_page_of_its_carrier
    a_carrier_without_a_page_is_named
    the_page_shows_only_mail_addresses_that_its_reader_knows
    the_page_does_not_mention_refused_mail
    a_return_under_review_is_acknowledged
}

/// A return of the first item that is left, with a shipping method.
async fn sent(service: &Service, consumer: &Consumer, method: &str) -> Value {
    let purchases = service.purchases(consumer).await;
    let purchase = purchases.iter().find(|purchase| purchase["returnableQuantity"] != 0).unwrap();
    let options = purchase["shippingOptions"].as_array().unwrap();
    let option = &options.iter().find(|option| option["method"] == method).unwrap()["id"];
    let body = json!({"selectedPurchases": [choose(purchase, 1)], "shippingOptionId": option});
    let path = format!("/consumer/{}/draft-return-order", consumer.id);
    let draft = service.post(&path, &consumer.token, body).await.json();
    let path = format!("/consumer/{}/return-order", consumer.id);
    let order = service.post(&path, &consumer.token, json!({"draftReturnOrderId": draft["id"]})).await;
    assert_eq!(order.status, 201, "{}", order.text());
    order.json()
}

/// Checks that a mail shows one code and has nothing to print.
fn shows_a_code(mail: &Value, caption: &str, number: &str) {
    assert_eq!(mail["files"], json!([]), "the mail has nothing to print");
    let (plain, html) = (text(&mail["text"]), text(&mail["html"]));
    assert!(plain.contains(&format!("{caption}: {number}")), "{plain}");
    assert!(!plain.contains("attached") && !html.contains("attached"), "{plain}");
    let pictures = mail["pictures"].as_array().unwrap();
    assert_eq!((pictures.len(), &pictures[0]["type"]), (1, &json!("image/png")));
    assert!(text(&pictures[0]["bytes"]).starts_with("iVBORw0KGgo"), "base64 of a PNG");
    let picture = format!(r#"<img src="cid:{}" alt="Code for return {number}""#, text(&pictures[0]["cid"]));
    assert!(html.contains(&picture), "{picture} is not in\n{html}");
    assert!(html.contains(&format!("<bdi>{number}</bdi>")), "{html}");
}

async fn a_return_without_a_printer_has_its_code_in_the_mail(mut service: Service) {
    let post = Post::open(&mut service, 1);
    let order = sent(&service, &service.ada().await, "Paperless").await;
    let (mails, number) = (post.wait_for(&service, 1).await, text(&order["number"]));
    assert_eq!(subject(&mails[0]), format!("Your drop-off code ({number})"));
    shows_a_code(&mails[0], "Show this at the counter", &number);
    let plain = text(&mails[0]["text"]);
    for said in
        ["Staff will print the label.", "Drop it off by ", "- Return method: ", "You’re returning:\n- 1 × Linen shirt"]
    {
        assert!(plain.replace("\r\n", "\n").contains(said), "{said} is not in\n{plain}");
    }
    assert!(plain.contains(") – Refund"), "{plain}");
    advance(&service, 27 * 86_400 + 15 * 3_600); // three days before the end of its last day
    let mails = post.wait_for(&service, 2).await;
    assert!(subject(&mails[1]).starts_with("Drop it off by "), "{}", subject(&mails[1]));
    shows_a_code(&mails[1], "Show this at the counter", &number);
    assert!(text(&mails[1]["text"]).contains("Your code only works until then."), "{}", mails[1]["text"]);
}

async fn an_in_store_return_has_its_code_in_the_mail(mut service: Service) {
    let post = Post::open(&mut service, 1);
    let order = sent(&service, &service.ada().await, "InStore").await;
    let (mails, number) = (post.wait_for(&service, 1).await, text(&order["number"]));
    assert_eq!(subject(&mails[0]), format!("Your in-store code ({number})"));
    shows_a_code(&mails[0], "Show this in store", &number);
}

async fn a_return_with_a_carrier_of_the_shopper_s_choice_has_the_address_in_mail_page_and_api(mut service: Service) {
    let option =
        json!({"name": {"en": "Any carrier"}, "method": "OwnCarrier", "prices": [{"value": "0", "currency": "GBP"}]});
    let made = service.post("/api/v0/shipping-options", &service.demo.key, option).await;
    assert_eq!(made.status, 201, "{}", made.text());
    let post = Post::open(&mut service, 1);
    let ada = service.ada().await;
    let order = sent(&service, &ada, "OwnCarrier").await;
    let path = format!("/consumer/{}/return-order/{}/return-address", ada.id, text(&order["id"]));
    let address = service.get(&path, &ada.token).await.json();
    let street = text(&address["street"]);
    assert!(!street.is_empty(), "{address}");
    let mails = post.wait_for(&service, 1).await;
    let plain = text(&mails[0]["text"]).replace("\r\n", "\n");
    assert!(plain.contains(&format!("- Return address:\n  {}\n", text(&address["name"]))), "{plain}");
    assert!(plain.contains(&street) && page_of(&service, &mails[0]).await.contains(&street), "{plain}");
    // Other methods have the address on their shipment.
    let labelled = sent(&service, &ada, "Paperless").await;
    let path = format!("/consumer/{}/return-order/{}/return-address", ada.id, text(&labelled["id"]));
    assert_eq!(service.get(&path, &ada.token).await.status, 404);
}

/// Reports a carrier's scan of the parcel of a return.
async fn scan(service: &Service, order: &Value, report: Value) {
    let path = format!("/api/v0/return-orders/{}?expand=shipments", text(&order["id"]));
    let shown = service.get(&path, &service.demo.key).await.json();
    let path = format!("/api/v0/shipments/{}/tracking-updates", text(&shown["shipments"][0]["id"]));
    let answer = service.post(&path, &service.demo.key, report).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
}

/// The page behind the first link of a mail.
async fn page_of(service: &Service, mail: &Value) -> String {
    let browser = Browser::new(service);
    browser.follow(&link(mail, "/mail/rtl_")).await.1
}

async fn a_parcel_links_to_the_tracking_page_of_its_carrier(mut service: Service) {
    let post = Post::open(&mut service, 1);
    let (ada, order) = shirt(&service).await;
    let mails = post.wait_for(&service, 1).await;
    assert!(!page_of(&service, &mails[0]).await.contains("Track "), "no carrier has the parcel yet");
    let url = "https://carrier.example/AB123?a=1&b=2";
    let first = json!({"status": "InTransit", "happenedAt": "2026-11-21T08:00:00Z", "carrier": "Royal Mail",
        "trackingNumber": "AB123456789GB", "trackingUrl": url});
    scan(&service, &order, first).await;
    advance(&service, 60);
    let mails = post.wait_for(&service, 2).await;
    assert!(subject(&mails[1]).starts_with("Your parcel is on its way"), "{}", subject(&mails[1]));
    assert!(text(&mails[1]["headers"]["List-Unsubscribe"]).contains("/stop"), "this mail can be declined");
    let plain = text(&mails[1]["text"]).replace("\r\n", "\n");
    for said in [&format!("Track with Royal Mail:\n{url}"), "Carrier: Royal Mail", "Tracking number: AB123456789GB"] {
        assert!(plain.contains(said), "{said} is not in\n{plain}");
    }
    let page = page_of(&service, &mails[1]).await;
    let button = r#"href="https://carrier.example/AB123?a=1&amp;b=2" rel="noopener noreferrer""#;
    for part in [button, "Track with Royal Mail", "AB123456789GB"] {
        assert!(page.contains(part), "{part} is not in\n{page}");
    }
    let path = format!("/consumer/{}/return-order/{}?expand=shipments", ada.id, text(&order["id"]));
    let parcel = service.get(&path, &ada.token).await.json()["shipments"][0].clone();
    let known = ["carrier", "trackingNumber", "trackingUrl"].map(|field| text(&parcel[field]));
    assert_eq!(known, ["Royal Mail", "AB123456789GB", url]);
    // A delay sends one mail; the end of the delay sends none.
    for (status, count) in [("Exception", 3), ("InTransit", 3), ("Exception", 3)] {
        scan(&service, &order, json!({"status": status})).await;
        advance(&service, 60);
        assert_eq!(post.wait_for(&service, count).await.len(), count, "{status}");
    }
    let mails = post.settled(&service).await;
    assert!(subject(&mails[2]).starts_with("Your parcel is delayed"), "{}", subject(&mails[2]));
    assert!(text(&mails[2]["text"]).contains(url), "{}", mails[2]["text"]);
    scan(&service, &order, json!({"status": "Delivered"})).await;
    assert!(!page_of(&service, &mails[1]).await.contains("Track with"), "the parcel has arrived");
}

async fn a_carrier_without_a_page_is_named(mut service: Service) {
    let post = Post::open(&mut service, 1);
    let (_, order) = shirt(&service).await;
    post.wait_for(&service, 1).await;
    scan(&service, &order, json!({"status": "InTransit", "carrier": "dhl_express", "trackingNumber": "JD01"})).await;
    advance(&service, 60);
    let mails = post.wait_for(&service, 2).await;
    let mail = mails.last().unwrap();
    let page = page_of(&service, mail).await;
    for said in [&page, &text(&mail["text"])] {
        assert!(said.contains("DHL Express") && said.contains("JD01") && !said.contains("Track with"), "{said}");
    }
}

const MAILED: &str = "We’ve emailed this to";

async fn the_page_shows_only_mail_addresses_that_its_reader_knows(mut service: Service) {
    let proof = [("orderNumber", "1001"), ("email", "ada@example.com")];
    let (ada, order) = shirt(&service).await;
    let page = format!("/fjord-fern/returns/{}", text(&order["id"]));
    let browser = Browser::new(&service);
    assert_eq!(browser.send(Method::POST, "/fjord-fern/call/look-up", &proof).await.status, 303);
    let shown = browser.get(&page).await.text();
    assert!(shown.contains(&text(&order["number"])) && !shown.contains(MAILED), "there is no mail server");
    drop(browser);
    let cancel = format!("/consumer/{}/return-order/{}/cancel", ada.id, text(&order["id"]));
    assert_eq!(service.post(&cancel, &ada.token, json!({})).await.status, 200);

    let post = Post::open(&mut service, 1);
    shirt(&service).await;
    let mails = post.wait_for(&service, 1).await;
    let shown = page_of(&service, mails.last().unwrap()).await;
    assert!(shown.contains(&format!("{MAILED} a•••@example.com.")), "{shown}");

    // A gift recipient sees their own address. A reader who proved only a postal code does not see the buyer's.
    let eve = crate::gifts::eve(&service).await;
    let purchases = service.purchases(&eve).await;
    let mut chosen = choose(&purchases[0], 1);
    chosen["requestedResolution"] = json!("StoreCredit");
    let body = json!({"selectedPurchases": [chosen], "shippingOptionId": purchases[0]["shippingOptions"][0]["id"]});
    let draft = service.post(&format!("/consumer/{}/draft-return-order", eve.id), &eve.token, body).await.json();
    let body = json!({"draftReturnOrderId": draft["id"]});
    assert_eq!(service.post(&format!("/consumer/{}/return-order", eve.id), &eve.token, body).await.status, 201);
    let mails = post.wait_for(&service, mails.len() + 1).await;
    let shown = page_of(&service, mails.last().unwrap()).await;
    assert!(shown.contains("Updates go to eve@example.com.") && !shown.contains(MAILED), "{shown}");
    let policy = json!({"policy": {"lookUpBy": ["email", "postalCode"], "feeCollection": "deduct"}});
    assert_eq!(service.patch("/api/v0/account", &service.demo.key, policy).await.status, 200);
    let body = json!({"account": "fjord-fern", "orderNumber": "2001", "postalCode": "EH6 7AB"});
    let neighbour = Consumer::of(service.post("/auth/consumer", "", body).await);
    sent(&service, &neighbour, "Label").await;
    let mails = post.wait_for(&service, mails.len() + 1).await;
    assert_eq!(mails.last().unwrap()["to"], json!(["ada@example.com"]));
    let shown = page_of(&service, mails.last().unwrap()).await;
    assert!(!shown.contains(MAILED) && !shown.contains("@example.com"), "{shown}");
}

async fn the_page_does_not_mention_refused_mail(mut service: Service) {
    let post = Post::open(&mut service, 1);
    let gone = "UPDATE orders SET email = 'gone@example.com', email_key = 'gone@example.com' WHERE number_key = '1001'";
    service.database.run(gone).await;
    let proof = [("orderNumber", "1001"), ("email", "gone@example.com")];
    let browser = Browser::new(&service);
    assert_eq!(browser.send(Method::POST, "/fjord-fern/call/look-up", &proof).await.status, 303);
    let order = sent(&service, &service.prove("1001", "gone@example.com").await, "Label").await;
    post.settled(&service).await;
    let page = browser.get(&format!("/fjord-fern/returns/{}", text(&order["id"]))).await;
    assert!(page.text().contains(&text(&order["number"])) && !page.text().contains(MAILED), "{}", page.text());
}

async fn a_return_under_review_is_acknowledged(mut service: Service) {
    let answer = service.patch("/api/v0/account", &service.demo.key, json!({"policy": {"autoApprove": false}})).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    let post = Post::open(&mut service, 1);
    let (_, order) = shirt(&service).await;
    let mails = post.wait_for(&service, 1).await;
    assert_eq!(subject(&mails[0]), format!("We’ve received your return request {}", text(&order["number"])));
    assert!(page_of(&service, &mails[0]).await.contains(MAILED));
}
