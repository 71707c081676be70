//! The errors that operations share, and the headers of answers.

#![expect(
    clippy::indexing_slicing,
    reason = "a document of our own making: a JSON value indexed by a name gives null, or makes the field"
)]

use crate::api::base::{
    error::{INTERNAL_ERROR, UNAVAILABLE},
    operation::{Access, Content, Operation},
    query::MAX_PAGE,
};
use serde_json::{Map, Value, json};

/// The shared errors that an operation can answer with: status, and name of the response.
pub(super) fn shared_errors(operation: &Operation) -> Vec<(u16, &'static str)> {
    let mut errors =
        vec![(400, "BadRequest"), (429, "TooManyRequests"), (500, "InternalError"), (503, "ServiceUnavailable")];
    if operation.access != Access::Anyone {
        errors.extend([(401, "Unauthorized"), (403, "Forbidden")]);
    } else if operation.body.is_some() {
        errors.push((401, "Unauthorized"));
    }
    if operation.path().contains('{') || operation.access == Access::Anyone {
        errors.push((404, "NotFound"));
    }
    if operation.body.is_some() {
        errors.extend([(408, "RequestTimeout"), (413, "PayloadTooLarge"), (415, "UnsupportedMediaType")]);
    }
    if operation.body.is_some()
        || operation.validates
        || operation.is_idempotent
        || operation.list.is_some_and(returns::List::is_searchable)
    {
        errors.push((422, "ValidationFailed"));
    }
    if operation.answers.iter().any(|answer| matches!(answer.content, Content::OneOf(_))) {
        errors.push((406, "NotAcceptable"));
    }
    if operation.asks_the_shop {
        errors.extend([(502, "BridgeUnavailable"), (504, "BridgeUnavailable")]);
    }
    if operation.if_match {
        errors.push((412, "PreconditionFailed"));
    }
    errors
}

/// A response that operations refer to: its name, which is also the code of the error, its description, and the message in its example.
struct SharedError(&'static str, &'static str, &'static str);

/// The responses that operations refer to.
const SHARED_ERRORS: &[SharedError] = &[
    SharedError(
        "BadRequest",
        "The request cannot be read: malformed JSON, an unknown parameter, a header that is not allowed.",
        "Invalid JSON at line 1, column 10.",
    ),
    SharedError(
        "Unauthorized",
        "The credential is missing, wrong, expired or revoked. The operations under `/auth` answer `InvalidOrderCredentials`, `InvalidCredentials` or `InvalidInvitation` if the credentials are wrong.",
        "Send a valid credential: Authorization: Bearer <token or API key>.",
    ),
    SharedError(
        "Forbidden",
        "The credential is valid, but its scope, role or owner does not allow this operation.",
        "This credential does not allow the request: it lacks the scope admin",
    ),
    SharedError("NotFound", "The object does not exist, or belongs to another party.", "The resource does not exist."),
    SharedError(
        "NotAcceptable",
        "The file is not available in any of the forms that `Accept` allows.",
        "This label is available as application/pdf, image/png, application/zpl: name one of these in Accept.",
    ),
    SharedError(
        "PreconditionFailed",
        "The object is no longer the version that `If-Match` names. Read it again and repeat the change.",
        "The object has changed since you read it. Its version is now 2. Read it again, then decide.",
    ),
    SharedError(
        "RequestTimeout",
        "The body arrived too slowly: nothing for ten seconds, or less than 4 KiB a second.",
        "The body took too long: expected a byte within 10 seconds, and 4 KiB a second on average. Send it again.",
    ),
    SharedError("PayloadTooLarge", "The body is larger than the operation allows.", "The body is larger than 1 MiB."),
    SharedError(
        "UnsupportedMediaType",
        "The operation does not accept the `Content-Type` of the body.",
        "Send the body as JSON, with Content-Type: application/json.",
    ),
    SharedError(
        "ValidationFailed",
        "Some fields have values that are not allowed; `details` names each field and what is allowed.",
        "Some fields have values that are not allowed.",
    ),
    SharedError(
        "TooManyRequests",
        "The rate limit is exceeded, or the requests in progress from this client or to this account have too many bytes. Try again after the seconds in `Retry-After`.",
        "The rate limit is exceeded for the token that ends in 9f3c. Try again after the seconds in Retry-After.",
    ),
    SharedError(
        "BridgeUnavailable",
        "The merchant's shop does not answer (502), or not in time (504). Try again in a few minutes, or after the seconds in `Retry-After`, if it is there.",
        "The shop cannot be reached at the moment. Try again in a few minutes.",
    ),
    SharedError(
        "ServiceUnavailable",
        "The service cannot reach its database, or the requests in progress have too many bytes. Try again after the seconds in `Retry-After`.",
        UNAVAILABLE,
    ),
    SharedError(
        "InternalError",
        "An internal error occurred. Repeat the request; if the error stays, report the `X-Request-Id`.",
        INTERNAL_ERROR,
    ),
];

/// The responses that operations refer to, by name.
pub(super) fn error_responses() -> Value {
    let response = |SharedError(code, description, message): &SharedError| {
        ((*code).to_owned(), error_response(description, code, message))
    };
    let mut responses: Map<String, Value> = SHARED_ERRORS.iter().map(response).collect();
    // The error that most clients meet first also shows the details.
    if let Some(response) = responses.get_mut("ValidationFailed") {
        response["content"]["application/json"]["example"]["error"]["details"] = json!([
            {"field": "quantity", "code": "OutOfRange", "message": "expected a whole number from 1 to 1000000"},
        ]);
    }
    for (name, header) in [
        ("TooManyRequests", "Retry-After"),
        ("BridgeUnavailable", "Retry-After"),
        ("ServiceUnavailable", "Retry-After"),
        ("Unauthorized", "WWW-Authenticate"),
    ] {
        if let Some(response) = responses.get_mut(name) {
            response["headers"][header] = header_reference(header);
        }
    }
    Value::Object(responses)
}

/// A response with an error. `message`: the one in its example.
pub(super) fn error_response(description: &str, code: &str, message: &str) -> Value {
    let example = json!({"error": {"code": code, "message": message}});
    json!({
        "description": description,
        "headers": standing_headers(),
        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}, "example": example}},
    })
}

/// The headers of every answer.
pub(super) fn standing_headers() -> Map<String, Value> {
    let names = ["RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset", "X-Request-Id"];
    names.iter().map(|name| ((*name).to_owned(), header_reference(name))).collect()
}

/// A reference to one of the [`headers`].
pub(super) fn header_reference(name: &str) -> Value {
    json!({"$ref": format!("#/components/headers/{name}")})
}

/// All headers of answers.
pub(super) fn headers() -> Value {
    let number = |text: &str| json!({"description": text, "schema": {"type": "integer", "format": "int64", "minimum": 0, "maximum": MAX_PAGE}});
    let text = |text: &str| json!({"description": text, "schema": {"type": "string", "maxLength": 200}});
    json!({
        "RateLimit-Limit": number("Requests allowed in the current window."),
        "RateLimit-Remaining": number("Requests left in the current window."),
        "RateLimit-Reset": number("The end of the window, in seconds since 1970 (UTC)."),
        "Retry-After": number("The number of seconds to wait before the next request."),
        "X-Request-Id": text("The id of the request: yours if you sent one."),
        "WWW-Authenticate": text("The scheme to authenticate with: Bearer."),
        "Idempotent-Replayed": text("`true` if the answer repeats an earlier one with the same `Idempotency-Key`."),
        "ETag": text("The version of the object in the answer, for `If-Match`."),
    })
}
