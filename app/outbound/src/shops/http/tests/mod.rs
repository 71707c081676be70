//! Any bytes lead to an outcome, and an error never repeats a personal value of the answer.

mod arbitrary;
mod fixtures;

use super::answers;
use crate::{
    bridge::{
        BridgeError, CarrierLabel, Labelled, LookUp, MAX_ANSWER_BYTES, Rejected, Resolved, Unavailable,
        contract::{self, Credentials, GetPurchases},
        examples,
    },
    http::HttpResponse,
};
use domain::{Locale, Problems, RefusalCode, shipping::LabelFormat};
use fixtures::{NOW, credentials, label, labelled, places, purchases, resolution, resolved, response};
use serde_json::{Value, json};

/// A personal value of an answer, which imitates one of Serde's messages.
const PERSONAL: &str = "Ada, expected `Ada` at line 1 column 1";

#[test]
fn requests_match_the_examples() {
    let request = GetPurchases {
        request_id: "0190a5b1-7d3a-7c41-9f0e-2b6f6a1c9d10".parse().unwrap(),
        account: "fjord-fern".to_owned(),
        locale: Locale("en".to_owned()),
        credentials: credentials(),
        max_age_days: Some(60),
    };
    assert_eq!(serde_json::to_value(&request).unwrap(), examples::get_purchases());
    let proof = contract::Proof::PostalCode("ec1a1bb".to_owned());
    let credentials = Credentials { order_number: "1001".to_owned(), proof };
    let request = GetPurchases { credentials, ..request };
    assert_eq!(serde_json::to_value(&request).unwrap(), examples::get_purchases_by_postal_code());
    assert_eq!(serde_json::to_value(resolution()).unwrap(), examples::refund());
    assert_eq!(serde_json::to_value(label()).unwrap(), examples::get_label());
}

#[test]
fn the_answers_of_the_examples_are_read() {
    let Ok(LookUp::Found(found)) = purchases(&examples::purchases()) else { panic!("the example should be found") };
    let [mug, card] = found.purchases.as_slice() else { panic!("expected both lines") };
    assert_eq!((mug.total().decimal().as_str(), mug.obstacle()), ("39.95", None));
    assert_eq!((mug.fulfilled(), card.fulfilled()), (2, 0));
    assert_eq!(card.obstacle(), Some(domain::order::IneligibleCode::FinalSale));
    let reference = || Some("re_77".to_owned());
    assert_eq!(resolved(&examples::completed()), Ok(Resolved::Completed { external_reference: reference() }));
    assert_eq!(resolved(&examples::pending()), Ok(Resolved::Pending { external_reference: reference() }));
    let reason = "The card was closed: ask the customer for a bank account.".to_owned();
    assert_eq!(resolved(&examples::failed()), Ok(Resolved::Failed { external_reference: None, reason }));
}

#[test]
fn the_labels_of_the_examples_are_read() {
    let made = |number: &str| CarrierLabel {
        file: None,
        qr_code: None,
        barcode: number.to_owned(),
        carrier: "Post".to_owned(),
        tracking_number: number.to_owned(),
        tracking_url: String::new(),
        reference: None,
    };
    let printed = CarrierLabel {
        file: Some((LabelFormat::Pdf, b"%PDF-1.7\n".to_vec())),
        tracking_url: "https://post.example/track/3SABC0012345678".to_owned(),
        ..made("3SABC0012345678")
    };
    assert_eq!(labelled(&examples::label_created()), Ok(Labelled::Created(Box::new(printed))));
    let shown = CarrierLabel { qr_code: Some("POST:3SABC0012345679".to_owned()), ..made("3SABC0012345679") };
    assert_eq!(labelled(&examples::label_paperless()), Ok(Labelled::Created(Box::new(shown))));
    assert_eq!(labelled(&examples::label_pending()), Ok(Labelled::Pending));
    let reason = "The carrier does not know this postal code.".to_owned();
    assert_eq!(labelled(&examples::label_failed()), Ok(Labelled::Failed { code: "address".to_owned(), reason }));
}

/// Replaces every value of an answer by every kind of wrong value. No error may repeat the personal one.
fn spoil(example: &Value, outcome: impl Fn(&Value) -> Option<BridgeError>) {
    let spoilers = [
        json!(null),
        json!(true),
        json!(-1),
        json!(1.5),
        json!(1e300),
        json!(u64::MAX),
        json!(""),
        json!("\0"),
        json!(PERSONAL),
        json!(PERSONAL.repeat(100)),
        json!([]),
        json!([PERSONAL]),
        json!([[[]]]),
        json!({}),
        json!({PERSONAL: PERSONAL}),
        json!({"value": PERSONAL, "currency": "EUR"}),
        json!({"value": "1", "currency": PERSONAL}),
        json!({"value": "-99999999999", "currency": "JPY"}),
        json!({"value": "1.00", "currency": "EUR", PERSONAL: 1}),
    ];
    let mut all = Vec::new();
    places(example, "", &mut all);
    let mut refused = 0;
    for place in all {
        for spoiler in &spoilers {
            let mut spoiled = example.clone();
            *spoiled.pointer_mut(&place).unwrap() = spoiler.clone();
            if let Some(error) = outcome(&spoiled) {
                let message = format!("{error} {error:?}");
                assert!(!message.contains("Ada"), "{place}: {message}");
                refused += 1;
            }
        }
    }
    assert!(refused > 50, "{refused}");
}

#[test]
fn wrong_values_are_rejected_without_repeating_them() {
    spoil(&examples::purchases(), |spoiled| match purchases(spoiled) {
        Ok(LookUp::NotTheirs(problems)) => Some(BridgeError::BadAnswer(problems)),
        Ok(_) => None,
        Err(error) => Some(error),
    });
    spoil(&examples::completed(), |spoiled| resolved(spoiled).err());
    spoil(&examples::label_created(), |spoiled| labelled(spoiled).err());
}

#[test]
fn an_error_of_shape_names_the_field_and_what_is_allowed() {
    let is = |body: &str, path: &str, allowed: &str| {
        let error = answers::look_up(response(200, body), &credentials(), NOW).unwrap_err();
        let BridgeError::BadAnswer(Problems(problems)) = error else { panic!("{error}") };
        let [(field, refusal)] = problems.as_slice() else { panic!("{problems:?}") };
        assert_eq!((field.as_str(), refusal.message.as_str()), (path, allowed), "{body}");
    };
    is("", "", "expected JSON; it is invalid at line 1, column 0");
    is("<html>", "", "expected JSON; it is invalid at line 1, column 1");
    is("{\"consumer\": {}, \"purchases\": []} and more", "", "expected JSON; it is invalid at line 1, column 35");
    is("[{}, []]", "", "expected an object");
    is("\"Ada\"", "", "expected an object");
    is("{\"consumer\": {}}", "purchases", "this field is missing");
    is("{\"consumer\": {}, \"consumer\": {}, \"purchases\": []}", "consumer", "this field occurs twice");
    is("{\"consumer\": {}, \"purchases\": {}}", "purchases", "expected a list");
    let with = |pointer: &str, value: Value, path: &str, allowed: &str| {
        let mut body = examples::purchases();
        *body.pointer_mut(pointer).unwrap() = value;
        is(&body.to_string(), path, allowed);
    };
    let amount = "expected an amount such as 12.50 in EUR";
    with("/purchases/0/paid/value", json!(39.95), "purchases[0].paid.value", "expected a string");
    with("/purchases/0/paid/value", json!("39.955"), "purchases[0].paid", amount);
    let more = json!({"value": "1.00", "currency": "EUR", "a.b": 1});
    let fields = "expected no other fields than `value` and `currency`";
    with("/purchases/0/paid", more, "purchases[0].paid", fields);
    let currency = "expected a currency code of ISO 4217, such as EUR";
    with("/purchases/1/order/currency", json!("Euro"), "purchases[1].order.currency", currency);
    with("/purchases/0/quantity", json!(-1), "purchases[0].quantity", "expected a whole number, 0 or more");
    with("/purchases/0/quantity", json!(1.5), "purchases[0].quantity", "expected a whole number, 0 or more");
    with("/purchases/0/taxIncluded", json!("yes"), "purchases[0].taxIncluded", "expected a boolean");
    with("/purchases/0/product/attributes/Colour", json!(1), "purchases[0].product.attributes", "expected a string");
    let time = "expected a date and time like 2026-11-21T09:00:00Z (RFC 3339)";
    with("/purchases/0/fulfilledAt", json!("yesterday"), "purchases[0].fulfilledAt", time);
    let codes = "expected one of `FinalSale`, `ReturnWindowExpired`, `NotFulfilled`, `AlreadyReturned`, `NotReturnable`, \
         `NoShippingOption`, `NoReturnReason`, `ReturnedElsewhere`, `NotInOrder`, `NotShippable`";
    with("/purchases/1/reasonCode", json!("Sale"), "purchases[1].reasonCode", codes);
}

#[test]
fn required_fields_cannot_be_left_out() {
    let missing = |pointer: &str, name: &str| {
        let mut body = examples::purchases();
        body.pointer_mut(pointer).unwrap().as_object_mut().unwrap().remove(name).unwrap();
        let error = purchases(&body).unwrap_err();
        let BridgeError::BadAnswer(Problems(problems)) = error else { panic!("{error}") };
        let path = format!("{pointer}/{name}").trim_start_matches('/').replace("/0", "[0]").replace('/', ".");
        assert_eq!(
            problems.first().map(|(field, refusal)| (field.clone(), refusal.code)),
            Some((path, RefusalCode::Required))
        );
    };
    for field in
        ["purchaseId", "order", "product", "quantity", "paid", "tax", "taxIncluded", "fulfilledAt", "refundedQuantity"]
    {
        missing("/purchases/0", field);
    }
    for field in ["id", "number", "orderedAt", "currency", "shippingPaid"] {
        missing("/purchases/0/order", field);
    }
    missing("/purchases/0/product", "name");
    missing("", "consumer");
    missing("", "purchases");
}

#[test]
fn optional_fields_may_be_null_and_unknown_fields_are_ignored() {
    let mut body = examples::purchases();
    body["version"] = json!(7);
    let first = &mut body["purchases"][0];
    for field in ["discount", "fulfilledQuantity", "deliveredAt", "returnable", "reasonCode"] {
        first[field] = json!(null);
    }
    first["paidWith"] = json!({"card": [1, 2, 3]});
    for field in [
        "id",
        "sku",
        "barcode",
        "imageUrls",
        "attributes",
        "exchangeOptions",
        "weight",
        "hsCode",
        "originCountry",
        "finalSale",
        "requiresShipping",
    ] {
        first["product"][field] = json!(null);
    }
    for field in ["firstName", "lastName", "locale", "addresses"] {
        body["consumer"][field] = json!(null);
    }
    assert!(matches!(purchases(&body), Ok(LookUp::Found(_))), "{:?}", purchases(&body));
}

#[test]
fn status_and_size_decide_how_a_response_is_read() {
    let of = |status, retry_after: Option<&str>| {
        let body = examples::purchases().to_string();
        let response = HttpResponse { retry_after: retry_after.map(str::to_owned), ..response(status, body) };
        answers::look_up(response, &credentials(), NOW)
    };
    for status in [200, 201, 299] {
        assert!(matches!(of(status, None), Ok(LookUp::Found(_))));
    }
    assert_eq!(of(404, None), Ok(LookUp::NotFound));
    for status in [301, 302, 400, 401, 403, 409, 410, 418] {
        assert_eq!(of(status, None), Err(Rejected { status }.into()));
    }
    let unavailable = |status, wait_seconds| Err(Unavailable::Status { status, wait_seconds }.into());
    assert_eq!(of(500, None), unavailable(500, None));
    assert_eq!(of(429, Some("120")), unavailable(429, Some(120)));
    assert_eq!(of(503, Some("Sat, 21 Nov 2026 10:10:00 GMT")), unavailable(503, Some(600)));
    assert_eq!(of(503, Some("Sat, 21 Nov 2020 10:10:00 GMT")), unavailable(503, Some(0)));
    assert_eq!(of(408, Some("soon")), unavailable(408, None));
    let padded = |bytes| {
        let mut body = examples::purchases().to_string().into_bytes();
        body.resize(bytes, b' ');
        answers::look_up(response(200, body), &credentials(), NOW)
    };
    assert!(matches!(padded(MAX_ANSWER_BYTES), Ok(LookUp::Found(_))));
    let Err(BridgeError::BadAnswer(Problems(problems))) = padded(MAX_ANSWER_BYTES + 1) else {
        panic!("it is too long")
    };
    assert_eq!(problems[0].1.message, "expected at most 1048576 bytes");
}

#[test]
fn a_reason_is_stored_on_one_line_and_cut() {
    let failed = |reason: &str| resolved(&json!({"status": "Failed", "reason": reason}));
    let Ok(Resolved::Failed { reason, .. }) = failed("Refused:\n\tat line 3\u{0}") else { panic!("it failed") };
    assert_eq!(reason, "Refused: at line 3");
    let Ok(Resolved::Failed { reason, .. }) = failed(&"é".repeat(1_000)) else { panic!("it failed") };
    assert_eq!(reason.chars().count(), 500);
    for empty in ["", " \n"] {
        let Err(BridgeError::BadAnswer(Problems(problems))) = failed(empty) else { panic!("no reason was given") };
        assert_eq!((problems[0].0.as_str(), problems[0].1.code), ("reason", RefusalCode::Required));
    }
}
