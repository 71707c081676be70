//! `If-Match`: a change only of the version that the client has read.

use super::error::response;
use axum::{
    extract::FromRequestParts,
    http::{StatusCode, header, request::Parts},
    response::Response,
};
use domain::RefusalCode;
use returns::FieldError;

/// The version that the client has read, as in the `ETag` of an answer; `None` without the header, and for `*`.
pub struct IfMatch(pub Option<i64>);

impl<S: Send + Sync> FromRequestParts<S> for IfMatch {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Response> {
        let Some(tag) = parts.headers.get(header::IF_MATCH) else { return Ok(Self(None)) };
        let tag = tag.to_str().unwrap_or_default().trim();
        if tag == "*" {
            return Ok(Self(None));
        }
        let version = tag.strip_prefix('"').and_then(|tag| tag.strip_suffix('"')).and_then(|tag| tag.parse().ok());
        version.map(|version| Self(Some(version))).ok_or_else(|| {
            let expected = "expected the ETag of the answer before, such as \"7\", or *";
            let details = [FieldError::new("If-Match", RefusalCode::NotAllowed, expected)];
            response(StatusCode::BAD_REQUEST, "BadRequest", "The value of a header is not allowed.", &details)
        })
    }
}
