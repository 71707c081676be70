//! Successful answers with a version or a replay mark.

use super::error::ApiError;
use axum::{
    http::{HeaderName, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use returns::{Done, Error};
use serde::{Deserialize, Serialize};

/// Marks an answer that repeats an earlier one, under the name that Stripe uses.
const REPLAYED: HeaderName = HeaderName::from_static("idempotent-replayed");

/// Adds the version of the object as the `ETag`.
pub fn with_etag(version: i64, mut answer: Response) -> Response {
    if let Ok(tag) = HeaderValue::try_from(format!("\"{version}\"")) {
        answer.headers_mut().insert(header::ETAG, tag);
    }
    answer
}

/// The version in the JSON of an answer.
#[derive(Deserialize)]
struct VersionField {
    version: i64,
}

/// The answer of a use case that has an idempotency key: new, or the earlier answer byte for byte. If the object has a version, it is the `ETag`.
pub fn done<T: Serialize>(done: Done<T>) -> Response {
    let (status, body, is_replayed) = match done {
        Done::Fresh { status, value } => match serde_json::to_string(&value) {
            Ok(body) => (status, body, false),
            Err(_) => return ApiError::UseCase(Error::broken()).into_response(),
        },
        Done::Replayed(answer) => (answer.status, answer.body, true),
    };
    let status = StatusCode::from_u16(status).unwrap_or(StatusCode::OK);
    let version = serde_json::from_str(&body).ok().map(|VersionField { version }| version);
    let mut answer = (status, [(header::CONTENT_TYPE, "application/json")], body).into_response();
    if is_replayed {
        answer.headers_mut().insert(REPLAYED, HeaderValue::from_static("true"));
    }
    match version {
        Some(version) => with_etag(version, answer),
        None => answer,
    }
}
