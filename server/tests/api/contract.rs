//! Checks every answer in any test against the OpenAPI document: the status must be documented, and the body must match its schema.

use crate::validators::{kept_validator, problems};
use axum::http::Method;
use returns::{Role, Scope};
use serde_json::{Value, json};
use server::api::{
    document_text, error_codes,
    operation::{Content, Operation},
    operations,
};
use std::{fmt::Write as _, sync::LazyLock};

/// The document with all references to parameters, answers and examples resolved.
pub static DOCUMENT: LazyLock<Value> = LazyLock::new(|| {
    let shared: Value = serde_json::from_str(document_text()).unwrap();
    let mut whole = shared.clone();
    for group in ["paths", "webhooks"] {
        follow_references(&mut whole[group], &shared);
    }
    whole
});

fn follow_references(node: &mut Value, document: &Value) {
    let reference = node.get("$ref").and_then(Value::as_str).filter(|to| !to.starts_with("#/components/schemas/"));
    if let Some(target) = reference.map(|reference| document.pointer(reference.trim_start_matches('#')).unwrap()) {
        *node = target.clone();
    }
    match node {
        Value::Object(fields) => {
            if let Some(example) = fields.get("examples").and_then(|examples| examples.get("typical")) {
                let value =
                    document.pointer(example["$ref"].as_str().unwrap().trim_start_matches('#')).unwrap()["value"]
                        .clone();
                fields.remove("examples");
                fields.insert("example".to_owned(), value);
            }
            fields
                .iter_mut()
                .filter(|(name, _)| *name != "example")
                .for_each(|(_, field)| follow_references(field, document));
        }
        Value::Array(items) => items.iter_mut().for_each(|item| follow_references(item, document)),
        _ => {}
    }
}

/// Fails the test if an event does not match the webhook of its type.
pub fn check_event(event: &Value) {
    let kind = event["type"].as_str().unwrap_or_default();
    let schema = &DOCUMENT["webhooks"][kind]["post"]["requestBody"]["content"]["application/json"]["schema"];
    assert!(schema.is_object(), "{kind} has no webhook: {event}");
    let key = format!("event {kind}");
    let validator = kept_validator(key, schema);
    let errors: Vec<String> =
        validator.iter_errors(event).map(|error| format!("{}: {error}", error.instance_path())).collect();
    assert!(errors.is_empty(), "{kind}: {errors:#?}\n{event:#}");
}

/// Every operation, with the segments of each of its paths.
static ROUTES: LazyLock<Vec<(Operation, Vec<Vec<String>>)>> = LazyLock::new(|| {
    let parts = |path: &String| path.split('/').map(str::to_owned).collect();
    operations()
        .into_iter()
        .map(|operation| (operation.clone(), operation.paths().iter().map(parts).collect()))
        .collect()
});

/// Fails the test if an answer is not documented.
pub fn check(method: &Method, path: &str, status: u16, headers: &reqwest::header::HeaderMap, body: &[u8]) {
    let content_type = headers.get("content-type").and_then(|value| value.to_str().ok());
    let Some(operation) = operation(method, path) else { return };
    let (id, status_text) = (operation.id, status.to_string());
    let method = operation.method.as_str().to_lowercase();
    let documented = &DOCUMENT["paths"][operation.path()][method]["responses"];
    let mut response = &documented[&status_text];
    assert!(response.is_object(), "{id}: status {status} is not documented: {}", String::from_utf8_lossy(body));
    if let Some(reference) = response["$ref"].as_str() {
        response = DOCUMENT.pointer(reference.trim_start_matches('#')).unwrap();
    }
    let tagged = (headers.contains_key("etag"), response["headers"]["ETag"].is_object());
    assert_eq!(tagged.0, tagged.1, "{id} {status}: an ETag must be sent exactly if it is documented");
    let contents = &response["content"];
    if !contents.is_object() {
        assert!(body.is_empty(), "{id} {status}: an answer without content has a body");
        return;
    }
    let essence = content_type.unwrap_or_default().split(';').next().unwrap_or_default();
    // Other names of ZPL are answered under the name in Accept.
    let essence = if essence.ends_with("zpl") { "application/zpl" } else { essence };
    let content = &contents[essence];
    assert!(content.is_object(), "{id} {status}: content type {essence} is not documented");
    if essence != "application/json" || body.is_empty() {
        return;
    }
    let value: Value = serde_json::from_slice(body).unwrap();
    let key = format!("{id} {status}");
    let validator = kept_validator(key.clone(), &content["schema"]);
    let errors: Vec<String> =
        validator.iter_errors(&value).map(|error| format!("{}: {error}", error.instance_path())).collect();
    assert!(errors.is_empty(), "{key}: {errors:#?}");
    match id {
        "getEvent" if status == 200 => check_event(&value),
        "listEvents" if status == 200 => value["data"].as_array().unwrap().iter().for_each(check_event),
        _ => {}
    }
    if let Some(code) = value["error"]["code"].as_str() {
        let known = error_codes::ALL.iter().find(|known| known.code == code);
        assert!(known.is_some_and(|known| known.statuses.contains(&status)), "{key}: {code}");
    }
}

fn operation(method: &Method, path: &str) -> Option<&'static Operation> {
    let path = path.split('?').next().unwrap_or_default();
    let parts: Vec<&str> = path.split('/').collect();
    // How many segments are literal. A router prefers these to parameters.
    let fixed = |known: &Vec<String>| {
        let fits = known.len() == parts.len()
            && known.iter().zip(&parts).all(|(known, part)| known.starts_with('{') || known == part);
        fits.then(|| known.iter().filter(|part| !part.starts_with('{')).count())
    };
    let of_method = ROUTES.iter().filter(|(operation, _)| operation.method == *method);
    let found = of_method.filter_map(|(operation, paths)| Some((operation, paths.iter().filter_map(fixed).max()?)));
    found.max_by_key(|(_, fixed)| *fixed).map(|(operation, _)| operation)
}

#[test]
fn every_operation_is_described() {
    let mut ids = std::collections::HashSet::new();
    for operation in operations() {
        assert!(ids.insert(operation.id), "{} twice", operation.id);
        assert!(!operation.id.is_empty() && !operation.summary.is_empty() && !operation.answers.is_empty());
        let described = &DOCUMENT["paths"][operation.path()][operation.method.as_str().to_lowercase()];
        assert_eq!(described["operationId"], operation.id);
        for answer in &operation.answers {
            let content = &described["responses"][answer.status.to_string()]["content"];
            assert_eq!(content.is_object(), !matches!(answer.content, Content::Nothing), "{}", operation.id);
        }
        // What these answer with is secret, and is not stored with a key.
        let is_about_credentials = ["Credentials", "Own security"].contains(&operation.resource.tag);
        let writes = [Method::POST, Method::PATCH].contains(&operation.method) && !is_about_credentials;
        // The first two only read, and have a body because of its content; the others are idempotent by themselves.
        let needs_no_key = [
            "getPersonalData",
            "planBulkRun",
            "previewAmendment",
            "previewShippingOption",
            "erasePerson",
            "lookUpConsumer",
            "createVisit",
            "continueBulkRun",
        ]
        .contains(&operation.id);
        assert!(!writes || needs_no_key || operation.is_idempotent, "{} takes no Idempotency-Key", operation.id);
    }
    assert!(ids.len() > 20, "{}", ids.len());
}

#[test]
fn every_example_matches_its_schema() {
    let mut checked = 0;
    let paths = ["paths", "webhooks"].into_iter().flat_map(|group| DOCUMENT[group].as_object().unwrap().values());
    for operation in paths.flat_map(|methods| methods.as_object().unwrap().values()) {
        let answers = operation["responses"].as_object().unwrap().values();
        for place in answers.chain(operation.get("requestBody")) {
            let Some(content) = place.get("content").and_then(|content| content.get("application/json")) else {
                continue;
            };
            let errors = problems(&content["schema"], &content["example"]);
            assert!(errors.is_empty(), "{}: {errors:#?}\n{:#}", operation["operationId"], content["example"]);
            checked += 1;
        }
    }
    assert!(checked > 20, "{checked}");
}

/// The table of permissions in the documentation. `UPDATE_DOCS=1` writes it.
#[test]
fn the_documentation_lists_the_permissions() {
    use server::api::operation::Access;
    let mut table = String::from(
        "# Permissions\n\nGenerated from the code's lists of roles (`app/returns/src/base/scopes.rs`) and operations (`server/src/api`), by \
         which the API checks each request. Consumers reach only their own objects. Objects of others are 404.\n\n",
    );
    table.push_str(&scopes_of_roles());
    table.push_str(EXPLANATION);
    let roles = Role::ALL.map(Role::name).join(" | ");
    let _ = writeln!(
        table,
        "| operation | | consumer | scope | {roles} |\n|---|---|---|---|{}",
        "---|".repeat(Role::ALL.len())
    );
    for operation in operations() {
        let consumer = match operation.access {
            Access::Anyone => "everybody",
            Access::Consumer(_) => "theirs",
            Access::SignedIn | Access::Staff(_) | Access::StaffAny(_) | Access::StaffButAgents(_) => "",
        };
        let needed = operation.access.scopes();
        let marks = Role::ALL.map(|role| {
            if matches!(operation.access, Access::StaffButAgents(_)) && role == Role::Agent {
                return "";
            }
            let is_signed_in = operation.access == Access::SignedIn;
            if is_signed_in || role.scopes().iter().any(|scope| needed.contains(scope)) { "✓" } else { "" }
        });
        let _ = writeln!(
            table,
            "| `{}` `{}` | {} | {consumer} | {} | {} |",
            operation.method,
            operation.path(),
            operation.summary,
            Scope::names(needed),
            marks.join(" | ")
        );
    }
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/permissions.md");
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(file, &table).unwrap();
    }
    assert_eq!(
        std::fs::read_to_string(file).unwrap_or_default(),
        table,
        "run with UPDATE_DOCS=1 to rewrite docs/permissions.md"
    );
}

/// What the table of operations does not say.
const EXPLANATION: &str = "\
An API key has the scopes that it was created with. `admin` includes all others, `write` includes `receive`, `resolve` and `override`, and \
`read` includes `personal`. So a key can still do what it could before these scopes existed.

- If an operation lists several scopes, one of them is enough. To read with `receive`, a key must have been created with it: a key with \
`write` alone reads nothing.
- `PATCH` of a return request needs `resolve` for the stages of `Resolution`, and `write` for all others.
- Somebody with `receive` alone (the role `warehouse`, or the key of a logistics partner) reads returns without amounts, e-mail \
addresses, streets, postal codes and the comments of others, and cannot search.
- A user with the role `agent` decides about resolutions up to the policy's `agentLimit` \
([policy.md](policy.md#what-agents-may-decide)). API keys have no limit.

## Operations

";

/// The table of roles and their scopes.
fn scopes_of_roles() -> String {
    let mut table =
        format!("| role | {} |\n|---|{}\n", Scope::ALL.map(Scope::name).join(" | "), "---|".repeat(Scope::ALL.len()));
    for role in Role::ALL {
        let marks = Scope::ALL.map(|scope| if role.scopes().contains(&scope) { "✓" } else { "" });
        let _ = writeln!(table, "| `{}` | {} |", role.name(), marks.join(" | "));
    }
    table.push('\n');
    table
}

#[test]
fn the_document_is_openapi_3_1() {
    assert_eq!(DOCUMENT["openapi"], json!("3.1.0"));
    let text = document_text();
    let references = text.match_indices("\"$ref\": \"#").count();
    assert!(references > 100);
    for part in text.split("\"$ref\": \"#").skip(1) {
        let pointer = part.split('"').next().unwrap();
        assert!(DOCUMENT.pointer(pointer).is_some(), "{pointer} does not exist");
    }
}

/// A client with a key need not know the account's id, so every operation of an account is also there without it.
#[test]
fn paths_without_the_account_are_described() {
    assert_eq!(DOCUMENT["paths"]["/api/v0/account"]["get"]["operationId"], "getOwnAccount");
    let mut ids = std::collections::HashSet::new();
    for (path, methods) in DOCUMENT["paths"].as_object().unwrap() {
        for operation in methods.as_object().unwrap().values() {
            assert!(ids.insert(operation["operationId"].as_str().unwrap()), "{path}");
        }
    }
    let mut checked = 0;
    for operation in operations() {
        let Some(path) = operation.path_without_account() else { continue };
        assert!(operation.paths().contains(&path), "{path} is not served");
        let method = operation.method.as_str().to_lowercase();
        let mut own = DOCUMENT["paths"][&path][&method].clone();
        assert_eq!(own["x-same-as"], operation.id);
        let named = |operation: &Value| {
            operation["parameters"].as_array().unwrap().iter().filter(|one| one["name"] == "account_id").count()
        };
        let mut first = DOCUMENT["paths"][operation.path()][&method].clone();
        assert_eq!((named(&first), named(&own)), (1, 0), "{path}");
        for described in [&mut own, &mut first] {
            for response in described["responses"].as_object_mut().unwrap().values_mut() {
                response.as_object_mut().unwrap().remove("links"); // links.rs checks them
            }
        }
        for field in ["operationId", "x-same-as", "parameters"] {
            own.as_object_mut().unwrap().remove(field);
            first.as_object_mut().unwrap().remove(field);
        }
        assert_eq!(own, first);
        checked += 1;
    }
    assert!(checked > 80, "{checked}");
}

/// A schema allows `null` exactly where it means the same as a field that is left out.
#[test]
fn schemas_allow_null_where_it_means_left_out() {
    let schemas = &DOCUMENT["components"]["schemas"];
    let allows_null = |place: &Value| place.to_string().contains("\"null\"");
    for (schema, field, expected) in [
        ("SelectedPurchaseInput", "quantity", true),
        ("SelectedPurchaseInput", "requestedResolution", true),
        ("SelectedPurchaseInput", "returnReasonComment", true),
        ("SelectedPurchaseInput", "purchaseId", false),
        ("NewWebhookSubscription", "eventTypes", true),
        ("NewWebhookSubscription", "url", false),
        ("WebhookSubscriptionChange", "description", false),
        ("PurchaseInput", "finalSale", true),
        ("OrderInput", "tags", true),
        ("AddressInput", "province", true),
        ("QuestionInput", "options", true),
        ("BrandingInput", "wording", false),
        ("BrandingInput", "logoUrl", true),
    ] {
        let property = &schemas[schema]["properties"][field];
        assert!(property.is_object(), "{schema}.{field}");
        assert_eq!(allows_null(property), expected, "{schema}.{field}: {property}");
    }
}

/// Generated Python clients cannot read a `oneOf` of `const`s.
#[test]
fn a_closed_set_of_names_is_an_enum() {
    let mut enums = 0;
    each_node(&DOCUMENT, &mut |node| {
        enums += usize::from(node.get("enum").is_some_and(Value::is_array));
        for several in ["oneOf", "anyOf"] {
            let parts = node.get(several).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
            assert!(parts.iter().all(|part| !part["const"].is_string()), "{node:#}");
        }
    });
    assert!(enums > 45, "{enums}");
    let resolution = &DOCUMENT["components"]["schemas"]["ResolutionType"];
    assert_eq!(resolution["enum"], json!(["Refund", "Exchange", "StoreCredit"]));
    assert!(resolution["description"].as_str().unwrap().contains("\n- `Refund`: Money back"), "{resolution}");
}

fn each_node(node: &Value, look: &mut impl FnMut(&Value)) {
    look(node);
    match node {
        Value::Object(fields) => fields.values().for_each(|field| each_node(field, look)),
        Value::Array(items) => items.iter().for_each(|item| each_node(item, look)),
        _ => {}
    }
}

#[test]
fn every_field_is_described() {
    let mut silent = Vec::new();
    for (name, schema) in DOCUMENT["components"]["schemas"].as_object().unwrap() {
        for (field, property) in schema["properties"].as_object().into_iter().flatten() {
            if property.get("description").is_none() {
                silent.push(format!("{name}.{field}"));
            }
        }
    }
    assert!(silent.is_empty(), "{silent:#?}");
    let mut short = Vec::new();
    find_short_descriptions(&DOCUMENT, &mut String::new(), &mut short);
    assert!(short.is_empty(), "{short:#?}");
}

/// Descriptions that are too short, or break off.
fn find_short_descriptions(node: &Value, path: &mut String, short: &mut Vec<String>) {
    const MIN_CHARS: usize = 16;
    if let Some(text) = node.get("description").and_then(Value::as_str) {
        // A list or a table at the end has no full stop.
        let is_whole =
            text.ends_with(['.', '…']) || text.lines().last().is_some_and(|line| line.starts_with(['-', '|']));
        // The introduction is a whole page.
        if path != "/info" && (text.chars().count() < MIN_CHARS || !is_whole) {
            short.push(format!("{path}: {text}"));
        }
    }
    let mut below = |name: &str, node: &Value| {
        let length = path.len();
        let _ = std::fmt::Write::write_fmt(path, format_args!("/{name}"));
        find_short_descriptions(node, path, short);
        path.truncate(length);
    };
    match node {
        Value::Object(fields) => {
            let parts = fields.iter().filter(|(name, _)| !["example", "examples"].contains(&name.as_str()));
            parts.for_each(|(name, field)| below(name, field));
        }
        Value::Array(items) => items.iter().enumerate().for_each(|(at, item)| below(&at.to_string(), item)),
        _ => {}
    }
}

#[test]
fn every_operation_is_named_with_a_verb() {
    const VERBS: [&str; 48] = [
        "Accept", "Add", "Adjust", "Approve", "Begin", "Cancel", "Change", "Choose", "Confirm", "Continue", "Create",
        "Delete", "Download", "End", "Erase", "Export", "Find", "Import", "Invite", "List", "Look", "Mail", "Plan",
        "Preview", "Propose", "Prove", "Receive", "Refuse", "Reject", "Remove", "Rename", "Renew", "Repeat", "Request",
        "Reset", "Retrieve", "Revoke", "Rotate", "Say", "Send", "Set", "Share", "Sign", "Stop", "Submit", "Take",
        "Test", "Update",
    ];
    for operation in operations() {
        let mut words = operation.summary.split(' ');
        let (verb, rest) = (words.next().unwrap_or_default(), words.next());
        assert!(VERBS.contains(&verb) && rest.is_some(), "{}: {}", operation.id, operation.summary);
    }
}
