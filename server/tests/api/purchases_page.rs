//! The portal's list of items: what it shows, hides and counts.

use crate::{
    browser::Browser,
    calls::{json_of, value_of},
    harness::{Service, on_both_databases, text},
};
use serde_json::{Value, json};

on_both_databases! {
    a_search_and_a_filter_hide_rows
    refining_reasons_are_below_theirs
    a_reason_is_shown_without_the_one_that_it_refines
    the_limit_of_an_order_is_shown_and_bounds_the_estimate
    rows_have_the_weight_of_their_product
}

/// The names of the rows of a list, and whether each is hidden.
fn rows(page: &str) -> Vec<(String, bool)> {
    let rows = page.split("<li ").skip(1).map(|row| row.split_once('>').unwrap());
    let rows = rows.filter(|(tag, _)| tag.contains("-row\"")).map(|(tag, rest)| {
        let (_, name) = rest.split_once("<bdi>").unwrap();
        (name.split('<').next().unwrap().to_owned(), tag.contains(" hidden"))
    });
    rows.collect()
}

/// The names of the rows that a list shows.
fn visible(page: &str) -> Vec<String> {
    rows(page).into_iter().filter(|(_, is_hidden)| !is_hidden).map(|(name, _)| name).collect()
}

/// A browser in which this order is proved.
async fn proved<'a>(service: &'a Service, order: &str, email: &str) -> Browser<'a> {
    let browser = Browser::new(service);
    let proof = [("orderNumber", order), ("proof", email)];
    assert_eq!(json_of(&browser, "look-up", &proof).await.0, 200);
    browser
}

async fn listed(browser: &Browser<'_>, query: &str) -> String {
    let list = browser.get(&format!("/fjord-fern/purchases{query}")).await;
    assert_eq!(list.status, 200, "{}", list.text());
    list.text().replace("<!>", "")
}

fn gbp(value: &str) -> Value {
    json!({"value": value, "currency": "GBP"})
}

async fn import(service: &Service, order: Value, purchases: Value) {
    let body = json!({"orders": [{"order": order, "purchases": purchases}]});
    let imported = service.post("/api/v0/purchases/import", &service.demo.key, body).await;
    assert_eq!(imported.status, 200, "{}", imported.text());
}

async fn a_search_and_a_filter_hide_rows(service: Service) {
    let browser = proved(&service, "1002", "ben@example.com").await;
    let (boots, jacket, card) = ("Walking boots", "Rain jacket", "Gift card");
    for (query, wanted) in [
        ("", vec![boots, jacket, card]),
        ("?only=1", vec![boots, jacket]),
        ("?q=JACKET", vec![jacket]),
        ("?q=jacket&only=1", vec![jacket]),
        ("?q=card", vec![card]),
        ("?q=card&only=1", vec![]),
        ("?q=slate", vec![jacket]),
    ] {
        let page = listed(&browser, query).await;
        assert_eq!(visible(&page), wanted, "{query}");
        assert_eq!(rows(&page).len(), 3, "what was typed in hidden rows is sent, too");
        let hides_all = page.contains("<section aria-labelledby=\"o1\" hidden class=\"order\">");
        assert_eq!(hides_all, wanted.is_empty(), "{query}: {page}");
    }
    // A selected row stays in sight, whatever is searched for.
    let page = listed(&browser, "").await;
    let chosen = [("p1.id", &*value_of(&page, "p1.id")), ("p1.take", "1"), ("p1.quantity", "1"), ("go", "find")];
    assert_eq!(json_of(&browser, "choose", &chosen).await.0, 200);
    assert_eq!(visible(&listed(&browser, "?q=jacket").await), [jacket, boots]);

    // Where nothing is returnable, the page has one column and explains itself.
    let is_wide = |page: &str| page.split("<body ").nth(1).unwrap().split('>').next().unwrap().contains("wide");
    assert!(is_wide(&page), "{page}");
    let none = listed(&proved(&service, "1003", "cleo@example.com").await, "").await;
    assert!(!is_wide(&none) && none.contains("class=\"item item-no\"") && !none.contains("<leptos-island"), "{none}");
    assert!(page.contains("<leptos-island"), "{page}");
}

async fn refining_reasons_are_below_theirs(service: Service) {
    let key = &service.demo.key;
    let make = async |reason: Value| text(&service.post("/api/v0/return-reasons", key, reason).await.json()["id"]);
    let rain = make(json!({"description": {"en": "It leaks"}})).await;
    let heavy = make(json!({"description": {"en": "In heavy rain"}, "parentId": rain})).await;
    let light = make(json!({"description": {"en": "In light rain"}, "parentId": rain})).await;
    let page = listed(&proved(&service, "1002", "ben@example.com").await, "").await;
    let (_, list) = page.split_once("<select id=\"p1-why\"").unwrap();
    let (list, _) = list.split_once("</select>").unwrap();
    let (others, group) = list.split_once("<optgroup label=\"It leaks\">").unwrap_or_else(|| panic!("{list}"));
    let (group, after) = group.split_once("</optgroup>").unwrap();
    assert!(!list.contains(&rain), "a heading cannot be selected: {list}");
    for (id, name) in [(&heavy, "In heavy rain"), (&light, "In light rain")] {
        assert!(group.contains(&format!("<option value=\"{id}\">{name}</option>")), "{group}");
        assert!(!others.contains(name) && !after.contains(name), "{list}");
    }
    assert_eq!(group.matches("<option").count(), 2, "{group}");
    assert_eq!(others.matches("<option").count() + after.matches("<option").count(), 8, "seven and none: {list}");
    assert_eq!(list.matches("<optgroup").count(), 1, "{list}");
}

async fn a_reason_is_shown_without_the_one_that_it_refines(service: Service) {
    let key = &service.demo.key;
    let make = async |reason: Value| text(&service.post("/api/v0/return-reasons", key, reason).await.json()["id"]);
    let size = make(json!({"description": {"en": "Wrong size"}, "allowedResolutions": ["Exchange"]})).await;
    make(json!({"description": {"en": "Too small"}, "parentId": size})).await;
    let page = listed(&proved(&service, "1002", "ben@example.com").await, "").await;
    // The boots can be exchanged, and the jacket cannot.
    let boots = page.split_once("<select id=\"p1-why\"").unwrap().1.split("</select>").next().unwrap();
    assert!(boots.contains("<optgroup label=\"Wrong size\">") && boots.contains(">Too small<"), "{boots}");
    let (_, jacket) = page.split_once("id=\"p2-row\"").unwrap();
    let (jacket, _) = jacket.split_once("id=\"p3-row\"").unwrap();
    assert!(jacket.contains(">Too small<") && !jacket.contains("Wrong size"), "{jacket}");
}

async fn the_limit_of_an_order_is_shown_and_bounds_the_estimate(service: Service) {
    let lines = |number: &str| {
        let line = |position: u32| {
            json!({"externalId": format!("{number}/{position}"), "product": {"name": format!("Bowl {position}")},
                "quantity": 1, "totalPrice": gbp("10.00"), "fulfilledAt": "2026-11-19T09:00:00Z"})
        };
        json!([line(1), line(2)])
    };
    for (number, refunded, sentence) in [
        ("4001", "0.00", None),
        ("4002", "5.00", Some("Up to £15.00 of this order can still be refunded.")),
        ("4003", "20.00", Some("There’s nothing left to refund on this order.")),
    ] {
        let order = json!({"externalId": number, "number": number, "email": "eve@example.com", "currency": "GBP",
            "orderedAt": "2026-11-18T09:00:00Z", "totalPaid": gbp("20.00"), "totalRefunded": gbp(refunded),
            "address": {"name": "Eve Adams", "postalCode": "PH1 5AB", "country": "GB"}});
        import(&service, order, lines(number)).await;
        let browser = proved(&service, number, "eve@example.com").await;
        let page = listed(&browser, "").await;
        assert_eq!(page.contains("refunded. We’ll review") || page.contains("nothing left"), sentence.is_some());
        assert!(sentence.is_none_or(|sentence| page.contains(sentence)), "{number}: {page}");
        let reason = value_of(&page, "p1.reason");
        let ids = ["p1.id", "p2.id"].map(|name| value_of(&page, name));
        let first = [("p1.id", ids[0].as_str()), ("p1.take", "1"), ("p1.quantity", "1"), ("p1.reason", &reason)];
        let second = [("p2.id", ids[1].as_str()), ("p2.take", "1"), ("p2.quantity", "1"), ("p2.reason", &reason)];
        let both = [first.as_slice(), &second, &[("go", "find")]].concat();
        assert_eq!(json_of(&browser, "choose", &both).await.0, 200);
        let page = listed(&browser, "").await;
        let (_, receipt) = page.split_once("class=\"receipt\"").unwrap();
        let (receipt, _) = receipt.split_once("</aside>").unwrap();
        assert_eq!(receipt.contains("Over the refund limit"), sentence.is_some(), "{number}: {receipt}");
    }
}

async fn rows_have_the_weight_of_their_product(service: Service) {
    let weight = json!({"policy": {"defaultWeight": 750}});
    assert_eq!(service.patch("/api/v0/account", &service.demo.key, weight).await.status, 200);
    let order = json!({"externalId": "5001", "number": "5001", "email": "eve@example.com", "currency": "GBP",
        "orderedAt": "2026-11-18T09:00:00Z", "address": {"name": "Eve Adams", "postalCode": "PH1 5AB", "country": "GB"}});
    let line = |position: u32, product: Value| {
        json!({"externalId": format!("5001/{position}"), "product": product, "quantity": 1,
            "totalPrice": gbp("10.00"), "fulfilledAt": "2026-11-19T09:00:00Z"})
    };
    let lines = json!([line(1, json!({"name": "Bowl", "weight": 320})), line(2, json!({"name": "Plate"}))]);
    import(&service, order, lines).await;
    let page = listed(&proved(&service, "5001", "eve@example.com").await, "").await;
    let weights: Vec<&str> = page.split("data-weight=\"").skip(1).map(|rest| rest.split('"').next().unwrap()).collect();
    assert_eq!(weights, ["320", "750"], "{page}");
}
