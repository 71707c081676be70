//! The page of a return at the desk, without scripting.

use crate::{
    browser::{Browser, has_value},
    desk::{ADA, PASSWORD},
    harness::{Service, on_both_databases, send, text},
};
use reqwest::Method;
use returns::{NewUser, Role};
use serde_json::{Value, json};

on_both_databases! {
    the_page_shows_where_each_item_stands
    a_person_decides
    a_decision_that_came_too_late_shows_who_was_faster
    after_a_decision_the_next_return_of_the_list_opens
    notes_and_hands
    the_value_is_adjusted
    an_agent_asks_for_an_approval_above_the_limit
    a_change_says_first_what_it_costs
    another_way_of_sending_says_first_what_it_costs
    a_receipt_is_taken_back
    a_warehouse_sees_no_money_and_no_door
    returns_of_others_are_not_there
}

/// A return that waits for a decision: its number, and its requests.
async fn waiting(service: &Service) -> (String, Vec<Value>) {
    let set = service
        .patch("/api/v0/account", &service.demo.key, json!({"policy": {"autoApprove": false, "autoResolve": false}}))
        .await;
    assert_eq!(set.status, 200, "{}", set.text());
    let ada = service.ada().await;
    let purchases = service.purchases(&ada).await;
    let order = service.create_return(&ada, &purchases[..2]).await;
    let path = format!("/api/v0/return-orders/{}?expand=returnRequests", text(&order["id"]));
    let whole = service.get(&path, &service.demo.key).await.json();
    (text(&whole["number"]), whole["returnRequests"].as_array().unwrap().clone())
}

/// The fields of a move from review, on a page.
fn moved<'a>(here: &'a str, request: &'a str, stage: &'a str, comment: &'a str) -> [(&'static str, &'a str); 6] {
    [
        ("here", here),
        ("key", "move-1"),
        ("request", request),
        ("stage", stage),
        ("fromStage", "Requested: Review"),
        ("comment", comment),
    ]
}

async fn page(browser: &Browser<'_>, path: &str) -> String {
    let answer = browser.get(path).await;
    assert_eq!(answer.status, 200, "{path}: {}", answer.text());
    answer.text()
}

async fn the_page_shows_where_each_item_stands(service: Service) {
    let (number, requests) = waiting(&service).await;
    let browser = service.at_desk(ADA, Role::Agent).await;
    let shown = page(&browser, &format!("/desk/returns/{number}")).await;
    for part in [
        format!("Return {number}"),
        text(&requests[0]["product"]["name"]),
        "Decide: approve or reject.".to_owned(),
        "ada@example.com".to_owned(),
        "Only after units were counted.".to_owned(),
        "What happened".to_owned(),
    ] {
        assert!(shown.contains(&part), "{part}: {shown}");
    }
    let request = text(&requests[0]["id"]);
    let form = page(&browser, &format!("/desk/returns/{number}?do=reject&request={request}")).await;
    assert!(form.contains("name=\"comment\"") && has_value(&form, "Requested: Rejected"), "{form}");
    // An unknown form opens none, and an unknown number leads nowhere.
    page(&browser, &format!("/desk/returns/{number}?do=fly&request={request}")).await;
    for missing in ["R-0000", "%27", "1,2"] {
        assert_eq!(browser.get(&format!("/desk/returns/{missing}")).await.status, 404, "{missing}");
    }
}

async fn a_person_decides(service: Service) {
    let (number, requests) = waiting(&service).await;
    let browser = service.at_desk(ADA, Role::Agent).await;
    let here = format!("/desk/returns/{number}");
    let (first, second) = (text(&requests[0]["id"]), text(&requests[1]["id"]));
    let sent =
        browser.send(Method::POST, "/desk/call/move-request", &moved(&here, &first, "Requested: Approved", "")).await;
    assert_eq!((sent.status, sent.header("location")), (303, Some(here.as_str())), "{}", sent.text());
    let open = format!("{here}?do=reject&request={second}");
    let form = moved(&open, &second, "Requested: Rejected", " ")
        .map(|(name, value)| (name, if name == "key" { "move-3" } else { value }));
    let refused = browser.send(Method::POST, "/desk/call/move-request", &form).await;
    assert_eq!(refused.status, 422, "{}", refused.text());
    assert!(refused.text().contains("href=\"#comment\""), "{}", refused.text());
    let form = moved(&open, &second, "Requested: Rejected", "It was worn.");
    let form: Vec<_> =
        form.into_iter().map(|(name, value)| (name, if name == "key" { "move-2" } else { value })).collect();
    let sent = browser.send(Method::POST, "/desk/call/move-request", &form).await;
    assert_eq!((sent.status, sent.header("location")), (303, Some(here.as_str())), "the form is closed");
    let shown = page(&browser, &here).await;
    assert!(shown.contains("It was worn.") && shown.contains("Ada Lund"), "{shown}");
}

async fn a_decision_that_came_too_late_shows_who_was_faster(service: Service) {
    let (number, requests) = waiting(&service).await;
    let browser = service.at_desk(ADA, Role::Agent).await;
    let request = text(&requests[0]["id"]);
    let colleague = json!({"stage": "Requested: Approved", "fromStage": "Requested: Review"});
    let path = format!("/api/v0/return-requests/{request}");
    assert_eq!(service.patch(&path, &service.demo.key, colleague).await.status, 200);
    let here = format!("/desk/returns/{number}?do=reject&request={request}");
    let form = moved(&here, &request, "Requested: Rejected", "It was worn.");
    let late = browser.send(Method::POST, "/desk/call/move-request", &form).await;
    let shown = late.text();
    assert_eq!(late.status, 409, "{shown}");
    assert!(shown.contains("changed this") && shown.contains("What you typed is still here."), "{shown}");
    assert!(shown.contains("It was worn."), "what was typed stays: {shown}");
}

async fn after_a_decision_the_next_return_of_the_list_opens(service: Service) {
    let (number, requests) = waiting(&service).await;
    let browser = service.at_desk(ADA, Role::Agent).await;
    let list = "from=stage%3DRequested%253A%2520Review";
    let shown = page(&browser, &format!("/desk/returns/{number}?{list}")).await;
    assert!(shown.contains("Back to the list") && shown.contains("Next in this list"), "{shown}");
    let here = format!("/desk/returns/{number}?{list}");
    for (index, place) in [here.clone(), format!("/desk/returns/next?after={number}&{list}")].iter().enumerate() {
        let request = text(&requests[index]["id"]);
        let form = moved(&here, &request, "Requested: Approved", "");
        let key = format!("move-{index}");
        let form: Vec<_> =
            form.into_iter().map(|(name, value)| (name, if name == "key" { &*key } else { value })).collect();
        let sent = browser.send(Method::POST, "/desk/call/move-request", &form).await;
        assert_eq!((sent.status, sent.header("location")), (303, Some(place.as_str())), "{}", sent.text());
    }
}

async fn notes_and_hands(service: Service) {
    let (number, _) = waiting(&service).await;
    let browser = service.at_desk(ADA, Role::Agent).await;
    let here = format!("/desk/returns/{number}");
    let shown = page(&browser, &here).await;
    let order = crate::calls::value_of(&shown, "order");
    let note = [("here", here.as_str()), ("key", "n-1"), ("order", &order), ("text", "Called.\n<b>The lid broke.</b>")];
    for _ in 0..2 {
        let sent = browser.send(Method::POST, "/desk/call/write-note", &note).await;
        assert_eq!(sent.status, 303, "{}", sent.text());
    }
    let shown = page(&browser, &here).await;
    assert!(shown.contains("&lt;b&gt;The lid broke.&lt;/b&gt;") && !shown.contains("<b>The lid"), "{shown}");
    assert_eq!(
        shown.matches("class=\"happened-note\"").count(),
        1,
        "one note, though the form was sent twice: {shown}"
    );
    let version = crate::calls::value_of(&shown, "version");
    let hand = |flags: &'static str, key: &'static str, version: &str| {
        let fields = [("here", &*here), ("key", key), ("order", &*order), ("version", version), ("flags", flags)];
        fields.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec()
    };
    let send = async |form: Vec<(String, String)>| {
        let form: Vec<_> = form.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        browser.send(Method::POST, "/desk/call/hand-return", &form).await
    };
    let many = send(hand("1, 2, 3, 4, 5, 6", "h-1", &version)).await;
    assert_eq!(many.status, 422, "{}", many.text());
    assert!(has_value(&many.text(), "1, 2, 3, 4, 5, 6"), "{}", many.text());
    assert_eq!(send(hand("VIP, later", "h-2", &version)).await.status, 303);
    assert!(page(&browser, &here).await.contains("VIP"));
    let late = send(hand("none", "h-3", &version)).await;
    assert!(late.status == 409, "another version: {} {}", late.status, late.text());
}

async fn the_value_is_adjusted(service: Service) {
    let (number, requests) = waiting(&service).await;
    let browser = service.at_desk(ADA, Role::Admin).await;
    let request = text(&requests[0]["id"]);
    let here = format!("/desk/returns/{number}?do=adjust&request={request}");
    let form = |amount: &'static str, key: &'static str| {
        let stage = ("fromStage", "Requested: Review");
        [("here", &*here), ("key", key), ("request", &*request), stage, ("amount", amount), ("reason", "A scratch")]
    };
    for (amount, key) in [("1000", "a-1"), ("much", "a-2"), ("", "a-3")] {
        let refused = browser.send(Method::POST, "/desk/call/adjust", &form(amount, key)).await;
        assert_eq!(refused.status, 422, "{amount}: {}", refused.text());
        assert!(refused.text().contains("href=\"#amount\""), "{amount}: {}", refused.text());
    }
    let sent = browser.send(Method::POST, "/desk/call/adjust", &form("\u{2212}5,00", "a-4")).await;
    assert_eq!(sent.status, 303, "{}", sent.text());
    let shown = page(&browser, &format!("/desk/returns/{number}")).await;
    assert!(shown.contains("Adjustment") && shown.contains("A scratch"), "{shown}");
}

async fn an_agent_asks_for_an_approval_above_the_limit(service: Service) {
    let (number, requests) = waiting(&service).await;
    let limit = json!({"policy": {"agentLimit": [{"value": "1.00", "currency": "GBP"}]}});
    assert_eq!(service.patch("/api/v0/account", &service.demo.key, limit).await.status, 200);
    let (agent, finance) =
        (service.at_desk(ADA, Role::Agent).await, service.at_desk("fin@shop.example", Role::Finance).await);
    let (here, request) = (format!("/desk/returns/{number}"), text(&requests[0]["id"]));
    let adjust = |key| {
        [
            ("here", here.as_str()),
            ("key", key),
            ("request", request.as_str()),
            ("amount", "-2.00"),
            ("reason", "A scratch"),
            ("fromStage", "Requested: Review"),
        ]
    };
    let asked = agent.send(Method::POST, "/desk/call/adjust", &adjust("ask-1")).await;
    assert_eq!((asked.status, asked.header("location")), (303, Some(here.as_str())), "{}", asked.text());
    let shown = page(&agent, &here).await;
    for part in [
        "asks to adjust the amount by",
        "A scratch",
        "Take the proposal back",
        "Waiting for somebody with the role Finance",
    ] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    assert!(!shown.contains("Approve the proposal"), "{shown}");
    let today = page(&finance, "/desk").await;
    assert!(today.contains("To approve") && today.contains("filter=proposal"), "{today}");
    assert!(!page(&agent, "/desk").await.contains("To approve"), "agents approve nothing");
    let path = format!("/api/v0/return-requests/{request}");
    let proposal = text(&service.get(&path, &service.demo.key).await.json()["proposal"]["id"]);
    let shown = page(&finance, &here).await;
    assert!(shown.contains("Approve the proposal") && shown.contains("Refuse the proposal"), "{shown}");
    let decide = |key, why| {
        let (request, proposal) = (request.as_str(), proposal.as_str());
        [("here", here.as_str()), ("key", key), ("request", request), ("proposal", proposal), ("refusal", why)]
    };
    let short = finance.send(Method::POST, "/desk/call/refuse-proposal", &decide("no-1", "a")).await;
    assert_eq!(short.status, 422);
    assert!(short.text().contains(&format!("refusal-{proposal}-error")), "{}", short.text());
    let own = agent.send(Method::POST, "/desk/call/approve-proposal", &decide("yes-1", "")).await;
    assert_eq!(own.status, 409, "{}", own.text());
    let done = finance.send(Method::POST, "/desk/call/approve-proposal", &decide("yes-2", "")).await;
    assert_eq!(done.status, 303, "{}", done.text());
    let late = finance.send(Method::POST, "/desk/call/refuse-proposal", &decide("no-2", "Too late")).await;
    assert_eq!(late.status, 409, "somebody has decided");
    let shown = page(&agent, &here).await;
    for part in ["Proposed: -2.00 GBP, A scratch", "Approved: -2.00 GBP, A scratch", "−£2.00"] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
}

async fn a_change_says_first_what_it_costs(service: Service) {
    let (number, requests) = waiting(&service).await;
    let agent = service.at_desk(ADA, Role::Agent).await;
    let request = text(&requests[0]["id"]);
    let here = format!("/desk/returns/{number}?do=amend&request={request}");
    let reason = text(&requests[0]["returnReasonId"]);
    let form = |preview| {
        [
            ("here", here.as_str()),
            ("key", "amend-1"),
            ("request", request.as_str()),
            ("quantity", "1"),
            ("reason", reason.as_str()),
            ("wanted", "StoreCredit"),
            ("comment", "Too small"),
            ("why", "On the phone"),
            ("fromStage", "Requested: Review"),
            ("preview", preview),
        ]
    };
    let asked = agent.send(Method::POST, "/desk/call/amend-request", &form("yes")).await;
    assert_eq!(asked.status, 200, "{}", asked.text());
    let shown = asked.text();
    assert!(shown.contains("id=\"effect\"") && shown.contains("Store credit: "), "{shown}");
    assert!(shown.contains("On the phone"), "what was typed is still there");
    let path = format!("/api/v0/return-requests/{request}");
    assert_eq!(service.get(&path, &service.demo.key).await.json()["requestedResolution"], json!("Refund"));
    let done = agent.send(Method::POST, "/desk/call/amend-request", &form("")).await;
    assert_eq!(done.status, 303, "{}", done.text());
    assert_eq!(service.get(&path, &service.demo.key).await.json()["requestedResolution"], json!("StoreCredit"));
}

async fn another_way_of_sending_says_first_what_it_costs(service: Service) {
    let (number, _) = waiting(&service).await;
    let agent = service.at_desk(ADA, Role::Agent).await;
    let path = format!("/api/v0/return-orders?filter=number:{number}");
    let order = async || service.get(&path, &service.demo.key).await.json()["data"][0].clone();
    let before = order().await;
    let id = text(&before["id"]);
    let new = json!({"name": {"en": "Van"}, "method": "Label", "prices": [{"value": "9.95", "currency": "GBP"}]});
    let option = text(&service.post("/api/v0/shipping-options", &service.demo.key, new).await.json()["id"]);
    let here = format!("/desk/returns/{number}?do=shipping");
    let shown = page(&agent, &here).await;
    assert!(shown.contains("Choose another way of sending") && shown.contains("Van"), "{shown}");
    let version = before["version"].to_string();
    let form = |why, preview| {
        [
            ("here", here.as_str()),
            ("key", "way-1"),
            ("order", id.as_str()),
            ("version", version.as_str()),
            ("option", option.as_str()),
            ("reason", why),
            ("preview", preview),
        ]
    };
    let asked = agent.send(Method::POST, "/desk/call/change-shipping", &form("No printer", "yes")).await;
    assert_eq!(asked.status, 200, "{}", asked.text());
    let shown = asked.text();
    assert!(shown.contains("id=\"effect\"") && shown.contains("Refund: "), "{shown}");
    assert!(shown.contains("No printer"), "what was typed is still there");
    assert_eq!(order().await["version"], before["version"]);
    let silent = agent.send(Method::POST, "/desk/call/change-shipping", &form("", "")).await;
    assert_eq!(silent.status, 422, "{}", silent.text());
    let done = agent.send(Method::POST, "/desk/call/change-shipping", &form("No printer", "")).await;
    assert_eq!(done.status, 303, "{}", done.text());
    assert_eq!(order().await["shippingOptionId"], json!(option));
    let shown = page(&agent, &format!("/desk/returns/{number}")).await;
    assert!(shown.contains("Van: No printer"), "{shown}");

    let way = format!("/api/v0/return-orders/{id}/shipping-option");
    let body = json!({"shippingOptionId": before["shippingOptionId"], "reason": "On the phone"});
    let stale =
        send(service.request(Method::POST, &way, &service.demo.key).header("if-match", "\"1\"").json(&body)).await;
    assert_eq!(stale.status, 412, "{}", stale.text());
    let preview = service.post(&format!("{way}/preview"), &service.demo.key, body.clone()).await;
    assert_eq!(preview.status, 200, "{}", preview.text());
    assert_eq!(preview.json()["after"]["estimatedRefund"], before["costBreakdown"]["estimatedRefund"]);
    let back = service.post(&way, &service.demo.key, body).await;
    assert_eq!(back.status, 200, "{}", back.text());
    assert_eq!(back.json()["shippingOptionId"], before["shippingOptionId"]);
}

async fn a_receipt_is_taken_back(service: Service) {
    let (number, requests) = waiting(&service).await;
    let browser = service.at_desk(ADA, Role::Agent).await;
    let request = text(&requests[0]["id"]);
    for each in &requests {
        let path = format!("/api/v0/return-requests/{}", text(&each["id"]));
        let approved = service.patch(&path, &service.demo.key, json!({"stage": "Requested: Approved"})).await;
        assert_eq!(approved.status, 200, "{}", approved.text());
    }
    let path = format!("/api/v0/return-requests/{request}/receipts");
    let received = service.post(&path, &service.demo.key, json!({"quantity": 1})).await;
    assert_eq!(received.status, 200, "{}", received.text());
    let here = format!("/desk/returns/{number}");
    let shown = page(&browser, &here).await;
    let receipt = crate::calls::value_of(&shown, "receipt");
    let form =
        [("here", &*here), ("key", "t-1"), ("request", &*request), ("receipt", &*receipt), ("why", "Another one")];
    let sent = browser.send(Method::POST, "/desk/call/take-recording-back", &form).await;
    let kept = service.get(&path, &service.demo.key).await.json();
    assert_eq!((sent.status, &kept["data"]), (303, &json!([])), "{}", sent.text());
    assert!(page(&browser, &here).await.contains("Another one"), "the timeline says why");
}

async fn a_warehouse_sees_no_money_and_no_door(service: Service) {
    let (number, requests) = waiting(&service).await;
    let browser = service.at_desk(ADA, Role::Warehouse).await;
    let shown = page(&browser, &format!("/desk/returns/{number}")).await;
    assert!(shown.contains("Your role does not show this."), "{shown}");
    for part in ["ada@example.com", "id=\"money-title\"", "£", "€"] {
        assert!(!shown.contains(part), "{part}: {shown}");
    }
    let here = format!("/desk/returns/{number}");
    let request = text(&requests[0]["id"]);
    let form = moved(&here, &request, "Requested: Approved", "");
    assert_eq!(browser.send(Method::POST, "/desk/call/move-request", &form).await.status, 403);
}

async fn returns_of_others_are_not_there(service: Service) {
    let (number, requests) = waiting(&service).await;
    let request = text(&requests[0]["id"]);
    let other = service.get("/api/v0/account", &service.other_key).await.json();
    let new = NewUser { email: ADA.to_owned(), name: "Ada Lund".to_owned(), role: Role::Admin, language: None };
    let other = text(&other["id"]).parse().unwrap();
    service.retour.operator().create_user(other, new, PASSWORD.to_owned()).await.unwrap();
    let browser = Browser::new(&service);
    let form = [("email", ADA), ("password", PASSWORD)];
    assert_eq!(browser.send(Method::POST, "/desk/call/sign-in", &form).await.status, 303);
    for path in [
        format!("/desk/returns/{number}"),
        format!("/desk/returns/{number}/labels/{request}"),
        format!("/desk/returns/{number}/photos/{request}/{request}"),
        format!("/desk/returns/{number}/photos/x/y"),
    ] {
        assert_eq!(browser.get(&path).await.status, 404, "{path}");
    }
    let here = "/desk/returns";
    let form = moved(here, &request, "Requested: Approved", "");
    assert_eq!(browser.send(Method::POST, "/desk/call/move-request", &form).await.status, 404);
}
