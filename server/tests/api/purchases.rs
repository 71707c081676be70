//! Purchases, as the merchant's programs read and write them.

use crate::harness::{Service, on_both_databases, send, text};
use reqwest::Method;
use returns::Scope;
use serde_json::{Value, json};

on_both_databases! {
    purchases_are_listed_filtered_searched_and_retrieved
    a_purchase_is_written_retrieved_and_deleted_by_either_id
    what_was_paid_for_an_order_limits_its_refunds
    contradictions_to_known_purchases_are_409
    wrong_values_of_a_purchase_name_the_field
    orders_are_imported_as_json_and_csv
    wrong_imports_are_refused
    a_repeated_import_has_one_effect
    purchases_are_private
}

fn mugs() -> Value {
    json!({
        "order": {
            "externalId": "gid://shop/Order/7", "number": "#C-7", "email": "eve@example.com", "currency": "GBP",
            "orderedAt": "2026-11-10T09:00:00Z", "shippingPaid": {"value": "4.95", "currency": "GBP"}, "tags": ["vip"],
            "address": {"name": "Eve Adams", "street": "1 High Street", "city": "Perth", "postalCode": "PH1 5", "country": "GB"},
        },
        "product": {"name": "Mug", "sku": "CM-031", "imageUrls": ["https://shop.example/mug.jpg"], "attributes": {"Glaze": "Oatmeal"}},
        "quantity": 3, "totalPrice": {"value": "10.00", "currency": "GBP"}, "tax": {"value": "1.67", "currency": "GBP"},
        "discount": {"value": "2.00", "currency": "GBP"}, "fulfilledAt": "2026-11-11T09:00:00Z", "deliveredAt": "2026-11-12T09:00:00Z",
    })
}

const MUGS: &str = "/api/v0/purchases/gid:%2F%2Fshop%2FLine%2F1";

async fn numbers(service: &Service, query: &str) -> Vec<String> {
    let list = service.get(&format!("/api/v0/purchases?limit=100&{query}"), &service.demo.key).await;
    assert_eq!(list.status, 200, "{}", list.text());
    let mut numbers: Vec<String> =
        list.json()["data"].as_array().unwrap().iter().map(|purchase| text(&purchase["orderNumber"])).collect();
    numbers.dedup();
    numbers
}

async fn purchases_are_listed_filtered_searched_and_retrieved(service: Service) {
    let key = &service.demo.key;
    let all = service
        .get(&format!("/api/v0/account/{}/purchases?limit=1&filter=orderNumber:1001", service.demo.account.id), key)
        .await;
    all.matches_snapshot("merchant-purchases");
    assert_eq!(numbers(&service, "filter=orderNumber:%231002").await, ["#1002"]);
    assert_eq!(numbers(&service, "filter=externalId:demo-1003/2").await, ["#1003"]);
    assert_eq!(numbers(&service, "filter=externalId:demo-1003").await, [""; 0]);
    for (words, wanted) in [("1001", vec!["#1001"]), ("ben%40", vec!["#1002"]), ("zoe", vec![])] {
        assert_eq!(numbers(&service, &format!("search={words}")).await, wanted, "{words}");
    }
    let first = &all.json()["data"][0];
    let one = service.get(&format!("/api/v0/purchase/{}", text(&first["id"])), key).await;
    assert_eq!(&one.json(), first);
    let by_external_id = text(&first["externalId"]).replace('/', "%2F");
    assert_eq!(service.get(&format!("/api/v0/purchases/{by_external_id}"), key).await.json(), one.json());
    for nothing in ["nothing", "%00", "01999999-0000-7000-8000-000000000000"] {
        assert_eq!(service.get(&format!("/api/v0/purchases/{nothing}"), key).await.error_code(), "NotFound");
    }
    for bad in ["filter=email:x", "sortBy=updatedAt", "expand=order", "filter=orderId:x"] {
        assert_eq!(service.get(&format!("/api/v0/purchases?{bad}"), key).await.status, 400, "{bad}");
    }
    // A walk through all purchases, while returns of some of them are created.
    let (mut walked, mut page) = (0, json!(1));
    while !page.is_null() {
        let list = service.get(&format!("/api/v0/purchases?limit=100&page={page}"), key).await.json();
        walked += list["data"].as_array().unwrap().len();
        page = list["nextPage"].clone();
    }
    assert_eq!(
        i64::try_from(walked).unwrap(),
        service.database.rows("purchases").await - 1,
        "all purchases except those of the other shop"
    );
}

async fn what_was_paid_for_an_order_limits_its_refunds(service: Service) {
    let key = &service.demo.key;
    let gbp = |value: &str| json!({"value": value, "currency": "GBP"});
    let mut partly_paid = mugs();
    (partly_paid["order"]["totalPaid"], partly_paid["order"]["totalRefunded"]) = (gbp("14.95"), gbp("6.95"));
    let made = service.put(MUGS, key, partly_paid.clone()).await.json();
    assert_eq!((&made["order"]["totalPaid"], &made["order"]["totalRefunded"]), (&gbp("14.95"), &gbp("6.95")));
    for (field, amount, wrong) in [
        ("totalPaid", json!({"value": "1.00", "currency": "EUR"}), "order.totalPaid.currency"),
        ("totalRefunded", gbp("-1.00"), "order.totalRefunded"),
    ] {
        let mut bad = partly_paid.clone();
        bad["order"][field] = amount;
        let bad = service.put(MUGS, key, bad).await;
        assert_eq!(
            (bad.status, bad.json()["error"]["details"][0]["field"].as_str()),
            (422, Some(wrong)),
            "{}",
            bad.text()
        );
    }
    // An update without the limit does not remove it.
    assert_eq!(service.put(MUGS, key, mugs()).await.json()["order"]["totalPaid"], gbp("14.95"));

    let eve = service.prove("C-7", "eve@example.com").await;
    let purchases = service.purchases(&eve).await;
    assert_eq!((&purchases[0]["refundableUpTo"], &purchases[0]["orderId"]), (&gbp("8.00"), &made["order"]["id"]));
    let all = json!({"selectedPurchases": [{
        "purchaseId": purchases[0]["id"],
        "quantity": purchases[0]["returnableQuantity"],
        "returnReasonId": purchases[0]["returnReasons"][0]["id"],
    }], "shippingOptionId": purchases[0]["shippingOptions"][0]["id"]});
    let draft = service.post(&format!("/consumer/{}/draft-return-order", eve.id), &eve.token, all).await;
    assert_eq!(draft.status, 201, "{}", draft.text());
    let whole = json!({"draftReturnOrderId": draft.json()["id"]});
    let order = service.post(&format!("/consumer/{}/return-order", eve.id), &eve.token, whole).await.json();
    let lines = order["costBreakdown"]["lines"].as_array().unwrap();
    let limit = lines.iter().find(|line| line["kind"] == "RefundLimit").unwrap();
    assert_eq!(limit["amount"], gbp("-6.95"), "10.00 and 4.95 for shipping, of which 8.00 are left");
    let path = format!("/api/v0/return-orders/{}?expand=returnRequests", text(&order["id"]));
    let whole = service.get(&path, key).await.json();
    let request = &whole["returnRequests"][0];
    assert_eq!((&request["stage"], &request["reviewReason"]), (&json!("Requested: Review"), &json!("RefundLimit")));
    let amount = |field: &str| text(&request["resolution"][field]["value"]).parse::<f64>().unwrap();
    assert!(amount("fullValue") > amount("value"), "{request}");
    assert_eq!(service.purchases(&eve).await[0]["refundableUpTo"], gbp("0.00"));
}

async fn a_purchase_is_written_retrieved_and_deleted_by_either_id(service: Service) {
    let key = &service.demo.key;
    let made = service.put(MUGS, key, mugs()).await;
    made.matches_snapshot("purchase-201");
    assert_eq!(text(&made.json()["externalId"]), "gid://shop/Line/1");
    let again = service.put(MUGS, key, mugs()).await;
    assert_eq!((again.status, again.json()), (200, made.json()));
    let ours = format!("/api/v0/account/{}/purchases/{}", service.demo.account.id, text(&made.json()["id"]));
    for path in [MUGS, &ours] {
        assert_eq!(service.get(path, key).await.json(), made.json());
    }
    let mut changed = mugs();
    changed["quantity"] = json!(2);
    changed["order"]["email"] = json!("adam@example.com");
    let changed = service.put(&ours, key, changed).await;
    assert_eq!((changed.status, &changed.json()["id"]), (200, &made.json()["id"]));
    assert_eq!(
        (&changed.json()["quantity"], &changed.json()["order"]["email"]),
        (&json!(2), &json!("adam@example.com"))
    );

    let adam = service.prove("C-7", "adam@example.com").await;
    let order = service.create_return(&adam, &service.purchases(&adam).await).await;
    let now = service.get(MUGS, key).await;
    now.matches_snapshot("purchase-with-returns");
    service.delete(MUGS, key).await.matches_snapshot("purchase-in-use");
    assert_eq!(service.get(&format!("/api/v0/return-orders/{}", text(&order["id"])), key).await.status, 200);

    let second = MUGS.replace("Line%2F1", "Line%2F2");
    let mut plate = mugs();
    plate["order"]["email"] = json!("adam@example.com");
    assert_eq!(service.put(&second, key, plate).await.json()["position"], 2);
    let gone = service.delete(&second, key).await;
    assert_eq!((gone.status, gone.text().as_str()), (204, ""));
    assert_eq!((service.get(&second, key).await.status, service.delete(&second, key).await.status), (404, 404));
}

async fn contradictions_to_known_purchases_are_409(service: Service) {
    let key = &service.demo.key;
    service.put(MUGS, key, mugs()).await;
    let with = |path: &str, value: Value| {
        let mut body = mugs();
        *body.pointer_mut(path).unwrap() = value;
        body
    };
    let euros: Value = serde_json::from_str(&mugs().to_string().replace("GBP", "EUR")).unwrap();
    let other = MUGS.replace("Line%2F1", "Line%2F2");
    for (path, body, code) in [
        (MUGS, euros, "OtherCurrency"),
        (&other, with("/order/externalId", json!("x")), "KnownUnderAnotherId"),
        (
            MUGS,
            json!({"order": {"number": "C-8", "email": "e@example.com", "currency": "GBP", "orderedAt": "2026-11-10T09:00:00Z"},
            "product": {"name": "Mug"}, "quantity": 1, "unitPrice": {"value": "1.00", "currency": "GBP"}}),
            "OtherOrder",
        ),
    ] {
        let answer = service.put(path, key, body).await;
        assert_eq!((answer.status, answer.error_code().as_str()), (409, code));
    }
    let eve = service.prove("C-7", "eve@example.com").await;
    service.create_return(&eve, &service.purchases(&eve).await).await;
    let fewer = service.put(MUGS, key, with("/quantity", json!(1))).await;
    assert_eq!(fewer.status, 200, "one of two units is returned: the quantity cannot fall below");
    assert_eq!(fewer.json()["quantity"], 3);
    let mut none_sent = mugs();
    none_sent["fulfilledQuantity"] = json!(0);
    service.put(MUGS, key, none_sent).await.matches_snapshot("purchase-fewer-than-taken");
}

async fn wrong_values_of_a_purchase_name_the_field(service: Service) {
    let rows = service.database.rows("purchases").await;
    for (change, field) in [
        (json!({"quantity": 0}), "quantity"),
        (json!({"quantity": -1}), "quantity"),
        (json!({"quantity": 1.5}), "quantity"),
        (json!({"totalPrice": 10}), "totalPrice"),
        (json!({"totalPrice": {"value": "10.001", "currency": "GBP"}}), "totalPrice"),
        (json!({"totalPrice": null}), "totalPrice"),
        (json!({"tax": {"value": "99.00", "currency": "GBP"}}), "tax"),
        (json!({"foo": 1}), "foo"),
        (json!({"order": {"number": "1"}}), "order.currency"),
        (json!({"order": null}), "order"),
        (json!({"product": {"name": "x".repeat(501)}}), "product.name"),
        (json!({"deliveredAt": "yesterday"}), "deliveredAt"),
    ] {
        let mut body = mugs();
        for (name, value) in change.as_object().unwrap() {
            body[name] = value.clone();
        }
        let answer = service.put(MUGS, &service.demo.key, body).await;
        assert_eq!(
            (answer.status, answer.error_code().as_str()),
            (422, "ValidationFailed"),
            "{change} {}",
            answer.text()
        );
        assert_eq!(answer.fields(), [field], "{change}");
    }
    assert_eq!(service.database.rows("purchases").await, rows);
}

fn orders() -> Value {
    let Value::Object(mut mugs) = mugs() else { panic!("an object") };
    let order = mugs.remove("order").unwrap();
    let line = |id: &str| {
        let mut line = mugs.clone();
        line.insert("externalId".to_owned(), json!(id));
        line
    };
    json!({"orders": [{"order": order, "purchases": [line("m/1"), line("m/2")]}]})
}

const CSV: &str = "order_number,ordered_at,email,currency,product,quantity,total\n\
    C-8,2026-11-10,eve@example.com,GBP,Mug,1,5.00\nC-8,2026-11-10,eve@example.com,GBP,Plate,none,5.00\n\
    1001,2026-11-10,ada@example.com,GBP,Mug,1,5.00\n";

async fn csv(service: &Service, query: &str, media_type: &str, file: &str) -> crate::harness::Answer {
    let path = format!("/api/v0/purchases/import{query}");
    let request = service.request(Method::POST, &path, &service.demo.key).header("content-type", media_type);
    send(request.body(file.to_owned())).await
}

async fn orders_are_imported_as_json_and_csv(service: Service) {
    let path = format!("/api/v0/account/{}/purchases/import", service.demo.account.id);
    service.post(&path, &service.demo.key, orders()).await.matches_snapshot("import-json");
    assert_eq!(service.post(&path, &service.demo.key, orders()).await.json()["changed"], 0);
    assert_eq!(service.get("/api/v0/purchases/m%2F2", &service.demo.key).await.json()["position"], 2);
    csv(&service, "", "text/csv; charset=utf-8", CSV).await.matches_snapshot("import-csv");
    assert_eq!(csv(&service, "?format=retour", "Text/CSV", CSV).await.json()["changed"], 0);
    let shopify = "Name,Created at,Currency,Lineitem name,Lineitem quantity,Lineitem price,Email,Subtotal,Total\n\
                   #S1,2026-11-10 10:00:00 +0000,GBP,Mug,1,5.00,eve@example.com,5.00,5.00\n";
    csv(&service, "?format=shopify", "text/csv", shopify).await.matches_snapshot("import-shopify");
    assert_eq!(numbers(&service, "search=eve").await, ["#S1", "C-8", "#C-7"]);
}

async fn wrong_imports_are_refused(service: Service) {
    let rows = service.database.rows("purchases").await;
    csv(&service, "", "text/csv", "a,b\n1,2\n").await.matches_snapshot("import-unknown-columns");
    assert_eq!(csv(&service, "", "text/csv", "").await.fields(), ["body"]);
    for (query, media_type) in [("", "text/plain"), ("", "application/xml"), ("?format=shopify", "application/json")] {
        let answer = csv(&service, query, media_type, "{}").await;
        assert_eq!(
            (answer.status, answer.error_code().as_str()),
            (415, "UnsupportedMediaType"),
            "{query} {media_type}"
        );
    }
    for query in ["?format=xlsx", "?format=retour&format=shopify", "?limit=1"] {
        assert_eq!(csv(&service, query, "text/csv", CSV).await.error_code(), "BadRequest", "{query}");
    }
    let large = csv(&service, "", "application/json", &"x".repeat(1024 * 1024 + 1)).await;
    assert_eq!((large.status, large.error_code().as_str()), (413, "PayloadTooLarge"));
    let endless = csv(&service, "", "text/csv", &"x".repeat(2 * 1024 * 1024)).await;
    assert_eq!((endless.status, endless.fields()), (422, vec!["body".to_owned()]));
    let mut wrong = orders();
    wrong["orders"][0]["purchases"][1]["quantity"] = json!(0);
    wrong["orders"][0]["order"]["number"] = json!("");
    let answer = service.post("/api/v0/purchases/import", &service.demo.key, wrong).await;
    assert_eq!(answer.fields(), ["orders[0].order.number", "orders[0].purchases[1].quantity"]);
    let malformed = csv(&service, "", "application/json", "{").await;
    assert_eq!(malformed.error_code(), "BadRequest");
    assert_eq!(service.database.rows("purchases").await, rows);
}

async fn a_repeated_import_has_one_effect(service: Service) {
    let import = async |query: &str| {
        let path = format!("/api/v0/purchases/import{query}");
        let request = service.request(Method::POST, &path, &service.demo.key).header("content-type", "text/csv");
        send(request.header("idempotency-key", "monday").body(CSV)).await
    };
    let first = import("").await;
    assert_eq!((first.status, first.json()["changed"].clone()), (200, json!(1)));
    assert_eq!(import("").await.body, first.body);
    assert_eq!(import("?format=shopify").await.status, 422, "another request with the same key");
}

async fn purchases_are_private(service: Service) {
    service.put(MUGS, &service.demo.key, mugs()).await;
    let before = service.contents().await;
    let absent = service.get("/api/v0/purchases/nothing", &service.other_key).await;
    let ours = MUGS.replace("/api/v0", &format!("/api/v0/account/{}", service.demo.account.id));
    for path in [MUGS, &ours] {
        for answer in [service.get(path, &service.other_key).await, service.delete(path, &service.other_key).await] {
            assert_eq!((answer.status, &answer.body), (404, &absent.body));
        }
    }
    assert_eq!(service.put(&ours, &service.other_key, mugs()).await.status, 404);
    let list = service.get("/api/v0/purchases?filter=orderNumber:C-7", &service.other_key).await.json();
    assert_eq!(list["data"], json!([]));
    let consumer = service.ada().await;
    let reader =
        service.retour.operator().create_service_user(service.demo.account.id, "reader", &[Scope::Read]).await.unwrap();
    assert_eq!(service.get(MUGS, &reader).await.status, 200);
    for credential in [&reader, &consumer.token] {
        assert_eq!(
            (service.put(MUGS, credential, mugs()).await.status, service.delete(MUGS, credential).await.status),
            (403, 403)
        );
        assert_eq!(service.post("/api/v0/purchases/import", credential, orders()).await.status, 403);
    }
    let after = service.contents().await;
    assert_eq!(
        before.iter().find(|line| line.starts_with("purchases")),
        after.iter().find(|line| line.starts_with("purchases"))
    );
}
