//! Wrong values in shipping options, return reasons and return locations.

use crate::{
    harness::{Service, on_both_databases, text},
    settings::{KINDS, create, new_location, new_option, new_reason, path},
};
use serde_json::{Value, json};

on_both_databases! {
    wrong_values_of_a_setting_name_the_field
    wrong_changes_of_a_setting_name_the_field
    wrong_queries_of_settings_are_refused
}

const ABSENT: &str = "01999999-0000-7000-8000-000000000000";

/// A kind of setting with a body, and the field that its error names; empty for a body that is allowed.
type Case = ((&'static str, Value), &'static str);

#[expect(clippy::too_many_lines, reason = "a table")]
fn cases() -> Vec<Case> {
    let with = |mut body: Value, name: &str, value: Value| {
        body[name] = value;
        body
    };
    let without = |mut body: Value, name: &str| {
        body.as_object_mut().unwrap().remove(name);
        body
    };
    let option = |name: &str, value: Value| ("shipping-options", with(new_option(), name, value));
    let reason = |name: &str, value: Value| ("return-reasons", with(new_reason(), name, value));
    let location = |name: &str, value: Value| ("return-locations", with(new_location(), name, value));
    vec![
        (option("name", json!({})), "name"),
        (option("name", json!({"en": ""})), "name.en"),
        (option("name", json!({"en": "x".repeat(201)})), "name.en"),
        (option("name", json!({"en": "a\u{0}b"})), "name.en"),
        (option("name", json!({"English": "x"})), "name"),
        (option("name", json!("Locker")), "name"),
        (option("description", json!({"en": "x".repeat(2_001)})), "description.en"),
        (option("method", json!("Pigeon")), "method"),
        (option("prices", json!([])), "prices"),
        (option("prices", json!([{"value": "1.001", "currency": "GBP"}])), "prices[0]"),
        (option("prices", json!([{"value": "1000000000000.01", "currency": "GBP"}])), "prices"),
        (option("freeFrom", json!([{"value": "-1.00", "currency": "GBP"}])), "freeFrom"),
        (option("freeFrom", json!([{"value": "1000000000000.01", "currency": "GBP"}])), "freeFrom"),
        (option("maxWeight", json!(0)), "maxWeight"),
        (option("maxWeight", json!(1_000_001)), "maxWeight"),
        (option("maxWeight", json!(2_000)), "weightPrices[0].above"),
        (option("weightPrices", json!([{"above": 0, "prices": new_option()["prices"]}])), "weightPrices[0].above"),
        (option("weightPrices", json!([{"above": 9, "prices": []}])), "weightPrices[0].prices"),
        (option("weightPrices", json!([{"above": 9}])), "weightPrices[0].prices"),
        (option("weightPrices", json!(vec![new_option()["weightPrices"][0].clone(); 2])), "weightPrices[1].above"),
        (option("carrierService", json!("x".repeat(101))), "carrierService"),
        (option("countries", json!(["GBR"])), "countries[0]"),
        (option("countries", json!(["GB", "GB"])), "countries[1]"),
        (option("countries", json!(vec!["AA"; 251])), "countries"),
        (option("position", json!(-1)), "position"),
        (option("position", json!(1_000_001)), "position"),
        (option("returnLocationId", json!(ABSENT)), "returnLocationId"),
        (option("returnLocationId", json!("x")), "returnLocationId"),
        (option("archived", json!(true)), "archived"),
        (("shipping-options", without(new_option(), "prices")), "prices"),
        (reason("description", json!({"en": "x".repeat(501)})), "description.en"),
        (reason("parentId", json!(ABSENT)), "parentId"),
        (reason("evidence", json!("maybe")), "evidence"),
        (reason("fault", json!(null)), ""),
        (reason("restockingFeePercent", json!(100.5)), "restockingFeePercent"),
        (reason("allowedResolutions", json!(["Refund", "Refund"])), "allowedResolutions"),
        (reason("questions", json!([{"id": "Where?", "text": {"en": "Where?"}}])), "questions[0].id"),
        (reason("questions", json!([{"id": "a", "text": {"en": ""}}])), "questions[0].text.en"),
        (
            reason(
                "questions",
                json!([{"id": "a", "text": {"en": "A"}, "options": [{"id": "x", "text": {"en": "X"}}]}]),
            ),
            "questions[0].options",
        ),
        (reason("questions", json!(vec![json!({"id": "a", "text": {"en": "A"}}); 2])), "questions[1].id"),
        (reason("questions", json!(vec![json!({"id": "a", "text": {"en": "A"}}); 11])), "questions"),
        (location("name", json!("")), "name"),
        (location("address", json!({})), "address.street"),
        (location("address", json!({"street": "x", "city": "y", "country": "Holland"})), "address.country"),
        (location("address", json!({"street": "x 🚚", "city": "y", "country": "NL"})), "address.street"),
        (location("address", json!({"street": "王府井大街 1", "city": "北京", "country": "CN"})), ""),
        (location("isDefault", json!("yes")), "isDefault"),
    ]
}

async fn wrong_values_of_a_setting_name_the_field(service: Service) {
    let mut messages = Vec::new();
    for ((kind, body), field) in cases() {
        let answer = service.post(&path(kind), &service.demo.key, body.clone()).await;
        if field.is_empty() {
            assert_eq!(answer.status, 201, "{body}");
            continue;
        }
        assert_eq!(
            (answer.status, answer.error_code().as_str()),
            (422, "ValidationFailed"),
            "{body} {}",
            answer.text()
        );
        assert_eq!(answer.fields()[0], field, "{body}");
        let message = text(&answer.json()["error"]["details"][0]["message"]);
        messages.push(format!("{kind} {field}: {message}"));
    }
    matches_list_snapshot("settings-422-messages", &messages);
}

async fn wrong_changes_of_a_setting_name_the_field(service: Service) {
    for kind in KINDS {
        let one = format!("{}/{}", path(kind), text(&create(&service, kind).await["id"]));
        for (body, field) in [(json!({"foo": 1}), "foo"), (json!({"archived": null}), "archived")] {
            assert_eq!(service.patch(&one, &service.demo.key, body).await.fields(), [field]);
        }
        let name = if kind == "return-reasons" { "description" } else { "name" };
        assert_eq!(service.patch(&one, &service.demo.key, json!({name: null})).await.fields(), [name]);
    }
}

async fn wrong_queries_of_settings_are_refused(service: Service) {
    for query in ["filter=archived:maybe", "filter=name:x", "search=x", "sortBy=updatedAt", "expand=x"] {
        for kind in KINDS {
            assert_eq!(
                service.get(&format!("{}?{query}", path(kind)), &service.demo.key).await.status,
                400,
                "{kind} {query}"
            );
        }
    }
}

/// Compares lines with the snapshot of this name.
fn matches_list_snapshot(name: &str, lines: &[String]) {
    let mut settings = insta::Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_json_snapshot!(name, lines));
}
