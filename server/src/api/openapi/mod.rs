//! The OpenAPI 3.1 document, generated from the operations and the types that they take and answer with.

#![expect(
    clippy::indexing_slicing,
    reason = "a document of our own making: a JSON value indexed by a name gives null, or makes the field"
)]

mod examples;
mod limits;
mod links;
mod nulls;
mod operations;
mod own_account;
mod parameters;
mod request_examples;
mod responses;
mod schemas;
mod security;
mod shared_components;
mod tags;
mod typical;
pub mod webhooks;

use super::base::{error::ErrorEnvelope, operation::Operation};
use operations::describe_operation;
use schemas::{Components, Schemas, point_to_inputs};
use serde_json::{Map, Value, json};

/// The introduction: Markdown with headings, lists and commands.
const INTRODUCTION: &str = include_str!("introduction.md");

/// The document of `GET /api/v0/openapi.json` and `retour openapi`, with repeated parts in `components`. `server`: the URL of the service, or `/`.
pub fn document(server: &str, operations: &[Operation]) -> Value {
    let mut document = whole(operations);
    document["servers"] = json!([{
        "url": server, "description": "Production: the service that this document comes from.", "x-internal": false,
    }]);
    shared_components::extract_repeated(&mut document);
    document
}

/// The complete document, without references to repeated parts.
pub fn whole(operations: &[Operation]) -> Value {
    let mut schemas = Schemas::new();
    let mut paths = paths(operations, &mut schemas);
    let _ = schemas.output.subschema_for::<ErrorEnvelope<'_>>();
    let event_data = webhooks::data_schemas(&mut schemas.output);
    let Components { schemas: mut components, differing } = schemas.components();
    webhooks::add_schemas(&mut components, event_data);
    components.values_mut().for_each(limits::remove_defaults);
    for operation in paths.values_mut().filter_map(Value::as_object_mut).flat_map(Map::values_mut) {
        if let Some(body) = operation.get_mut("requestBody") {
            point_to_inputs(body, &differing);
        }
    }
    let (bodies, others) = bodies_and_others(operations, &paths);
    nulls::add_to(&mut components, &bodies, &others);
    links::add_to(&mut paths, &components, operations);
    let mut document = json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Retour API",
            "version": env!("CARGO_PKG_VERSION"),
            "description": INTRODUCTION,
            "license": {"name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0"},
            "contact": {"name": "Retour", "url": "https://github.com/retour/retour"},
        },
        "tags": tags::tags(operations),
        "paths": paths,
        "webhooks": webhooks::webhooks(&components),
        "components": {
            "schemas": components,
            "responses": responses::error_responses(),
            "headers": responses::headers(),
            "securitySchemes": security::security_schemes(),
        },
    });
    limits::add_to(&mut document);
    examples::add_to(&mut document);
    own_account::add_to(&mut document, operations);
    document
}

/// Every operation, by path and method.
fn paths(operations: &[Operation], schemas: &mut Schemas) -> Map<String, Value> {
    let mut paths = Map::new();
    for operation in operations {
        let described = describe_operation(operation, schemas);
        let path = paths.entry(operation.path()).or_insert_with(|| json!({}));
        if let Some(methods) = path.as_object_mut() {
            methods.insert(operation.method.as_str().to_lowercase(), described);
        }
    }
    paths
}

/// The bodies in which `null` means the same as a field that is left out, and everything else in the operations.
fn bodies_and_others(operations: &[Operation], paths: &Map<String, Value>) -> (Vec<Value>, Vec<Value>) {
    let (mut bodies, mut others) = (Vec::new(), Vec::new());
    for operation in operations {
        let method = operation.method.as_str().to_lowercase();
        let Some(described) = paths.get(&operation.path()).and_then(|methods| methods.get(method)) else { continue };
        others.push(described["responses"].clone());
        let body = described.get("requestBody").cloned();
        if operation.leaves_nulls_out() { bodies.extend(body) } else { others.extend(body) }
    }
    (bodies, others)
}
