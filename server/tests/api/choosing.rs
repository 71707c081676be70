//! The portal's first page, its list of what can go back, and its pages of returns: what they show without scripting.

use crate::{
    browser::{Browser, has_value},
    gifts::give,
    harness::{Service, on_both_databases, text},
};
use reqwest::Method;
use serde_json::json;

on_both_databases! {
    a_few_reasons_are_chips_and_many_are_a_list
    all_lines_are_chosen_at_once_and_given_one_reason
    what_is_chosen_is_no_result_of_a_search
    who_has_proved_an_order_goes_on_with_it
    who_only_mistyped_was_not_away
    returns_begin_with_the_thing_and_their_history_with_the_news
}

const ADA: [(&str, &str); 2] = [("orderNumber", "1001"), ("proof", "ada@example.com")];

/// Somebody who has found an order.
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

/// The values of the radio buttons of a name, in their order.
fn radios(page: &str, name: &str) -> Vec<String> {
    let start = format!("name=\"{name}\" value=\"");
    page.split(&start).skip(1).map(|rest| rest.split('"').next().unwrap().to_owned()).collect()
}

/// How many rows are ticked.
fn ticked(page: &str) -> usize {
    let tags = page.split("type=\"checkbox\" id=\"p").skip(1);
    tags.filter(|rest| rest.split('>').next().unwrap().contains(" checked")).count()
}

/// How many start tags of a kind have all of these in them.
fn tags(page: &str, start: &str, having: &[&str]) -> usize {
    let tags = page.split(start).skip(1).map(|rest| rest.split('>').next().unwrap());
    tags.filter(|tag| having.iter().all(|part| tag.contains(part))).count()
}

/// The ids of the purchases that can go back, by their row.
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
    // A note that was typed is not folded away.
    let (_, id) = rows(&list).remove(0);
    let noted = [("p1.id", id.as_str()), ("p1.quantity", "1"), ("p1.comment", "Too red"), ("go", "find")];
    assert_eq!(browser.call("choose", &noted, "text/html").await.status, 303);
    assert_eq!(tags(&page(&browser, "/purchases").await, "<details", &["note", " open"]), 1);

    let reason = json!({"description": {"en": "The eighth"}});
    assert_eq!(service.post("/api/v0/return-reasons", &service.demo.key, reason).await.status, 201);
    let list = page(&browser, "/purchases").await;
    assert!(tags(&list, "<select", &["p1-why"]) == 1 && radios(&list, "p1.reason").is_empty(), "{list}");
}

async fn all_lines_are_chosen_at_once_and_given_one_reason(service: Service) {
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
    assert_eq!((given(&reasons[1]), given(&reasons[0])), (1, rows.len() - 1), "what was chosen stays");
    assert!(list.contains(">Clear selection<"), "{list}");

    assert_eq!(browser.call("choose", &[("go", "none")], "text/html").await.status, 303);
    assert_eq!(ticked(&page(&browser, "/purchases").await), 0);

    // One reason counts for what has none.
    let other = &rows[1];
    let names = ["id", "take", "quantity", "reason"].map(|field| format!("{}.{field}", other.0));
    let theirs = names.iter().map(String::as_str).zip([other.1.as_str(), "1", "1", ""]);
    let both = [own.to_vec(), theirs.collect(), vec![("reason", reasons[0].as_str()), ("go", "on")]].concat();
    let answer = browser.call("choose", &both, "application/json").await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    let review = browser.get(answer.json()["href"].as_str().unwrap()).await.text();
    assert!(review.contains("Doesn’t fit") && review.contains("Changed my mind"), "{review}");
    // One that the shop does not offer counts for nothing.
    let wrong = [("p1.id", rows[0].1.as_str()), ("p1.take", "1"), ("p1.quantity", "1"), ("reason", "x"), ("go", "on")];
    assert_eq!(browser.call("choose", &wrong, "application/json").await.status, 422);
}

async fn what_is_chosen_is_no_result_of_a_search(service: Service) {
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

async fn who_has_proved_an_order_goes_on_with_it(service: Service) {
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

    // Who proved it by its postal code does not learn the e-mail address here either.
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

async fn who_only_mistyped_was_not_away(service: Service) {
    let browser = Browser::new(&service);
    let wrong = [("orderNumber", "1001"), ("proof", "eve@example.com")];
    assert_eq!(browser.send(Method::POST, "/fjord-fern/call/look-up", &wrong).await.status, 303);
    let led = browser.get("/fjord-fern/purchases").await;
    assert_eq!((led.status, led.header("location")), (303, Some("/fjord-fern")));
    // A session that has ended leaves its cookie in the browser.
    let browser = Browser::with(&service, &[("cookie", "retour=AAAAAAAAAAAAAAAAAAAAAA")]);
    let led = browser.get("/fjord-fern/purchases").await;
    assert_eq!((led.status, led.header("location")), (303, Some("/fjord-fern?notice=away")));
}

async fn returns_begin_with_the_thing_and_their_history_with_the_news(service: Service) {
    let consumer = service.ada().await;
    let purchase = service.purchases(&consumer).await.remove(0);
    let order = service.give_back(&consumer, std::slice::from_ref(&purchase)).await;
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
    assert!(at("Label created") < at("Return requested"), "the news come first: {history}");
    assert!(history.contains(">21 November, 10:00</time>"), "today has a time: {history}");
    assert!(history.contains("title=\"Saturday, 21 November 2026, 10:00\""), "{history}");
    assert!(history.contains("datetime=\"2026-11-21T10:00:00Z\""), "{history}");

    assert_eq!(browser.call("cancel", &[("id", &id)], "text/html").await.status, 303);
    let shown = page(&browser, &format!("/returns/{id}")).await;
    let (_, history) = shown.split_once("id=\"history\"").unwrap();
    let (news, earlier) = history.split_once("<details class=\"earlier\">").unwrap();
    assert!(news.contains("Cancelled by you") && earlier.contains("2 earlier steps"), "{history}");
    assert!(!shown.contains("What happens next"), "{shown}");
}
