//! The portal's first page, its list of items, and its pages of returns, without scripting.

use crate::{
    browser::{Browser, has_value},
    gifts::give,
    harness::{Service, on_both_databases, text},
};
use reqwest::Method;
use serde_json::json;

on_both_databases! {
    a_few_reasons_are_chips_and_many_are_a_list
    all_lines_are_selected_and_get_one_reason
    choices_outside_of_a_search_stay
    a_shopper_can_continue_with_a_proved_order
    a_typing_error_does_not_end_the_session
    returns_start_with_the_item_and_histories_with_the_newest_entry
}

const ADA: [(&str, &str); 2] = [("orderNumber", "1001"), ("proof", "ada@example.com")];

/// A browser in which Ada has proved her order.
async fn ada(service: &Service) -> Browser<'_> {
    let browser = Browser::new(service);
    assert_eq!(browser.send(Method::POST, "/fjord-fern/call/look-up", &ADA).await.status, 303);
    browser
}

async fn page(browser: &Browser<'_>, path: &str) -> String {
    let answer = browser.get(&format!("/fjord-fern{path}")).await;
    assert_eq!(answer.status, 200, "{path}: {}", answer.text());
    answer.text()
}

/// The values of the radio buttons with a name, in order.
fn radios(page: &str, name: &str) -> Vec<String> {
    let start = format!("name=\"{name}\" value=\"");
    page.split(&start).skip(1).map(|rest| rest.split('"').next().unwrap().to_owned()).collect()
}

/// How many rows are selected.
fn ticked(page: &str) -> usize {
    let tags = page.split("type=\"checkbox\" id=\"p").skip(1);
    tags.filter(|rest| rest.split('>').next().unwrap().contains(" checked")).count()
}

/// How many start tags of a kind contain all of these texts.
fn tags(page: &str, start: &str, having: &[&str]) -> usize {
    let tags = page.split(start).skip(1).map(|rest| rest.split('>').next().unwrap());
    tags.filter(|tag| having.iter().all(|part| tag.contains(part))).count()
}

/// The ids of the purchases that can be returned, with their rows.
fn rows(page: &str) -> Vec<(String, String)> {
    let ids = (1..20).map(|row| format!("p{row}"));
    let found = ids.map(|key| {
        let id = radios(page, &format!("{key}.id")).pop();
        (key, id)
    });
    found.filter_map(|(key, id)| Some((key, id?))).collect()
}

async fn a_few_reasons_are_chips_and_many_are_a_list(service: Service) {
    let browser = ada(&service).await;
    let list = page(&browser, "/purchases").await;
    assert_eq!(radios(&list, "p1.reason").len(), 7, "{list}");
    assert!(list.contains("role=\"radiogroup\" aria-labelledby=\"p1-why-title\""), "{list}");
    assert_eq!((tags(&list, "<select", &["p1-why"]), tags(&list, "<details", &["note", " open"])), (0, 0), "{list}");
    // A note with text is not collapsed.
    let (_, id) = rows(&list).remove(0);
    let noted = [("p1.id", id.as_str()), ("p1.quantity", "1"), ("p1.comment", "Too red"), ("go", "find")];
    assert_eq!(browser.call("choose", &noted, "text/html").await.status, 303);
    assert_eq!(tags(&page(&browser, "/purchases").await, "<details", &["note", " open"]), 1);

    let reason = json!({"description": {"en": "The eighth"}});
    assert_eq!(service.post("/api/v0/return-reasons", &service.demo.key, reason).await.status, 201);
    let list = page(&browser, "/purchases").await;
    assert!(tags(&list, "<select", &["p1-why"]) == 1 && radios(&list, "p1.reason").is_empty(), "{list}");
}

async fn all_lines_are_selected_and_get_one_reason(service: Service) {
    let browser = ada(&service).await;
    let list = page(&browser, "/purchases").await;
    let (rows, reasons) = (rows(&list), radios(&list, "p1.reason"));
    assert!(rows.len() > 2 && ticked(&list) == 0 && list.contains(">Select all<"), "{list}");
    let own = [("p1.id", rows[0].1.as_str()), ("p1.take", "1"), ("p1.quantity", "1"), ("p1.reason", &reasons[1])];
    let all = [own.as_slice(), &[("go", "all"), ("reason", reasons[0].as_str())]].concat();
    let led = browser.call("choose", &all, "text/html").await;
    assert_eq!((led.status, led.header("location")), (303, Some("/fjord-fern/purchases")));
    let list = page(&browser, "/purchases").await;
    assert_eq!(ticked(&list), rows.len());
    let given = |reason: &str| list.matches(&format!(".reason\" value=\"{reason}\" checked")).count();
    assert_eq!((given(&reasons[1]), given(&reasons[0])), (1, rows.len() - 1), "earlier choices stay");
    assert!(list.contains(">Clear selection<"), "{list}");

    assert_eq!(browser.call("choose", &[("go", "none")], "text/html").await.status, 303);
    assert_eq!(ticked(&page(&browser, "/purchases").await), 0);

    // The reason applies to the lines without one.
    let other = &rows[1];
    let names = ["id", "take", "quantity", "reason"].map(|field| format!("{}.{field}", other.0));
    let theirs = names.iter().map(String::as_str).zip([other.1.as_str(), "1", "1", ""]);
    let both = [own.to_vec(), theirs.collect(), vec![("reason", reasons[0].as_str()), ("go", "on")]].concat();
    let answer = browser.call("choose", &both, "application/json").await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    let review = browser.get(answer.json()["href"].as_str().unwrap()).await.text();
    assert!(review.contains("Doesn’t fit") && review.contains("Changed my mind"), "{review}");
    // A reason that the shop does not offer is ignored.
    let wrong = [("p1.id", rows[0].1.as_str()), ("p1.take", "1"), ("p1.quantity", "1"), ("reason", "x"), ("go", "on")];
    assert_eq!(browser.call("choose", &wrong, "application/json").await.status, 422);
}

async fn choices_outside_of_a_search_stay(service: Service) {
    let browser = ada(&service).await;
    let rows = rows(&page(&browser, "/purchases").await);
    let chosen = [("p1.id", rows[0].1.as_str()), ("p1.take", "1"), ("q", "zzzz"), ("go", "find")];
    let led = browser.call("choose", &chosen, "text/html").await;
    assert_eq!(led.header("location"), Some("/fjord-fern/purchases?q=zzzz"));
    let list = page(&browser, "/purchases?q=zzzz").await;
    let (orders, selected) = list.split_once("id=\"selected\"").unwrap();
    assert!(selected.contains("Selected (1)") && selected.contains("id=\"p1-row\" data-home=\"o1\""), "{selected}");
    assert!(!orders.contains("id=\"p1-row\""), "{orders}");
    let list = page(&browser, "/purchases").await;
    assert!(list.contains("id=\"p1-row\"") && !list.contains("Selected (1)"), "{list}");
}

async fn a_shopper_can_continue_with_a_proved_order(service: Service) {
    let stranger = Browser::new(&service);
    assert!(!page(&stranger, "").await.contains("Continue with order"));
    assert!(!has_value(&page(&stranger, "/withdraw").await, "ada@example.com"));
    let browser = ada(&service).await;
    let first = page(&browser, "").await;
    assert_eq!(tags(&first, "<a ", &["go-on-way", "href=\"/fjord-fern/purchases\""]), 1, "{first}");
    assert!(first.contains("Continue with order #1001"), "{first}");
    let withdraw = page(&browser, "/withdraw").await;
    assert!(withdraw.contains("\n#1001</textarea>") && has_value(&withdraw, "ada@example.com"), "{withdraw}");
    assert!(page(&browser, "?lang=ar").await.contains("المتابعة مع الطلب \u{2068}#1001\u{2069}"));

    // A shopper who proved the order by postal code does not see the e-mail address here either.
    give(&service).await;
    let code = json!({"policy": {"lookUpBy": ["postalCode"]}});
    assert_eq!(service.patch("/api/v0/account", &service.demo.key, code).await.status, 200);
    let browser = Browser::new(&service);
    let found = [("orderNumber", "2001"), ("proof", "EH6 7AB")];
    let led = browser.send(Method::POST, "/fjord-fern/call/look-up", &found).await;
    assert_eq!((led.status, led.header("location")), (303, Some("/fjord-fern/purchases")));
    let withdraw = page(&browser, "/withdraw").await;
    assert!(withdraw.contains("\n2001</textarea>") && !withdraw.contains("ada@example.com"), "{withdraw}");
}

async fn a_typing_error_does_not_end_the_session(service: Service) {
    let browser = Browser::new(&service);
    let wrong = [("orderNumber", "1001"), ("proof", "eve@example.com")];
    assert_eq!(browser.send(Method::POST, "/fjord-fern/call/look-up", &wrong).await.status, 303);
    let led = browser.get("/fjord-fern/purchases").await;
    assert_eq!((led.status, led.header("location")), (303, Some("/fjord-fern")));
    // The cookie of an ended session stays in the browser.
    let browser = Browser::with(&service, &[("cookie", "retour=AAAAAAAAAAAAAAAAAAAAAA")]);
    let led = browser.get("/fjord-fern/purchases").await;
    assert_eq!((led.status, led.header("location")), (303, Some("/fjord-fern?notice=away")));
}

async fn returns_start_with_the_item_and_histories_with_the_newest_entry(service: Service) {
    let consumer = service.ada().await;
    let purchase = service.purchases(&consumer).await.remove(0);
    let order = service.create_return(&consumer, std::slice::from_ref(&purchase)).await;
    let (id, number, name) = (text(&order["id"]), text(&order["number"]), text(&purchase["product"]["name"]));
    let browser = ada(&service).await;
    let list = page(&browser, "/returns").await;
    let (_, row) = list.split_once("<li class=\"return-row\">").unwrap();
    assert!(row.contains(&format!("<a href=\"/fjord-fern/returns/{id}\"><bdi>{name}</bdi></a>")), "{row}");
    assert!(row.contains("<img src=") && row.contains("class=\"return-amount\""), "{row}");
    assert!(row.contains(&format!("<span class=\"whole\">Return {number}</span>")), "{row}");

    let shown = page(&browser, &format!("/returns/{id}")).await;
    let (next, history) = shown.split_once("id=\"history\"").unwrap();
    assert!(next.contains("What happens next") && !next.contains("Return requested"), "{next}");
    let at = |what: &str| history.find(what).unwrap_or_else(|| panic!("{what}: {history}"));
    assert!(at("Label created") < at("Return requested"), "the newest entry comes first: {history}");
    assert!(history.contains(">21 November, 10:00</time>"), "an entry of today shows the time: {history}");
    assert!(history.contains("title=\"Saturday, 21 November 2026, 10:00\""), "{history}");
    assert!(history.contains("datetime=\"2026-11-21T10:00:00Z\""), "{history}");

    assert_eq!(browser.call("cancel", &[("id", &id)], "text/html").await.status, 303);
    let shown = page(&browser, &format!("/returns/{id}")).await;
    let (_, history) = shown.split_once("id=\"history\"").unwrap();
    let (news, earlier) = history.split_once("<details class=\"earlier\">").unwrap();
    assert!(news.contains("Cancelled by you") && earlier.contains("2 earlier steps"), "{history}");
    assert!(!shown.contains("What happens next"), "{shown}");
}
