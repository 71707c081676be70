//! Bounds that hold everywhere, written where a type names none of its own: no text is longer than a body, none holds
//! NUL, whole numbers are those that every JSON parser keeps exactly.

use crate::api::{MAX_BODY, query::MAX_PAGE};
use serde_json::{Map, Value, json};

/// More than any list in a body or an answer holds.
const MAX_ITEMS: u32 = 100_000;

/// A UUID's length.
const ID_CHARS: usize = 36;

/// No file is larger, bytes.
const MAX_FILE: usize = 10 * 1024 * 1024;

/// Adds them to every schema, however deep it lies.
pub fn add_to(node: &mut Value) {
    match node {
        Value::Object(fields) => {
            bound(fields);
            fields
                .iter_mut()
                .filter(|(name, _)| *name != "example" && *name != "examples")
                .for_each(|(_, field)| add_to(field));
        }
        Value::Array(items) => items.iter_mut().for_each(add_to),
        _ => {}
    }
}

/// Takes defaults out: clients that are generated would send them along, and a change of one rule would reset the
/// others.
pub fn without_defaults(node: &mut Value) {
    match node {
        Value::Object(fields) => {
            // A field may be called so as well.
            if fields
                .get("default")
                .is_some_and(|default| default.get("type").is_none() && default.get("$ref").is_none())
            {
                fields.remove("default");
            }
            fields.values_mut().for_each(without_defaults);
        }
        Value::Array(items) => items.iter_mut().for_each(without_defaults),
        _ => {}
    }
}

fn bound(schema: &mut Map<String, Value>) {
    let kind = schema.get("type").cloned().unwrap_or(Value::Null);
    let is = |name: &str| kind == name || kind.as_array().is_some_and(|kinds| kinds.iter().any(|kind| kind == name));
    let closed = schema.contains_key("enum") || schema.contains_key("const");
    if is("string") && !closed {
        let is_file = schema.get("format").is_some_and(|format| format == "binary");
        let is_id = schema.get("format").is_some_and(|format| format == "uuid");
        let most = if is_file {
            MAX_FILE
        } else if is_id {
            ID_CHARS
        } else {
            MAX_BODY
        };
        schema.entry("maxLength").or_insert(json!(most));
        if !schema.contains_key("format") {
            schema.entry("pattern").or_insert(json!("^[^\\x00]*$"));
        }
    }
    if is("integer") {
        let least = if schema.get("minimum").is_some() { 0 } else { -MAX_PAGE };
        let most =
            if schema.get("format").is_some_and(|format| format == "uint32") { i64::from(u32::MAX) } else { MAX_PAGE };
        schema.insert("format".to_owned(), json!("int64")); // what OpenAPI's registry has for both
        schema.entry("minimum").or_insert(json!(least));
        schema.entry("maximum").or_insert(json!(most));
    }
    if is("array") {
        schema.entry("maxItems").or_insert(json!(MAX_ITEMS));
    }
}
