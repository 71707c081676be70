//! Operations in the document: bodies, answers and who may call them.

#![expect(
    clippy::indexing_slicing,
    reason = "a document of our own making: a JSON value indexed by a name gives null, or makes the field"
)]

use super::{
    parameters::parameters,
    responses::{error_response, header_reference, shared_errors, standing_headers},
    schemas::Schemas,
    security::security,
};
use crate::api::base::operation::{Access, Content, Operation, RequestBody, SuccessAnswer};
use returns::Scope;
use schemars::SchemaGenerator;
use serde_json::{Map, Value, json};

/// An operation as the document has it.
pub(super) fn describe_operation(operation: &Operation, schemas: &mut Schemas) -> Value {
    let mut described = json!({
        "operationId": operation.id,
        "summary": operation.summary,
        "description": describe(operation),
        "tags": [operation.resource.tag],
        "parameters": parameters(operation),
        "responses": success_and_errors(operation, schemas),
        "security": security(operation.access),
    });
    if let Some(body) = &operation.body {
        described["requestBody"] = request_body(body, &mut schemas.input);
    }
    described
}

fn request_body(body: &RequestBody, input: &mut SchemaGenerator) -> Value {
    match body {
        RequestBody::Json { schema, is_required } => {
            let schema = schema(input);
            json!({"required": is_required, "content": {"application/json": {"schema": schema}}})
        }
        RequestBody::Bytes(media_types) => json!({"required": true, "content": files(media_types)}),
        RequestBody::Either(schema, media_types) => {
            let mut content = files(media_types);
            content["application/json"] = json!({"schema": schema(input)});
            json!({"required": true, "content": content})
        }
    }
}

/// Every answer of an operation, by status.
fn success_and_errors(operation: &Operation, schemas: &mut Schemas) -> Value {
    let mut responses = Map::new();
    for answer in &operation.answers {
        responses.insert(answer.status.to_string(), success(operation, answer, schemas));
    }
    for (status, name) in shared_errors(operation) {
        responses.insert(status.to_string(), json!({"$ref": format!("#/components/responses/{name}")}));
    }
    if !operation.conflicts.is_empty() {
        responses.insert("409".to_owned(), conflict(operation.conflicts));
    }
    Value::Object(responses)
}

fn success(operation: &Operation, answer: &SuccessAnswer, schemas: &mut Schemas) -> Value {
    let mut headers = standing_headers();
    if schemas.has_version(&answer.content) || operation.reads_if_none_match() {
        headers.insert("ETag".to_owned(), header_reference("ETag"));
    }
    if operation.is_idempotent {
        headers.insert("Idempotent-Replayed".to_owned(), header_reference("Idempotent-Replayed"));
    }
    let mut response = json!({"description": answer.description, "headers": headers});
    match &answer.content {
        Content::Nothing => {}
        Content::Json(schema) => {
            response["content"] = json!({"application/json": {"schema": schema(&mut schemas.output)}});
        }
        Content::Bytes(media_types) | Content::OneOf(media_types) => response["content"] = files(media_types),
    }
    response
}

fn conflict(codes: &[&str]) -> Value {
    let sentence = "The current state does not allow it.";
    let description = format!("{sentence} The codes are `{}`.", codes.join("`, `"));
    error_response(&description, codes.first().copied().unwrap_or("Conflict"), sentence)
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

fn describe(operation: &Operation) -> String {
    let who = match operation.access {
        Access::Anyone => "Needs no credential.".to_owned(),
        Access::SignedIn => "For users who signed in.".to_owned(),
        Access::Consumer(scope) => {
            format!(
                "For the consumer who owns the object, and for users and API keys with the scope `{}`.",
                scope.name()
            )
        }
        Access::Staff(scope) => format!("For users and API keys with the scope `{}`.", scope.name()),
        Access::StaffAny(scopes) => format!("For users and API keys with one of the scopes {}.", quoted(scopes)),
        Access::StaffButAgents(scopes) => {
            format!("For users and API keys with one of the scopes {}, except agents.", quoted(scopes))
        }
    };
    let recent = if operation.needs_recent_sign_in {
        "Users need a sign-in of the last ten minutes: an older one gives 403 `ConfirmationRequired`. API keys do not."
    } else {
        ""
    };
    [operation.description, &who, recent]
        .iter()
        .filter(|text| !text.is_empty())
        .copied()
        .collect::<Vec<_>>()
        .join("\n\n")
}

fn quoted(scopes: &[Scope]) -> String {
    scopes.iter().map(|scope| format!("`{}`", scope.name())).collect::<Vec<_>>().join(", ")
}
