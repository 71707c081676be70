//! Errors that operations answer with, and the headers of every answer.

#![expect(
    clippy::indexing_slicing,
    reason = "a document of our own making: a JSON value indexed by a name gives null, or makes the field"
)]

use crate::api::{
    error::{BROKEN, UNAVAILABLE},
    operation::{Access, Content, Operation},
};
use serde_json::{Map, Value, json};

/// Errors that an operation can answer with, by the name of their response.
pub(super) fn refusals(operation: &Operation) -> Vec<(u16, &'static str)> {
    let mut refusals =
        vec![(400, "BadRequest"), (429, "TooManyRequests"), (500, "InternalError"), (503, "ServiceUnavailable")];
    if operation.access != Access::Anyone {
        refusals.extend([(401, "Unauthorized"), (403, "Forbidden")]);
    } else if operation.body.is_some() {
        refusals.push((401, "Unauthorized"));
    }
    if operation.path().contains('{') || operation.access == Access::Anyone {
        refusals.push((404, "NotFound"));
    }
    if operation.body.is_some() {
        refusals.extend([(408, "RequestTimeout"), (413, "PayloadTooLarge"), (415, "UnsupportedMediaType")]);
    }
    if operation.body.is_some()
        || operation.validates
        || operation.is_idempotent
        || operation.list.is_some_and(returns::List::is_searchable)
    {
        refusals.push((422, "ValidationFailed"));
    }
    if operation.answers.iter().any(|answer| matches!(answer.content, Content::OneOf(_))) {
        refusals.push((406, "NotAcceptable"));
    }
    if operation.asks_the_shop {
        refusals.extend([(502, "BridgeUnavailable"), (504, "BridgeUnavailable")]);
    }
    if operation.if_match {
        refusals.push((412, "PreconditionFailed"));
    }
    refusals
}

/// The responses that they refer to.
pub(super) fn error_responses() -> Value {
    // Name, description, and the sentence of the service.
    let responses = [
        (
            "BadRequest",
            "The request cannot be read: malformed JSON, an unknown parameter, a header that is not allowed.",
            "Invalid JSON at line 1, column 10.",
        ),
        (
            "Unauthorized",
            "The credential is missing, wrong, expired or revoked. The operations under `/auth` answer `InvalidOrderCredentials`, `InvalidCredentials` or `InvalidInvitation` when what was sent proves nothing.",
            "Send a valid credential: Authorization: Bearer <token or API key>.",
        ),
        (
            "Forbidden",
            "The credential is valid, but its scope, role or owner does not allow this operation.",
            "This credential may not do that: it lacks the scope admin",
        ),
        ("NotFound", "There is no such object, or it belongs to somebody else.", "There is nothing here."),
        (
            "NotAcceptable",
            "The file is not available in any of the forms that `Accept` allows.",
            "This label comes as application/pdf, image/png, application/zpl: ask for one of these in Accept.",
        ),
        (
            "PreconditionFailed",
            "The object is no longer the version that `If-Match` names. Read it again and repeat the change.",
            "It has changed since you read it: it is version 2 now. Read it again, then decide.",
        ),
        (
            "RequestTimeout",
            "The body arrived too slowly: nothing for ten seconds, or less than 4 KiB a second.",
            "The body took too long: expected a byte within 10 seconds, and 4 KiB a second on average. Send it again.",
        ),
        ("PayloadTooLarge", "The body is larger than the operation allows.", "The body is larger than 1 MiB."),
        (
            "UnsupportedMediaType",
            "The `Content-Type` of the body is none that the operation takes.",
            "Send the body as JSON, with Content-Type: application/json.",
        ),
        (
            "ValidationFailed",
            "Some fields have values that are not allowed; `details` names each field and what is allowed.",
            "Some fields have values that are not allowed.",
        ),
        (
            "TooManyRequests",
            "The rate limit is exceeded, or too many bytes of bodies from this client or to this account are under way at once. Try again after the seconds in `Retry-After`.",
            "The rate limit is exceeded for the token that ends in 9f3c. Try again after the seconds in Retry-After.",
        ),
        (
            "BridgeUnavailable",
            "The merchant's shop does not answer (502), or not in time (504). Try again in a few minutes, or after the seconds in `Retry-After`, if it is there.",
            "The shop cannot be asked at the moment. Try again in a few minutes.",
        ),
        (
            "ServiceUnavailable",
            "The service cannot reach its database, or too many bytes of bodies are under way at once. Try again after the seconds in `Retry-After`.",
            UNAVAILABLE,
        ),
        (
            "InternalError",
            "Something broke in the service. Repeat the request; if the error stays, report the `X-Request-Id`.",
            BROKEN,
        ),
    ];
    let one = |(name, text, message): (&str, &str, &str)| (name.to_owned(), error_response(text, name, message));
    let mut all: Map<String, Value> = responses.into_iter().map(one).collect();
    // What most clients meet first, with the fields that it names.
    if let Some(response) = all.get_mut("ValidationFailed") {
        response["content"]["application/json"]["example"]["error"]["details"] = json!([
            {"field": "quantity", "code": "OutOfRange", "message": "expected a whole number from 1 to 1000000"},
        ]);
    }
    for name in ["TooManyRequests", "BridgeUnavailable", "ServiceUnavailable"] {
        if let Some(response) = all.get_mut(name) {
            response["headers"]["Retry-After"] = json!({"$ref": "#/components/headers/Retry-After"});
        }
    }
    if let Some(response) = all.get_mut("Unauthorized") {
        response["headers"]["WWW-Authenticate"] = json!({"$ref": "#/components/headers/WWW-Authenticate"});
    }
    Value::Object(all)
}

/// An error of one status.
pub(super) fn error_response(description: &str, code: &str, message: &str) -> Value {
    let example = json!({"error": {"code": code, "message": message}});
    json!({
        "description": description,
        "headers": standing_headers(),
        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}, "example": example}},
    })
}

/// Headers of every answer.
pub(super) fn standing_headers() -> Map<String, Value> {
    let names = ["RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset", "X-Request-Id"];
    let reference = |name: &&str| ((*name).to_owned(), json!({"$ref": format!("#/components/headers/{name}")}));
    names.iter().map(reference).collect()
}

/// What those headers are.
pub(super) fn headers() -> Value {
    let number = |text: &str| json!({"description": text, "schema": {"type": "integer", "format": "int64", "minimum": 0, "maximum": 9_007_199_254_740_991_i64}});
    let text = |text: &str| json!({"description": text, "schema": {"type": "string", "maxLength": 200}});
    json!({
        "RateLimit-Limit": number("Requests allowed in the current window."),
        "RateLimit-Remaining": number("Requests left in the current window."),
        "RateLimit-Reset": number("When the window ends, in seconds since 1970 (UTC)."),
        "Retry-After": number("Seconds until the next request makes sense."),
        "X-Request-Id": text("The id of the request: yours if you sent one."),
        "WWW-Authenticate": text("The scheme to authenticate with: Bearer."),
        "Idempotent-Replayed": text("`true` on an answer that was given before, to the same `Idempotency-Key`."),
        "ETag": text("The version of what is in the answer, for `If-Match`."),
    })
}
