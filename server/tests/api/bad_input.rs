//! Everything that a client can get wrong: the status, the envelope, the field that is named, and that nothing has changed.

use crate::harness::{Answer, Consumer, Service, choose, on_both_databases, send, text};
use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};

on_both_databases! {
    wrong_credentials_of_an_order_are_refused
    wrong_drafts_are_refused_and_name_the_field
    every_wrong_field_is_named_at_once
    wrong_submits_are_refused
    bodies_that_cannot_be_read_are_refused
    errors_do_not_repeat_values
    wrong_queries_are_refused_with_what_is_allowed
    units_that_were_returned_since_are_a_conflict
    a_draft_that_is_a_day_old_is_a_conflict
    text_that_a_database_cannot_store_is_no_internal_error
}

pub fn expect(what: &str, answer: &Answer, status: u16, code: &str, field: &str) {
    let found = (answer.status, answer.error_code(), answer.fields());
    let fields: Vec<String> = Some(field).filter(|field| !field.is_empty()).map(str::to_owned).into_iter().collect();
    assert_eq!(found, (status, code.to_owned(), fields), "{what}: {}", answer.text());
}

async fn wrong_credentials_of_an_order_are_refused(service: Service) {
    let before = service.contents().await;
    let cases = [
        (json!({"account": "nowhere", "orderNumber": "1001", "email": "ada@example.com"}), 404, "NotFound", ""),
        (json!({"account": "", "orderNumber": "1001", "email": "ada@example.com"}), 404, "NotFound", ""),
        (
            json!({"account": "fjord-fern", "orderNumber": "", "email": "ada@example.com"}),
            401,
            "InvalidOrderCredentials",
            "",
        ),
        (
            json!({"account": "fjord-fern", "orderNumber": "1001", "email": "x".repeat(400)}),
            401,
            "InvalidOrderCredentials",
            "",
        ),
        (json!({"orderNumber": "1001", "email": "ada@example.com"}), 422, "ValidationFailed", "account"),
        (json!({"account": "fjord-fern", "orderNumber": "1001"}), 422, "ValidationFailed", "email"),
        (
            json!({"account": "fjord-fern", "orderNumber": "1001", "email": "a", "postalCode": "b"}),
            422,
            "ValidationFailed",
            "postalCode",
        ),
        (
            json!({"account": "fjord-fern", "orderNumber": "1001", "postalCode": "1"}),
            422,
            "ValidationFailed",
            "postalCode",
        ),
        (json!({"account": "fjord-fern", "email": "ada@example.com"}), 422, "ValidationFailed", "orderNumber"),
        (
            json!({"account": "fjord-fern", "orderNumber": 1001, "email": "ada@example.com"}),
            422,
            "ValidationFailed",
            "orderNumber",
        ),
        (
            json!({"account": "fjord-fern", "orderNumber": "1001", "emial": "ada@example.com"}),
            422,
            "ValidationFailed",
            "emial",
        ),
    ];
    for (body, status, code, field) in cases {
        expect(&body.to_string(), &service.post("/auth/consumer", "", body.clone()).await, status, code, field);
    }
    assert_eq!(service.contents().await, before);
}

/// A consumer, their purchases, and the path of their drafts.
struct ConsumerSetup {
    ada: Consumer,
    purchases: Vec<Value>,
    drafts: String,
}

async fn set_up_consumer(service: &Service) -> ConsumerSetup {
    let ada = service.ada().await;
    let purchases = service.purchases(&ada).await;
    let drafts = format!("/consumer/{}/draft-return-order", ada.id);
    ConsumerSetup { ada, purchases, drafts }
}

#[expect(clippy::too_many_lines, reason = "a table of cases")]
async fn wrong_drafts_are_refused_and_name_the_field(service: Service) {
    let ConsumerSetup { ada, purchases, drafts } = set_up_consumer(&service).await;
    let token = service
        .post("/auth/consumer", &service.other_key, json!({"orderNumber": "1001", "email": "ada@example.com"}))
        .await;
    let foreign = service.purchases(&Consumer::of(token)).await.remove(0);
    let ben = service.prove("1002", "ben@example.com").await;
    let of_ben = service.purchases(&ben).await;
    let cleo = service.prove("1003", "cleo@example.com").await;
    let of_cleo = service.purchases(&cleo).await;

    let good = choose(&purchases[2], 1);
    let with = |field: &str, value: Value| {
        let mut selected = good.clone();
        selected[field] = value;
        json!({"selectedPurchases": [selected]})
    };
    let without = |field: &str| {
        let mut selected = good.clone();
        selected.as_object_mut().unwrap().remove(field);
        json!({"selectedPurchases": [selected]})
    };
    let at = |field: &str| format!("selectedPurchases[0].{field}");
    let mut cases = vec![
        (json!({}), "selectedPurchases".to_owned()),
        (json!([]), "body".to_owned()),
        (json!({"selectedPurchases": []}), "selectedPurchases".to_owned()),
        (json!({"selectedPurchases": null}), "selectedPurchases".to_owned()),
        (json!({"selectedPurchases": [null]}), "selectedPurchases[0]".to_owned()),
        (json!({"selectedPurchases": vec![good.clone(); 1_001]}), "selectedPurchases".to_owned()),
        (json!({"selectedPurchases": [good, good]}), "selectedPurchases[1].purchaseId".to_owned()),
        (json!({"selectedPurchases": [good], "selectedPurchase": []}), "selectedPurchase".to_owned()),
        (json!({"selectedPurchases": [good], "shippingOptionId": "x"}), "shippingOptionId".to_owned()),
        (
            json!({"selectedPurchases": [good], "shippingOptionId": foreign["shippingOptions"][0]["id"]}),
            "shippingOptionId".to_owned(),
        ),
        (with("purchaseId", foreign["id"].clone()), at("purchaseId")),
        (with("purchaseId", of_ben[0]["id"].clone()), at("purchaseId")),
        (with("purchaseId", json!("not an id")), at("purchaseId")),
        (without("purchaseId"), at("purchaseId")),
        (with("returnReasonId", foreign["returnReasons"][0]["id"].clone()), at("returnReasonId")),
        (without("returnReasonId"), at("returnReasonId")),
        (with("returnReasonComment", json!("x".repeat(2_001))), at("returnReasonComment")),
        (with("requestedResolution", json!("Money")), at("requestedResolution")),
        (with("resolutionKind", json!("Refund")), at("resolutionKind")),
    ];
    for quantity in
        ["0", "-1", "5", "1000000000000", "1000000000000000000000000000000", "1.5", "\"1\"", "true", "[1]", "1e2"]
    {
        cases.push((with("quantity", serde_json::from_str(quantity).unwrap()), at("quantity")));
    }
    let before = service.contents().await;
    for (body, field) in cases {
        let answer = service.post(&drafts, &ada.token, body.clone()).await;
        let shown: String = body.to_string().chars().take(200).collect();
        expect(&shown, &answer, 422, "ValidationFailed", &field);
        let message = answer.text();
        assert!(
            !["i64", "u32", "struct", "enum", "variant"].iter().any(|word| message.contains(word)),
            "Rust terms in the message: {message}"
        );
    }
    // Purchases that cannot be returned say why: final sale, too late, or not sent.
    for (consumer, purchase, why) in [
        (&ben, &of_ben[2], "FinalSale"),
        (&cleo, &of_cleo[0], "ReturnWindowExpired"),
        (&cleo, &of_cleo[1], "NotFulfilled"),
    ] {
        let body = json!({"selectedPurchases": [choose(purchase, 1)]});
        let answer =
            service.post(&format!("/consumer/{}/draft-return-order", consumer.id), &consumer.token, body).await;
        expect(why, &answer, 422, "ValidationFailed", &at("purchaseId"));
        assert!(answer.text().contains(why) && answer.text().contains("NotReturnable"), "{}", answer.text());
    }
    assert_eq!(service.contents().await, before);
}

async fn every_wrong_field_is_named_at_once(service: Service) {
    let ConsumerSetup { ada, purchases, drafts } = set_up_consumer(&service).await;
    let mut two = [choose(&purchases[0], 7), choose(&purchases[1], 1)];
    two[1]["returnReasonId"] = purchases[0]["id"].clone();
    service.post(&drafts, &ada.token, json!({"selectedPurchases": two})).await.matches_snapshot("draft-422");
}

async fn wrong_submits_are_refused(service: Service) {
    let ConsumerSetup { ada, purchases, drafts } = set_up_consumer(&service).await;
    let draft =
        service.post(&drafts, &ada.token, json!({"selectedPurchases": [choose(&purchases[0], 1)]})).await.json();
    let orders = format!("/consumer/{}/return-order", ada.id);
    let option = format!("{drafts}/{}/shipping-option", text(&draft["id"]));
    let before = service.contents().await;

    let answer = service.post(&orders, &ada.token, json!({"draftReturnOrderId": draft["id"]})).await;
    expect("no shipping option", &answer, 422, "ValidationFailed", "shippingOptionId");
    for (body, status, code, field) in [
        (json!({}), 422, "ValidationFailed", "draftReturnOrderId"),
        (json!({"draftReturnOrderId": 7}), 422, "ValidationFailed", "draftReturnOrderId"),
        (json!({"draftReturnOrderId": ada.id}), 404, "NotFound", ""),
        (json!({"draftReturnOrderId": draft["id"], "quantity": 1}), 422, "ValidationFailed", "quantity"),
    ] {
        expect(&body.to_string(), &service.post(&orders, &ada.token, body.clone()).await, status, code, field);
    }
    for (body, field) in [
        (json!({}), "shippingOptionId"),
        (json!({"shippingOptionId": null}), "shippingOptionId"),
        (json!({"shippingOptionId": draft["id"]}), "shippingOptionId"),
        (json!({"shippingOption": draft["id"]}), "shippingOption"),
    ] {
        expect(
            &body.to_string(),
            &service.patch(&option, &ada.token, body.clone()).await,
            422,
            "ValidationFailed",
            field,
        );
    }
    assert_eq!(service.contents().await, before);

    let order = service.create_return(&ada, &purchases[..1]).await;
    let before = service.contents().await;
    let cancel = format!("{orders}/{}/cancel", text(&order["id"]));
    expect("a body", &service.post(&cancel, &ada.token, json!({"why": "x"})).await, 422, "ValidationFailed", "why");
    let body = json!({"shippingOptionId": purchases[0]["shippingOptions"][1]["id"]});
    let submitted = format!("{drafts}/{}/shipping-option", text(&order["draftReturnOrderId"]));
    expect("a submitted draft", &service.patch(&submitted, &ada.token, body).await, 409, "DraftOutdated", "");
    assert_eq!(service.contents().await, before);
}

async fn bodies_that_cannot_be_read_are_refused(service: Service) {
    let ConsumerSetup { ada, purchases, drafts } = set_up_consumer(&service).await;
    let before = service.contents().await;
    let post = |kind: &str, body: Vec<u8>| {
        let request = service.request(Method::POST, &drafts, &ada.token).body(body);
        if kind.is_empty() { request } else { request.header("content-type", kind) }
    };
    let json = "application/json";
    let good = serde_json::to_vec(&json!({"selectedPurchases": [choose(&purchases[0], 1)]})).unwrap();
    let mut twice = good.clone();
    twice.extend_from_slice(&good);
    let not_utf8 = b"{\"selectedPurchases\": [{\"returnReasonComment\": \"\xff\xfe\"}]}".to_vec();
    let deep = [vec![b'['; 100_000], vec![b']'; 100_000]].concat();
    let requests: Vec<(&str, RequestBuilder, u16, &str)> = vec![
        ("cut off", post(json, good[..good.len() - 1].to_vec()), 400, "BadRequest"),
        ("empty", post(json, Vec::new()), 400, "BadRequest"),
        ("something behind it", post(json, twice), 400, "BadRequest"),
        ("not UTF-8", post(json, not_utf8), 400, "BadRequest"),
        ("half a surrogate", post(json, br#"{"\ud800": 1}"#.to_vec()), 400, "BadRequest"),
        ("a form", post("application/x-www-form-urlencoded", b"a=b".to_vec()), 415, "UnsupportedMediaType"),
        ("no type", post("", good.clone()), 415, "UnsupportedMediaType"),
        ("text", post("text/json", good.clone()), 415, "UnsupportedMediaType"),
        ("2 MiB", post(json, vec![b' '; 2 << 20]), 413, "PayloadTooLarge"),
        ("1 byte too many", post(json, vec![b' '; (1 << 20) + 1]), 413, "PayloadTooLarge"),
        ("2 MiB of a wrong type", post("text/plain", vec![b' '; 2 << 20]), 413, "PayloadTooLarge"),
        ("1 MiB", post(json, vec![b' '; 1 << 20]), 400, "BadRequest"),
    ];
    for (what, request, status, code) in requests {
        expect(what, &send(request).await, status, code, "");
    }
    let answer = send(post(json, deep)).await;
    assert!([400, 422].contains(&answer.status), "deeply nested: {}", answer.text());
    assert_eq!(service.contents().await, before);
    for kind in ["application/json; charset=utf-8", "Application/JSON", "application/vnd.api+json"] {
        assert_eq!(send(post(kind, good.clone())).await.status, 201, "{kind}");
    }
}

/// Values that look like Serde's messages, in every kind of place.
async fn errors_do_not_repeat_values(service: Service) {
    const PERSONAL: &str = "Ada, expected `Ada` at line 1 column 1, expected Ada";
    let ConsumerSetup { ada, purchases, drafts } = set_up_consumer(&service).await;
    let mut about: Vec<Value> = vec![json!(PERSONAL), json!([PERSONAL]), json!({"selectedPurchases": PERSONAL})];
    for field in ["purchaseId", "quantity", "returnReasonId", "requestedResolution", "returnReasonComment"] {
        for value in [json!(PERSONAL), json!([PERSONAL]), json!({"Bob": PERSONAL})] {
            let mut chosen = choose(&purchases[0], 1);
            chosen[field] = value;
            about.push(json!({"selectedPurchases": [chosen]}));
        }
    }
    for body in about {
        let answer = service.post(&drafts, &ada.token, body.clone()).await;
        if body["selectedPurchases"][0]["returnReasonComment"] == PERSONAL {
            assert_eq!(answer.status, 201, "a comment may be any text: {}", answer.text());
            continue;
        }
        assert!([400, 422].contains(&answer.status), "{body}: {}", answer.text());
        assert!(!answer.text().contains("Ada"), "{body}: {}", answer.text());
    }
    let wrong = json!({"selectedPurchases": PERSONAL});
    let answer = service.post(&drafts, &ada.token, wrong).await.json();
    assert_eq!(answer["error"]["details"][0]["message"], "expected a list", "{answer}");
    // If the name of a field is wrong, the error names the field.
    let empty = service
        .post(
            "/api/v0/webhook-subscriptions/0190a5b1-7d3a-7c41-9f0e-2b6f6a1c9d10/test",
            &service.demo.key,
            json!({"a, expected b": 1}),
        )
        .await;
    assert_eq!(empty.json()["error"]["details"][0]["message"], "not known here", "{}", empty.text());
}

#[expect(clippy::too_many_lines, reason = "a table of cases")]
async fn wrong_queries_are_refused_with_what_is_allowed(service: Service) {
    let ConsumerSetup { ada, purchases, .. } = set_up_consumer(&service).await;
    let order = text(&service.create_return(&ada, &purchases[..1]).await["id"]);
    let of_ada = |rest: &str| format!("/consumer/{}/{rest}", ada.id);
    let lists = [
        of_ada("purchases"),
        of_ada("return-orders"),
        "/api/v0/return-requests".to_owned(),
        "/api/v0/return-orders".to_owned(),
        format!("/api/v0/account/{}/return-order", service.demo.account.id),
    ];
    let everywhere = [
        ("limit=0", "limit"),
        ("limit=101", "limit"),
        ("limit=abc", "limit"),
        ("limit=", "limit"),
        ("limit=-1", "limit"),
        ("limit=1.5", "limit"),
        ("limit=99999999999999999999", "limit"),
        ("page=0", "page"),
        ("page=-1", "page"),
        ("page=abc", "page"),
        ("page=", "page"),
        ("page=99999999999999999999", "page"),
        ("page=9007199254740992", "page"),
        ("page=10001", "page"),
        ("page=1.5", "page"),
        ("page=2&page=3", "page"),
        ("expand=nothing", "expand"),
        ("expand=", "expand"),
        ("expand=consumer,shipments", "expand"),
        ("filter=nothing:1", "filter"),
        ("filter=nothing", "filter"),
        ("filter=", "filter"),
        ("filter=:", "filter"),
        ("fitler=x", "fitler"),
        ("LIMIT=1", "LIMIT"),
        ("%00=1", "?"),
    ];
    for list in &lists {
        for (query, field) in everywhere {
            let answer = service.get(&format!("{list}?{query}"), &service.demo.key).await;
            expect(&format!("{list}?{query}"), &answer, 400, "BadRequest", field);
        }
        for odd in ["limit=%ff", "filter=purchaseOrderNumber:%ff", "%c3%28=1", "expand=%80"] {
            let answer = service.get(&format!("{list}?{odd}"), &service.demo.key).await;
            assert_eq!((answer.status, answer.error_code().as_str()), (400, "BadRequest"), "{list}?{odd}");
        }
    }
    let expands = [
        (of_ada("purchases"), "consumer"),
        ("/api/v0/return-requests".to_owned(), "shipments"),
        (of_ada(&format!("return-order/{order}")), "nothing"),
        (format!("/api/v0/return-orders/{order}"), "consumerId"),
    ];
    let of_merchants = [
        ("sortBy=name", "sortBy"),
        ("orderBy=up", "orderBy"),
        ("sortBy=createdAt&sortBy=createdAt", "sortBy"),
        ("limit=1&limit=2", "limit"),
        ("filter=stage:Approved", "filter"),
        ("filter=stage>Closed: Expired", "filter"),
        ("filter=createdAt>=yesterday", "filter"),
        ("filter=consumerId:1", "filter"),
    ];
    for (query, field) in of_merchants {
        let answer = service.get(&format!("/api/v0/return-requests?{query}"), &service.demo.key).await;
        expect(query, &answer, 400, "BadRequest", field);
    }
    let long = format!("/api/v0/return-requests?search={}", "x".repeat(321));
    expect("a long search", &service.get(&long, &service.demo.key).await, 400, "BadRequest", "search");
    for (path, expand) in expands {
        let answer = service.get(&format!("{path}?expand={expand}"), &service.demo.key).await;
        expect(&format!("{path}?expand={expand}"), &answer, 400, "BadRequest", "expand");
    }
    let own = of_ada("return-orders");
    for path in ["/api/v0/return-orders", &format!("/api/v0/return-orders/{order}"), &own] {
        let often = format!("{path}?{}", ["expand=shipments"; 21].join("&"));
        expect(&often, &service.get(&often, &service.demo.key).await, 400, "BadRequest", "expand");
    }
    let single = service.get(&format!("/api/v0/return-orders/{order}?limit=1"), &service.demo.key).await;
    expect("limit of one thing", &single, 400, "BadRequest", "limit");
    let order_filter = service.get("/api/v0/return-orders?filter=returnReasonId:1001", &service.demo.key).await;
    expect("a filter of another list", &order_filter, 400, "BadRequest", "filter");
    let message = service.get("/api/v0/return-requests?filter=orderNumber:1001", &service.demo.key).await;
    message.matches_snapshot("bad-filter");
    let far = service.get(&format!("/api/v0/return-orders?page={}", (1_i64 << 53) - 1), &service.demo.key).await;
    expect("a cursor that no list gave", &far, 400, "BadRequest", "page");
}

async fn units_that_were_returned_since_are_a_conflict(service: Service) {
    let ConsumerSetup { ada, purchases, .. } = set_up_consumer(&service).await;
    let draft = service.draft(&ada, &purchases[..2]).await;
    service.create_return(&ada, &purchases[..1]).await;
    let before = service.contents().await;
    let orders = format!("/consumer/{}/return-order", ada.id);
    let answer = service.post(&orders, &ada.token, json!({"draftReturnOrderId": draft["id"]})).await;
    answer.matches_snapshot("quantity-exceeded");
    expect("gone", &answer, 409, "QuantityExceeded", "selectedPurchases[0].quantity");
    assert_eq!(service.contents().await, before, "a return is created as a whole or not at all");
}

async fn a_draft_that_is_a_day_old_is_a_conflict(service: Service) {
    let ConsumerSetup { ada, purchases, drafts } = set_up_consumer(&service).await;
    let draft = service.draft(&ada, &purchases[..1]).await;
    service.clock.set(crate::harness::NOW.plus_hours(24));
    let ada = service.ada().await;
    let before = service.contents().await;
    let submit = json!({"draftReturnOrderId": draft["id"]});
    let answer = service.post(&format!("/consumer/{}/return-order", ada.id), &ada.token, submit).await;
    expect("submit", &answer, 409, "DraftExpired", "");
    let option = json!({"shippingOptionId": purchases[0]["shippingOptions"][0]["id"]});
    let answer = service.patch(&format!("{drafts}/{}/shipping-option", text(&draft["id"])), &ada.token, option).await;
    expect("choose", &answer, 409, "DraftExpired", "");
    assert_eq!(service.contents().await, before);
}

/// NUL is valid in JSON and UTF-8, but Postgres stores none.
async fn text_that_a_database_cannot_store_is_no_internal_error(service: Service) {
    let ConsumerSetup { ada, purchases, drafts } = set_up_consumer(&service).await;
    let prove = |account: &str, number: &str, email: &str| {
        let body = json!({"account": account, "orderNumber": number, "email": email});
        async { service.post("/auth/consumer", "", body).await }
    };
    let (account, number, email) = tokio::join!(
        prove("fjord\0fern", "1001", "ada@example.com"),
        prove("fjord-fern", "10\x0001", "ada@example.com"),
        prove("fjord-fern", "1001", "ada\0@example.com"),
    );
    expect("account", &account, 404, "NotFound", "");
    expect("number", &number, 401, "InvalidOrderCredentials", "");
    expect("e-mail", &email, 401, "InvalidOrderCredentials", "");
    let list = service.get("/api/v0/return-requests?filter=purchaseOrderNumber:10%0001", &service.demo.key).await;
    assert_eq!((list.status, list.json()["data"].clone()), (200, json!([])));

    let mut selected = choose(&purchases[0], 1);
    selected["returnReasonComment"] = json!("a\0b");
    let answer = service.post(&drafts, &ada.token, json!({"selectedPurchases": [selected.clone()]})).await;
    expect("comment", &answer, 422, "ValidationFailed", "selectedPurchases[0].returnReasonComment");
    // Any other text is stored as it is.
    let comment = "Zu groß 👗\n\t«trop grand» \u{202e} e\u{301} \u{10ffff}";
    selected["returnReasonComment"] = json!(comment);
    let body = json!({"selectedPurchases": [selected], "shippingOptionId": purchases[0]["shippingOptions"][0]["id"]});
    let draft = service.post(&drafts, &ada.token, body).await.json();
    let orders = format!("/consumer/{}/return-order", ada.id);
    assert_eq!(service.post(&orders, &ada.token, json!({"draftReturnOrderId": draft["id"]})).await.status, 201);
    let requests = service.get("/api/v0/return-requests", &service.demo.key).await.json();
    assert_eq!(requests["data"][0]["returnReasonComment"], comment);
}
