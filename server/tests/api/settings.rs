//! The account and its settings: shipping options, return reasons and return locations.

use crate::harness::{Answer, Service, on_both_databases, send, text};
use reqwest::Method;
use returns::Scope;
use serde_json::{Value, json};

on_both_databases! {
    the_account_is_retrieved_and_changed_field_by_field
    wrong_values_of_an_account_name_the_field
    a_shipping_option_is_created_changed_archived_and_restored
    a_return_reason_is_created_changed_archived_and_restored
    a_return_location_is_created_changed_archived_and_restored
    settings_have_versions
    a_repeated_request_changes_settings_once
    only_admins_of_the_account_can_change_settings
    archived_settings_are_not_offered_to_consumers
}

pub const KINDS: [&str; 3] = ["shipping-options", "return-reasons", "return-locations"];

pub fn new_option() -> Value {
    json!({
        "name": {"en": "Locker", "de": "Paketbox"}, "description": {"en": "Any hour."}, "method": "Paperless",
        "prices": [{"value": "2.50", "currency": "GBP"}, {"value": "3.00", "currency": "EUR"}],
        "weightPrices": [{"above": 2000, "prices": [{"value": "4.50", "currency": "GBP"}]}], "maxWeight": 31500,
        "freeFrom": [{"value": "75.00", "currency": "GBP"}], "countries": ["GB", "IE"], "carrierService": "post_standard",
    })
}

pub fn new_reason() -> Value {
    json!({
        "description": {"en": "It squeaks", "de": "Es quietscht"}, "evidence": "required", "review": true,
        "fault": "merchant", "restockingFeePercent": 7.5, "allowedResolutions": ["Refund"], "position": 2,
        "questions": [{"id": "when", "text": {"en": "When?"}, "required": true, "options": [{"id": "cold", "text": {"en": "In the cold"}}, {"id": "warm", "text": {"en": "In the warmth"}}]}],
    })
}

pub fn new_location() -> Value {
    let address =
        json!({"name": "Returns", "street": "1 Dock Road", "postalCode": "EH6 6LU", "city": "Leith", "country": "GB"});
    json!({"name": "Leith", "address": address, "isDefault": true})
}

fn new_of(kind: &str) -> Value {
    match kind {
        "shipping-options" => new_option(),
        "return-reasons" => new_reason(),
        _ => new_location(),
    }
}

pub fn path(kind: &str) -> String {
    format!("/api/v0/{kind}")
}

pub async fn create(service: &Service, kind: &str) -> Value {
    let answer = service.post(&path(kind), &service.demo.key, new_of(kind)).await;
    assert_eq!(answer.status, 201, "{}", answer.text());
    answer.json()
}

async fn the_account_is_retrieved_and_changed_field_by_field(service: Service) {
    let key = &service.demo.key;
    let whole = format!("/api/v0/account/{}", service.demo.account.id);
    let got = service.get(&whole, key).await;
    got.matches_snapshot("account");
    assert_eq!(got.header("etag"), Some("\"1\""));
    assert_eq!(service.get("/api/v0/account", key).await.body, got.body);

    service.clock.set(crate::harness::NOW.plus_seconds(60));
    assert_eq!(service.patch(&whole, key, json!({})).await.json(), got.json(), "an empty change changes nothing");
    let change = json!({
        "name": "Fern & Fjord",
        "policy": {"returnWindowDays": null, "requestFee": [{"value": "1.00", "currency": "GBP"}]},
        "branding": {"color": "#123456", "logoUrl": null, "locale": "de"},
    });
    let changed = service.patch(&whole, key, change).await;
    changed.matches_snapshot("account-changed");
    assert_eq!(changed.header("etag"), Some("\"2\""));
    let (before, after) = (got.json(), changed.json());
    assert_eq!(
        (&after["createdAt"], &after["policy"]["returnAddress"]),
        (&before["createdAt"], &before["policy"]["returnAddress"])
    );
    assert_ne!(after["updatedAt"], before["updatedAt"]);
    assert_eq!(service.get("/api/v0/account", key).await.json(), after);
    assert_eq!(service.get("/api/v0/account", &service.other_key).await.json()["version"], 1);
}

async fn wrong_values_of_an_account_name_the_field(service: Service) {
    let before = service.get("/api/v0/account", &service.demo.key).await.json();
    let cases = [
        (json!({"slug": "new"}), vec!["slug"]),
        (json!({"currency": "EUR"}), vec!["currency"]),
        (json!({"name": null}), vec!["name"]),
        (json!({"name": ""}), vec!["name"]),
        (json!({"name": "x".repeat(101)}), vec!["name"]),
        (json!({"policy": null}), vec!["policy"]),
        (json!({"policy": {"foo": 1}}), vec!["policy.foo"]),
        (json!({"policy": {"graceDays": null}}), vec!["policy.graceDays"]),
        (json!({"policy": {"graceDays": -1}}), vec!["policy.graceDays"]),
        (json!({"policy": {"withdrawalFunction": "yes"}}), vec!["policy.withdrawalFunction"]),
        (json!({"policy": {"withdrawalFunction": null}}), vec!["policy.withdrawalFunction"]),
        (json!({"policy": {"resolveOn": "never"}}), vec!["policy.resolveOn"]),
        (json!({"policy": {"storeCreditBonusPercent": 101}}), vec!["policy.storeCreditBonusPercent"]),
        (json!({"policy": {"requestFee": [{"value": "-1.00", "currency": "GBP"}]}}), vec!["policy.requestFee"]),
        (json!({"policy": {"returnAddress": {"zip": "1"}}}), vec!["policy.returnAddress.zip"]),
        (json!({"policy": {"returnAddress": {"city": "a\u{0}b"}}}), vec!["policy.returnAddress.city"]),
        (
            json!({"policy": {"returnAddress": {"name": "مرتجعات 東京 नई", "street": "ᏣᎳᎩ 1"}}}),
            vec!["policy.returnAddress.street"],
        ),
        (
            json!({"policy": {"graceDays": 99999, "lookUpBy": []}, "branding": {"color": "red"}}),
            vec!["policy.graceDays", "policy.lookUpBy", "branding.color"],
        ),
        (json!({"policy": {"gs1CompanyPrefix": "12"}}), vec!["policy.gs1CompanyPrefix"]),
        (
            json!({"policy": {"refundDays": 0, "reviewDays": 61, "transitDays": 1000}}),
            vec!["policy.refundDays", "policy.reviewDays", "policy.transitDays"],
        ),
        (json!({"policy": {"refundDays": 1.5}}), vec!["policy.refundDays"]),
        (json!({"branding": {"logoUrl": "https://elsewhere.example/a.svg"}}), vec!["branding.logoUrl"]),
        (json!({"branding": {"logoDarkUrl": "//elsewhere.example/a.svg"}}), vec!["branding.logoDarkUrl"]),
        (
            json!({"branding": {"contactEmail": "help", "contactUrl": "javascript:alert(1)", "contactPhone": "call us"}}),
            vec!["branding.contactUrl", "branding.contactEmail", "branding.contactPhone"],
        ),
        (
            json!({"branding": {"embedOrigins": ["https://shop.example", "https://shop.example/", "'self'"]}}),
            vec!["branding.embedOrigins[1]", "branding.embedOrigins[2]"],
        ),
        (json!({"branding": {"embedOrigins": vec!["https://shop.example"; 21]}}), vec!["branding.embedOrigins"]),
        (
            json!({"apiOrigins": ["https://shop.example", "https://shop.example/returns", "https://Shop.example", "null"]}),
            vec!["apiOrigins[1]", "apiOrigins[2]", "apiOrigins[3]"],
        ),
        (json!({"apiOrigins": vec!["https://shop.example"; 21]}), vec!["apiOrigins"]),
        (json!({"apiOrigins": null}), vec!["apiOrigins"]),
    ];
    for (change, fields) in cases {
        let answer = service.patch("/api/v0/account", &service.demo.key, change.clone()).await;
        assert_eq!((answer.status, answer.error_code().as_str()), (422, "ValidationFailed"), "{change}");
        assert_eq!(answer.fields(), fields, "{change}");
    }
    let several = json!({"policy": {"storeCreditBonusPercent": 101}});
    service.patch("/api/v0/account", &service.demo.key, several).await.matches_snapshot("account-422");
    assert_eq!(service.get("/api/v0/account", &service.demo.key).await.json(), before);
}

/// The ids in a list.
async fn ids(service: &Service, kind: &str, query: &str) -> Vec<String> {
    let list = service.get(&format!("{}?limit=100{query}", path(kind)), &service.demo.key).await;
    assert_eq!(list.status, 200, "{}", list.text());
    list.json()["data"].as_array().unwrap().iter().map(|one| text(&one["id"])).collect()
}

/// Creates a setting, changes it, archives it and restores it, with a snapshot of each answer.
async fn create_change_archive_restore(service: &Service, kind: &str, change: Value) -> String {
    let key = &service.demo.key;
    let made = service.post(&path(kind), key, new_of(kind)).await;
    made.matches_snapshot(&format!("{kind}-201"));
    assert_eq!(made.header("etag"), Some("\"1\""));
    let id = text(&made.json()["id"]);
    let one = format!("{}/{id}", path(kind));
    assert_eq!(service.get(&one, key).await.json(), made.json());
    assert_eq!(ids(service, kind, "").await[0], id, "newest first");
    service.get(&format!("{}?limit=1", path(kind)), key).await.matches_snapshot(&format!("{kind}-list"));

    service.clock.set(crate::harness::NOW.plus_seconds(60));
    let changed = service.patch(&one, key, change).await;
    changed.matches_snapshot(&format!("{kind}-changed"));
    assert_eq!((changed.header("etag"), &changed.json()["version"]), (Some("\"2\""), &json!(2)));
    let archived = service.patch(&one, key, json!({"archived": true})).await;
    assert!(archived.json()["archivedAt"].is_string());
    assert!(!ids(service, kind, "").await.contains(&id));
    assert_eq!(ids(service, kind, "&filter=archived:true").await, std::slice::from_ref(&id));
    assert_eq!(service.get(&one, key).await.json(), archived.json());
    let back = service.patch(&one, key, json!({"archived": false})).await;
    assert_eq!((&back.json()["archivedAt"], &back.json()["version"]), (&Value::Null, &json!(4)));
    assert!(ids(service, kind, "&filter=archived:false").await.contains(&id));
    one
}

/// A setting that was never used is deleted.
async fn delete_unused(service: &Service, one: &str) {
    let gone = service.delete(one, &service.demo.key).await;
    assert_eq!((gone.status, gone.text().as_str()), (204, ""));
    assert_eq!(service.get(one, &service.demo.key).await.error_code(), "NotFound");
    assert_eq!(service.delete(one, &service.demo.key).await.status, 404);
}

async fn a_shipping_option_is_created_changed_archived_and_restored(service: Service) {
    let location = text(&create(&service, "return-locations").await["id"]);
    let change = json!({"name": {"en": "Locker"}, "position": 0, "returnLocationId": location});
    let one = create_change_archive_restore(&service, "shipping-options", change).await;
    let paperless = ids(&service, "shipping-options", "&filter=method:Paperless").await;
    assert_eq!((paperless.len(), one.ends_with(&paperless[0])), (2, true));
    // The option names the location now, so the location is only archived.
    let location = format!("/api/v0/return-locations/{location}");
    assert_eq!(service.delete(&location, &service.demo.key).await.status, 204);
    assert!(service.get(&location, &service.demo.key).await.json()["archivedAt"].is_string());
    delete_unused(&service, &one).await;
}

async fn a_return_reason_is_created_changed_archived_and_restored(service: Service) {
    let one =
        create_change_archive_restore(&service, "return-reasons", json!({"review": false, "restockingFeePercent": 0}))
            .await;
    let parent = text(&service.get(&one, &service.demo.key).await.json()["id"]);
    let part = json!({"description": {"en": "Only in the rain"}, "parentId": parent});
    let part = service.post("/api/v0/return-reasons", &service.demo.key, part).await;
    part.matches_snapshot("return-reasons-part-201");
    let part = format!("/api/v0/return-reasons/{}", text(&part.json()["id"]));
    assert_eq!(ids(&service, "return-reasons", &format!("&filter=parentId:{parent}")).await.len(), 1);
    assert_eq!(service.delete(&one, &service.demo.key).await.status, 204);
    assert!(service.get(&one, &service.demo.key).await.json()["archivedAt"].is_string(), "the reason has a sub-reason");
    delete_unused(&service, &part).await;
    delete_unused(&service, &one).await;
}

async fn a_return_location_is_created_changed_archived_and_restored(service: Service) {
    let address = json!({"street": "2 Quay", "city": "Perth", "country": "GB"});
    let one =
        create_change_archive_restore(&service, "return-locations", json!({"name": "Perth", "address": address})).await;
    assert_eq!(
        service.get(&one, &service.demo.key).await.json()["isDefault"],
        false,
        "an archived location is no longer the default"
    );
    delete_unused(&service, &one).await;
}

async fn if_match(service: &Service, one: &str, tag: &str) -> Answer {
    let body = if one.ends_with("account") { json!({"name": tag}) } else { json!({"archived": tag == "\"1\""}) };
    send(service.request(Method::PATCH, one, &service.demo.key).header("if-match", tag).json(&body)).await
}

async fn settings_have_versions(service: Service) {
    let mut paths = vec!["/api/v0/account".to_owned()];
    for kind in KINDS {
        paths.push(format!("{}/{}", path(kind), text(&create(&service, kind).await["id"])));
    }
    for one in paths {
        assert_eq!(if_match(&service, &one, "\"1\"").await.header("etag"), Some("\"2\""), "{one}");
        let old = if_match(&service, &one, "\"1\"").await;
        assert_eq!((old.status, old.error_code().as_str()), (412, "PreconditionFailed"), "{one}");
        assert_eq!(if_match(&service, &one, "*").await.status, 200);
        assert_eq!(if_match(&service, &one, "1").await.status, 400);
        assert_eq!(service.get(&one, &service.demo.key).await.header("etag"), Some("\"3\""), "{one}");
    }
}

async fn a_repeated_request_changes_settings_once(service: Service) {
    let keyed = async |method: Method, path: &str, body: &Value| {
        send(service.request(method, path, &service.demo.key).header("idempotency-key", "one of a kind").json(body))
            .await
    };
    for kind in KINDS {
        service.clock.set(service.retour.now().plus_hours(25));
        let before = ids(&service, kind, "").await.len();
        let first = keyed(Method::POST, &path(kind), &new_of(kind)).await;
        let second = keyed(Method::POST, &path(kind), &new_of(kind)).await;
        assert_eq!(
            (first.status, &first.body, first.header("etag")),
            (second.status, &second.body, second.header("etag"))
        );
        assert_eq!(ids(&service, kind, "").await.len(), before + 1);
        let other = keyed(Method::PATCH, &format!("{}/{}", path(kind), text(&first.json()["id"])), &json!({})).await;
        assert_eq!(
            (other.status, other.error_code().as_str()),
            (422, "IdempotencyKeyReused"),
            "the key was used for another request"
        );
    }
    service.clock.set(service.retour.now().plus_hours(25));
    let rename = json!({"name": "Once"});
    let first = keyed(Method::PATCH, "/api/v0/account", &rename).await;
    service.patch("/api/v0/account", &service.demo.key, json!({"name": "Twice"})).await;
    assert_eq!(keyed(Method::PATCH, "/api/v0/account", &rename).await.body, first.body);
    assert_eq!(service.get("/api/v0/account", &service.demo.key).await.json()["name"], "Twice");
}

async fn only_admins_of_the_account_can_change_settings(service: Service) {
    let account = service.demo.account.id;
    let writer =
        service.retour.operator().create_service_user(account, "writer", &[Scope::Read, Scope::Write]).await.unwrap();
    let consumer = service.ada().await;
    let mut paths = Vec::new();
    for kind in KINDS {
        let id = text(&create(&service, kind).await["id"]);
        paths.push((Method::POST, format!("/api/v0/account/{account}/{kind}"), new_of(kind), false));
        for (method, read) in [(Method::GET, true), (Method::PATCH, false), (Method::DELETE, false)] {
            paths.push((method, format!("/api/v0/account/{account}/{kind}/{id}"), json!({}), read));
        }
        // The path without the account does not show it either.
        let mine = format!("/api/v0/account/{}/{kind}/{id}", service.other_account);
        for method in [Method::GET, Method::PATCH, Method::DELETE] {
            let request = service.request(method.clone(), &mine, &service.other_key);
            let request = if method == Method::PATCH { request.json(&json!({})) } else { request };
            assert_eq!(send(request).await.status, 404, "{method} {mine}");
        }
    }
    paths.push((Method::GET, format!("/api/v0/account/{account}"), json!({}), true));
    paths.push((Method::PATCH, format!("/api/v0/account/{account}"), json!({"name": "x"}), false));
    let before = service.database.texts("SELECT CAST(version AS TEXT) FROM shipping_options").await;
    for (method, path, body, reading) in paths {
        let ask = async |credential: &str| {
            let request = service.request(method.clone(), &path, credential);
            send(if method == Method::GET || method == Method::DELETE { request } else { request.json(&body) })
                .await
                .status
        };
        assert_eq!(ask(&writer).await, if reading { 200 } else { 403 }, "{method} {path}");
        assert_eq!(
            (ask(&consumer.token).await, ask("").await, ask(&service.other_key).await),
            (403, 401, 404),
            "{method} {path}"
        );
    }
    assert_eq!(service.database.texts("SELECT CAST(version AS TEXT) FROM shipping_options").await, before);
}

async fn archived_settings_are_not_offered_to_consumers(service: Service) {
    let ada = service.ada().await;
    let purchases = service.purchases(&ada).await;
    let (option, reason) =
        (text(&purchases[0]["shippingOptions"][0]["id"]), text(&purchases[0]["returnReasons"][0]["id"]));
    let draft = service.draft(&ada, &purchases[..1]).await;
    for one in [format!("/api/v0/shipping-options/{option}"), format!("/api/v0/return-reasons/{reason}")] {
        assert_eq!(service.patch(&one, &service.demo.key, json!({"archived": true})).await.status, 200);
    }
    let now = service.purchases(&ada).await;
    assert_eq!(now[0]["shippingOptions"].as_array().unwrap().len(), 2);
    assert_eq!(now[0]["returnReasons"].as_array().unwrap().len(), 6);
    let submit = json!({"draftReturnOrderId": draft["id"]});
    let refused = service.post(&format!("/consumer/{}/return-order", ada.id), &ada.token, submit).await;
    assert_eq!((refused.status, refused.error_code().as_str()), (409, "DraftOutdated"));
    // In the merchant's order, and in the languages that the shop has.
    let first = json!({"position": 0});
    let shop = text(&now[0]["shippingOptions"][1]["id"]);
    service.patch(&format!("/api/v0/shipping-options/{shop}"), &service.demo.key, first).await;
    assert_eq!(service.purchases(&ada).await[0]["shippingOptions"][0]["id"], json!(shop));
}
