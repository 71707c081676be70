//! Withdrawals from a contract: through the API, and in the portal without scripting.

use crate::harness::{Answer, NOW, Service, on_both_databases, send, text};
use reqwest::Method;
use serde_json::{Value, json};

on_both_databases! {
    a_program_creates_lists_and_closes_withdrawals
    an_invalid_statement_names_the_field
    a_withdrawal_creates_an_event
    the_portal_asks_for_confirmation_and_acknowledges_the_withdrawal
    typed_values_stay_and_errors_are_shown
    a_statement_that_is_sent_twice_is_one_withdrawal
    only_the_displayed_statement_is_confirmed
    answers_do_not_reveal_whether_an_order_exists
    a_merchant_can_turn_the_form_off
    more_than_20_a_day_from_a_network_are_refused_with_a_message
    in_a_frame_without_cookies_the_form_continues_in_a_new_tab
    forms_of_other_sites_are_refused
    the_form_works_at_the_shops_own_host
}

const STATEMENT: [(&str, &str); 3] =
    [("name", "Ada Lovelace"), ("contract", "1001\r\nthe linen shirt"), ("email", "ada@example.com")];

fn statement() -> Value {
    json!({"name": "Ada Lovelace", "contract": "1001, the linen shirt", "email": "ada@example.com"})
}

async fn kept(service: &Service) -> Vec<Value> {
    let list = service.get("/api/v0/withdrawals?orderBy=asc&limit=100", &service.demo.key).await.json();
    list["data"].as_array().unwrap().clone()
}

async fn a_program_creates_lists_and_closes_withdrawals(service: Service) {
    let key = &service.demo.key;
    let post = || service.request(Method::POST, "/api/v0/withdrawals", key).header("Idempotency-Key", "w-1");
    let made = send(post().json(&statement())).await;
    made.matches_snapshot("withdrawal-201");
    assert_eq!(made.header("etag"), Some("\"1\""));
    let again = send(post().json(&statement())).await;
    assert_eq!((&again.body, again.header("idempotent-replayed")), (&made.body, Some("true")));
    let path = format!("/api/v0/withdrawals/{}", text(&made.json()["id"]));
    assert_eq!(service.get(&path, key).await.json(), made.json());
    service.get("/api/v0/withdrawals", key).await.matches_snapshot("withdrawals");
    let other = json!({"name": "Ben", "contract": "the mug", "email": "ben@example.com", "language": "nl"});
    assert_eq!(service.post("/api/v0/withdrawals", key, other).await.json()["status"], "Received");
    let names = async |query: &str| {
        let list = service.get(&format!("/api/v0/withdrawals?{query}"), key).await.json();
        list["data"].as_array().unwrap().iter().map(|one| text(&one["name"])).collect::<Vec<_>>()
    };
    assert_eq!(names("filter=status:OrderFound").await, ["Ada Lovelace"]);
    assert_eq!(names("filter=email:BEN@example.com").await, ["Ben"]);
    assert_eq!(names("filter=status:Closed").await, [""; 0]);
    let created = format!("filter=createdAt>={NOW}&orderBy=asc");
    assert_eq!(names(&created).await, ["Ada Lovelace", "Ben"]);

    service.clock.set(NOW.plus_seconds(60));
    let closing = json!({"status": "Closed", "note": "settled by phone"});
    let stale = service.request(Method::PATCH, &path, key).header("If-Match", "\"2\"").json(&closing);
    assert_eq!(send(stale).await.status, 412);
    let closed = service.patch(&path, key, closing).await;
    closed.matches_snapshot("withdrawal-closed");
    assert_eq!(service.get(&path, &service.other_key).await.status, 404);
    assert_eq!(service.patch(&path, &service.other_key, json!({"note": "x"})).await.status, 404);
    for (body, field) in [
        (json!({"status": "Received"}), "status"),
        (json!({"status": null}), "status"),
        (json!({"status": {"Closed": null}}), "status"),
        (json!({"name": "Eve"}), "name"),
        (json!({"returnOrderId": service.demo.account.id}), "returnOrderId"),
        (json!({"note": null}), "note"),
    ] {
        let answer = service.patch(&path, key, body.clone()).await;
        assert_eq!((answer.status, answer.fields()), (422, vec![field.to_owned()]), "{body}");
    }
}

async fn an_invalid_statement_names_the_field(service: Service) {
    let key = &service.demo.key;
    let bad = json!({"name": " ", "contract": "x".repeat(2_001), "email": "ada", "language": "Deutsch"});
    service.post("/api/v0/withdrawals", key, bad).await.matches_snapshot("withdrawal-422");
    for field in ["name", "contract", "email"] {
        let mut without = statement();
        without.as_object_mut().unwrap().remove(field);
        let answer = service.post("/api/v0/withdrawals", key, without).await;
        assert_eq!((answer.status, answer.fields()), (422, vec![field.to_owned()]));
    }
    assert!(kept(&service).await.is_empty());
}

async fn a_withdrawal_creates_an_event(service: Service) {
    let key = &service.demo.key;
    let about = json!({"url": "http://127.0.0.1:9/", "eventTypes": ["withdrawal.received"]});
    let subscription = text(&service.post("/api/v0/webhook-subscriptions", key, about).await.json()["id"]);
    let made = service.post("/api/v0/withdrawals", key, statement()).await.json();
    let events = service.get("/api/v0/events?filter=type:withdrawal.received", key).await.json();
    let event = &events["data"][0];
    assert_eq!((&event["data"], &event["event"]), (&made, &json!("withdrawal.received")));
    let deliveries = format!("/api/v0/webhook-subscriptions/{subscription}/deliveries");
    let delivery = service.get(&deliveries, key).await.json()["data"][0].clone();
    assert_eq!(delivery["eventId"], event["id"]);
    // Later changes of a withdrawal create no such event.
    service.patch(&format!("/api/v0/withdrawals/{}", text(&made["id"])), key, json!({"status": "Closed"})).await;
    let events = service.get("/api/v0/events?filter=type:withdrawal.received", key).await.json();
    assert_eq!(events["data"].as_array().unwrap().len(), 1);
}

/// A browser without scripting that follows redirects.
struct Browser<'a> {
    service: &'a Service,
    client: reqwest::Client,
    headers: Vec<(&'static str, String)>,
}

impl<'a> Browser<'a> {
    fn new(service: &'a Service) -> Self {
        let client = reqwest::Client::builder().cookie_store(true).build().unwrap();
        Self { service, client, headers: Vec::new() }
    }

    fn with(mut self, name: &'static str, value: &str) -> Self {
        self.headers.push((name, value.to_owned()));
        self
    }

    async fn send(&self, method: Method, path: &str, form: Option<&[(&str, &str)]>) -> (String, Answer) {
        let mut request = self.client.request(method, format!("{}/{path}", self.service.base()));
        for (name, value) in &self.headers {
            request = request.header(*name, value);
        }
        let response = match form {
            Some(form) => request.form(form).send().await.unwrap(),
            None => request.send().await.unwrap(),
        };
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        let ended = response.url().path().trim_start_matches('/').to_owned()
            + &response.url().query().map(|query| format!("?{query}")).unwrap_or_default();
        (ended, Answer { status, headers, body: response.bytes().await.unwrap().to_vec() })
    }

    async fn get(&self, path: &str) -> (String, Answer) {
        self.send(Method::GET, path, None).await
    }

    async fn post(&self, path: &str, form: &[(&str, &str)]) -> (String, Answer) {
        self.send(Method::POST, path, Some(form)).await
    }

    /// Fills in the form. Returns the id of the statement to confirm.
    async fn fill_in(&self, form: &[(&str, &str)]) -> String {
        let (ended, answer) = self.post("fjord-fern/call/withdraw", form).await;
        assert_eq!((ended.as_str(), answer.status), ("fjord-fern/withdraw/confirm", 200), "{}", answer.text());
        hidden(&answer)
    }

    async fn confirm(&self, id: &str) -> (String, Answer) {
        self.post("fjord-fern/call/withdraw-confirm", &[("withdrawal", id)]).await
    }
}

/// The id on the confirmation page.
fn hidden(answer: &Answer) -> String {
    let page = answer.text();
    let (_, rest) = page.split_once("name=\"withdrawal\" value=\"").unwrap();
    rest.split('"').next().unwrap().to_owned()
}

/// How often a text occurs on a page.
fn count(answer: &Answer, what: &str) -> usize {
    answer.text().matches(what).count()
}

async fn the_portal_asks_for_confirmation_and_acknowledges_the_withdrawal(service: Service) {
    let browser = Browser::new(&service);
    let (_, look_up) = browser.get("fjord-fern").await;
    assert_eq!(
        count(&look_up, "Withdraw from contract here"),
        1,
        "the link is below the form, and not in the footer again"
    );
    let (_, form) = browser.get("fjord-fern/withdraw").await;
    assert_eq!(
        (form.status, count(&form, "Withdraw from contract here")),
        (200, 0),
        "the page of the link does not link to itself"
    );
    assert_eq!(["name=\"name\"", "name=\"contract\"", "name=\"email\""].map(|field| count(&form, field)), [1; 3]);
    assert_eq!(count(&form, "<input") + count(&form, "<textarea"), 3, "three fields only");

    let (ended, confirm) = browser.post("fjord-fern/call/withdraw", &STATEMENT).await;
    assert_eq!(ended, "fjord-fern/withdraw/confirm", "the address contains nothing of the statement");
    for shown in ["Ada Lovelace", "1001\nthe linen shirt", "ada@example.com", ">Confirm withdrawal</button>"] {
        assert!(confirm.text().contains(shown), "{shown}: {}", confirm.text());
    }
    assert_eq!(count(&confirm, "<button"), 1, "there is one button, which says what it does");
    assert!(kept(&service).await.is_empty(), "nothing is sent before the confirmation");

    let (ended, done) = browser.confirm(&hidden(&confirm)).await;
    assert_eq!((ended.as_str(), done.status), ("fjord-fern/withdraw/done", 200));
    let withdrawal = kept(&service).await.remove(0);
    let number = text(&withdrawal["number"]);
    let stated = ["Ada Lovelace", "1001\nthe linen shirt", "ada@example.com"];
    for shown in stated.iter().chain(&[number.as_str(), "21 November 2026 at 10:00:00 (UTC)", "Saturday 5 December"]) {
        assert!(done.text().contains(shown), "{shown}: {}", done.text());
    }
    assert!(!done.text().contains("emailing it to"), "no mail is sent, so none is mentioned");
    assert_eq!((&withdrawal["contract"], &withdrawal["language"]), (&json!("1001\nthe linen shirt"), &json!("en")));

    let (_, file) = browser.get("fjord-fern/withdraw/acknowledgement.txt").await;
    assert_eq!(file.header("content-type"), Some("text/plain; charset=utf-8"));
    let disposition = format!("attachment; filename=\"withdrawal-{number}.txt\"");
    assert_eq!(file.header("content-disposition"), Some(disposition.as_str()));
    assert!(file.body.starts_with("\u{feff}".as_bytes()));
    for told in ["Ada Lovelace", "1001\r\n    the linen shirt", "ada@example.com", &number, "10:00:00 (UTC)"] {
        assert!(file.text().contains(told), "{told}: {}", file.text());
    }
    let (ended, _) = Browser::new(&service).get("fjord-fern/withdraw/acknowledgement.txt").await;
    assert_eq!(ended, "fjord-fern/withdraw", "another session cannot confirm it");
    let (_, german) = browser.get("fjord-fern/withdraw/done?lang=de").await;
    assert!(german.text().contains("21. November 2026 um 10:00:00 Uhr (UTC)"), "{}", german.text());
}

async fn typed_values_stay_and_errors_are_shown(service: Service) {
    let browser = Browser::new(&service);
    let bad = [("name", ""), ("contract", "<b>1001</b>"), ("email", "ada\"><script>alert(1)</script>")];
    let (ended, form) = browser.post("fjord-fern/call/withdraw", &bad).await;
    assert_eq!((ended.as_str(), form.status), ("fjord-fern/withdraw", 422));
    for told in ["Enter your name", "Enter an email address, e.g.", "&lt;b>1001&lt;/b>", "<title>Error: "] {
        assert!(form.text().contains(told), "{told}: {}", form.text());
    }
    assert!(!form.text().contains("<script>alert") && !form.text().contains("<b>"), "{}", form.text());
    let (_, again) = browser.get("fjord-fern/withdraw").await;
    assert_eq!((again.status, count(&again, "role=\"alert\"")), (200, 0), "errors show once");
    assert_eq!(count(&again, "&lt;b>1001&lt;/b>"), 1, "typed values stay");
    let (ended, _) = browser.get("fjord-fern/withdraw/confirm").await;
    assert_eq!(ended, "fjord-fern/withdraw", "there is nothing to confirm");
    let long = "x".repeat(2_001);
    let (_, form) =
        browser.post("fjord-fern/call/withdraw", &[("name", "Ada"), ("contract", &long), ("email", "")]).await;
    assert!(form.text().contains("under 2,000 characters") && form.text().contains("Enter your email address"));
    let (_, none) = browser.post("fjord-fern/call/withdraw", &[]).await;
    assert_eq!(none.status, 422);
    let (_, back) = browser.post("fjord-fern/call/withdraw", &STATEMENT).await;
    assert!(back.text().contains("href=\"/fjord-fern/withdraw\""), "the page links back to the form");
    let (_, form) = browser.get("fjord-fern/withdraw").await;
    assert!(form.text().contains("Ada Lovelace") && form.text().contains("1001\nthe linen shirt"), "{}", form.text());
}

async fn a_statement_that_is_sent_twice_is_one_withdrawal(service: Service) {
    let browser = Browser::new(&service);
    let id = browser.fill_in(&STATEMENT).await;
    assert_eq!(browser.fill_in(&STATEMENT).await, id, "the same form sent twice is one statement");
    let sent = tokio::join!(browser.confirm(&id), browser.confirm(&id), browser.confirm(&id));
    for (ended, _) in [sent.0, sent.1, sent.2] {
        assert_eq!(ended, "fjord-fern/withdraw/done");
    }
    let number = text(&kept(&service).await[0]["number"]);
    for path in ["confirm", "done", "confirm"] {
        let (ended, answer) = browser.get(&format!("fjord-fern/withdraw/{path}")).await;
        assert_eq!((ended.as_str(), count(&answer, &number)), ("fjord-fern/withdraw/done", 1));
    }
    assert_eq!(browser.confirm(&id).await.0, "fjord-fern/withdraw/done", "from a cached page");
    assert_eq!(Browser::new(&service).confirm(&id).await.0, "fjord-fern/withdraw/done", "the session has ended");
    assert_eq!(kept(&service).await.len(), 1);
    let (_, form) = browser.get("fjord-fern/withdraw").await;
    assert!(!form.text().contains("Ada Lovelace"), "the form does not contain the confirmed statement");
    let second = browser.fill_in(&STATEMENT).await;
    assert_ne!(second, id);
    browser.confirm(&second).await;
    assert_eq!(kept(&service).await.len(), 2, "going through both steps again creates another withdrawal");
}

async fn only_the_displayed_statement_is_confirmed(service: Service) {
    let browser = Browser::new(&service);
    let old = browser.fill_in(&STATEMENT).await;
    let new = browser.fill_in(&[("name", "Ada"), ("contract", "only the mug"), ("email", "ada@example.com")]).await;
    let (ended, shown) = browser.confirm(&old).await;
    assert_eq!(
        (ended.as_str(), hidden(&shown)),
        ("fjord-fern/withdraw/confirm", new.clone()),
        "the changed statement is shown"
    );
    for id in ["", "nonsense"] {
        assert_eq!(browser.confirm(id).await.0, "fjord-fern/withdraw/confirm");
    }
    let (ended, lost) = Browser::new(&service).confirm(&new).await;
    assert_eq!(ended, "fjord-fern/withdraw?notice=lost");
    assert!(lost.text().contains("Nothing has been sent yet"), "{}", lost.text());
    assert!(kept(&service).await.is_empty());
    browser.confirm(&new).await;
    assert_eq!(kept(&service).await[0]["contract"], "only the mug");
}

async fn answers_do_not_reveal_whether_an_order_exists(service: Service) {
    let mut pages = Vec::new();
    for contract in ["1001", "9999"] {
        let browser = Browser::new(&service);
        let id = browser.fill_in(&[("name", "Ada"), ("contract", contract), ("email", "ada@example.com")]).await;
        let (_, done) = browser.confirm(&id).await;
        let number = text(&kept(&service).await.last().unwrap()["number"]);
        let page = done.text().replace(&number, "[number]").replace(contract, "[contract]");
        pages.push(page.split("<main").nth(1).unwrap().to_owned());
    }
    assert_eq!(pages[0], pages[1]);
    let statuses: Vec<Value> = kept(&service).await.iter().map(|one| one["status"].clone()).collect();
    assert_eq!(statuses, ["OrderFound", "Received"], "only the merchant sees whether the order is known");
}

async fn a_merchant_can_turn_the_form_off(service: Service) {
    let browser = Browser::new(&service);
    let id = browser.fill_in(&STATEMENT).await;
    let off = json!({"policy": {"withdrawalFunction": false}});
    assert_eq!(service.patch("/api/v0/account", &service.demo.key, off).await.status, 200);
    assert_eq!(count(&browser.get("fjord-fern").await.1, "/withdraw"), 0);
    for path in ["fjord-fern/withdraw", "fjord-fern/withdraw/confirm"] {
        assert_eq!(browser.get(path).await.1.status, 404, "{path}");
        assert_eq!(browser.post(path, &STATEMENT).await.1.status, 404, "{path}");
    }
    assert_eq!(browser.confirm(&id).await.1.status, 404);
    assert!(kept(&service).await.is_empty());
    assert_eq!(
        service.post("/api/v0/withdrawals", &service.demo.key, statement()).await.status,
        201,
        "programs can still create withdrawals"
    );
}

async fn more_than_20_a_day_from_a_network_are_refused_with_a_message(service: Service) {
    let browser = Browser::new(&service).with("X-Forwarded-For", "198.51.100.7");
    for _ in 0..20 {
        let id = browser.fill_in(&STATEMENT).await;
        assert_eq!(browser.confirm(&id).await.1.status, 200);
    }
    let id = browser.fill_in(&STATEMENT).await;
    let (_, refused) = browser.confirm(&id).await;
    assert_eq!((refused.status, refused.header("retry-after")), (429, Some("50400")));
    assert!(refused.text().contains("Your withdrawal wasn’t sent"), "{}", refused.text());
    assert!(!refused.text().contains("Lovelace"));
    assert_eq!(kept(&service).await.len(), 20);
    let (_, form) = browser.get("fjord-fern/withdraw").await;
    assert!(form.text().contains("Ada Lovelace"), "the statement stays in the form");
    let elsewhere = Browser::new(&service).with("X-Forwarded-For", "198.51.100.8");
    let id = elsewhere.fill_in(&STATEMENT).await;
    assert_eq!(elsewhere.confirm(&id).await.1.status, 200);
    // A consumer who has proved an order has a count of their own, because many people can share an address.
    assert_eq!(
        browser
            .post("fjord-fern/call/look-up", &[("orderNumber", "1001"), ("email", "ada@example.com")])
            .await
            .1
            .status,
        200
    );
    let id = browser.fill_in(&STATEMENT).await;
    assert_eq!(browser.confirm(&id).await.1.status, 200);
    assert_eq!(kept(&service).await.len(), 22);
}

async fn in_a_frame_without_cookies_the_form_continues_in_a_new_tab(service: Service) {
    let origins = json!({"branding": {"embedOrigins": ["https://shop.example"]}});
    assert_eq!(service.patch("/api/v0/account", &service.demo.key, origins).await.status, 200);
    let frame = Browser::new(&service).with("Sec-Fetch-Dest", "iframe").with("Sec-Fetch-Site", "same-origin");
    let (_, form) = frame.get("fjord-fern/withdraw").await;
    let (_, look_up) = frame.get("fjord-fern").await;
    assert_eq!(count(&look_up, "Withdraw from contract here"), 1, "the link is also in the frame");
    assert_eq!(count(&form, "?lang="), 0, "other links have no language in a frame");
    let frame = Browser::new(&service).with("Sec-Fetch-Dest", "iframe").with("Sec-Fetch-Site", "same-origin");
    let (_, own_tab) = frame.post("fjord-fern/withdraw", &STATEMENT).await;
    let page = own_tab.text();
    for kept in ["target=\"_blank\"", "value=\"Ada Lovelace\"", "the linen shirt", "/fjord-fern/call/withdraw?lang=en"]
    {
        assert!(page.contains(kept), "{kept}: {page}");
    }
    let client = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).build().unwrap();
    let keeping = client.post(format!("{}/fjord-fern/call/withdraw", service.base())).form(&STATEMENT);
    let keeping = keeping.header("Sec-Fetch-Dest", "iframe").header("Sec-Fetch-Site", "same-origin");
    let kept = send(keeping.header("Cookie", "retour-probe=1")).await;
    assert_eq!((kept.status, kept.header("location")), (303, Some("/fjord-fern/withdraw/confirm")));
    let cookie = kept.header("set-cookie").unwrap();
    assert!(cookie.starts_with("retour-embedded=") && cookie.contains("Partitioned"), "{cookie}");
}

async fn forms_of_other_sites_are_refused(service: Service) {
    let browser = Browser::new(&service);
    let id = browser.fill_in(&STATEMENT).await;
    let foreign = |path: &'static str, form: Vec<(&'static str, String)>| {
        let request = browser.client.post(format!("{}/{path}", service.base())).form(&form);
        request.header("Sec-Fetch-Site", "cross-site").header("Origin", "https://evil.example").send()
    };
    let typed = STATEMENT.map(|(name, value)| (name, value.to_owned())).to_vec();
    assert_eq!(foreign("fjord-fern/withdraw", typed).await.unwrap().status(), 403);
    assert_eq!(foreign("fjord-fern/withdraw/confirm", vec![("withdrawal", id)]).await.unwrap().status(), 403);
    assert!(kept(&service).await.is_empty());
}

async fn the_form_works_at_the_shops_own_host(service: Service) {
    let host = Some("returns.fern.example".to_owned());
    service
        .retour
        .operator()
        .update_account(
            service.demo.account.id,
            returns::AccountUpdate { domain: host, ..returns::AccountUpdate::default() },
        )
        .await
        .unwrap();
    let browser = Browser::new(&service).with("Host", "returns.fern.example");
    let (_, form) = browser.get("withdraw").await;
    assert_eq!((form.status, count(&form, "action=\"/call/withdraw\"")), (200, 1), "{}", form.text());
    assert_eq!(count(&form, "fjord-fern/"), 0);
}
