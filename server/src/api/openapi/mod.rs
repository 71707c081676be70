//! The OpenAPI 3.1 document, made from the operations and the types that they take and answer with.

#![expect(
    clippy::indexing_slicing,
    reason = "a document of our own making: a JSON value indexed by a name gives null, or makes the field"
)]

mod account_less;
mod example;
mod limits;
mod links;
mod nulls;
mod parameters;
mod requests;
mod responses;
mod share;
mod typical;
pub mod webhooks;

use super::{
    error::Envelope,
    operation::{Access, Body, Content, Operation},
    operations,
};
use domain::openapi::name_as_enum;
use parameters::parameters;
use responses::{error_response, error_responses, headers, refusals, standing_headers};
use returns::Scope;
use schemars::{
    SchemaGenerator,
    generate::{Contract, SchemaSettings},
    transform::RecursiveTransform,
};
use serde_json::{Map, Value, json};

/// The document of `GET /api/v0/openapi.json` and `retour openapi`, with repeated parts in `components`. `server`: the address of the
/// service, or `/`.
pub fn document(server: &str) -> Value {
    let mut document = whole();
    document["servers"] = json!([{
        "url": server, "description": "Production: the service that this document comes from.", "x-internal": false,
    }]);
    share::repeats(&mut document);
    document
}

/// The complete document, without references to repeated parts.
pub fn whole() -> Value {
    let operations = operations();
    let mut schemas = Schemas::new();
    let mut paths = Map::new();
    for operation in &operations {
        let described = schemas.operation(operation);
        let path = paths.entry(operation.path()).or_insert_with(|| json!({}));
        if let Some(methods) = path.as_object_mut() {
            methods.insert(operation.method.as_str().to_lowercase(), described);
        }
    }
    let _ = schemas.output.subschema_for::<Envelope<'_>>();
    let event_data = webhooks::data_schemas(&mut schemas.output);
    let (mut components, different) = schemas.components();
    webhooks::add_schemas(&mut components, event_data);
    components.values_mut().for_each(limits::without_defaults);
    for operation in paths.values_mut().filter_map(Value::as_object_mut).flat_map(Map::values_mut) {
        if let Some(body) = operation.get_mut("requestBody") {
            point_to_inputs(body, &different);
        }
    }
    let (bodies, others) = bodies_and_others(&operations, &paths);
    nulls::add_to(&mut components, &bodies, &others);
    links::add_to(&mut paths, &components, &operations);
    let mut document = json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Retour API",
            "version": env!("CARGO_PKG_VERSION"),
            "description": INTRODUCTION,
            "license": {"name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0"},
            "contact": {"name": "Retour", "url": "https://github.com/retour/retour"},
        },
        "tags": tags(),
        "paths": paths,
        "webhooks": webhooks::webhooks(&components),
        "components": {
            "schemas": components,
            "responses": error_responses(),
            "headers": headers(),
            "securitySchemes": security_schemes(),
        },
    });
    limits::add_to(&mut document);
    example::add_to(&mut document);
    account_less::add_to(&mut document, &operations);
    document
}

/// Bodies in which `null` is as good as left out, and all else in the operations.
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

/// What the API is and how to begin: Markdown with headings, lists and commands.
const INTRODUCTION: &str = include_str!("introduction.md");

fn tags() -> Value {
    let mut tags: Vec<&str> = Vec::new();
    for operation in operations() {
        if !tags.contains(&operation.resource.tag) {
            tags.push(operation.resource.tag);
        }
    }
    let described = |tag: &str| json!({"name": tag, "description": describe_tag(tag)});
    tags.into_iter().map(described).collect()
}

fn describe_tag(tag: &str) -> &'static str {
    match tag {
        "Credentials" => "Get, inspect and end tokens: prove an order as a consumer, sign in as a user.",
        "Consumer" => "What a consumer can do: the steps of the portal, for a portal of your own.",
        "Account" => "The merchant's own settings: rules, looks, shop, carrier and payments.",
        "Return requests" => {
            "A return request is one purchase within a return order. It moves through stages, from the consumer's wish to its resolution."
        }
        "Return orders" => {
            "A return order is one act of returning: the return requests that a consumer submitted together, and their parcels."
        }
        "Draft return orders" => {
            "A draft shows what a return costs before it is submitted. It holds its figures for 24 hours."
        }
        "Consumers" => {
            "People who proved an order, and what privacy laws let them ask for: their data and its erasure."
        }
        "Purchases" => {
            "A purchase is one line of a sales order of the shop. Send orders here, or let a bridge read them."
        }
        "Withdrawals" => "Contracts that consumers withdrew from (Directive 2011/83/EU, article 11a).",
        "Shipments" => "A shipment is one parcel of a return order, with its label and its tracking.",
        "Mails" => "The e-mail that Retour sent or tried to send to consumers.",
        "Shipping options" => "The ways of sending parcels that consumers can choose from, with their prices.",
        "Return reasons" => "The reasons that consumers can choose from, and what each of them entails.",
        "Return locations" => "The addresses that parcels are sent to.",
        "Service users" => "A service user is a program with an API key and scopes.",
        "Users" => "The merchant's people, who sign in with an e-mail address and a password.",
        "Webhooks" => "Events of the account: subscriptions that receive them, and every delivery with its attempts.",
        _ => "The API's own description.",
    }
}

/// Schemas of what comes in and of what goes out: a field that may be left out of a request is always there in an
/// answer.
struct Schemas {
    input: SchemaGenerator,
    output: SchemaGenerator,
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
        Self { input: generator(Contract::Deserialize), output: generator(Contract::Serialize) }
    }

    /// All schemas by name, and the names of those that look different on their way in: that look is called `…Input`.
    fn components(mut self) -> (Map<String, Value>, Vec<String>) {
        let mut schemas = self.output.take_definitions(true);
        let input = self.input.take_definitions(true);
        let mut different: Vec<String> = Vec::new();
        loop {
            let before = different.len();
            for (name, schema) in &input {
                let differs = schemas.get(name).is_some_and(|known| known != schema || refers_to(schema, &different));
                if differs && !different.contains(name) {
                    different.push(name.clone());
                }
            }
            if different.len() == before {
                break;
            }
        }
        for (name, mut schema) in input {
            point_to_inputs(&mut schema, &different);
            if different.contains(&name) {
                schemas.insert(format!("{name}Input"), schema);
            } else {
                schemas.entry(name).or_insert(schema);
            }
        }
        (schemas, different)
    }

    fn operation(&mut self, operation: &Operation) -> Value {
        let mut described = json!({
            "operationId": operation.id,
            "summary": operation.summary,
            "description": describe(operation),
            "tags": [operation.resource.tag],
            "parameters": parameters(operation),
            "responses": self.responses(operation),
            "security": security(operation.access),
        });
        let body = match &operation.body {
            None => return described,
            Some(Body::Json(schema, required)) => {
                let schema = schema(&mut self.input);
                json!({"required": required, "content": {"application/json": {"schema": schema}}})
            }
            Some(Body::Bytes(media_types)) => json!({"required": true, "content": files(media_types)}),
            Some(Body::Either(schema, media_types)) => {
                let mut content = files(media_types);
                content["application/json"] = json!({"schema": schema(&mut self.input)});
                json!({"required": true, "content": content})
            }
        };
        described["requestBody"] = body;
        described
    }

    /// Whether what is answered has a version, and with it an `ETag`.
    fn has_version(&mut self, content: &Content) -> bool {
        let Content::Json(schema) = content else { return false };
        let schema = schema(&mut self.output);
        let name = schema["$ref"].as_str().and_then(|reference| reference.strip_prefix(SCHEMAS)).unwrap_or_default();
        self.output.definitions().get(name).is_some_and(|schema| schema["properties"]["version"].is_object())
    }

    fn responses(&mut self, operation: &Operation) -> Value {
        let mut responses = Map::new();
        for answer in &operation.answers {
            let mut headers = standing_headers();
            if self.has_version(&answer.content) || operation.may_be_known() {
                headers.insert("ETag".to_owned(), json!({"$ref": "#/components/headers/ETag"}));
            }
            if operation.is_idempotent {
                let name = "Idempotent-Replayed";
                headers.insert(name.to_owned(), json!({"$ref": format!("#/components/headers/{name}")}));
            }
            let mut response = json!({"description": answer.description, "headers": headers});
            match &answer.content {
                Content::Nothing => {}
                Content::Json(schema) => {
                    response["content"] = json!({"application/json": {"schema": schema(&mut self.output)}});
                }
                Content::Bytes(media_types) | Content::OneOf(media_types) => response["content"] = files(media_types),
            }
            responses.insert(answer.status.to_string(), response);
        }
        for (status, name) in refusals(operation) {
            responses.insert(status.to_string(), json!({"$ref": format!("#/components/responses/{name}")}));
        }
        if !operation.conflicts.is_empty() {
            let codes = operation.conflicts.join("`, `");
            responses.insert(
                "409".to_owned(),
                error_response(
                    &format!("The current state does not allow it. The codes are `{codes}`."),
                    operation.conflicts.first().copied().unwrap_or("Conflict"),
                    "The current state does not allow it.",
                ),
            );
        }
        Value::Object(responses)
    }
}

fn files(media_types: &[&str]) -> Value {
    let bytes = || json!({"type": "string", "format": "binary"});
    let file = |media_type: &&str| {
        let schema = match *media_type {
            "multipart/form-data" => {
                json!({"type": "object", "required": ["file"], "properties": {"file": bytes()}, "additionalProperties": false})
            }
            _ => bytes(),
        };
        ((*media_type).to_owned(), json!({"schema": schema}))
    };
    Value::Object(media_types.iter().map(file).collect())
}

const SCHEMAS: &str = "#/components/schemas/";

fn refers_to(schema: &Value, names: &[String]) -> bool {
    let mut copy = schema.clone();
    point_to_inputs(&mut copy, names);
    copy != *schema
}

/// Points references to the look that their types have on their way in, where that is another one.
fn point_to_inputs(schema: &mut Value, different: &[String]) {
    match schema {
        Value::Object(fields) => {
            fields.values_mut().for_each(|field| point_to_inputs(field, different));
            let reference = fields.get("$ref").and_then(Value::as_str).and_then(|text| text.strip_prefix(SCHEMAS));
            let renamed = reference.filter(|name| different.iter().any(|other| other == name));
            if let Some(name) = renamed.map(|name| format!("{SCHEMAS}{name}Input")) {
                fields.insert("$ref".to_owned(), name.into());
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| point_to_inputs(item, different)),
        _ => {}
    }
}

fn describe(operation: &Operation) -> String {
    let who = match operation.access {
        Access::Anyone => "Needs no credential.".to_owned(),
        Access::SignedIn => "For users who signed in.".to_owned(),
        Access::Consumer(scope) => {
            format!(
                "For the consumer whose things these are, and for users and API keys with the scope `{}`.",
                scope.name()
            )
        }
        Access::Staff(scope) => format!("For users and API keys with the scope `{}`.", scope.name()),
    };
    [operation.description, &who].iter().filter(|text| !text.is_empty()).copied().collect::<Vec<_>>().join("\n\n")
}

fn security(access: Access) -> Value {
    match access {
        Access::Anyone => json!([]),
        Access::SignedIn => json!([{"userToken": []}]),
        Access::Consumer(_) => json!([{"consumerToken": []}, {"userToken": []}, {"apiKey": []}]),
        Access::Staff(_) => json!([{"userToken": []}, {"apiKey": []}]),
    }
}

fn security_schemes() -> Value {
    let bearer = |description: String| json!({"type": "http", "scheme": "bearer", "description": description});
    let scopes: Vec<&str> = Scope::ALL.iter().map(|scope| scope.name()).collect();
    json!({
        "apiKey": bearer(format!("A key of a service user (`rtk_…`) with one or more of the scopes {}. Does not expire.", scopes.join(", "))),
        "userToken": bearer("A token of one of the merchant's people (`rtu_…`), from `POST /auth/user`. Good for an hour.".to_owned()),
        "consumerToken": bearer("A consumer's token (`rtc_…`), from `POST /auth/consumer`. Good for 24 hours.".to_owned()),
    })
}
