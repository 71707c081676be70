//! The contract as an OpenAPI 3.1 document, generated from its types: `docs/bridge-openapi.json`.

use super::{
    contract::{GetLabel, GetPurchases, MadeLabel, Purchases, Resolution, ResolveReturn},
    examples,
};
use domain::openapi::name_as_enum;
use schemars::{
    JsonSchema, SchemaGenerator,
    generate::{Contract, SchemaSettings},
    transform::RecursiveTransform,
};
use serde_json::{Value, json};

const INTRODUCTION: &str = "What a merchant's component answers, so that Retour can look up what was bought there, settle \
    what comes back and, where the merchant wants that, have labels made. The component stands at a URL of its own; Retour calls the operations below it.\n\n\
    Every request is signed by the rules of [Standard Webhooks](https://www.standardwebhooks.com), whose libraries verify \
    it: answer 401 to what they refuse. A call, its answer included, takes 10 seconds at most, and an answer has 1 MiB at \
    most. Redirects are not followed. After 5 failures in a row (no answer, 408, 429, 5xx) a component is left alone for \
    30 seconds.\n\n\
    Money is a decimal text, exact to the currency's minor unit. What may be left out of an answer may also be null; fields \
    that are not listed here are ignored. An answer that says what cannot be (an amount in another currency, more units \
    refunded than bought) is refused and shown in the merchant's log.";

/// Builds the document.
pub fn document() -> Value {
    let mut schemas = Schemas::new();
    let paths = json!({
        "/get-purchases": get_purchases_path(&mut schemas),
        "/resolve-return": resolve_return_path(&mut schemas),
        "/get-label": get_label_path(&mut schemas),
        "/health": health_path(),
    });
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Retour: the bridge to a shop",
            "version": env!("CARGO_PKG_VERSION"),
            "description": INTRODUCTION,
            "license": {"name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0"},
        },
        "servers": [{"url": "https://shop.example/retour", "description": "Wherever the merchant's component stands."}],
        // A signature authenticates each request. OpenAPI has no scheme for it, so the parameters describe it.
        "security": [],
        "paths": paths,
        "components": {"schemas": schemas.definitions()},
    })
}

fn get_purchases_path(schemas: &mut Schemas) -> Value {
    json!({"post": {
        "operationId": "getPurchases",
        "summary": "Look up what was bought in an order",
        "description": "Compare the order's number and the e-mail address or postal code yourself, and answer 404 to whatever does not match: nobody may learn which of them was wrong. It is asked once more where the connection breaks.",
        "parameters": headers("the `requestId`"),
        "requestBody": {"required": true, "content": content::<GetPurchases>(&mut schemas.sent, &[
            ("ByEmail", examples::get_purchases()), ("ByPostalCode", examples::get_purchases_by_postal_code()),
        ])},
        "responses": {
            "200": {
                "description": "The order that was asked for.",
                "content": content::<Purchases>(&mut schemas.answered, &[("Found", examples::purchases())]),
            },
            "401": refused(),
            "404": {"description": "There is no such order for these credentials, whatever is wrong with them."},
            "default": unavailable(),
        },
    }})
}

fn resolve_return_path(schemas: &mut Schemas) -> Value {
    json!({"post": {
        "operationId": "resolveReturn",
        "summary": "Settle what came back",
        "description": "One call for each return request. The same `transactionId` may come several times, also at once: do it once, and answer the same each time.",
        "parameters": headers("the `transactionId`"),
        "requestBody": {"required": true, "content": content::<ResolveReturn>(&mut schemas.sent, &[
            ("Refund", examples::refund()), ("Exchange", examples::exchange()),
        ])},
        "responses": {
            "200": {"description": "What became of it.", "content": content::<Resolution>(&mut schemas.answered, &[
                ("Completed", examples::completed()), ("Pending", examples::pending()), ("Failed", examples::failed()),
            ])},
            "401": refused(),
            "default": unavailable(),
        },
    }})
}

fn get_label_path(schemas: &mut Schemas) -> Value {
    json!({"post": {
        "operationId": "getLabel",
        "summary": "Have a carrier make a label",
        "description": "Only for accounts whose `carrier` is `bridge`; may be left out by the others. The same `transactionId` may come several times, also at once: make one label, and answer with it each time.",
        "parameters": headers("the `transactionId`"),
        "requestBody": {"required": true, "content": content::<GetLabel>(&mut schemas.sent, &[
            ("Label", examples::get_label()),
        ])},
        "responses": {
            "200": {"description": "What became of it.", "content": content::<MadeLabel>(&mut schemas.answered, &[
                ("Created", examples::label_created()), ("Paperless", examples::label_paperless()),
                ("Pending", examples::label_pending()), ("Failed", examples::label_failed()),
            ])},
            "401": refused(),
            "default": unavailable(),
        },
    }})
}

fn health_path() -> Value {
    json!({"get": {
        "operationId": "health",
        "summary": "Tell whether the component works",
        "description": "Signed as well, over an empty body. May be left out: then 404.",
        "parameters": headers("an id of its own"),
        "responses": {
            "200": {"description": "It works. The body is ignored."},
            "401": refused(),
            "default": unavailable(),
        },
    }})
}

/// Two generators: in our requests every field is present, in answers optional fields may be missing.
struct Schemas {
    sent: SchemaGenerator,
    answered: SchemaGenerator,
}

impl Schemas {
    fn new() -> Self {
        let generator = |contract: Contract| {
            let mut settings = SchemaSettings::draft2020_12().with_transform(RecursiveTransform(name_as_enum));
            settings.contract = contract;
            settings.definitions_path = "/components/schemas".into();
            settings.meta_schema = None;
            settings.into_generator()
        };
        Self { sent: generator(Contract::Serialize), answered: generator(Contract::Deserialize) }
    }

    /// All schemas by name. Types of both directions (money, resolutions) have the same schema in each.
    fn definitions(mut self) -> Value {
        let mut all = self.sent.take_definitions(true);
        all.extend(self.answered.take_definitions(true));
        Value::Object(all)
    }
}

/// The content of a body, with named examples.
fn content<T: JsonSchema>(schemas: &mut SchemaGenerator, examples: &[(&str, Value)]) -> Value {
    let examples = examples.iter().map(|(name, value)| ((*name).to_owned(), json!({"value": value})));
    let examples = Value::Object(examples.collect());
    json!({"application/json": {"schema": schemas.subschema_for::<T>(), "examples": examples}})
}

/// The header fields of the signature (Standard Webhooks).
fn headers(id: &str) -> Value {
    let header = |name: &str, description: String, example: &str| {
        json!({
            "name": name, "in": "header", "required": true, "description": description,
            "schema": {"type": "string"}, "example": example,
        })
    };
    json!([
        header("webhook-id", format!("What tells one request from another: {id}."), "0190a5b1-7d3a-7c41-9f0e-2b6f6a1c9d10"),
        header("webhook-timestamp", "When it was signed, seconds since 1970.".to_owned(), "1769860800"),
        header(
            "webhook-signature",
            "`v1,` and the HMAC with SHA-256, in Base64, over id, timestamp and body with full stops between; several, with spaces between, while the secret is replaced.".to_owned(),
            "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=",
        ),
    ])
}

fn refused() -> Value {
    json!({"description": "The signature is missing, wrong or too old."})
}

fn unavailable() -> Value {
    json!({
        "description": "408, 429 and 5xx: it does not work just now. Any other status: it refuses the request.",
        "headers": {"Retry-After": {
            "description": "With 429 and 503: how many seconds to wait, or until when.", "schema": {"type": "string"},
        }},
    })
}
