//! Amounts on the portal's pages: an exchange, a fee that is due first, and a return that is declined.

use crate::{
    browser::Browser,
    calls::{ADA, json_of, value_of},
    harness::{Service, on_both_databases, text},
};
use serde_json::{Value, json};

on_both_databases! {
    an_exchange_shows_the_new_item_and_no_costs
    a_fee_that_is_due_now_is_separate_from_the_refund
    a_declined_return_shows_the_reason_once_and_what_to_do
}

/// The page where Ada, who has proved her order, chooses items.
pub async fn choosing(browser: &Browser<'_>) -> String {
    assert_eq!(json_of(browser, "look-up", &ADA).await.0, 200);
    browser.get("/fjord-fern/purchases").await.text()
}

/// Chooses one unit of an item, with additional fields.
pub async fn choose(browser: &Browser<'_>, page: &str, key: &str, more: &[(&str, &str)]) -> (u16, Value) {
    let (_, reasons) = page.split_once(&format!("name=\"{key}.reason\"")).unwrap();
    let mut options = reasons.split("value=\"").map(|rest| rest.split('"').next().unwrap());
    let reason = options.find(|id| id.len() == 36).unwrap().to_owned();
    let field = |name: &str, value: &str| (format!("{key}.{name}"), value.to_owned());
    let fields = [
        field("id", &value_of(page, &format!("{key}.id"))),
        field("take", "1"),
        field("quantity", "1"),
        field("reason", &reason),
        ("go".to_owned(), "on".to_owned()),
    ];
    let more = more.iter().map(|(name, value)| field(name, value));
    let fields: Vec<(String, String)> = fields.into_iter().chain(more).collect();
    let fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    json_of(browser, "choose", &fields).await
}

/// Submits the draft of a review page: the page of the return, and its id.
pub async fn submitted(browser: &Browser<'_>, review: &str) -> (String, String) {
    let (draft, option) = (value_of(review, "draft"), value_of(review, "shippingOption"));
    let (status, reply) = json_of(browser, "submit", &[("draft", &draft), ("shippingOption", &option)]).await;
    assert_eq!(status, 200, "{reply}");
    let href = text(&reply["href"]);
    let id = href.rsplit('/').next().unwrap().to_owned();
    (browser.get(&href).await.text(), id)
}

async fn an_exchange_shows_the_new_item_and_no_costs(service: Service) {
    let browser = Browser::new(&service);
    let page = choosing(&browser).await;
    assert!(page.contains("value=\"Exchange\"") && page.contains(">Same item again</option>"), "{page}");
    let (_, mug) = page.split_once("id=\"p3-row\"").unwrap();
    let (mug, _) = mug.split_once("id=\"p4-row\"").unwrap();
    assert!(mug.contains("Stoneware mug") && mug.contains("value=\"Refund\"") && !mug.contains("value=\"Exchange\""));
    let (status, reply) = choose(&browser, &page, "p3", &[("resolution", "Exchange")]).await;
    assert_eq!((status, reply.to_string().contains("ResolutionNotOffered")), (422, true), "{reply}");

    let browser = Browser::new(&service);
    let page = choosing(&browser).await;
    let (status, reply) = choose(&browser, &page, "p1", &[("resolution", "Exchange"), ("exchange", "LS-204-L")]).await;
    assert_eq!(status, 200, "{reply}");
    let review = browser.get(&text(&reply["href"])).await.text();
    for part in ["Linen shirt, relaxed fit → Size L", "No charge", "Your exchange", "Exchange for Size L"] {
        assert!(review.contains(part), "no {part} in {review}");
    }
    assert!(!review.contains('£'), "an exchange costs nothing with any shipping option: {review}");
    let (page, _) = submitted(&browser, &review).await;
    assert!(page.contains("Linen shirt, relaxed fit → Size L") && !page.contains('£'), "{page}");
}

async fn a_fee_that_is_due_now_is_separate_from_the_refund(service: Service) {
    let policy = json!({"policy": {"feeCollection": "prepay"}, "payment": {"kind": "simulated"}});
    assert_eq!(service.patch("/api/v0/account", &service.demo.key, policy).await.status, 200);
    let browser = Browser::new(&service);
    let page = choosing(&browser).await;
    let (_, reply) = choose(&browser, &page, "p1", &[]).await;
    let again = browser.get("/fjord-fern/purchases").await.text();
    for part in ["Due before you send it", "£0–£4.95", "Refund later"] {
        assert!(again.contains(part), "no {part} in {again}");
    }
    let review = browser.get(&text(&reply["href"])).await.text();
    for part in ["Continue to payment · £3.95", "Due now", "Refund later", "Due now £3.95"] {
        assert!(review.contains(part), "no {part} in {review}");
    }
    let (page, id) = submitted(&browser, &review).await;
    assert!(page.contains("<h1>Pay £3.95 to get your label</h1>") && page.contains("Refund later"), "{page}");
    let pay = browser.get(&format!("/fjord-fern/pay/{id}")).await.text();
    assert!(pay.contains("<h1>Pay £3.95 to get your label</h1>"), "{pay}");
    assert_eq!(json_of(&browser, "pay", &[("id", &id)]).await.0, 200);
    let paid = browser.get(&format!("/fjord-fern/returns/{id}")).await.text();
    let (_, receipt) = paid.split_once("class=\"receipt\"").unwrap();
    let (receipt, _) = receipt.split_once("</aside>").unwrap();
    let is_paid = receipt.contains("Already paid") && receipt.contains("Refund total");
    assert!(is_paid && !receipt.contains("Refund later"), "{receipt}");
}

async fn a_declined_return_shows_the_reason_once_and_what_to_do(service: Service) {
    let policy = json!({"policy": {"autoApprove": false}});
    assert_eq!(service.patch("/api/v0/account", &service.demo.key, policy).await.status, 200);
    let browser = Browser::new(&service);
    let page = choosing(&browser).await;
    let (_, reply) = choose(&browser, &page, "p1", &[]).await;
    let review = browser.get(&text(&reply["href"])).await.text();
    let (_, id) = submitted(&browser, &review).await;
    let of_order = format!("/api/v0/return-requests?filter=returnOrderId:{id}");
    let request = service.get(&of_order, &service.demo.key).await.json()["data"][0].clone();
    let path = format!("/api/v0/return-requests/{}", text(&request["id"]));
    let no = json!({"stage": "Requested: Rejected", "comment": "It was worn outdoors."});
    let answer = service.patch(&path, &service.demo.key, no).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    let page = browser.get(&format!("/fjord-fern/returns/{id}")).await.text();
    assert_eq!(page.matches("It was worn outdoors.").count(), 1, "{page}");
    assert!(page.contains("You can keep the items. If you have any questions, please contact us."), "{page}");
}
