//! What the portal promises of a return: of declined items, before an approval, and if nothing is due.

use crate::{
    browser::Browser,
    calls::{json_of, value_of},
    harness::{Service, on_both_databases, text},
    mail::{Post, advance, shirt, subject},
};
use serde_json::{Value, json};

on_both_databases! {
    a_declined_item_is_left_out_and_named_with_the_reason
    a_return_is_under_review_until_its_resolution_is_approved
    a_return_that_gives_nothing_is_not_called_refunded
    a_review_promises_only_what_is_decided
    the_estimate_includes_the_delivery_of_a_complete_order
    items_that_can_all_be_exchanged_have_one_reason_for_all
    an_exchange_with_a_fee_is_called_an_exchange
    the_box_of_a_gift_is_called_store_credit
}

async fn set(service: &Service, change: Value) {
    let answer = service.patch("/api/v0/account", &service.demo.key, change).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
}

async fn read(browser: &Browser<'_>, path: &str) -> String {
    browser.get(path).await.text().replace("<!>", "")
}

/// The ids of a return's requests.
async fn requests(service: &Service, order: &Value) -> Vec<String> {
    let path = format!("/api/v0/return-orders/{}?expand=returnRequests", text(&order["id"]));
    let shown = service.get(&path, &service.demo.key).await.json();
    shown["returnRequests"].as_array().unwrap().iter().map(|request| text(&request["id"])).collect()
}

async fn decide(service: &Service, request: &str, stage: &str, comment: &str) {
    let body = if comment.is_empty() { json!({"stage": stage}) } else { json!({"stage": stage, "comment": comment}) };
    let answer = service.patch(&format!("/api/v0/return-requests/{request}"), &service.demo.key, body).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
}

/// The list of items of a return's page.
fn goods(page: &str) -> &str {
    page.split("id=\"goods\"").nth(1).and_then(|rest| rest.split("</section>").next()).unwrap()
}

async fn a_declined_item_is_left_out_and_named_with_the_reason(mut service: Service) {
    let post = Post::open(&mut service, 1);
    set(&service, json!({"policy": {"autoApprove": false, "resolveOn": "submission", "resolver": "external"}})).await;
    let ada = service.ada().await;
    let purchases = service.purchases(&ada).await;
    let [kept, declined] = [0, 1].map(|index: usize| text(&purchases[index]["product"]["name"]));
    let order = service.create_return(&ada, &purchases[..2]).await;
    post.wait_for(&service, 1).await;
    let requests = requests(&service, &order).await;
    decide(&service, &requests[1], "Requested: Rejected", "Worn.").await;
    decide(&service, &requests[0], "Requested: Approved", "").await;
    advance(&service, 60);
    let path = format!("/fjord-fern/returns/{}", text(&order["id"]));
    let browser = Browser::of_ada(&service).await;
    let says = format!("Declined ({declined}): “Worn.”");
    let check = async |heading: &str| {
        let page = read(&browser, &path).await;
        let goods = goods(&page);
        assert!(goods.contains(heading) && goods.contains(&kept) && !goods.contains(&declined), "{goods}");
        assert_eq!(page.matches("Worn.").count(), 1, "{page}");
        let (head, rest) = page.split_once(&says).unwrap_or_else(|| panic!("no {says} in {page}"));
        assert!(head.contains("<h1>") && rest.contains("id=\"history\""), "it is near the headline: {page}");
        assert!(!page.contains("Put everything in one parcel"), "one item is left: {page}");
        let list = read(&browser, "/fjord-fern/returns").await;
        assert!(list.contains(&format!("<bdi>{kept}</bdi>")) && !list.contains(&declined), "{list}");
        let mail = text(&post.settled(&service).await.last().unwrap()["text"]);
        let (_, items) = mail.split_once(&format!("{heading}:")).unwrap_or_else(|| panic!("no {heading} in {mail}"));
        let items: String = items.lines().skip(1).take_while(|line| line.starts_with("- ")).collect();
        assert!(items.contains(&kept) && !items.contains(&declined), "{mail}");
        assert!(mail.contains(&says), "{mail}");
    };
    check("You’re returning").await;
    decide(&service, &requests[0], "Resolution: Completed", "").await;
    advance(&service, 60);
    check("You returned").await;
}

async fn a_return_is_under_review_until_its_resolution_is_approved(mut service: Service) {
    let post = Post::open(&mut service, 1);
    set(&service, json!({"policy": {"autoResolve": false, "refundDays": 5}})).await;
    let (_, order) = shirt(&service).await;
    post.wait_for(&service, 1).await;
    let request = requests(&service, &order).await.remove(0);
    let receipts = format!("/api/v0/return-requests/{request}/receipts");
    assert_eq!(service.post(&receipts, &service.demo.key, json!({"quantity": 1})).await.status, 200);
    let path = format!("/fjord-fern/returns/{}", text(&order["id"]));
    let browser = Browser::of_ada(&service).await;
    let page = read(&browser, &path).await;
    assert!(page.contains("<h1>We’re reviewing your return</h1>") && !page.contains("on its way"), "{page}");
    assert!(page.contains("Once approved, you’ll get ") && !page.contains(", by "), "no day is certain: {page}");
    assert!(page.contains("usually within 5 days of your parcel arriving"), "{page}");
    let list = read(&browser, "/fjord-fern/returns").await;
    assert!(list.contains("Under review") && !list.contains("Refund on its way"), "{list}");
    advance(&service, 60);
    let mails = post.wait_for(&service, 2).await;
    assert!(subject(&mails[1]).starts_with("We’re reviewing your return"), "{}", subject(&mails[1]));

    decide(&service, &request, "Resolution: Approved", "").await;
    let page = read(&browser, &path).await;
    assert!(page.contains("<h1>Your refund is on its way</h1>") && page.contains(", by "), "{page}");
}

async fn a_return_that_gives_nothing_is_not_called_refunded(mut service: Service) {
    let post = Post::open(&mut service, 1);
    let fee = json!([{"value": "500.00", "currency": "GBP"}]);
    set(&service, json!({"policy": {"requestFee": fee, "resolveOn": "submission", "resolver": "external"}})).await;
    let (_, order) = shirt(&service).await;
    let path = format!("/fjord-fern/returns/{}", text(&order["id"]));
    let browser = Browser::of_ada(&service).await;
    let page = read(&browser, &path).await;
    assert!(!page.contains("Your refund is on its way"), "{page}");
    decide(&service, &requests(&service, &order).await[0], "Resolution: Completed", "").await;
    let page = read(&browser, &path).await;
    assert!(page.contains("<h1>Your return is complete</h1>") && page.contains("No refund due."), "{page}");
    let list = read(&browser, "/fjord-fern/returns").await;
    for shown in [&page, &list] {
        assert!(!["Refunded", "been refunded", "Refund approved"].iter().any(|said| shown.contains(said)), "{shown}");
    }
    advance(&service, 60);
    let mail = post.settled(&service).await.pop().unwrap();
    assert!(subject(&mail).starts_with("Your return is complete"), "{}", subject(&mail));
    assert!(!text(&mail["text"]).contains("refunded"), "{}", mail["text"]);
}

async fn a_review_promises_only_what_is_decided(service: Service) {
    for (approves, says) in [(true, ">You’ll get "), (false, ">Once approved, you’ll get ")] {
        set(&service, json!({"policy": {"autoApprove": approves}})).await;
        let ada = service.ada().await;
        let purchases = service.purchases(&ada).await;
        let draft = service.draft(&ada, &purchases[..1]).await;
        let browser = Browser::of_ada(&service).await;
        let review = read(&browser, &format!("/fjord-fern/review?draft={}", text(&draft["id"]))).await;
        let count = |text: &str| review.matches(text).count();
        assert!(count(says) >= 6, "three options, each with a card and a receipt: {review}");
        assert_eq!(count(">Once approved") > 0, !approves, "{review}");
    }
}

/// A browser in which this order of two lines is proved.
async fn bought<'a>(service: &'a Service, number: &str) -> Browser<'a> {
    let order = json!({"externalId": number, "number": number, "email": "ada@example.com", "currency": "GBP",
        "orderedAt": "2026-11-10T10:00:00Z", "shippingPaid": {"value": "4.95", "currency": "GBP"}});
    let line = |name: &str, quantity: u32, price: &str| {
        json!({"externalId": format!("{number}/{name}"), "quantity": quantity, "fulfilledAt": "2026-11-11T10:00:00Z",
            "product": {"name": name, "exchangeOptions": [{"sku": "S-2", "name": "Blue"}]},
            "totalPrice": {"value": price, "currency": "GBP"}})
    };
    let body = json!({"orders": [{"order": order, "purchases": [line("Mug", 1, "12.50"), line("Scarf", 2, "19.00")]}]});
    let imported = service.post("/api/v0/purchases/import", &service.demo.key, body).await;
    assert_eq!(imported.status, 200, "{}", imported.text());
    let browser = Browser::new(service);
    let proof = [("orderNumber", number), ("proof", "ada@example.com")];
    assert_eq!(json_of(&browser, "look-up", &proof).await.0, 200);
    browser
}

/// Chooses units of the two lines, with the first reason: the page of items, and the answer.
async fn choose(browser: &Browser<'_>, units: [u32; 2], resolution: &str) -> (String, Value) {
    let page = read(browser, "/fjord-fern/purchases").await;
    let (_, reasons) = page.split_once("name=\"p1.reason\"").unwrap();
    let mut ids = reasons.split("value=\"").map(|rest| rest.split('"').next().unwrap());
    let reason = ids.find(|id| id.len() == 36).unwrap().to_owned();
    let mut fields = vec![("go".to_owned(), "on".to_owned())];
    for (key, units) in ["p1", "p2"].into_iter().zip(units).filter(|(_, units)| *units > 0) {
        fields.push((format!("{key}.id"), value_of(&page, &format!("{key}.id"))));
        let units = units.to_string();
        let more = [("take", "1"), ("quantity", &units), ("reason", &reason), ("resolution", resolution)];
        fields.extend(more.map(|(name, value)| (format!("{key}.{name}"), value.to_owned())));
        fields.push((format!("{key}.exchange"), "S-2".to_owned()));
    }
    let fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    let (status, reply) = json_of(browser, "choose", &fields).await;
    assert_eq!(status, 200, "{reply}");
    (read(browser, "/fjord-fern/purchases").await, reply)
}

async fn the_estimate_includes_the_delivery_of_a_complete_order(service: Service) {
    let browser = bought(&service, "3001").await;
    let (part, _) = choose(&browser, [1, 1], "Refund").await;
    assert!(
        part.contains("Refund up to") && part.contains("£22.00") && !part.contains("<bdi>Original shipping</bdi>"),
        "{part}"
    );
    let attributes = ["data-order=\"1\"", "data-units=\"3\"", "data-outbound=\"495\""];
    assert!(attributes.iter().all(|attribute| part.matches(attribute).count() == 2), "{part}");
    let (all, reply) = choose(&browser, [1, 2], "Refund").await;
    assert!(all.contains("<bdi>Original shipping</bdi>") && all.contains("£4.95") && all.contains("£36.45"), "{all}");
    let review = read(&browser, &text(&reply["href"])).await;
    assert!(review.contains("£36.45"), "the free option gives as much as the estimate: {review}");

    // Units that no longer come back do not count: without the rest of the order, its delivery is not refunded.
    let ada = service.prove("3001", "ada@example.com").await;
    let purchases = service.purchases(&ada).await;
    let mug = purchases.iter().find(|purchase| purchase["product"]["name"] == "Mug").unwrap().clone();
    service.create_return(&ada, &[mug]).await;
    let rest = read(&browser, "/fjord-fern/purchases").await;
    assert!(rest.contains("data-units=\"2\""), "the last units refund it: {rest}");
}

async fn items_that_can_all_be_exchanged_have_one_reason_for_all(service: Service) {
    set(&service, json!({"policy": {"resolutions": ["Refund", "Exchange"]}})).await;
    let page = read(&bought(&service, "3002").await, "/fjord-fern/purchases").await;
    let (_, list) = page.split_once("id=\"all-why\"").unwrap();
    let (list, _) = list.split_once("</select>").unwrap();
    assert!(list.contains("Changed my mind"), "{list}");
}

async fn an_exchange_with_a_fee_is_called_an_exchange(service: Service) {
    let fee = json!([{"value": "4.95", "currency": "GBP"}]);
    let policy = json!({"requestFee": fee, "feeCollection": "prepay", "resolutions": ["Refund", "Exchange"]});
    set(&service, json!({"policy": policy, "payment": {"kind": "simulated"}})).await;
    let browser = bought(&service, "3003").await;
    let (page, reply) = choose(&browser, [1, 0], "Exchange").await;
    assert!(page.contains("<h2>Your exchange</h2>") && page.contains("Due before you send it"), "{page}");
    let review = read(&browser, &text(&reply["href"])).await;
    assert!(review.contains("<h2>Your exchange</h2>") && !review.contains("<h2>Your refund</h2>"), "{review}");
    let (_, fee) = review.split_once("Handling fee").unwrap();
    let fee = fee.split("</dd>").next().unwrap();
    assert!(fee.contains("£4.95") && !fee.contains('−'), "it is not taken off anything: {fee}");
}

async fn the_box_of_a_gift_is_called_store_credit(service: Service) {
    crate::gifts::give(&service).await;
    let browser = Browser::new(&service);
    let proof = [("orderNumber", "2001"), ("postalCode", "EH6 7AB"), ("email", "eve@example.com")];
    assert_eq!(json_of(&browser, "gift", &proof).await.0, 200);
    let (page, reply) = choose(&browser, [1, 0], "StoreCredit").await;
    assert!(page.contains("<h2>Your return</h2>") && !page.contains("<h2>Your refund</h2>"), "{page}");
    let review = read(&browser, &text(&reply["href"])).await;
    assert!(review.contains("<h2>Store credit</h2>") && !review.contains("<h2>Your refund</h2>"), "{review}");
    let (draft, option) = (value_of(&review, "draft"), value_of(&review, "shippingOption"));
    let (status, reply) = json_of(&browser, "submit", &[("draft", &draft), ("shippingOption", &option)]).await;
    assert_eq!(status, 200, "{reply}");
    let page = read(&browser, &text(&reply["href"])).await;
    assert!(page.contains("<h2>Store credit</h2>") && !page.contains("<h2>Your refund</h2>"), "{page}");
}
