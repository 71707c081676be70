//! `null` in bodies in which it means the same as a field that is left out.

use super::schemas::SCHEMAS;
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

/// Types that changes have too, but replace as a whole. `null` in them always means a field that is left out.
const REPLACED_AS_A_WHOLE: [&str; 2] = ["AddressInput", "QuestionInput"];

/// Allows `null` in every optional field of the types that only these bodies use, and of [`REPLACED_AS_A_WHOLE`]. `bodies`: the schemas of the bodies; `others`: everything else that
/// refers to types.
pub fn add_to(schemas: &mut Map<String, Value>, bodies: &[Value], others: &[Value]) {
    let (sent, elsewhere) = (reached(schemas, bodies), reached(schemas, others));
    let only_sent = sent.difference(&elsewhere).map(String::as_str);
    for name in only_sent.chain(REPLACED_AS_A_WHOLE) {
        let Some(schema) = schemas.get_mut(name).and_then(Value::as_object_mut) else { continue };
        let required: Vec<Value> = schema.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
        let properties = schema.get_mut("properties").and_then(Value::as_object_mut);
        for (field, property) in properties.into_iter().flatten() {
            if !required.iter().any(|name| name == field) {
                allow_null(property);
            }
        }
    }
}

/// The names of the types that these values refer to, directly or through other types.
fn reached(schemas: &Map<String, Value>, from: &[Value]) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut unvisited: Vec<&Value> = from.iter().collect();
    while let Some(node) = unvisited.pop() {
        match node {
            Value::Object(fields) => {
                let name =
                    fields.get("$ref").and_then(Value::as_str).and_then(|reference| reference.strip_prefix(SCHEMAS));
                if let Some(name) = name.filter(|name| found.insert((*name).to_owned())) {
                    unvisited.extend(schemas.get(name));
                }
                unvisited.extend(fields.values());
            }
            Value::Array(items) => unvisited.extend(items),
            _ => {}
        }
    }
    found
}

fn allow_null(property: &mut Value) {
    let Some(fields) = property.as_object_mut() else { return };
    let kind = fields.get("type").cloned();
    match kind {
        Some(Value::String(kind)) if !fields.contains_key("enum") => {
            fields.insert("type".to_owned(), json!([kind, "null"]));
        }
        Some(Value::Array(_)) => {}
        _ if fields.contains_key("anyOf") => {} // an `Option`, which allows null already
        _ => {
            let description = fields.remove("description");
            let value = std::mem::take(fields);
            fields.insert("anyOf".to_owned(), json!([value, {"type": "null"}]));
            fields.extend(description.map(|text| ("description".to_owned(), text)));
        }
    }
}
