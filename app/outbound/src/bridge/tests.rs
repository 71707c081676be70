//! Whatever bytes come, there is an outcome, and it repeats nothing of what came.

use super::*;
use crate::labels::Sscc;
use domain::{
    Locale, Money, ReturnRequestId, Translated, carrier::LabelFormat, policy::Address, shipping::ShippingMethod,
};
use proptest::prelude::*;
use serde_json::{Value, json};

const NOW: Timestamp = Timestamp::from_seconds(1_795_255_200);
/// What an answer holds and nobody else may see; it looks as much as can be like one of Serde's sentences.
const PERSONAL: &str = "Ada, expected `Ada` at line 1 column 1";

fn credentials() -> Credentials {
    let proof = contract::Proof::Email("ada@example.com".to_owned());
    Credentials { order_number: "#1001".to_owned(), proof }
}

fn resolution() -> ResolveReturn {
    let eur = domain::Currency::from_code("EUR").unwrap();
    let item = contract::Item {
        return_request_id: "0190a5b1-9e4f-7a30-b1c2-7f3d5e8a6b90".parse::<ReturnRequestId>().unwrap(),
        purchase_id: "466157049".to_owned(),
        quantity: 1,
        amount: domain::Money::new(1998, eur),
        exchange_sku: None,
        disposition: Some(domain::stage::Disposition::Restock),
    };
    ResolveReturn {
        transaction_id: Uuid::from_u128(0x0190_a5b2_0c11_7b52_8d7e_51c0_b7a9_e2f4),
        kind: domain::policy::Resolution::Refund,
        order_id: "820982911946154508".to_owned(),
        return_order_number: "R-7K3M9Q2A".to_owned(),
        items: vec![item],
        shipping_refund: domain::Money::new(0, eur),
        fees: domain::Money::new(495, eur),
        gift_recipient_email: None,
    }
}

fn label() -> GetLabel {
    let lines = |[name, street, additional, postal_code, city, country]: [&str; 6]| Address {
        name: name.to_owned(),
        street: street.to_owned(),
        additional: additional.to_owned(),
        postal_code: postal_code.to_owned(),
        city: city.to_owned(),
        province: String::new(),
        country: country.to_owned(),
    };
    let option = contract::LabelOption {
        id: "0190a5a0-1b2c-7d3e-8f40-516273849506".parse().unwrap(),
        name: Translated::en("Post office"),
        method: ShippingMethod::Label,
        carrier_service: String::new(),
    };
    let item = contract::LabelItem {
        purchase_id: "466157049".to_owned(),
        name: "Stoneware mug".to_owned(),
        sku: "MUG-BLUE".to_owned(),
        quantity: 1,
        value: Money::new(1998, domain::Currency::from_code("EUR").unwrap()),
        weight: 350,
        hs_code: "6912.00".to_owned(),
        origin_country: "PT".to_owned(),
    };
    GetLabel {
        transaction_id: Uuid::from_u128(0x0190_a5b1_a1c2_7d34_8e5f_6071_8293_a4b5),
        account: "fjord-fern".to_owned(),
        return_order_id: "0190a5b1-9e4f-7b21-a3d4-5e6f708192a3".parse().unwrap(),
        return_order_number: "R-7K3M9Q2A".to_owned(),
        order_numbers: vec!["1001".to_owned()],
        shipping_option: Some(option),
        sender: lines(["Ida Sommer", "Hafenstraße 12", "", "20457", "Hamburg", "DE"]),
        receiver: lines(["Fjord & Fern Returns", "Kaistraat 4", "Dock 2", "1013 AA", "Amsterdam", "NL"]),
        sscc: Sscc::nth("9521234", 1).unwrap().to_string(),
        items: vec![item],
        weight: 350,
        passes_customs: false,
    }
}

fn answer(status: u16, body: impl Into<Vec<u8>>) -> Answer {
    Answer { status, retry_after: None, body: body.into() }
}

fn purchases(body: &Value) -> Result<LookUp, BridgeError> {
    looked_up(answer(200, body.to_string()), &credentials(), NOW)
}

fn settled(body: &Value) -> Result<Resolved, BridgeError> {
    resolved(answer(200, body.to_string()), &resolution(), NOW)
}

fn labelled(body: &Value) -> Result<Labelled, BridgeError> {
    label::labelled(answer(200, body.to_string()), &label(), NOW)
}

#[test]
fn requests_are_as_the_examples_have_them() {
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
fn answers_of_the_examples_are_understood() {
    let Ok(LookUp::Found(found)) = purchases(&examples::purchases()) else { panic!("the example should be found") };
    let [mug, card] = found.purchases.as_slice() else { panic!("expected both lines") };
    assert_eq!((mug.total().decimal().as_str(), mug.obstacle()), ("39.95", None));
    assert_eq!((mug.fulfilled(), card.fulfilled()), (2, 0));
    assert_eq!(card.obstacle(), Some(domain::eligibility::IneligibleCode::FinalSale));
    let reference = || Some("re_77".to_owned());
    assert_eq!(settled(&examples::completed()), Ok(Resolved::Completed { external_reference: reference() }));
    assert_eq!(settled(&examples::pending()), Ok(Resolved::Pending { external_reference: reference() }));
    let reason = "The card was closed: ask the customer for a bank account.".to_owned();
    assert_eq!(settled(&examples::failed()), Ok(Resolved::Failed { external_reference: None, reason }));
}

#[test]
fn labels_of_the_examples_are_understood() {
    let made = |number: &str| Made {
        file: None,
        qr_code: None,
        barcode: number.to_owned(),
        carrier: "Post".to_owned(),
        tracking_number: number.to_owned(),
        tracking_url: String::new(),
        reference: None,
    };
    let printed = Made {
        file: Some((LabelFormat::Pdf, b"%PDF-1.7\n".to_vec())),
        tracking_url: "https://post.example/track/3SABC0012345678".to_owned(),
        ..made("3SABC0012345678")
    };
    assert_eq!(labelled(&examples::label_created()), Ok(Labelled::Created(Box::new(printed))));
    let shown = Made { qr_code: Some("POST:3SABC0012345679".to_owned()), ..made("3SABC0012345679") };
    assert_eq!(labelled(&examples::label_paperless()), Ok(Labelled::Created(Box::new(shown))));
    assert_eq!(labelled(&examples::label_pending()), Ok(Labelled::Pending));
    let reason = "The carrier does not know this postal code.".to_owned();
    assert_eq!(labelled(&examples::label_failed()), Ok(Labelled::Failed { code: "address".to_owned(), reason }));
}

/// Paths to every place in a document.
fn places(value: &Value, at: &str, places: &mut Vec<String>) {
    places.push(at.to_owned());
    match value {
        Value::Object(fields) => {
            fields.iter().for_each(|(name, field)| self::places(field, &format!("{at}/{name}"), places));
        }
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(index, item)| self::places(item, &format!("{at}/{index}"), places));
        }
        _ => {}
    }
}

/// Puts everything that does not belong there in every place of an answer, and tells what came of it.
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
                let told = format!("{error} {error:?}");
                assert!(!told.contains("Ada"), "{place}: {told}");
                refused += 1;
            }
        }
    }
    assert!(refused > 50, "{refused}");
}

#[test]
fn what_does_not_belong_there_is_told_without_repeating_it() {
    spoil(&examples::purchases(), |spoiled| match purchases(spoiled) {
        Ok(LookUp::NotTheirs(problems)) => Some(BridgeError::BadAnswer(problems)),
        Ok(_) => None,
        Err(error) => Some(error),
    });
    spoil(&examples::completed(), |spoiled| settled(spoiled).err());
    spoil(&examples::label_created(), |spoiled| labelled(spoiled).err());
}

#[test]
fn what_is_wrong_with_the_shape_is_named() {
    let is = |body: &str, path: &str, allowed: &str| {
        let error = looked_up(answer(200, body), &credentials(), NOW).unwrap_err();
        let BridgeError::BadAnswer(Problems(problems)) = error else { panic!("{error}") };
        let [(told, refusal)] = problems.as_slice() else { panic!("{problems:?}") };
        assert_eq!((told.as_str(), refusal.message.as_str()), (path, allowed), "{body}");
    };
    is("", "", "expected JSON; it is invalid at line 1, column 0");
    is("<html>", "", "expected JSON; it is invalid at line 1, column 1");
    is("{\"consumer\": {}, \"purchases\": []} and more", "", "expected JSON; it is invalid at line 1, column 35");
    is("[{}, []]", "", "expected an object");
    is("\"Ada\"", "", "expected an object");
    is("{\"consumer\": {}}", "purchases", "this field is missing");
    is("{\"consumer\": {}, \"consumer\": {}, \"purchases\": []}", "consumer", "this field is there twice");
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
fn what_must_be_said_cannot_be_left_out() {
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
fn what_may_be_left_out_may_be_null_and_what_is_unknown_is_ignored() {
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
fn statuses_and_sizes_decide_what_an_answer_is() {
    let of = |status, retry_after: Option<&str>| {
        let body = examples::purchases().to_string();
        let answer = Answer { retry_after: retry_after.map(str::to_owned), ..answer(status, body) };
        looked_up(answer, &credentials(), NOW)
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
        looked_up(answer(200, body), &credentials(), NOW)
    };
    assert!(matches!(padded(MOST_ANSWERED), Ok(LookUp::Found(_))));
    let Err(BridgeError::BadAnswer(Problems(problems))) = padded(MOST_ANSWERED + 1) else { panic!("it is too long") };
    assert_eq!(problems[0].1.message, "expected at most 1048576 bytes");
}

#[test]
fn reasons_are_kept_on_one_line_and_no_longer_than_they_are_read() {
    let failed = |reason: &str| settled(&json!({"status": "Failed", "reason": reason}));
    let Ok(Resolved::Failed { reason, .. }) = failed("Refused:\n\tat line 3\u{0}") else { panic!("it failed") };
    assert_eq!(reason, "Refused: at line 3");
    let Ok(Resolved::Failed { reason, .. }) = failed(&"é".repeat(1_000)) else { panic!("it failed") };
    assert_eq!(reason.chars().count(), 500);
    for empty in ["", " \n"] {
        let Err(BridgeError::BadAnswer(Problems(problems))) = failed(empty) else { panic!("no reason was given") };
        assert_eq!((problems[0].0.as_str(), problems[0].1.code), ("reason", RefusalCode::Required));
    }
}

/// JSON of all kinds, with our own names in it.
fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(|number| json!(number)),
        ".{0,20}".prop_map(Value::from),
        prop::sample::select(vec!["EUR", "1.00", "Completed", "Created", "application/pdf", "2026-01-31T12:00:00Z"])
            .prop_map(Value::from),
    ];
    let names = prop::sample::select(vec![
        "consumer",
        "email",
        "addresses",
        "purchases",
        "purchaseId",
        "order",
        "number",
        "product",
        "name",
        "paid",
        "value",
        "currency",
        "status",
        "items",
        "returnRequestId",
        "label",
        "mediaType",
        "data",
        "qrCode",
    ]);
    leaf.prop_recursive(6, 64, 6, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::btree_map(names.clone(), inner, 0..6).prop_map(|fields| Value::Object(
                fields.into_iter().map(|(name, field)| (name.to_owned(), field)).collect()
            )),
        ]
    })
}

proptest! {
    #[test]
    fn no_bytes_make_it_panic(status in 100_u16..1_000, body in prop::collection::vec(any::<u8>(), 0..400)) {
        let _ = looked_up(answer(status, body.clone()), &credentials(), NOW);
        let _ = resolved(answer(status, body.clone()), &resolution(), NOW);
        let _ = label::labelled(answer(status, body), &label(), NOW);
    }

    #[test]
    fn no_json_makes_it_panic(body in any_json(), pointer in any::<prop::sample::Index>()) {
        let _ = purchases(&body);
        let _ = settled(&body);
        let _ = labelled(&body);
        // And in a place of an answer that is right otherwise.
        for example in [examples::purchases(), examples::completed(), examples::label_created()] {
            let mut all = Vec::new();
            places(&example, "", &mut all);
            let mut spoiled = example;
            *spoiled.pointer_mut(&all[pointer.index(all.len())]).unwrap() = body.clone();
            let _ = purchases(&spoiled);
            let _ = settled(&spoiled);
            let _ = labelled(&spoiled);
        }
    }

    #[test]
    fn no_bytes_changed_make_it_panic(changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6)) {
        for example in [examples::purchases(), examples::completed(), examples::label_created()] {
            let mut body = example.to_string().into_bytes();
            for (at, byte) in &changes {
                let at = at.index(body.len());
                body[at] = *byte;
            }
            let _ = looked_up(answer(200, body.clone()), &credentials(), NOW);
            let _ = resolved(answer(200, body.clone()), &resolution(), NOW);
            let _ = label::labelled(answer(200, body), &label(), NOW);
        }
    }
}
