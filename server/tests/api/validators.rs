//! Validators of JSON, made of the schemas in the OpenAPI document.

use crate::contract::DOCUMENT;
use jsonschema::Validator;
use serde_json::{Map, Value, json};
use std::{
    collections::HashMap,
    sync::{LazyLock, Mutex},
};

/// How a value violates a schema of the document.
pub fn problems(schema: &Value, value: &Value) -> Vec<String> {
    validator(schema).iter_errors(value).map(|error| format!("{}: {error}", error.instance_path())).collect()
}

fn validator(schema: &Value) -> Validator {
    let mut whole = schema.clone();
    whole["components"] = json!({"schemas": referenced_by(schema)});
    jsonschema::options().with_draft(jsonschema::Draft::Draft202012).build(&whole).unwrap()
}

/// The document's schemas that a schema refers to. A validator reads each schema it is given, so all of them would take most of the
/// time of these tests.
fn referenced_by(schema: &Value) -> Map<String, Value> {
    let mut found = Map::new();
    let mut unread = vec![schema];
    while let Some(node) = unread.pop() {
        match node {
            Value::Object(fields) => {
                let name =
                    fields.get("$ref").and_then(Value::as_str).and_then(|to| to.strip_prefix("#/components/schemas/"));
                if let Some(name) = name.filter(|name| !found.contains_key(*name)) {
                    let schema = &DOCUMENT["components"]["schemas"][name];
                    found.insert(name.to_owned(), schema.clone());
                    unread.push(schema);
                }
                unread.extend(fields.values());
            }
            Value::Array(items) => unread.extend(items),
            _ => {}
        }
    }
    found
}

static VALIDATORS: LazyLock<Mutex<HashMap<String, &'static Validator>>> = LazyLock::new(Mutex::default);

/// The validator of a response or event, built once.
pub fn kept_validator(key: String, schema: &Value) -> &'static Validator {
    VALIDATORS.lock().unwrap().entry(key).or_insert_with(|| Box::leak(Box::new(validator(schema))))
}
