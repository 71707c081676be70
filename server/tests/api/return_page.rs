//! The portal's page of a return, and the pages around its submission.

use crate::{
    browser::Browser,
    calls::{json_of, value_of},
    details_page::{DAMAGED, PHOTO, Part, send_parts},
    harness::{NOW, Service, on_both_databases, text},
    money_pages::{choose, choosing, submitted},
};
use serde_json::{Value, json};

on_both_databases! {
    photos_of_a_return_are_stored_and_refused_ones_are_named
    only_items_that_wait_for_photos_ask_for_them_until_a_day
    a_submitted_draft_is_forgotten_and_leads_to_its_return
    changed_amounts_are_shown_before_the_return_is_submitted
    rows_that_others_have_returned_are_named
    a_missing_option_is_a_mistake_of_the_review
}

async fn set(service: &Service, change: Value) {
    let answer = service.patch("/api/v0/account", &service.demo.key, change).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
}

/// The evidence of a request, as the shop sees it.
async fn evidence(service: &Service, request: &str) -> Vec<Value> {
    let list = service.get(&format!("/api/v0/return-requests/{request}/evidence"), &service.demo.key).await;
    list.json()["data"].as_array().unwrap().clone()
}

/// The requests of a return, as the shop sees them.
async fn requests(service: &Service, order: &str) -> Vec<Value> {
    let path = format!("/api/v0/return-orders/{order}?expand=returnRequests");
    service.get(&path, &service.demo.key).await.json()["returnRequests"].as_array().unwrap().clone()
}

async fn photos_of_a_return_are_stored_and_refused_ones_are_named(service: Service) {
    let ada = service.ada().await;
    let purchases = service.purchases(&ada).await;
    let order = text(&service.create_return(&ada, &purchases[..2]).await["id"]);
    let ids: Vec<String> = requests(&service, &order).await.iter().map(|request| text(&request["id"])).collect();
    let browser = Browser::of_ada(&service).await;
    let page = format!("/fjord-fern/returns/{order}");
    let shown = browser.get(&page).await.text();
    assert!(shown.contains("<details class=\"more photos\">"), "{shown}");
    let photos: Vec<String> = ids.iter().map(|id| format!("photos-{id}")).collect();
    let send = async |parts: &[Part<'_>]| {
        let sent = send_parts(&service, &browser, &format!("{page}/photos"), parts).await;
        assert_eq!((sent.status, sent.header("location")), (303, Some(page.as_str())), "{}", sent.text());
        let shown = browser.get(&page).await;
        (shown.status, shown.text())
    };

    let (status, shown) = send(&[("more", None, b"1"), (&photos[1], Some("a.jpg"), PHOTO)]).await;
    assert_eq!((status, shown.contains("has-error")), (200, false), "{shown}");
    let (of_first, of_second) = (evidence(&service, &ids[0]).await, evidence(&service, &ids[1]).await);
    assert_eq!((of_first.len(), of_second.len(), &of_second[0]["name"]), (0, 1, &json!("a.jpg")));

    let (status, shown) = send(&[(&photos[0], Some(""), b"")]).await;
    assert_eq!(status, 422);
    assert!(shown.contains("Select at least one photo"), "{shown}");
    assert_eq!(browser.get(&page).await.status, 200, "the mistake shows once");

    let (status, shown) = send(&[(&photos[0], Some("b.gif"), b"GIF89a"), (&photos[0], Some("c.jpg"), PHOTO)]).await;
    assert_eq!(status, 422);
    assert!(shown.contains("<details open class=\"more photos\">"), "{shown}");
    let (_, first) = shown.split_once(&format!("<label for=\"{}\"", photos[0])).unwrap();
    let (first, second) = first.split_once(&format!("<label for=\"{}\"", photos[1])).unwrap();
    assert!(first.contains("b.gif couldn’t be read as a photo."), "{first}");
    assert!(!second.contains("b.gif") && !shown.contains("Select at least one photo"), "{shown}");
    assert_eq!(evidence(&service, &ids[0]).await.len(), 1, "the other photo is stored");

    let (status, shown) = send(&[(&photos[1], Some("d.png"), DAMAGED)]).await;
    assert!(status == 422 && shown.contains("d.png couldn’t be read as a photo."), "{shown}");
    assert_eq!(evidence(&service, &ids[1]).await.len(), 1);
}

async fn only_items_that_wait_for_photos_ask_for_them_until_a_day(service: Service) {
    set(&service, json!({"policy": {"evidenceDays": 5}})).await;
    let reason = json!({"description": {"en": "Torn"}, "evidence": "required"});
    let reason = text(&service.post("/api/v0/return-reasons", &service.demo.key, reason).await.json()["id"]);
    let ada = service.ada().await;
    let purchases = service.purchases(&ada).await;
    let torn = |purchase: &Value| json!({"purchaseId": purchase["id"], "returnReasonId": reason});
    let send = async |selected: Vec<Value>| {
        let body = json!({"selectedPurchases": selected, "shippingOptionId": purchases[0]["shippingOptions"][0]["id"]});
        let draft = service.post(&format!("/consumer/{}/draft-return-order", ada.id), &ada.token, body).await.json();
        let body = json!({"draftReturnOrderId": draft["id"]});
        let order = service.post(&format!("/consumer/{}/return-order", ada.id), &ada.token, body).await.json();
        Browser::of_ada(&service).await.get(&format!("/fjord-fern/returns/{}", text(&order["id"]))).await.text()
    };
    // The second page has no other event from which days could be counted.
    let mixed = send(vec![torn(&purchases[0]), crate::harness::choose(&purchases[1], 1)]).await;
    for page in [mixed, send(vec![torn(&purchases[2])]).await] {
        assert_eq!(page.matches("type=\"file\"").count(), 1, "{page}");
        assert!(page.contains("<h2 id=\"photos-title\">") && page.contains("<bdi>Photos of "), "{page}");
        assert!(page.contains("26 November"), "five days from now: {page}");
    }
}

async fn a_submitted_draft_is_forgotten_and_leads_to_its_return(service: Service) {
    let browser = Browser::new(&service);
    let page = choosing(&browser).await;
    let (_, reply) = choose(&browser, &page, "p1", &[]).await;
    let href = text(&reply["href"]);
    assert_eq!(browser.get("/fjord-fern/review").await.status, 200, "the session remembers the draft");
    let review = browser.get(&href).await.text();
    let (_, order) = submitted(&browser, &review).await;
    let again = browser.get(&href).await;
    let of_return = format!("/fjord-fern/returns/{order}");
    assert_eq!((again.status, again.header("location")), (303, Some(of_return.as_str())));
    let next = browser.get("/fjord-fern/review").await;
    assert_eq!((next.status, next.header("location")), (303, Some("/fjord-fern/purchases")));
}

async fn changed_amounts_are_shown_before_the_return_is_submitted(service: Service) {
    let browser = Browser::new(&service);
    let page = choosing(&browser).await;
    let (_, reply) = choose(&browser, &page, "p1", &[]).await;
    let review = browser.get(&text(&reply["href"])).await.text();
    assert!(!review.contains("class=\"changes\""), "{review}");
    set(&service, json!({"policy": {"requestFee": [{"value": "4.95", "currency": "GBP"}]}})).await;
    service.clock.set(NOW.plus_hours(25)); // the draft has expired
    let ada = [("orderNumber", "1001"), ("proof", "ada@example.com")];
    assert_eq!(json_of(&browser, "look-up", &ada).await.0, 200);
    let (draft, option) = (value_of(&review, "draft"), value_of(&review, "shippingOption"));
    let fields = [("draft", draft.as_str()), ("shippingOption", option.as_str())];
    let sent = browser.call("submit", &fields, "text/html").await;
    let next = sent.header("location").unwrap().to_owned();
    assert!(sent.status == 303 && next.ends_with(&format!("&was={draft}")), "{next}");
    let changed = browser.get(&next).await;
    assert_eq!(changed.status, 409);
    let changed = changed.text().replace("<!>", "");
    let (_, list) = changed.split_once("class=\"changes\"").unwrap_or_else(|| panic!("{changed}"));
    let (list, _) = list.split_once("</ul>").unwrap();
    assert!(list.contains("<span>Handling fee</span>") && list.contains("£0.00"), "{list}");
    assert!(list.contains("£4.95") && list.matches("<li>").count() == 1, "{list}");
    assert_eq!(service.database.rows("return_orders").await, 0);
}

async fn rows_that_others_have_returned_are_named(service: Service) {
    let browser = Browser::new(&service);
    let page = choosing(&browser).await;
    let reason = value_of(&page, "p1.reason");
    let [shirt, mugs] = ["p1.id", "p3.id"].map(|name| value_of(&page, name));
    let first = [("p1.id", shirt.as_str()), ("p1.take", "1"), ("p1.quantity", "1"), ("p1.reason", &reason)];
    let third = [("p3.id", mugs.as_str()), ("p3.take", "1"), ("p3.quantity", "4"), ("p3.reason", &reason)];
    let both = [first.as_slice(), &third, &[("go", "on")]].concat();
    let (status, reply) = json_of(&browser, "choose", &both).await;
    assert_eq!(status, 200, "{reply}");
    let review = browser.get(&text(&reply["href"])).await.text();
    // Another tab returns the shirt and three of the four mugs.
    let ada = service.ada().await;
    let purchases = service.purchases(&ada).await;
    let selected = [crate::harness::choose(&purchases[0], 1), crate::harness::choose(&purchases[2], 3)];
    let body = json!({"selectedPurchases": selected, "shippingOptionId": purchases[0]["shippingOptions"][0]["id"]});
    let draft = service.post(&format!("/consumer/{}/draft-return-order", ada.id), &ada.token, body).await.json();
    let body = json!({"draftReturnOrderId": draft["id"]});
    assert_eq!(service.post(&format!("/consumer/{}/return-order", ada.id), &ada.token, body).await.status, 201);
    let (draft, option) = (value_of(&review, "draft"), value_of(&review, "shippingOption"));
    let fields = [("draft", draft.as_str()), ("shippingOption", option.as_str())];
    assert_eq!(json_of(&browser, "submit", &fields).await, (409, json!({"changed": "quantities"})));
    let page = browser.get("/fjord-fern/purchases").await;
    assert_eq!(page.status, 409);
    let page = page.text();
    for mistake in [
        "<a href=\"#p1-row\">Linen shirt, relaxed fit: This can no longer be returned</a>",
        "<a href=\"#p3-qty\">Stoneware mug: You can return up to 1</a>",
    ] {
        assert!(page.contains(mistake), "no {mistake} in {page}");
    }
}

async fn a_missing_option_is_a_mistake_of_the_review(service: Service) {
    let browser = Browser::new(&service);
    let page = choosing(&browser).await;
    let (_, reply) = choose(&browser, &page, "p1", &[]).await;
    let href = text(&reply["href"]);
    let review = browser.get(&href).await.text();
    assert!(review.contains("<title>") && !review.contains("<title>Error: "), "{review}");
    assert_eq!(review.matches(" checked").count(), 1, "{review}");
    let draft = value_of(&review, "draft");
    let sent = browser.call("submit", &[("draft", &draft)], "text/html").await;
    assert_eq!((sent.status, sent.header("location")), (303, Some(href.as_str())));
    let missing = browser.get(&href).await;
    assert_eq!(missing.status, 422);
    let missing = missing.text();
    assert!(missing.contains("<title>Error: ") && missing.contains("href=\"#way1\""), "{missing}");
    assert_eq!(missing.matches(" checked").count(), 0, "{missing}");
    assert_eq!(service.database.rows("return_orders").await, 0);
}
