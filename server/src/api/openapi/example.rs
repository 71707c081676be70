//! Examples for the OpenAPI document, made from its schemas.

#![expect(
    clippy::indexing_slicing,
    reason = "a document of our own making: a JSON value indexed by a name gives null, or makes the field"
)]

use serde_json::{Map, Value, json};

/// Puts an example beside every schema of a body or an answer.
pub fn add_to(document: &mut Value) {
    let schemas = document["components"]["schemas"].clone();
    let mut add = |node: &mut Value| {
        let contents = node.get_mut("content").and_then(Value::as_object_mut);
        for content in contents.into_iter().flat_map(Map::values_mut) {
            let is_file = content["schema"]["format"] == "binary" || !content["schema"]["properties"]["file"].is_null();
            if content.get("example").is_none() && !is_file {
                let example = of(&content["schema"], &schemas, 0);
                content["example"] = example;
            }
        }
    };
    if let Some(responses) = document["components"]["responses"].as_object_mut() {
        responses.values_mut().for_each(&mut add);
    }
    let paths = document["paths"].as_object_mut().into_iter().flat_map(Map::values_mut);
    for operation in paths.filter_map(Value::as_object_mut).flat_map(Map::values_mut) {
        if let Some(body) = operation.get_mut("requestBody") {
            add(body);
        }
        if let Some(responses) = operation["responses"].as_object_mut() {
            responses.values_mut().for_each(&mut add);
        }
    }
}

/// A value that the schema allows: its own example, where it has one.
fn of(schema: &Value, schemas: &Value, depth: usize) -> Value {
    if let Some(example) = schema.get("examples").and_then(|examples| examples.get(0)) {
        return example.clone();
    }
    if let Some(name) = schema.get("$ref").and_then(Value::as_str).and_then(|reference| reference.rsplit('/').next()) {
        return schemas.get(name).map_or(Value::Null, |schema| of(schema, schemas, depth + 1));
    }
    if let Some(value) = schema.get("const") {
        return value.clone();
    }
    if let Some(value) = schema.get("enum").and_then(|values| values.get(0)) {
        return value.clone();
    }
    for several in ["oneOf", "anyOf", "allOf"] {
        if let Some(first) = schema.get(several).and_then(|options| options.get(0)) {
            return of(first, schemas, depth + 1);
        }
    }
    let kinds = &schema["type"];
    let kind = kinds.as_str().or_else(|| kinds.get(0).and_then(Value::as_str)).unwrap_or("object");
    match kind {
        "string" => text(schema),
        "integer" | "number" => json!(schema["minimum"].as_i64().unwrap_or(1).max(1)),
        "boolean" => json!(false),
        "null" => Value::Null,
        "array" if depth > 24 => json!([]),
        "array" => schema.get("items").map_or_else(|| json!([]), |items| json!([of(items, schemas, depth + 1)])),
        _ => object(schema, schemas, depth),
    }
}

fn text(schema: &Value) -> Value {
    match schema["format"].as_str() {
        Some("uuid") => json!("0190a5b1-7d3a-7c41-9f0e-2b6f6a1c9d10"),
        Some("date") => json!("2026-01-31"),
        Some("date-time") => json!("2026-01-31T12:00:00Z"),
        Some("email") => json!("ada@example.com"),
        Some("uri") => json!("https://shop.example/products/1"),
        _ => json!("text"),
    }
}

fn object(schema: &Value, schemas: &Value, depth: usize) -> Value {
    let properties = schema.get("properties").and_then(Value::as_object);
    // What stands in place of another field is not sent beside it.
    let is_instead =
        |schema: &Value| schema["description"].as_str().is_some_and(|text| text.starts_with("In place of"));
    let fields = properties.into_iter().flatten().filter(|(_, schema)| depth <= 24 && !is_instead(schema));
    let value = |name: &String, schema: &Value| match typical(name) {
        Some(text) if is_free_text(schema) => json!(text),
        Some(text) if schema["type"] == "array" && is_free_text(&schema["items"]) => json!([text]),
        _ => of(schema, schemas, depth + 1),
    };
    Value::Object(fields.map(|(name, schema)| (name.clone(), value(name, schema))).collect())
}

fn is_free_text(schema: &Value) -> bool {
    let kinds = &schema["type"];
    let is_text = kinds == "string" || kinds.get(0).is_some_and(|kind| kind == "string");
    is_text && ["enum", "const", "examples"].iter().all(|closed| schema.get(closed).is_none())
}

/// What a field of that name may well hold.
fn typical(name: &str) -> Option<&'static str> {
    Some(match name {
        "name" => "Ada Lovelace",
        "slug" | "account" => "fjord-fern",
        "street" => "12 Analytical Lane",
        "additional" | "province" | "errorCode" | "errorMessage" => "",
        "city" => "London",
        "country" => "GB",
        "postalCode" => "EC1A 1BB",
        "color" => "#0f766e",
        "orderNumber" | "purchaseOrderNumber" => "1001",
        "number" => "R-7K3M9Q2A",
        "externalId" | "purchaseExternalId" => "1001/1",
        "sku" => "MUG-BLUE",
        "barcode" => "4006381333931",
        "gs1CompanyPrefix" => "9521234",
        "externalReference" => "re_77",
        "carrier" => "Parcel Force",
        "trackingNumber" => "PF123456785GB",
        "explanation" => "Seen at the depot",
        "returnReasonComment" | "comment" | "reason" | "denialReason" | "note" => "Too small",
        "password" => "correct horse battery staple",
        "keyLastFour" => "9f3c",
        "mediaType" => "image/jpeg",
        "tokenType" => "Bearer",
        "labelBarcode" => "095212340000000017",
        "field" => "quantity",
        "email" => "ada@example.com",
        "contactEmail" => "help@shop.example",
        "contactUrl" => "https://shop.example/contact",
        "contactPhone" => "+44 131 496 0000",
        "logoUrl" => "/shop/logo.svg",
        "logoDarkUrl" => "/shop/logo-dark.svg",
        "imageUrls" => "https://shop.example/mug.jpg",
        "shopUrl" => "https://shop.example",
        "trackingUrl" => "https://carrier.example/PF123456785GB",
        "labelUrl" | "url" => {
            "/api/v0/account/0190a5b1-7d3a-7c41-9f0e-2b6f6a1c9d10/shipments/0190a5b1-7d3a-7c41-9f0e-2b6f6a1c9d10/label"
        }
        "status" => "Approved",
        "code" => "ValidationFailed",
        "message" => "A field has a bad value.",
        _ => return None,
    })
}
