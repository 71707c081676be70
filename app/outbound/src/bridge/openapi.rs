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

const INTRODUCTION: &str = "The interface of a merchant's component. Retour calls it to look up purchases, to settle returns and, if the \
    merchant wants that, to get labels. The component has a base URL, and Retour calls the operations below it.\n\n\
    Every request is signed according to [Standard Webhooks](https://www.standardwebhooks.com), whose libraries verify \
    it. Answer 401 if the signature is invalid. A call takes 10 seconds at most, its answer included, and an answer has 1 MiB at \
    most. Retour does not follow redirects. After 5 failures in a row (no answer, 408, 429, 5xx), Retour does not call the \
    component for 30 seconds.\n\n\
    Money is a decimal text, exact to the currency's minor unit. Optional fields of an answer may also be null. Retour \
    ignores fields that are not listed here. It refuses an impossible answer (an amount in another currency, more units \
    refunded than bought), and the operator's log names the field.";

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
        "servers": [{"url": "https://shop.example/retour", "description": "The base URL of the merchant's component."}],
        // A signature authenticates each request. OpenAPI has no scheme for it, so the parameters describe it.
        "security": [],
        "paths": paths,
        "components": {"schemas": schemas.definitions()},
    })
}

fn get_purchases_path(schemas: &mut Schemas) -> Value {
    json!({"post": {
        "operationId": "getPurchases",
        "summary": "Look up the purchases of an order",
        "description": "Compare the order number and the e-mail address or postal code yourself. Answer 404 if one of them does not match, without saying which. Retour sends the request once more if the connection breaks.",
        "parameters": headers("the `requestId`"),
        "requestBody": {"required": true, "content": content::<GetPurchases>(&mut schemas.sent, &[
            ("ByEmail", examples::get_purchases()), ("ByPostalCode", examples::get_purchases_by_postal_code()),
        ])},
        "responses": {
            "200": {
                "description": "The requested order.",
                "content": content::<Purchases>(&mut schemas.answered, &[("Found", examples::purchases())]),
            },
            "401": refused(),
            "404": {"description": "There is no order for these credentials, for whatever reason."},
            "default": unavailable(),
        },
    }})
}

fn resolve_return_path(schemas: &mut Schemas) -> Value {
    json!({"post": {
        "operationId": "resolveReturn",
        "summary": "Settle an approved return request",
        "description": "Retour makes one call for each return request. The same `transactionId` may come several times, also concurrently: carry out the resolution once, and give the same answer each time.",
        "parameters": headers("the `transactionId`"),
        "requestBody": {"required": true, "content": content::<ResolveReturn>(&mut schemas.sent, &[
            ("Refund", examples::refund()), ("Exchange", examples::exchange()),
        ])},
        "responses": {
            "200": {"description": "The result of the resolution.", "content": content::<Resolution>(&mut schemas.answered, &[
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
        "summary": "Make a label for a return",
        "description": "Only for accounts whose `carrier` is `bridge`; other components need not have this operation. The same `transactionId` may come several times, also concurrently: make one label, and give it as the answer each time.",
        "parameters": headers("the `transactionId`"),
        "requestBody": {"required": true, "content": content::<GetLabel>(&mut schemas.sent, &[
            ("Label", examples::get_label()),
        ])},
        "responses": {
            "200": {"description": "The result of the request for a label.", "content": content::<MadeLabel>(&mut schemas.answered, &[
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
        "summary": "Report that the component works",
        "description": "The signature is over an empty body. This operation is optional: without it, answer 404.",
        "parameters": headers("an id of its own"),
        "responses": {
            "200": {"description": "The component works. Retour ignores the body."},
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
        header("webhook-id", format!("The unique id of the request: {id}."), "0190a5b1-7d3a-7c41-9f0e-2b6f6a1c9d10"),
        header("webhook-timestamp", "The time of the signature in seconds since 1970.".to_owned(), "1769860800"),
        header(
            "webhook-signature",
            "`v1,` and the HMAC-SHA-256, in Base64, of id, timestamp and body, joined by full stops. While the secret is being replaced, there are several signatures, separated by spaces.".to_owned(),
            "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=",
        ),
    ])
}

fn refused() -> Value {
    json!({"description": "The signature is missing, wrong or too old."})
}

fn unavailable() -> Value {
    json!({
        "description": "408, 429 and 5xx: the component is temporarily unavailable. Any other status: the component refuses the request.",
        "headers": {"Retry-After": {
            "description": "With 429 and 503: the number of seconds to wait, or the time to wait until.", "schema": {"type": "string"},
        }},
    })
}
