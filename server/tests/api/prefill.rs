//! Links that fill in the look-up form: the values are kept in the session and removed from the address, and only the shopper submits the form.

use crate::{
    browser::{Browser, has_value},
    harness::{Service, on_both_databases},
};
use reqwest::{Method, header};
use serde_json::json;

on_both_databases! {
    a_link_fills_in_the_look_up_and_is_removed_from_the_address
    links_fill_in_other_forms
    values_of_a_link_are_escaped_and_bounded
    a_link_does_not_end_the_session
    links_work_at_the_shops_own_host_and_in_a_frame
}

async fn a_link_fills_in_the_look_up_and_is_removed_from_the_address(service: Service) {
    let browser = Browser::new(&service);
    let consumers = service.database.rows("consumers").await;
    let (place, page) = browser.follow("/fjord-fern?orderNumber=%231001&email=ann%2Bshop%40example.com").await;
    assert_eq!(place, "/fjord-fern");
    assert!(has_value(&page, "#1001") && has_value(&page, "ann+shop@example.com"), "{page}");
    assert!(!page.contains("role=\"alert\""), "the form was not submitted");
    assert_eq!(service.database.rows("consumers").await, consumers);
    assert_eq!(service.database.rows("guesses").await, 0, "filling in counts as no guess");

    // Another link replaces the values. Other parameters stay in the address.
    let next = "01990000-0000-7000-8000-000000000000";
    let (place, page) = browser.follow(&format!("/fjord-fern?next={next}&email=ada@example.com&lang=de&x=1")).await;
    assert_eq!(place, format!("/fjord-fern?next={next}&lang=de"));
    assert!(has_value(&page, "ada@example.com") && !has_value(&page, "#1001"), "{page}");
    assert!(page.contains("lang=\"de\"") && has_value(&page, next));

    // The shopper submits the form. The session remembers the shopper, so no token is stored.
    let tokens = service.database.rows("consumer_tokens").await;
    let sent = browser
        .send(
            Method::POST,
            "/fjord-fern/call/look-up",
            &[("orderNumber", "Order #1001"), ("proof", "Ada <ada@example.com>")],
        )
        .await;
    assert_eq!((sent.status, sent.header("location")), (303, Some("/fjord-fern/purchases")));
    assert_eq!(service.database.rows("consumer_tokens").await, tokens);

    let code = json!({"policy": {"lookUpBy": ["postalCode"]}});
    assert_eq!(service.patch("/api/v0/account", &service.demo.key, code).await.status, 200);
    let (_, page) = Browser::new(&service).follow("/fjord-fern?orderNumber=1001&email=a@b.c&postalCode=EH6+7AB").await;
    assert!(
        has_value(&page, "EH6 7AB") && !page.contains("a@b.c"),
        "only the fields of the form are filled in: {page}"
    );
}

async fn links_fill_in_other_forms(service: Service) {
    let policy = json!({"policy": {"giftReturns": true, "resolutions": ["Refund", "StoreCredit"]}});
    assert_eq!(service.patch("/api/v0/account", &service.demo.key, policy).await.status, 200);
    let browser = Browser::new(&service);
    let (place, page) =
        browser.follow("/fjord-fern/gift?orderNumber=1001&postalCode=EH6%207AB&email=eve@example.com").await;
    assert_eq!(place, "/fjord-fern/gift");
    assert!(["1001", "EH6 7AB", "eve@example.com"].iter().all(|value| has_value(&page, value)), "{page}");
    assert!(page.contains("<title>") && !page.contains("<title>Error: "), "{page}");
    let wrong = [("orderNumber", "1001"), ("postalCode", "EH6 7AB"), ("email", "eve@example.com")];
    assert_eq!(browser.send(Method::POST, "/fjord-fern/call/gift", &wrong).await.status, 303);
    let shown = browser.get("/fjord-fern/gift").await;
    assert!(shown.status == 401 && shown.text().contains("<title>Error: "), "{}", shown.text());
    assert_eq!(shown.text().matches("<li><a href=\"#order\">").count(), 1, "one mistake of two fields");
    assert!(!browser.get("/fjord-fern/gift").await.text().contains("<title>Error: "), "errors show once");
    let (place, page) = browser.follow("/fjord-fern/withdraw?orderNumber=1001&email=ada@example.com").await;
    assert_eq!(place, "/fjord-fern/withdraw");
    assert!(page.contains("\n1001</textarea>") && has_value(&page, "ada@example.com"), "{page}");
    // Typed values stay.
    let typed = [("name", "Ada"), ("contract", "the blue mug"), ("email", "")];
    assert_eq!(browser.send(Method::POST, "/fjord-fern/call/withdraw", &typed).await.status, 303);
    assert_eq!(browser.get("/fjord-fern/withdraw").await.status, 422, "errors show once");
    let (_, page) = browser.follow("/fjord-fern/withdraw?orderNumber=1002").await;
    assert!(page.contains("\nthe blue mug</textarea>"), "{page}");
}

async fn values_of_a_link_are_escaped_and_bounded(service: Service) {
    let browser = Browser::new(&service);
    let (_, page) = browser
        .follow("/fjord-fern?orderNumber=%22%3E%3Cscript%3Ealert(1)%3C%2Fscript%3E&email=%27%22%3E%3Cb%3E")
        .await;
    assert!(!page.contains("<script>alert") && !page.contains("\"><b>"), "{page}");
    let (_, page) = browser.follow(&format!("/fjord-fern?orderNumber={}&email=a@b.c", "7".repeat(5_000))).await;
    assert!(has_value(&page, &"7".repeat(320)), "the value is cut to the length of the field");
    for nothing in ["orderNumber=%FF", "orderNumber=%00", "orderNumber=", "email=%20", "order=1", "orderNumber"] {
        assert_eq!(browser.get(&format!("/fjord-fern?{nothing}")).await.status, 200, "{nothing}");
    }
    let hostile = browser.get("/fjord-fern?orderNumber=1&next=%0d%0aSet-Cookie:x=y&lang=%0d%0a//evil.example").await;
    assert_eq!((hostile.status, hostile.header("location")), (303, Some("/fjord-fern")));
    assert!(hostile.header("set-cookie").is_none_or(|cookie| !cookie.contains("x=y")));
}

async fn a_link_does_not_end_the_session(service: Service) {
    let browser = Browser::new(&service);
    let form = [("orderNumber", "1001"), ("email", "ada@example.com")];
    assert_eq!(browser.send(Method::POST, "/fjord-fern/call/look-up", &form).await.status, 303);
    assert_eq!(browser.get("/fjord-fern/purchases").await.status, 200);
    browser.follow("/fjord-fern?orderNumber=1002&email=eve@example.com").await;
    assert_eq!(
        browser.get("/fjord-fern/purchases").await.status,
        200,
        "without the session, the page would redirect to the look-up"
    );
}

async fn links_work_at_the_shops_own_host_and_in_a_frame(service: Service) {
    service.database.run("UPDATE accounts SET domain = 'returns.shop.example' WHERE slug = 'fjord-fern'").await;
    let home = Browser::with(&service, &[("host", "returns.shop.example")]);
    let led = home.get("/?orderNumber=1001&email=ada@example.com").await;
    assert_eq!((led.status, led.header("location")), (303, Some("/")));
    // In a frame the browser may store no cookies, so the values are shown at once.
    let frame = Browser::with(&service, &[("sec-fetch-dest", "iframe")]);
    let shown = frame.get("/fjord-fern?orderNumber=1001&email=ada@example.com").await;
    assert_eq!(shown.status, 200);
    assert!(has_value(&shown.text(), "1001") && has_value(&shown.text(), "ada@example.com"), "{}", shown.text());
    assert!(
        shown
            .headers
            .get_all(header::SET_COOKIE)
            .iter()
            .all(|cookie| !cookie.to_str().unwrap().contains("example.com"))
    );
}
