//! Examples for the document, generated from its schemas.

#![expect(
    clippy::indexing_slicing,
    reason = "a document of our own making: a JSON value indexed by a name gives null, or makes the field"
)]

use super::{
    request_examples,
    typical::{self, ID},
};
use serde_json::{Map, Value, json};

/// Deeper schemas get no example, because types can refer to themselves.
const MAX_DEPTH: usize = 24;

/// Adds an example to every body and every answer.
pub fn add_to(document: &mut Value) {
    let schemas = document["components"]["schemas"].clone();
    let mut add = |node: &mut Value| {
        let contents = node.get_mut("content").and_then(Value::as_object_mut);
        for content in contents.into_iter().flat_map(Map::values_mut) {
            let is_file = content["schema"]["format"] == "binary" || !content["schema"]["properties"]["file"].is_null();
            if content.get("example").is_none() && !is_file {
                let example = of(&content["schema"], &schemas, "", 0);
                content["example"] = example;
            }
        }
    };
    if let Some(responses) = document["components"]["responses"].as_object_mut() {
        responses.values_mut().for_each(&mut add);
    }
    for operation in operations(document) {
        let written = operation["operationId"].as_str().and_then(request_examples::body);
        if let Some(body) = operation.get_mut("requestBody") {
            if let (Some(example), Some(content)) = (written, body["content"].get_mut("application/json")) {
                content["example"] = example;
            }
            add(body);
        }
        if let Some(responses) = operation["responses"].as_object_mut() {
            responses.values_mut().for_each(&mut add);
        }
    }
}

/// The operations of the service and of the receivers of its webhooks.
fn operations(document: &mut Value) -> impl Iterator<Item = &mut Value> {
    let groups = document.as_object_mut().into_iter().flat_map(Map::iter_mut);
    let groups = groups.filter(|(name, _)| *name == "paths" || *name == "webhooks");
    let paths = groups.filter_map(|(_, group)| group.as_object_mut()).flat_map(Map::values_mut);
    paths.filter_map(Value::as_object_mut).flat_map(Map::values_mut)
}

/// A value that the schema allows: its own example, if it has one. `owner`: the type that the schema belongs to.
fn of(schema: &Value, schemas: &Value, owner: &str, depth: usize) -> Value {
    if let Some(example) = schema.get("examples").and_then(|examples| examples.get(0)) {
        return example.clone();
    }
    if let Some(name) = schema.get("$ref").and_then(Value::as_str).and_then(|reference| reference.rsplit('/').next()) {
        return schemas.get(name).map_or(Value::Null, |schema| of(schema, schemas, name, depth + 1));
    }
    if let Some(value) = schema.get("const") {
        return value.clone();
    }
    if let Some(value) = schema.get("enum").and_then(|values| values.get(0)) {
        return value.clone();
    }
    for several in ["oneOf", "anyOf", "allOf"] {
        if let Some(first) = schema.get(several).and_then(|options| options.get(0)) {
            return of(first, schemas, owner, depth + 1);
        }
    }
    let kinds = &schema["type"];
    let kind = kinds.as_str().or_else(|| kinds.get(0).and_then(Value::as_str)).unwrap_or("object");
    match kind {
        "string" => text(schema),
        "integer" | "number" => json!(schema["minimum"].as_i64().unwrap_or(1).max(1)),
        "boolean" => json!(false),
        "null" => Value::Null,
        "array" if depth > MAX_DEPTH => json!([]),
        "array" => schema.get("items").map_or_else(|| json!([]), |items| json!([of(items, schemas, owner, depth + 1)])),
        _ => object(schema, schemas, owner, depth),
    }
}

fn text(schema: &Value) -> Value {
    match schema["format"].as_str() {
        Some("uuid") => json!(ID),
        Some("date") => json!("2026-01-31"),
        Some("date-time") => json!("2026-01-31T12:00:00Z"),
        Some("email") => json!("ada@example.com"),
        Some("uri") => json!("https://shop.example/products/1"),
        _ => json!("text"),
    }
}

fn object(schema: &Value, schemas: &Value, owner: &str, depth: usize) -> Value {
    let properties = schema.get("properties").and_then(Value::as_object);
    // A field that replaces another one is not sent together with it.
    let is_instead = |schema: &Value| schema["description"].as_str().is_some_and(|text| text.contains("n place of `"));
    let fields = properties.into_iter().flatten().filter(|(_, schema)| depth <= MAX_DEPTH && !is_instead(schema));
    let value = |name: &String, schema: &Value| {
        typical::of_type(owner, name)
            .or_else(|| typical::amount_of(name, is_amount_list(schema)))
            .or_else(|| typical::of_name(name).filter(|_| is_free_text(schema)))
            .or_else(|| Some(json!([typical::of_name(name).filter(|_| is_list_of_texts(schema))?])))
            .unwrap_or_else(|| of(schema, schemas, owner, depth + 1))
    };
    Value::Object(fields.map(|(name, schema)| (name.clone(), value(name, schema))).collect())
}

fn is_list_of_texts(schema: &Value) -> bool {
    schema["type"] == "array" && is_free_text(&schema["items"])
}

/// Whether the schema is a list of amounts, one for each currency.
fn is_amount_list(schema: &Value) -> bool {
    schema["$ref"].as_str().is_some_and(|reference| reference.ends_with("/Prices"))
}

fn is_free_text(schema: &Value) -> bool {
    let kinds = &schema["type"];
    let is_text = kinds == "string" || kinds.get(0).is_some_and(|kind| kind == "string");
    is_text && ["enum", "const", "examples"].iter().all(|closed| schema.get(closed).is_none())
}
