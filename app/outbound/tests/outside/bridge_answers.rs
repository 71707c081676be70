//! Answers that cannot be true are reported to the merchant, and another shopper's order is never disclosed.

use crate::support::{
    Receiver,
    bridge::{asked, bridge, example, look_up, now, ok, resolve},
};
use domain::Problems;
use outbound::bridge::{BridgeError, LookUp, Resolved, contract::Proof};
use serde_json::{Value, json};

/// The problems: fields and messages.
type Reported = Vec<(String, String)>;

fn reported(problems: Problems) -> Reported {
    problems.0.into_iter().map(|(path, refusal)| (path, refusal.message)).collect()
}

/// The problems of the example after a change that makes it invalid.
async fn spoiled(change: impl FnOnce(&mut Value)) -> Reported {
    let mut body = example("get-purchases", "Found");
    change(&mut body);
    match look_up(&bridge(&Receiver::writing(ok(&body)))).await {
        Err(BridgeError::BadAnswer(problems)) => reported(problems),
        other => panic!("expected a bad answer, not {other:?}"),
    }
}

fn one(path: &str, message: &str) -> Reported {
    vec![(path.to_owned(), message.to_owned())]
}

fn eur(value: &str) -> Value {
    json!({"value": value, "currency": "EUR"})
}

#[tokio::test]
async fn amounts_have_the_orders_currency_and_add_up() {
    for field in ["paid", "tax", "discount"] {
        let problems = spoiled(|body| body["purchases"][0][field]["currency"] = json!("USD")).await;
        assert_eq!(problems, one(&format!("purchases[0].{field}.currency"), "expected the order's currency, EUR"));
        let problems = spoiled(|body| body["purchases"][0][field] = eur("-0.01")).await;
        let range = "expected an amount from 0 to 1000000000000.00";
        assert_eq!(problems, one(&format!("purchases[0].{field}"), range));
    }
    for field in ["totalPaid", "totalRefunded"] {
        let problems = spoiled(|body| body["purchases"][1]["order"][field]["currency"] = json!("SEK")).await;
        assert_eq!(problems[0].0, format!("purchases[1].order.{field}.currency"));
        let problems = spoiled(|body| body["purchases"][1]["order"][field] = eur("-0.01")).await;
        assert_eq!(problems[0].0, format!("purchases[1].order.{field}"));
    }
    let problems = spoiled(|body| body["purchases"][1]["order"]["shippingPaid"]["currency"] = json!("SEK")).await;
    assert_eq!(problems[0].0, "purchases[1].order.shippingPaid.currency");
    let problems = spoiled(|body| body["purchases"][0]["tax"] = eur("39.96")).await;
    assert_eq!(problems, one("purchases[0].tax", "expected at most paid, 39.95, which includes it"));
    let problems = spoiled(|body| {
        body["purchases"][0]["taxIncluded"] = json!(false);
        body["purchases"][0]["paid"] = eur("1000000000000.00");
    })
    .await;
    assert_eq!(problems, one("purchases[0].paid", "together with tax, the amount is too large"));

    // Tax that is added may exceed the price of the goods.
    let mut body = example("get-purchases", "Found");
    body["purchases"][0]["taxIncluded"] = json!(false);
    body["purchases"][0]["tax"] = eur("39.96");
    let Ok(LookUp::Found(found)) = look_up(&bridge(&Receiver::writing(ok(&body)))).await else { panic!() };
    assert_eq!(found.purchases[0].total().decimal(), "79.91");
}

#[tokio::test]
async fn quantities_and_times_are_within_bounds() {
    for quantity in [0, 1_000_001] {
        let problems = spoiled(|body| body["purchases"][0]["quantity"] = json!(quantity)).await;
        assert_eq!(problems, one("purchases[0].quantity", "expected a whole number from 1 to 1000000"));
    }
    let problems = spoiled(|body| body["purchases"][0]["refundedQuantity"] = json!(3)).await;
    assert_eq!(problems, one("purchases[0].refundedQuantity", "expected at most quantity, 2"));
    let problems = spoiled(|body| body["purchases"][0]["fulfilledQuantity"] = json!(3)).await;
    assert_eq!(problems, one("purchases[0].fulfilledQuantity", "expected at most quantity, 2"));
    let problems = spoiled(|body| body["purchases"][1]["fulfilledQuantity"] = json!(1)).await;
    assert_eq!(problems, one("purchases[1].fulfilledQuantity", "expected 0 or none, because fulfilledAt is null"));
    for field in ["fulfilledAt", "deliveredAt"] {
        for at in ["1969-12-31T23:59:59Z", "2200-01-01T00:00:00Z", "9999-12-31T23:59:59Z"] {
            let problems = spoiled(|body| body["purchases"][0][field] = json!(at)).await;
            assert_eq!(problems, one(&format!("purchases[0].{field}"), "expected a time from 1970 to 2199"));
        }
    }
}

#[tokio::test]
async fn an_order_may_be_partly_sent() {
    let mut body = example("get-purchases", "Found");
    body["purchases"][0]["fulfilledQuantity"] = json!(1);
    let Ok(LookUp::Found(found)) = look_up(&bridge(&Receiver::writing(ok(&body)))).await else { panic!() };
    assert_eq!(found.purchases.iter().map(outbound::bridge::contract::Purchase::fulfilled).collect::<Vec<_>>(), [1, 0]);
}

#[tokio::test]
async fn lines_are_unique_and_agree_on_their_order() {
    let problems = spoiled(|body| body["purchases"][1]["purchaseId"] = json!("466157049")).await;
    assert_eq!(problems, one("purchases[1].purchaseId", "duplicate: expected each line once"));
    let same = "expected the same as in purchases[0], which is of the same order";
    for (field, value) in [
        ("number", json!("#1001")),
        ("orderedAt", json!("2026-01-30T12:00:00Z")),
        ("shippingPaid", eur("4.96")),
        ("totalPaid", eur("69.91")),
        ("totalRefunded", json!(null)),
    ] {
        let problems = spoiled(|body| body["purchases"][1]["order"][field] = value).await;
        assert_eq!(problems, one(&format!("purchases[1].order.{field}"), same));
    }
    let problems = spoiled(|body| body["purchases"][1]["order"]["currency"] = json!("USD")).await;
    assert!(problems.contains(&("purchases[1].order.currency".to_owned(), same.to_owned())), "{problems:?}");
    let problems = spoiled(|body| body["purchases"][1]["returnable"] = json!(true)).await;
    assert_eq!(problems, one("purchases[1].reasonCode", "expected none, because returnable is true"));
}

#[tokio::test]
async fn lists_and_texts_are_bounded() {
    for field in ["purchaseId", "order/id", "product/name", "product/sku", "product/barcode", "product/hsCode"] {
        let long = json!("é".repeat(501));
        let problems = spoiled(|body| *body.pointer_mut(&format!("/purchases/0/{field}")).unwrap() = long).await;
        assert_eq!(
            problems[0],
            one(&format!("purchases[0].{}", field.replace('/', ".")), "expected at most 500 characters")[0]
        );
    }
    for (path, reported_at) in [
        ("/purchases/0/product/imageUrls", "purchases[0].product.imageUrls"),
        ("/purchases/0/order/tags", "purchases[0].order.tags"),
        ("/consumer/addresses", "consumer.addresses"),
    ] {
        let problems = spoiled(|body| {
            let list = body.pointer_mut(path).unwrap();
            *list = Value::from(vec![list[0].clone(); 251]);
        })
        .await;
        assert_eq!(problems, one(reported_at, "expected at most 250"));
    }
    let problems = spoiled(|body| {
        let line = body["purchases"][0].clone();
        let lines = (0..1_001).map(|index| {
            let mut line = line.clone();
            line["purchaseId"] = json!(index.to_string());
            line
        });
        body["purchases"] = lines.collect();
    })
    .await;
    assert_eq!(problems, one("purchases", "expected at most 1000 lines"));
    let problems = spoiled(|body| {
        let line = body["purchases"][0].clone();
        body["purchases"] = vec![line; 200].into();
    })
    .await;
    assert_eq!((problems.len(), problems[50].1.as_str()), (51, "and 149 more"));
}

#[tokio::test]
async fn texts_and_addresses_are_checked() {
    for (path, value, reported_at) in [
        ("/purchases/0/product/name", json!(" "), "purchases[0].product.name"),
        ("/purchases/0/product/sku", json!("a\nb"), "purchases[0].product.sku"),
        ("/purchases/0/product/imageUrls/0", json!("javascript:alert(1)"), "purchases[0].product.imageUrls[0]"),
        ("/purchases/0/product/originCountry", json!("Portugal"), "purchases[0].product.originCountry"),
        ("/purchases/0/product/attributes", json!({"": "x"}), "purchases[0].product.attributes"),
        ("/consumer/firstName", json!("\u{0}"), "consumer.firstName"),
        ("/consumer/addresses/0/country", json!("United Kingdom"), "consumer.addresses[0].country"),
    ] {
        let problems = spoiled(|body| *body.pointer_mut(path).unwrap() = value).await;
        assert_eq!(problems.iter().map(|(path, _)| path.as_str()).collect::<Vec<_>>(), [reported_at]);
    }
}

#[tokio::test]
async fn another_shoppers_order_is_not_found() {
    let careless = |change: fn(&mut Value)| {
        let mut body = example("get-purchases", "Found");
        change(&mut body);
        // Its other problems are not reported, because they would reveal that it exists.
        body["purchases"][0]["quantity"] = json!(0);
        Receiver::writing(ok(&body))
    };
    let not_theirs = |answer, paths: &[&str]| match answer {
        Ok(LookUp::NotTheirs(problems)) => {
            let problems = reported(problems);
            assert_eq!(problems.iter().map(|(path, _)| path.as_str()).collect::<Vec<_>>(), paths);
            assert!(!format!("{problems:?}").contains("grace"));
        }
        other => panic!("expected another's order, not {other:?}"),
    };
    let numbers = ["purchases[0].order.number", "purchases[1].order.number"];
    let receiver = careless(|body| body["consumer"]["email"] = json!("grace@example.com"));
    not_theirs(look_up(&bridge(&receiver)).await, &["consumer.email"]);
    let receiver = careless(|body| body["consumer"]["email"] = json!(null));
    not_theirs(look_up(&bridge(&receiver)).await, &["consumer.email"]);
    let receiver = careless(|body| {
        body["purchases"][0]["order"]["number"] = json!("1002");
        body["purchases"][1]["order"]["number"] = json!("1002");
    });
    not_theirs(look_up(&bridge(&receiver)).await, &numbers);
    let receiver = careless(|body| body["purchases"][1]["order"]["number"] = json!("10010"));
    not_theirs(look_up(&bridge(&receiver)).await, &numbers[1..]);

    let by_postal_code = |code: &str| {
        let mut asked = asked();
        asked.credentials.proof = Proof::PostalCode(code.to_owned());
        asked
    };
    let receiver = Receiver::writing(ok(&example("get-purchases", "Found")));
    let found = bridge(&receiver).get_purchases(&by_postal_code(" ec1A1bb"), now()).await;
    assert!(matches!(found, Ok(LookUp::Found(_))), "{found:?}");
    for code in ["EC1A 1BC", "", " "] {
        not_theirs(bridge(&receiver).get_purchases(&by_postal_code(code), now()).await, &["consumer.addresses"]);
    }
    // An empty credential proves nothing, even if the order has none either.
    let mut nameless = asked();
    nameless.credentials.proof = Proof::Email(String::new());
    let receiver = careless(|body| body["consumer"]["email"] = json!(""));
    not_theirs(bridge(&receiver).get_purchases(&nameless, now()).await, &["consumer.email"]);
}

#[tokio::test]
async fn an_order_without_lines_is_not_found() {
    let receiver = Receiver::writing("HTTP/1.1 404 Not Found\r\nContent-Length: 4\r\n\r\nnope");
    assert_eq!(look_up(&bridge(&receiver)).await, Ok(LookUp::NotFound));
    let receiver = Receiver::writing(ok(&json!({"consumer": {}, "purchases": []})));
    assert_eq!(look_up(&bridge(&receiver)).await, Ok(LookUp::NotFound));
}

#[tokio::test]
async fn a_completed_resolution_matches_the_request() {
    let settled = async |change: fn(&mut Value)| {
        let mut body = example("resolve-return", "Completed");
        change(&mut body);
        match resolve(&bridge(&Receiver::writing(ok(&body)))).await {
            Err(BridgeError::BadAnswer(problems)) => reported(problems),
            other => panic!("expected a bad answer, not {other:?}"),
        }
    };
    let amount = one("items[0].amount", "expected 19.98 EUR, as requested");
    assert_eq!(settled(|body| body["items"][0]["amount"] = eur("19.97")).await, amount);
    assert_eq!(settled(|body| body["items"][0]["amount"]["currency"] = json!("USD")).await, amount);
    let quantity = one("items[0].quantity", "expected 1, as requested");
    assert_eq!(settled(|body| body["items"][0]["quantity"] = json!(2)).await, quantity);
    let once = one("items[1].returnRequestId", "duplicate: expected each item once");
    assert_eq!(settled(|body| body["items"] = vec![body["items"][0].clone(); 2].into()).await, once);
    let all = ("items", "expected every requested item, or no list");
    assert_eq!(settled(|body| body["items"] = json!([])).await, one(all.0, all.1));
    let other =
        settled(|body| body["items"][0]["returnRequestId"] = json!("0190a5b1-9e4f-7a30-b1c2-000000000000")).await;
    assert_eq!(other[0], one("items[0].returnRequestId", "expected a requested one")[0]);
    assert_eq!(settled(|body| body["externalReference"] = json!("x".repeat(501))).await.len(), 1);

    let plain = Receiver::writing(ok(&json!({"status": "Completed", "externalReference": " "})));
    assert_eq!(resolve(&bridge(&plain)).await, Ok(Resolved::Completed { external_reference: None }));
    let silent = Receiver::writing("HTTP/1.1 204 No Content\r\n\r\n");
    assert!(matches!(resolve(&bridge(&silent)).await, Err(BridgeError::BadAnswer(_))));
}
