//! The portal's server functions, as forms and as islands call them.

use crate::{
    browser::{Browser, has_value},
    harness::{Answer, Service, on_both_databases, text},
};
use reqwest::Method;
use serde_json::{Value, json};

on_both_databases! {
    each_function_answers_without_a_session
    a_return_is_made_and_cancelled_by_functions
    typed_values_stay_and_errors_show_once
    submitting_a_draft_concurrently_gives_one_return
    damaged_and_foreign_calls_are_refused
    forms_of_an_earlier_version_are_redirected_to_their_functions
    functions_work_at_the_shops_own_host_and_in_a_frame
    a_session_without_an_order_does_not_grow
    a_proved_order_is_remembered_for_a_day
}

pub const ADA: [(&str, &str); 2] = [("orderNumber", "1001"), ("proof", "ada@example.com")];

/// Calls a function as an island does.
pub async fn json_of(browser: &Browser<'_>, name: &str, fields: &[(&str, &str)]) -> (u16, Value) {
    let answer = browser.call(name, fields, "application/json").await;
    assert_eq!(answer.header("content-type"), Some("application/json"), "{name}: {}", answer.text());
    assert_eq!(answer.header("cache-control"), Some("no-store"), "{name}");
    assert!(answer.header("location").is_none() && answer.header("serverfnerror").is_none(), "{name}");
    (answer.status, answer.json())
}

/// Sends a form: the status, and where the answer redirects.
async fn form_of(browser: &Browser<'_>, name: &str, fields: &[(&str, &str)]) -> (u16, String) {
    let answer = browser.call(name, fields, "text/html,application/xhtml+xml,*/*;q=0.8").await;
    assert!(answer.header("serverfnerror").is_none(), "{name}");
    (answer.status, answer.header("location").unwrap_or_default().to_owned())
}

async fn each_function_answers_without_a_session(service: Service) {
    let mistakes = |mistakes: Value| json!({"mistakes": mistakes});
    let (signed_out, not_there) = (json!("signedOut"), json!("notThere"));
    let missing = mistakes(json!(["OrderNumberMissing", "ProofMissing"]));
    let untold = mistakes(json!(["NameMissing", "ContractMissing", "EmailMissing"]));
    let home = "/fjord-fern".to_owned();
    let answers = [
        ("answer", 401, signed_out.clone(), 303, home.clone()),
        ("cancel", 401, signed_out.clone(), 303, home.clone()),
        ("choose", 401, signed_out.clone(), 303, home.clone()),
        ("gift", 404, not_there.clone(), 303, home.clone()),
        ("is-waiting", 401, signed_out.clone(), 303, home.clone()),
        ("leave", 200, json!({"href": "/fjord-fern?notice=left"}), 303, "/fjord-fern?notice=left".into()),
        ("link", 404, not_there.clone(), 404, String::new()),
        ("look-up", 422, missing, 303, home.clone()),
        ("pay", 404, not_there.clone(), 404, String::new()),
        ("ship", 401, signed_out.clone(), 303, home.clone()),
        ("submit", 401, signed_out, 303, home),
        ("withdraw", 422, untold, 303, "/fjord-fern/withdraw".into()),
        ("withdraw-confirm", 409, json!({"changed": "draftOver"}), 303, "/fjord-fern/withdraw?notice=lost".into()),
    ];
    for (name, json_status, value, form_status, place) in answers {
        let (status, reply) = json_of(&Browser::new(&service), name, &[]).await;
        assert_eq!((status, reply), (json_status, value), "{name} as JSON");
        let (status, led) = form_of(&Browser::new(&service), name, &[]).await;
        assert_eq!((status, led), (form_status, place), "{name} as a form");
    }
    let browser = Browser::new(&service);
    assert_eq!(json_of(&browser, "no-such-function", &[]).await, (404, not_there));
    assert_eq!(form_of(&browser, "no-such-function", &[]).await.0, 404);
    // Opening the address of a function redirects to its page.
    let opened = browser.get("/fjord-fern/call/choose").await;
    assert_eq!((opened.status, opened.header("location")), (303, Some("/fjord-fern/purchases")));
    assert_eq!(browser.get("/fjord-fern/call/no-such-function").await.status, 404);
}

/// The value of the first field with this name on a page.
pub fn value_of(page: &str, name: &str) -> String {
    let (before, after) = page.split_once(&format!("name=\"{name}\"")).unwrap_or_else(|| panic!("no {name} in {page}"));
    let tag = before.rsplit('<').next().unwrap().to_owned() + after.split('>').next().unwrap();
    tag.split_once("value=\"").unwrap().1.split('"').next().unwrap().to_owned()
}

/// The form fields that choose one unit of the first item.
async fn first_chosen(browser: &Browser<'_>) -> Vec<(String, String)> {
    let page = browser.get("/fjord-fern/purchases").await.text();
    let fields = [
        ("p1.id", value_of(&page, "p1.id")),
        ("p1.take", "1".to_owned()),
        ("p1.quantity", "1".to_owned()),
        ("p1.reason", value_of(&page, "p1.reason")),
        ("go", "on".to_owned()),
    ];
    fields.map(|(name, value)| (name.to_owned(), value)).to_vec()
}

fn borrowed(fields: &[(String, String)]) -> Vec<(&str, &str)> {
    fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect()
}

/// Ada has chosen items: the page of her draft.
async fn drafted(browser: &Browser<'_>) -> (String, String, String) {
    let (status, reply) = json_of(browser, "look-up", &ADA).await;
    assert_eq!((status, reply), (200, json!({"href": "/fjord-fern/purchases"})));
    let chosen = first_chosen(browser).await;
    let (status, reply) = json_of(browser, "choose", &borrowed(&chosen)).await;
    assert_eq!(status, 200, "{reply}");
    let href = reply["href"].as_str().unwrap().to_owned();
    let page = browser.get(&href).await.text();
    (href, value_of(&page, "draft"), value_of(&page, "shippingOption"))
}

/// Another return of Ada's that the warehouse has received, and its page.
async fn received(service: &Service) -> (String, String) {
    let ada = service.ada().await;
    let purchases = service.purchases(&ada).await;
    let order = service.create_return(&ada, &purchases[1..2]).await;
    let id = text(&order["id"]);
    let whole = format!("/api/v0/return-orders/{id}?expand=returnRequests");
    let whole = service.get(&whole, &service.demo.key).await.json();
    let receipts = format!("/api/v0/return-requests/{}/receipts", text(&whole["returnRequests"][0]["id"]));
    assert_eq!(service.post(&receipts, &service.demo.key, json!({"quantity": 1})).await.status, 200);
    let page = format!("/fjord-fern/returns/{id}");
    (id, page)
}

async fn a_return_is_made_and_cancelled_by_functions(service: Service) {
    let browser = Browser::new(&service);
    let (href, draft, option) = drafted(&browser).await;
    assert_eq!(href, format!("/fjord-fern/review?draft={draft}"));

    let fields = [("draft", draft.as_str()), ("shippingOption", option.as_str())];
    let (status, shipped) = json_of(&browser, "ship", &fields).await;
    assert_eq!(status, 200, "{shipped}");
    assert!(shipped["receipt"]["total"]["figure"].as_str().is_some_and(|figure| figure.starts_with('£')), "{shipped}");
    assert_eq!(form_of(&browser, "ship", &fields).await, (303, href.clone()));
    let unknown = [("draft", draft.as_str()), ("shippingOption", "x")];
    let missing = json!({"mistakes": ["OptionMissing"]});
    assert_eq!(json_of(&browser, "ship", &unknown).await, (422, missing));
    assert_eq!(browser.get(&href).await.status, 422, "the next page shows the error");

    let (status, reply) = json_of(&browser, "submit", &fields).await;
    assert_eq!(status, 200, "{reply}");
    let page = reply["href"].as_str().unwrap().to_owned();
    let id = page.strip_prefix("/fjord-fern/returns/").unwrap();
    assert_eq!(browser.get(&page).await.status, 200);
    assert_eq!(json_of(&browser, "is-waiting", &[("id", id)]).await, (200, json!(false)));
    assert_eq!(
        form_of(&browser, "submit", &fields).await,
        (303, page.clone()),
        "submitting a draft twice gives one return"
    );

    // Another shopper's return looks like one that does not exist.
    let stranger = Browser::new(&service);
    assert_eq!(json_of(&stranger, "look-up", &[("orderNumber", "1003"), ("proof", "cleo@example.com")]).await.0, 200);
    for (name, there) in [("cancel", id), ("cancel", "x"), ("is-waiting", id)] {
        assert_eq!(json_of(&stranger, name, &[("id", there)]).await, (404, json!("notThere")), "{name}");
    }
    assert_eq!(json_of(&browser, "cancel", &[("id", id)]).await, (200, json!({"href": page})));
    assert_eq!(
        json_of(&browser, "cancel", &[("id", id)]).await,
        (200, json!({"href": page})),
        "cancelling twice is the same as once"
    );

    let (id, page) = received(&service).await;
    let id = id.as_str();
    let late = json!({"changed": "tooLateToCancel"});
    assert_eq!(json_of(&browser, "cancel", &[("id", id)]).await, (409, late));
    assert_eq!(form_of(&browser, "cancel", &[("id", id)]).await, (303, page.clone()));
    assert_eq!(browser.get(&page).await.status, 409, "the page of the return shows the error");
    assert_eq!(form_of(&browser, "leave", &[]).await.0, 303);
    assert_eq!(json_of(&browser, "is-waiting", &[("id", id)]).await.0, 401);
}

async fn typed_values_stay_and_errors_show_once(service: Service) {
    let browser = Browser::new(&service);
    let wrong = [("orderNumber", "1001 <b>"), ("proof", "eve@example.com")];
    assert_eq!(form_of(&browser, "look-up", &wrong).await, (303, "/fjord-fern".to_owned()));
    let page = browser.get("/fjord-fern").await;
    assert_eq!(page.status, 401);
    assert!(has_value(&page.text(), "1001 &lt;b>") || has_value(&page.text(), "1001 &lt;b&gt;"), "{}", page.text());
    assert_eq!(browser.get("/fjord-fern").await.status, 200, "once");
    let not_found = json!({"mistakes": ["NotFound"]});
    assert_eq!(json_of(&browser, "look-up", &wrong).await, (401, not_found));

    // The former name of the field `proof`.
    for name in ["email", "proof"] {
        let led =
            form_of(&Browser::new(&service), "look-up", &[("orderNumber", "1001"), (name, "ada@example.com")]).await;
        assert_eq!(led, (303, "/fjord-fern/purchases".to_owned()), "{name}");
    }
    let browser = Browser::new(&service);
    assert_eq!(json_of(&browser, "look-up", &ADA).await.0, 200);
    let mut chosen = first_chosen(&browser).await;
    for (name, value) in &mut chosen {
        if name == "p1.quantity" {
            "1000".clone_into(value);
        }
    }
    let (status, reply) = json_of(&browser, "choose", &borrowed(&chosen)).await;
    assert_eq!((status, &reply["mistakes"][0][1]), (422, &json!("QuantityTooMany")), "{reply}");
    let page = browser.get("/fjord-fern/purchases").await;
    assert!(page.status == 422 && has_value(&page.text(), "1000"), "{}", page.text());
    let search = form_of(&browser, "choose", &[("q", "red mug"), ("go", "find"), ("only", "1")]).await;
    assert_eq!(search, (303, "/fjord-fern/purchases?q=red%20mug&only=1".to_owned()));
}

async fn submitting_a_draft_concurrently_gives_one_return(service: Service) {
    let browser = Browser::new(&service);
    let (_, draft, option) = drafted(&browser).await;
    let fields = [("draft", draft.as_str()), ("shippingOption", option.as_str())];
    let first = json_of(&browser, "submit", &fields);
    let second = json_of(&browser, "submit", &fields);
    let third = form_of(&browser, "submit", &fields);
    let ((first, href), (second, again), (third, led)) = tokio::join!(first, second, third);
    assert_eq!((first, second, third), (200, 200, 303));
    assert_eq!((&href, href["href"].as_str()), (&again, Some(led.as_str())));
    assert_eq!(service.database.rows("return_orders").await, 1);
}

async fn damaged_and_foreign_calls_are_refused(service: Service) {
    let browser = Browser::new(&service);
    let raw = async |kind: &str, body: Vec<u8>, accept: &str| {
        let path = format!("{}/fjord-fern/call/look-up", service.base());
        let request = browser.client.post(path).header("content-type", kind).header("accept", accept).body(body);
        let response = request.send().await.unwrap();
        (response.status().as_u16(), response.text().await.unwrap())
    };
    let form = "application/x-www-form-urlencoded";
    let unreadable = json!("unreadable").to_string();
    let large = [b"proof=".to_vec(), vec![b'x'; 1024 * 1024]].concat();
    let damaged: [(u16, &str, Vec<u8>); 8] = [
        (400, "application/json", b"{\"proof\":\"x\"}".to_vec()),
        (400, "multipart/form-data", b"--x\r\n".to_vec()),
        (400, form, b"proof=%FF".to_vec()),
        (400, form, b"proof=%00".to_vec()),
        (400, form, b"proof=%4".to_vec()),
        (400, form, b"proof[a]=1".to_vec()),
        (400, form, b"proof=1&proof=2".to_vec()),
        (413, form, large),
    ];
    for (status, kind, body) in damaged {
        let name = String::from_utf8_lossy(&body[..body.len().min(20)]).into_owned();
        assert_eq!(raw(kind, body.clone(), "application/json").await, (status, unreadable.clone()), "{kind} {name}");
        let (form_status, page) = raw(kind, body, "text/html").await;
        assert!(form_status == status && page.starts_with("<!DOCTYPE html>"), "{kind} {name}: {form_status}");
        assert!(page.contains("class=\"brand-logo\""), "the page is the shop's: {page}");
    }
    let foreign = Browser::with(&service, &[("sec-fetch-site", "cross-site"), ("origin", "https://evil.example")]);
    for name in ["look-up", "leave", "submit"] {
        assert_eq!(foreign.call(name, &ADA, "application/json").await.status, 403, "{name}");
        let page = foreign.call(name, &ADA, "text/html").await;
        assert_eq!(page.status, 403, "{name}");
        assert!(page.text().contains("class=\"brand-logo\""), "the page is the shop's: {}", page.text());
    }
    // WebKit sends this for a form of ours that opens a new tab.
    let headers = [("sec-fetch-site", "cross-site"), ("host", "shop.example"), ("origin", "http://shop.example")];
    let own = Browser::with(&service, &headers);
    assert_eq!(form_of(&own, "look-up", &ADA).await, (303, "/fjord-fern/purchases".to_owned()));
    let many: Vec<(String, String)> = (0..20_000).map(|row| (format!("p{row}.take"), "1".to_owned())).collect();
    let many = borrowed(&many);
    let (large, too_large) = (json_of(&browser, "choose", &many[..10_000]), json_of(&browser, "choose", &many));
    assert_eq!(large.await.0, 401, "a large form is read, and little of it is stored");
    assert_eq!(too_large.await.0, 400, "one with more fields is not read");
}

async fn forms_of_an_earlier_version_are_redirected_to_their_functions(service: Service) {
    let browser = Browser::new(&service);
    let id = "0190a5b1-9e4f-7b21-a3d4-5e6f708192a3";
    let moved = [
        ("", "look-up"),
        ("/gift", "gift"),
        ("/leave", "leave"),
        ("/link", "link"),
        ("/purchases", "choose"),
        ("/review", "submit"),
        (&format!("/returns/{id}/cancel"), &format!("cancel?id={id}")),
        ("/withdraw", "withdraw"),
        ("/withdraw/confirm", "withdraw-confirm"),
    ];
    for (from, to) in moved {
        let led = browser.send(Method::POST, &format!("/fjord-fern{from}"), &[("a", "b")]).await;
        assert_eq!((led.status, led.header("location")), (308, Some(&*format!("/fjord-fern/call/{to}"))), "{from}");
    }
    let led = browser.send(Method::POST, "/fjord-fern?lang=de&embedded", &ADA).await;
    assert_eq!(led.header("location"), Some("/fjord-fern/call/look-up?lang=de&embedded"));
    // Unlike the form, the address names the return.
    assert_eq!(form_of(&browser, "look-up", &ADA).await.0, 303);
    let cancelled = browser.send(Method::POST, &format!("/fjord-fern/call/cancel?id={id}"), &[]).await;
    assert_eq!(cancelled.status, 404, "the return is looked up");
}

async fn functions_work_at_the_shops_own_host_and_in_a_frame(service: Service) {
    service.database.run("UPDATE accounts SET domain = 'returns.shop.example' WHERE slug = 'fjord-fern'").await;
    let home = Browser::with(&service, &[("host", "returns.shop.example")]);
    let led = home.send(Method::POST, "/call/look-up", &ADA).await;
    assert_eq!((led.status, led.header("location")), (303, Some("/purchases")));
    // If the browser stores no cookies in the frame, the form continues in a new tab.
    let frame = Browser::with(&service, &[("sec-fetch-dest", "iframe")]);
    let page: Answer = frame.send(Method::POST, "/fjord-fern/call/look-up", &ADA).await;
    assert_eq!(page.status, 200);
    let page = page.text();
    assert!(page.contains("target=\"_blank\"") && has_value(&page, "ada@example.com"), "{page}");
    assert!(page.contains("action=\"/fjord-fern/call/look-up?lang=en\""), "{page}");
}

async fn a_session_without_an_order_does_not_grow(service: Service) {
    let browser = Browser::new(&service);
    let comment = "x".repeat(2_000);
    for form in 0..8_u128 {
        let row = |row: u128| {
            let id = uuid::Uuid::from_u128(form * 100 + row).to_string();
            [
                (format!("p{row}.id"), id),
                (format!("p{row}.take"), "1".into()),
                (format!("p{row}.comment"), comment.clone()),
            ]
        };
        let rows: Vec<_> = (0..8).flat_map(row).collect();
        let fields: Vec<_> = rows.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        assert_eq!(json_of(&browser, "choose", &fields).await, (401, json!("signedOut")));
    }
    let largest = service.database.number("SELECT CAST(MAX(LENGTH(data)) AS BIGINT) FROM sessions").await;
    assert!((2_000..20_000).contains(&largest), "{largest} bytes");
}

async fn a_proved_order_is_remembered_for_a_day(service: Service) {
    let browser = Browser::new(&service);
    let answer = browser.call("look-up", &ADA, "text/html").await;
    assert!(answer.header("set-cookie").is_some_and(|cookie| cookie.contains("Max-Age=86400")), "{:?}", answer.headers);
}
