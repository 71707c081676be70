//! The OpenAPI document that the service serves.

use crate::harness::{Service, on_both_databases, open};
use domain::{Translated, policy::Policy};
use serde_json::{Value, json};
use server::api::document_text;

on_both_databases! {
    the_document_names_its_service
}

/// The maximum size of the document in bytes.
const MAX_BYTES: usize = 1300 * 1000;

async fn the_document_names_its_service(service: Service) {
    let served = async |public_url: Option<&str>| {
        let base = open(service.instance(0).at(public_url));
        let answer = reqwest::get(format!("{base}/api/v0/openapi.json")).await.unwrap();
        assert_eq!(answer.headers()["content-type"], "application/json");
        let bytes = answer.bytes().await.unwrap();
        assert!(bytes.len() < MAX_BYTES, "{}", bytes.len());
        serde_json::from_slice::<Value>(&bytes).unwrap()
    };
    let mut document = served(Some("https://returns.example.com/")).await;
    assert_eq!(document["servers"][0]["url"], "https://returns.example.com");
    document["servers"][0]["url"] = "/".into();
    assert_eq!(document, served(None).await, "only the URL differs");
    assert_eq!(
        document,
        serde_json::from_str::<Value>(document_text()).unwrap(),
        "the command line prints the same document"
    );
}

fn schema(name: &str) -> Value {
    let document: Value = serde_json::from_str(document_text()).unwrap();
    let found = document["components"]["schemas"][name].clone();
    assert!(found.is_object(), "{name}");
    found
}

/// The fields of a policy that the code refuses, with one field changed.
fn refused(field: &str, value: Value) -> Vec<String> {
    let mut policy = serde_json::to_value(Policy::default()).unwrap();
    policy[field] = value;
    let policy: Policy = serde_json::from_value(policy).unwrap();
    policy.check().0.into_iter().map(|(field, _)| field).collect()
}

#[test]
fn the_numbers_of_a_policy_have_the_limits_that_the_code_enforces() {
    let schema = schema("Policy");
    let mut checked = 0;
    for (field, rules) in schema["properties"].as_object().unwrap() {
        let Some(most) = rules["maximum"].as_i64() else { continue };
        let least = rules["minimum"].as_i64().unwrap().max(i64::from(field == "labelExpiresDays"));
        for within in [least, most] {
            assert!(refused(field, json!(within)).is_empty(), "{field}: {within}");
        }
        assert_eq!(refused(field, json!(most + 1)), [field.as_str()]);
        if least > 0 {
            assert_eq!(refused(field, json!(least - 1)), [field.as_str()]);
        }
        checked += 1;
    }
    assert_eq!(checked, 9, "storeCreditBonusPercent has its own type");
    let sale = &schema["properties"]["finalSale"];
    let (items, chars) = (sale["maxItems"].as_u64().unwrap(), sale["items"]["maxLength"].as_u64().unwrap());
    let list = |count: u64, length: u64| json!(vec!["x".repeat(length.try_into().unwrap()); count.try_into().unwrap()]);
    assert!(refused("finalSale", list(items, 1)).is_empty() && refused("finalSale", list(1, chars)).is_empty());
    assert_eq!(refused("finalSale", list(items + 1, 1)), ["finalSale"]);
    assert_eq!(refused("finalSale", list(1, chars + 1)), ["finalSale[0]"]);
    for (field, all) in
        [("resolutions", json!(["Refund", "Exchange", "StoreCredit"])), ("lookUpBy", json!(["email", "postalCode"]))]
    {
        let rules = &schema["properties"][field];
        assert_eq!(
            (&rules["minItems"], &rules["maxItems"]),
            (&json!(1), &json!(all.as_array().unwrap().len())),
            "{field}"
        );
        assert!(refused(field, all).is_empty(), "{field}");
        assert_eq!(refused(field, json!([])), [field]);
    }
}

#[test]
fn a_translated_text_has_the_limits_that_the_code_enforces() {
    let schema = schema("Translated");
    let (languages, texts) = (&schema["maxProperties"], &schema["additionalProperties"]);
    let most = languages.as_u64().unwrap();
    let chars = usize::try_from(texts["maxLength"].as_u64().unwrap()).unwrap();
    let tags = |count: u64| -> Translated {
        let tag = |number: u64| {
            format!(
                "a{}{}",
                char::from(b'a' + u8::try_from(number / 26).unwrap()),
                char::from(b'a' + u8::try_from(number % 26).unwrap())
            )
        };
        Translated((0..count).map(|number| (tag(number), "x".to_owned())).collect())
    };
    assert!(tags(most).check("name", 1, chars).0.is_empty());
    assert!(!tags(most + 1).check("name", 1, chars).0.is_empty());
    assert!(Translated::en(&"x".repeat(chars)).check("name", 1, chars).0.is_empty());
    assert!(!Translated::en(&"x".repeat(chars + 1)).check("name", 1, chars).0.is_empty());
    assert!(!Translated::en("").check("name", 1, chars).0.is_empty());
    assert_eq!(texts["minLength"], 1);
}

#[test]
fn the_e_mail_address_of_an_order_has_an_at_sign_or_is_blank() {
    let schema = schema("OrderInput");
    let rules = &schema["properties"]["email"];
    assert_eq!(rules["maxLength"], 320);
    let accepted = |email: &str| jsonschema::validator_for(rules).unwrap().is_valid(&json!(email));
    let read = |email: &str| {
        let order = json!({"orders": [{
            "order": {"number": "1", "email": email, "currency": "EUR", "orderedAt": "2026-01-31T12:00:00Z",
                "address": {"postalCode": "1"}},
            "purchases": [{"externalId": "1", "product": {"name": "Mug"}, "quantity": 1, "totalPrice": {"value": "1.00", "currency": "EUR"}}],
        }]});
        serde_json::from_value::<returns::OrdersInput>(order).unwrap().read().is_ok()
    };
    let long = format!("{}@x", "x".repeat(318));
    for (email, is_valid) in [
        ("ada@example.com", true),
        ("", true),
        (" \u{a0}\u{2003}", true),
        ("ada", false),
        ("a\n@b", false),
        (long.as_str(), true),
        (&format!("x{long}"), false),
    ] {
        assert_eq!((accepted(email), read(email)), (is_valid, is_valid), "{email:?}");
    }
}
