//! What the portal says about contacts, days and costs: what the merchant has set, and nothing else.

use crate::{
    browser::Browser,
    harness::{Service, on_both_databases, text},
    mail::{Post, advance, report, shirt, subject},
};
use serde_json::{Value, json};

on_both_databases! {
    every_page_and_every_error_shows_the_contacts_of_the_shop
    days_are_promised_if_the_shop_has_set_them
    an_arrived_return_shows_the_date_of_its_refund_until_it_is_over
    a_return_that_costs_a_fee_is_not_called_free
    a_declined_consumer_sees_the_contacts_of_the_shop
    a_dark_logo_is_shown_in_the_dark_theme
}

async fn set(service: &Service, change: Value) {
    let answer = service.patch("/api/v0/account", &service.demo.key, change).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
}

/// The text of a page, without the marks around inserted values.
async fn read(browser: &Browser<'_>, path: &str) -> String {
    browser.get(path).await.text().replace("<!>", "")
}

async fn every_page_and_every_error_shows_the_contacts_of_the_shop(service: Service) {
    let browser = Browser::new(&service);
    set(&service, json!({"branding": {"contactEmail": null, "replyTo": "reply@shop.example"}})).await;
    let page = read(&browser, "/fjord-fern").await;
    assert!(page.contains(r#"href="mailto:reply@shop.example""#), "{page}");
    let contact = json!({"contactEmail": "help@shop.example", "contactUrl": "https://shop.example/help", "contactPhone": "+44 131 496 0000"});
    set(&service, json!({"branding": contact})).await;
    for path in ["/fjord-fern", "/fjord-fern/nothing/here"] {
        let page = read(&browser, path).await;
        for href in ["mailto:help@shop.example", "https://shop.example/help", "tel:+441314960000"] {
            assert!(page.contains(&format!("href=\"{href}\"")), "{href} on {path}: {page}");
        }
        let main = page.split("<main").nth(1).and_then(|main| main.split("</main>").next()).unwrap();
        assert_eq!(main.contains("https://shop.example/help"), path != "/fjord-fern", "{main}");
    }
    set(
        &service,
        json!({"branding": {"contactEmail": null, "contactUrl": null, "contactPhone": null, "replyTo": null}}),
    )
    .await;
    let page = read(&browser, "/fjord-fern").await;
    assert!(!page.contains("mailto:") && !page.contains("tel:"), "{page}");
}

async fn days_are_promised_if_the_shop_has_set_them(service: Service) {
    let browser = Browser::new(&service);
    for (policy, english, german) in [
        (json!({"refundDays": null}), "Once your return arrives", "Sobald Ihre Retoure bei uns eingegangen ist"),
        (json!({"refundDays": 1}), "Usually within 1 day of arrival", "Meist innerhalb von 1 Tag nach Eingang"),
        (json!({"refundDays": 12}), "Usually within 12 days of arrival", "Meist innerhalb von 12 Tagen nach Eingang"),
    ] {
        set(&service, json!({"policy": policy})).await;
        for (language, said) in [("en", english), ("de", german)] {
            let page = read(&browser, &format!("/fjord-fern?lang={language}")).await;
            assert!(page.contains(said), "{said} is not in {page}");
        }
    }
}

async fn an_arrived_return_shows_the_date_of_its_refund_until_it_is_over(service: Service) {
    set(&service, json!({"policy": {"refundDays": 5, "reviewDays": 2, "transitDays": 3}})).await;
    let (_, order) = shirt(&service).await;
    let browser = Browser::of_ada(&service).await;
    let path = format!("/fjord-fern/returns/{}?lang=en", text(&order["id"]));
    let page = read(&browser, &path).await;
    assert!(page.contains("usually within 5 days of your parcel arriving"), "{page}");
    assert!(page.contains("Usually within 3 days") && page.contains("Usually within 5 days of arrival"), "{page}");
    report(&service, &order, "InTransit").await;
    let page = read(&browser, &path).await;
    assert!(
        !page.contains("Usually within 3 days") && page.contains(">By "),
        "the refund of an arrived parcel has a date: {page}"
    );
    report(&service, &order, "Delivered").await;
    let page = read(&browser, &path).await;
    assert!(!page.contains("arriving") && !page.contains("of arrival"), "the parcel has arrived: {page}");
    assert!(page.contains(", by ") && !page.contains("usually by") && page.matches(">By ").count() == 2, "{page}");
    advance(&service, 7 * 86_400);
    let page = read(&browser, &path).await;
    assert!(
        !page.contains(", by ") && !page.contains(", usually") && !page.contains(">By "),
        "a missed date is not promised again: {page}"
    );
}

async fn a_return_that_costs_a_fee_is_not_called_free(service: Service) {
    let browser = Browser::new(&service);
    let options = service.get("/api/v0/shipping-options?limit=100", &service.demo.key).await.json();
    for option in options["data"].as_array().unwrap() {
        let path = format!("/api/v0/shipping-options/{}", text(&option["id"]));
        let free = json!({"prices": [{"value": "0.00", "currency": "GBP"}]});
        assert_eq!(service.patch(&path, &service.demo.key, free).await.status, 200);
    }
    assert!(browser.get("/fjord-fern?lang=en").await.text().contains("Free returns"));
    set(&service, json!({"policy": {"requestFee": [{"value": "4.95", "currency": "GBP"}]}})).await;
    let page = read(&browser, "/fjord-fern").await;
    assert!(page.contains("Handling fee: £4.95") && !page.contains("Free"), "{page}");
    set(&service, json!({"policy": {"requestFee": []}})).await;
    let reasons = service.get("/api/v0/return-reasons?limit=100", &service.demo.key).await.json();
    for reason in reasons["data"].as_array().unwrap() {
        let path = format!("/api/v0/return-reasons/{}", text(&reason["id"]));
        let fee = if reason["fault"] == "merchant" { 0 } else { 10 };
        let answer = service.patch(&path, &service.demo.key, json!({"restockingFeePercent": fee})).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
    }
    let page = read(&browser, "/fjord-fern").await;
    assert!(page.contains("Restocking fee: 10%") && !page.contains("Free"), "{page}");
}

async fn a_declined_consumer_sees_the_contacts_of_the_shop(mut service: Service) {
    let post = Post::open(&mut service, 1);
    set(&service, json!({"policy": {"autoApprove": false}, "branding": {"contactEmail": "help@shop.example"}})).await;
    let (_, order) = shirt(&service).await;
    let mails = post.wait_for(&service, 1).await;
    assert!(!text(&mails[0]["text"]).contains("help@shop.example"), "there is nothing to ask about yet");
    let path = format!("/api/v0/return-orders/{}?expand=returnRequests", text(&order["id"]));
    let shown = service.get(&path, &service.demo.key).await.json();
    let path = format!("/api/v0/return-requests/{}", text(&shown["returnRequests"][0]["id"]));
    let answer = service
        .patch(&path, &service.demo.key, json!({"stage": "Requested: Rejected", "comment": "It was worn."}))
        .await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    advance(&service, 60);
    let mails = post.wait_for(&service, 2).await;
    assert!(subject(&mails[1]).starts_with("We can’t accept this return"), "{}", subject(&mails[1]));
    for part in ["text", "html"] {
        assert!(text(&mails[1][part]).contains("Questions? You can reach us here: help@shop.example"));
    }
    let page = read(&Browser::of_ada(&service).await, &format!("/fjord-fern/returns/{}", text(&order["id"]))).await;
    let main = page.split("<main").nth(1).and_then(|main| main.split("</main>").next()).unwrap();
    assert!(main.contains(r#"href="mailto:help@shop.example""#), "{main}");
}

async fn a_dark_logo_is_shown_in_the_dark_theme(service: Service) {
    let browser = Browser::new(&service);
    set(&service, json!({"branding": {"logoDarkUrl": null}})).await; // the demo has a dark logo
    assert!(!browser.get("/fjord-fern").await.text().contains("<picture"));
    set(&service, json!({"branding": {"logoDarkUrl": "/demo/logo-dark.svg"}})).await;
    let page = read(&browser, "/fjord-fern").await;
    assert!(page.contains("<source") && page.contains(r#"srcset="/demo/logo-dark.svg""#), "{page}");
    assert!(page.contains(r#"media="(prefers-color-scheme: dark)""#) && page.contains("data-dark"), "{page}");
}
