//! The OpenAPI 3.1 document, made from the operations and the types that they take and answer with.

use super::{
    error::Envelope,
    example,
    operation::{Access, Body, Content, Operation, Parameter},
    operations,
};
use axum::http::Method;
use returns::{MAX_LIMIT, Scope, lists};
use schemars::{
    SchemaGenerator,
    generate::{Contract, SchemaSettings},
};
use serde_json::{Map, Value, json};

/// The document: what `GET /api/v0/openapi.json` and `retour openapi` show.
pub fn document() -> Value {
    let mut schemas = Schemas::new();
    let mut paths = Map::new();
    for operation in operations() {
        let described = schemas.operation(&operation);
        let path = paths.entry(operation.path()).or_insert_with(|| json!({}));
        if let Some(methods) = path.as_object_mut() {
            methods.insert(operation.method.as_str().to_lowercase(), described);
        }
    }
    let _ = schemas.output.subschema_for::<Envelope<'_>>();
    let (components, different) = schemas.components();
    for operation in paths.values_mut().filter_map(Value::as_object_mut).flat_map(Map::values_mut) {
        if let Some(body) = operation.get_mut("requestBody") {
            point_to_inputs(body, &different);
        }
    }
    let mut document = json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Retour",
            "version": env!("CARGO_PKG_VERSION"),
            "description": INTRODUCTION,
            "license": {"name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0"},
            "contact": {"name": "Retour", "url": "https://github.com/retour/retour"},
        },
        "servers": [{"url": "/", "description": "The service that this document came from."}],
        "tags": tags(),
        "paths": paths,
        "components": {
            "schemas": components,
            "responses": error_responses(),
            "headers": headers(),
            "securitySchemes": security_schemes(),
        },
    });
    example::add_to(&mut document);
    document
}

const INTRODUCTION: &str = "Returns of a shop: what a shopper sends back, what it costs and what comes of it.\n\n\
    Every path under `/api/v0/account/{account_id}/` also answers without its account segment, for the account of the \
    credential, and with its resource in singular. `/auth` and `/consumer` also answer under `/api/v0`.\n\n\
    Lists come in pages, newest first; send `nextPage` as `page` for the next one. Bodies are JSON, unknown fields are \
    refused. Send an `Idempotency-Key` with what you may have to repeat.";

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
        "Credentials" => "Getting and ending tokens.",
        "Consumer" => "What a consumer can do: the steps of the portal, for a portal of your own.",
        "Account" => "The merchant's own settings.",
        "Return requests" => "One purchase within a return order each, on its way through the stages.",
        "Return orders" => "Acts of returning: what was sent back together.",
        "Draft return orders" => "Returns that are being put together.",
        "Consumers" => "People who proved an order.",
        "Purchases" => "Lines of the shop's orders, as far as they are known here.",
        "Shipments" => "Parcels, their labels and their way.",
        "Shipping options" => "Ways of sending things back.",
        "Return reasons" => "Why things go back, and what each reason entails.",
        "Return locations" => "Where parcels go.",
        "Service users" => "Programs with an API key.",
        "Users" => "The merchant's people.",
        _ => "About the service itself.",
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
            let mut settings = SchemaSettings::draft2020_12();
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
        };
        described["requestBody"] = body;
        described
    }

    fn responses(&mut self, operation: &Operation) -> Value {
        let mut responses = Map::new();
        for answer in &operation.answers {
            let mut headers = standing_headers();
            if operation.if_match || (operation.path().ends_with("/{id}") && operation.method == Method::GET) {
                headers.insert("ETag".to_owned(), json!({"$ref": "#/components/headers/ETag"}));
            }
            let mut response = json!({"description": answer.description, "headers": headers});
            match &answer.content {
                Content::Nothing => {}
                Content::Json(schema) => {
                    response["content"] = json!({"application/json": {"schema": schema(&mut self.output)}});
                }
                Content::Bytes(media_types) => response["content"] = files(media_types),
            }
            responses.insert(answer.status.to_string(), response);
        }
        for (status, name) in refusals(operation) {
            responses.insert(status.to_string(), json!({"$ref": format!("#/components/responses/{name}")}));
        }
        if !operation.conflicts.is_empty() {
            let codes = operation.conflicts.join("`, `");
            responses.insert("409".to_owned(), error_response(&format!("It cannot be done as things are: `{codes}`.")));
        }
        Value::Object(responses)
    }
}

fn files(media_types: &[&str]) -> Value {
    let bytes = || json!({"type": "string", "format": "binary"});
    let file = |media_type: &&str| {
        let schema = match *media_type {
            "multipart/form-data" => json!({"type": "object", "required": ["file"], "properties": {"file": bytes()}}),
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

fn parameters(operation: &Operation) -> Value {
    let mut parameters = Vec::new();
    let path = operation.path();
    for name in path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}')) {
        let schema = match name {
            "external_id" => json!({"type": "string", "minLength": 1, "maxLength": 200}),
            _ => json!({"type": "string", "format": "uuid", "maxLength": 36}),
        };
        parameters.push(json!({
            "name": name, "in": "path", "required": true, "description": describe_id(name), "schema": schema,
        }));
    }
    let mut query = |name: &str, description: String, schema: Value| {
        parameters.push(json!({"name": name, "in": "query", "description": description, "schema": schema}));
    };
    if operation.list.is_some() || operation.is_paged {
        let limit = json!({"type": "integer", "minimum": 1, "maximum": MAX_LIMIT, "default": 20});
        query("limit", "Results per page.".to_owned(), limit);
        let page = json!({"type": "integer", "format": "int64", "minimum": 1, "maximum": i64::MAX});
        query("page", "`nextPage` of the answer before; 1 or nothing for the first page.".to_owned(), page);
    }
    if let Some(list) = operation.list {
        let sorts: &[&str] = if list.sorts_by_update { &["createdAt", "updatedAt"] } else { &["createdAt"] };
        query(
            "sortBy",
            "What to sort by.".to_owned(),
            json!({"type": "string", "enum": sorts, "default": "createdAt"}),
        );
        let ways = json!({"type": "string", "enum": ["asc", "desc"], "default": "desc"});
        query("orderBy", "`desc`: newest first.".to_owned(), ways);
        if !list.fields.is_empty() {
            let clause = json!({"type": "string", "maxLength": lists::MAX_CHARS + 40});
            query("filter", describe_filter(list), json!({"type": "array", "items": clause, "maxItems": 20}));
        }
        if list.is_searchable() {
            let text = "Order numbers, names and e-mail addresses that are or begin with this.".to_owned();
            query("search", text, json!({"type": "string", "maxLength": lists::MAX_CHARS}));
        }
    }
    if !operation.expandable.is_empty() {
        let names: Vec<&str> = operation.expandable.iter().map(|&(name, _)| name).collect();
        let schema = json!({"type": "array", "items": {"type": "string", "enum": names}, "maxItems": 20});
        query("expand", "What to put in beside or in place of ids; may repeat.".to_owned(), schema);
    }
    parameters.extend(operation.parameters.iter().map(own_parameter));
    parameters.extend(header_parameters(operation));
    Value::Array(parameters)
}

fn own_parameter(parameter: &Parameter) -> Value {
    let schema = match parameter.place {
        "query" => json!({"type": "string", "format": "uuid", "maxLength": 36}),
        _ => json!({"type": "string", "maxLength": 1_000}),
    };
    json!({
        "name": parameter.name, "in": parameter.place, "required": parameter.is_required,
        "description": parameter.description, "schema": schema,
    })
}

fn header_parameters(operation: &Operation) -> Vec<Value> {
    let mut parameters = Vec::new();
    if operation.is_idempotent {
        parameters.push(json!({
            "name": "Idempotency-Key", "in": "header",
            "description": "A text of your own, new for each thing to do: a repeated request with the same key has no second effect and gets the first answer, for 24 hours.",
            "schema": {"type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[!-~]+$"},
        }));
    }
    if operation.if_match {
        parameters.push(json!({
            "name": "If-Match", "in": "header",
            "description": "The `ETag` that you have seen: any other version is 412.",
            "schema": {"type": "string", "maxLength": 40, "pattern": "^(\"[0-9]{1,18}\"|\\*)$"},
        }));
    }
    parameters
}

fn describe_id(name: &str) -> &'static str {
    match name {
        "account_id" => "The account.",
        "consumer_id" => "The consumer.",
        "evidence_id" => "The id of the evidence.",
        "external_id" => "The shop's own id.",
        _ => "Its id.",
    }
}

fn describe_filter(list: &returns::List) -> String {
    let mut text = "Clauses `<field>:<value>`; may repeat, all must hold. Fields:".to_owned();
    for field in list.fields {
        let values = match field.kind {
            lists::FieldKind::Id => "an id".to_owned(),
            lists::FieldKind::OrderNumber => "an order number, without regard to `#`, spaces and case".to_owned(),
            lists::FieldKind::Email => "an e-mail address, without regard to case".to_owned(),
            lists::FieldKind::Text => "a text, as it is".to_owned(),
            lists::FieldKind::OneOf(words) => format!("`{}`", words().join("`, `")),
            lists::FieldKind::Time(_) => "a time (RFC 3339), also with `<`, `<=`, `>`, `>=`".to_owned(),
        };
        text.push_str(&format!("\n- `{}`: {values}", field.name));
    }
    text
}

/// Errors that an operation can answer with, by the name of their response.
fn refusals(operation: &Operation) -> Vec<(u16, &'static str)> {
    let mut refusals = vec![(400, "BadRequest"), (429, "TooManyRequests"), (500, "InternalError")];
    if operation.access != Access::Anyone {
        refusals.extend([(401, "Unauthorized"), (403, "Forbidden")]);
    } else if operation.body.is_some() {
        refusals.push((401, "Unauthorized"));
    }
    if operation.path().contains('{') || operation.access == Access::Anyone {
        refusals.push((404, "NotFound"));
    }
    if operation.body.is_some() {
        refusals.extend([(413, "PayloadTooLarge"), (415, "UnsupportedMediaType")]);
    }
    if operation.body.is_some() || operation.is_idempotent || operation.list.is_some_and(returns::List::is_searchable) {
        refusals.push((422, "ValidationFailed"));
    }
    if operation.is_negotiated {
        refusals.push((406, "NotAcceptable"));
    }
    if operation.if_match {
        refusals.push((412, "PreconditionFailed"));
    }
    refusals
}

fn error_responses() -> Value {
    let responses = [
        (
            "BadRequest",
            "The request cannot be read: malformed JSON, an unknown parameter, a header that is not allowed.",
        ),
        ("Unauthorized", "The credential is missing, wrong, expired or revoked."),
        ("Forbidden", "The credential is valid, but not for this."),
        ("NotFound", "There is no such thing, or it is somebody else's."),
        ("NotAcceptable", "It does not come in any of the forms that `Accept` allows."),
        ("PreconditionFailed", "It is no longer the version that `If-Match` names."),
        ("PayloadTooLarge", "The body is too large."),
        ("UnsupportedMediaType", "The body is of another type than expected."),
        ("ValidationFailed", "Some fields have values that are not allowed; `details` says which and what is."),
        ("TooManyRequests", "The rate limit is exceeded. Come back after the seconds in `Retry-After`."),
        ("InternalError", "Something broke on the service's side."),
    ];
    let mut all: Map<String, Value> =
        responses.into_iter().map(|(name, text)| (name.to_owned(), error_response(text))).collect();
    if let Some(response) = all.get_mut("TooManyRequests") {
        response["headers"]["Retry-After"] = json!({"$ref": "#/components/headers/Retry-After"});
    }
    if let Some(response) = all.get_mut("Unauthorized") {
        response["headers"]["WWW-Authenticate"] = json!({"$ref": "#/components/headers/WWW-Authenticate"});
    }
    Value::Object(all)
}

fn error_response(description: &str) -> Value {
    json!({
        "description": description,
        "headers": standing_headers(),
        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}},
    })
}

/// Headers of every answer.
fn standing_headers() -> Map<String, Value> {
    let names = ["RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset", "X-Request-Id"];
    let reference = |name: &&str| ((*name).to_owned(), json!({"$ref": format!("#/components/headers/{name}")}));
    names.iter().map(reference).collect()
}

fn headers() -> Value {
    let number = |text: &str| json!({"description": text, "schema": {"type": "integer", "format": "int64", "minimum": 0, "maximum": 9_007_199_254_740_991_i64}});
    let text = |text: &str| json!({"description": text, "schema": {"type": "string", "maxLength": 200}});
    json!({
        "RateLimit-Limit": number("Requests allowed in the current window."),
        "RateLimit-Remaining": number("Requests left in the current window."),
        "RateLimit-Reset": number("When the window ends, in seconds since 1970 (UTC)."),
        "Retry-After": number("Seconds until the next request makes sense."),
        "X-Request-Id": text("The request's id: yours, if you sent one."),
        "WWW-Authenticate": text("The scheme to authenticate with: Bearer."),
        "ETag": text("The version of what is in the answer, for `If-Match`."),
    })
}
