//! `null` in bodies in which it is as good as left out.

use super::SCHEMAS;
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

/// Lets every optional field be `null` in the types that stand in no other bodies and in no answers. `bodies`: the schemas of these bodies; `others`:
/// everything else that refers to types.
pub fn add_to(schemas: &mut Map<String, Value>, bodies: &[Value], others: &[Value]) {
    let (sent, elsewhere) = (reached(schemas, bodies), reached(schemas, others));
    for name in sent.difference(&elsewhere) {
        let Some(schema) = schemas.get_mut(name).and_then(Value::as_object_mut) else { continue };
        let required: Vec<Value> = schema.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
        let properties = schema.get_mut("properties").and_then(Value::as_object_mut);
        for (field, property) in properties.into_iter().flatten() {
            if !required.iter().any(|name| name == field) {
                let_be_null(property);
            }
        }
    }
}

/// Names of the types that something refers to, directly or through others.
fn reached(schemas: &Map<String, Value>, from: &[Value]) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut left: Vec<&Value> = from.iter().collect();
    while let Some(node) = left.pop() {
        match node {
            Value::Object(fields) => {
                let name =
                    fields.get("$ref").and_then(Value::as_str).and_then(|reference| reference.strip_prefix(SCHEMAS));
                if let Some(name) = name.filter(|name| found.insert((*name).to_owned())) {
                    left.extend(schemas.get(name));
                }
                left.extend(fields.values());
            }
            Value::Array(items) => left.extend(items),
            _ => {}
        }
    }
    found
}

fn let_be_null(property: &mut Value) {
    let Some(fields) = property.as_object_mut() else { return };
    let kind = fields.get("type").cloned();
    match kind {
        Some(Value::String(kind)) if !fields.contains_key("enum") => {
            fields.insert("type".to_owned(), json!([kind, "null"]));
        }
        Some(Value::Array(_)) => {}
        _ if fields.contains_key("anyOf") => {} // with null among the parts already, as an `Option` has it
        _ => {
            let description = fields.remove("description");
            let value = std::mem::take(fields);
            fields.insert("anyOf".to_owned(), json!([value, {"type": "null"}]));
            fields.extend(description.map(|text| ("description".to_owned(), text)));
        }
    }
}
