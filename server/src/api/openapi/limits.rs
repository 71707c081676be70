//! Bounds that hold everywhere, for schemas that have none of their own: no text is longer than a body, no text contains
//! NUL, and every JSON parser reads whole numbers exactly.

use crate::api::base::{body::MAX_BODY, query::MAX_PAGE};
use returns::MAX_FILE_BYTES;
use serde_json::{Map, Value, json};

/// More items than any list in a body or an answer has.
const MAX_ITEMS: u32 = 100_000;

/// The length of a UUID.
const ID_CHARS: usize = 36;

/// Adds the bounds to every schema, at every depth.
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

/// Removes all defaults. Generated clients would send them, and a change of one rule would reset the others.
pub(super) fn remove_defaults(node: &mut Value) {
    match node {
        Value::Object(fields) => {
            // A field can be named `default` as well. Then this is the schema of the field.
            if fields
                .get("default")
                .is_some_and(|default| default.get("type").is_none() && default.get("$ref").is_none())
            {
                fields.remove("default");
            }
            fields.values_mut().for_each(remove_defaults);
        }
        Value::Array(items) => items.iter_mut().for_each(remove_defaults),
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
            MAX_FILE_BYTES
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
        schema.insert("format".to_owned(), json!("int64")); // OpenAPI's registry has this name for both formats
        schema.entry("minimum").or_insert(json!(least));
        schema.entry("maximum").or_insert(json!(most));
    }
    if is("array") {
        schema.entry("maxItems").or_insert(json!(MAX_ITEMS));
    }
}
