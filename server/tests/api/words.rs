//! Enumerations in bodies.

use crate::{
    bad_input::expect,
    harness::{Service, on_both_databases, send},
};
use reqwest::Method;
use serde_json::{Value, json};

on_both_databases! {
    enumerations_accept_only_strings
}

/// A body with a value at a path such as `policy.lookUpBy[0]`.
fn body_with(path: &str, value: &Value) -> Value {
    path.rsplit('.').fold(value.clone(), |inner, part| match part.strip_suffix("[0]") {
        Some(name) => json!({name: [inner]}),
        None => json!({part: inner}),
    })
}

async fn enumerations_accept_only_strings(service: Service) {
    let any = service.demo.account.id;
    let words = [
        (Method::POST, "webhook-subscriptions".to_owned(), "eventName", "test.ping"),
        (Method::PATCH, format!("webhook-subscriptions/{any}"), "eventName", "test.ping"),
        (Method::PATCH, format!("webhook-subscriptions/{any}"), "eventTypes[0]", "test.ping"),
        (Method::PATCH, format!("webhook-subscriptions/{any}"), "stages[0]", "Resolution: Approved"),
        (Method::POST, format!("webhook-subscriptions/{any}/redeliver"), "which", "All"),
        (Method::POST, "users".to_owned(), "role", "agent"),
        (Method::POST, "service-users".to_owned(), "scopes[0]", "read"),
        (Method::PATCH, format!("return-reasons/{any}"), "evidence", "none"),
        (Method::PATCH, format!("return-reasons/{any}"), "fault", "merchant"),
        (Method::PATCH, format!("return-reasons/{any}"), "allowedResolutions[0]", "Refund"),
        (Method::PATCH, format!("shipping-options/{any}"), "method", "Label"),
        (Method::PATCH, format!("return-requests/{any}"), "stage", "Resolution: Completed"),
        (Method::PATCH, format!("withdrawals/{any}"), "status", "Closed"),
        (Method::POST, format!("return-requests/{any}/inspection"), "condition", "New"),
        (Method::POST, format!("return-requests/{any}/inspection"), "disposition", "Restock"),
        (Method::POST, format!("shipments/{any}/tracking-updates"), "status", "Delivered"),
        (Method::POST, "draft-return-orders".to_owned(), "selectedPurchases[0].requestedResolution", "Refund"),
        (Method::PATCH, "account".to_owned(), "policy.windowStartsOn", "ordered"),
        (Method::PATCH, "account".to_owned(), "policy.resolutions[0]", "Refund"),
        (Method::PATCH, "account".to_owned(), "policy.resolveOn", "receipt"),
        (Method::PATCH, "account".to_owned(), "policy.resolver", "external"),
        (Method::PATCH, "account".to_owned(), "policy.lookUpBy[0]", "email"),
        (Method::PATCH, "account".to_owned(), "policy.feeCollection", "deduct"),
    ];
    let before = service.contents().await;
    for (method, path, field, word) in words {
        for wrong in
            [json!({word: null}), json!({word: {}}), json!([word]), json!(1), json!(1.0), json!(true), json!(null)]
        {
            // An optional field can be null in a POST.
            if wrong.is_null() && method == Method::POST && !field.ends_with(']') {
                continue;
            }
            let request = service.request(method.clone(), &format!("/api/v0/{path}"), &service.demo.key);
            let answer = send(request.json(&body_with(field, &wrong))).await;
            expect(&format!("{path} {field} {wrong}"), &answer, 422, "ValidationFailed", field);
        }
    }
    assert_eq!(service.contents().await, before);
}
