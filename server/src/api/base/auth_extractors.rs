//! What handlers ask of a request: who sends it, and what its path and headers name.

use super::{
    error::{ApiError, response},
    operation::Access,
};
use axum::{
    extract::{FromRequestParts, RawPathParams},
    http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header, request::Parts},
    response::{IntoResponse, Response},
};
use domain::{AccountId, EvidenceId, RefusalCode, ShipmentId};
use returns::{Caller, Done, Error, FieldError, Scope, Shopper, SignedIn, Staff};
use serde::Serialize;
use std::str::FromStr;

/// The largest body.
pub const MAX_BODY: usize = 1024 * 1024;

pub(super) fn bearer(headers: &HeaderMap) -> Option<&str> {
    let value = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    let (scheme, credential) = value.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| credential.trim())
}

/// Who sends the request; without a valid credential there is no way past this.
pub struct Authorized(pub Caller);

impl<S: Send + Sync> FromRequestParts<S> for Authorized {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        parts.extensions.get::<Caller>().cloned().map(Self).ok_or(ApiError::UseCase(Error::Unauthorized))
    }
}

/// Somebody of the account that the path names, or, where it names none, of their own account, who may do what the
/// operation does. Another account's things are nothing that exists.
pub struct Merchant {
    /// Who.
    pub staff: Staff,
    /// The same, for their idempotency keys.
    pub caller: Caller,
}

impl<S: Send + Sync> FromRequestParts<S> for Merchant {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let Authorized(caller) = Authorized::from_request_parts(parts, state).await?;
        match named(parts, state, "account_id").await {
            Some(account) if account.parse::<AccountId>().ok() != Some(caller.account()) => {
                Err(ApiError::UseCase(Error::NotFound))
            }
            _ => Ok(Self { staff: caller.as_staff(needed(parts)?)?, caller }),
        }
    }
}

/// The consumer whom the path names: themselves, or somebody of the merchant's who may do what the operation does.
pub struct Customer {
    /// Who.
    pub shopper: Shopper,
    /// Who sends it, for their idempotency keys.
    pub caller: Caller,
}

impl<S: Send + Sync> FromRequestParts<S> for Customer {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let Authorized(caller) = Authorized::from_request_parts(parts, state).await?;
        let consumer = named(parts, state, "consumer_id").await.and_then(|id| id.parse().ok());
        let scope = needed(parts)?;
        let shopper = caller.as_consumer(consumer.ok_or(ApiError::UseCase(Error::NotFound))?, scope)?;
        Ok(Self { shopper, caller })
    }
}

/// Somebody who has signed in with a password.
pub struct Person {
    /// Who.
    pub user: SignedIn,
    /// The token that they sent.
    pub token: String,
}

impl<S: Send + Sync> FromRequestParts<S> for Person {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        match (Authorized::from_request_parts(parts, state).await?.0, bearer(&parts.headers)) {
            (Caller::User(user), Some(token)) => Ok(Self { user, token: token.to_owned() }),
            _ => Err(ApiError::UseCase(Error::Forbidden("only the token of a user who signed in opens this"))),
        }
    }
}

/// The scope that the operation asks for.
fn needed(parts: &Parts) -> Result<Scope, ApiError> {
    let access = parts.extensions.get::<Access>().copied();
    access.and_then(Access::scope).ok_or(ApiError::UseCase(Error::Broken))
}

/// The `{id}` of a path, whatever stands before it.
pub struct Id<T>(pub T);

impl<T: FromStr, S: Send + Sync> FromRequestParts<S> for Id<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let id = named(parts, state, "id").await.and_then(|id| id.parse().ok());
        id.map(Self).ok_or(ApiError::UseCase(Error::NotFound))
    }
}

/// The `{evidence_id}` of a path.
pub struct EvidenceIdOfPath(pub EvidenceId);

impl<S: Send + Sync> FromRequestParts<S> for EvidenceIdOfPath {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let id = named(parts, state, "evidence_id").await.and_then(|id| id.parse().ok());
        id.map(Self).ok_or(ApiError::UseCase(Error::NotFound))
    }
}

/// The `{shipment_id}` of a path.
pub struct ShipmentIdOfPath(pub ShipmentId);

impl<S: Send + Sync> FromRequestParts<S> for ShipmentIdOfPath {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let id = named(parts, state, "shipment_id").await.and_then(|id| id.parse().ok());
        id.map(Self).ok_or(ApiError::UseCase(Error::NotFound))
    }
}

/// The `{external_id}` of a path: the shop's own id, or ours.
pub struct ExternalId(pub String);

impl<S: Send + Sync> FromRequestParts<S> for ExternalId {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        named(parts, state, "external_id").await.map(Self).ok_or(ApiError::UseCase(Error::NotFound))
    }
}

async fn named<S: Send + Sync>(parts: &mut Parts, state: &S, name: &str) -> Option<String> {
    let params = RawPathParams::from_request_parts(parts, state).await.ok()?;
    params.iter().find(|(known, _)| *known == name).map(|(_, value)| value.to_owned())
}

/// The version that a client has seen, as `ETag` gave it out (RFC 9110, `If-Match`); `*` is any.
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
            response(StatusCode::BAD_REQUEST, "BadRequest", "A header has a value that is not allowed.", &details)
        })
    }
}

/// An answer with the version of what is in it.
pub fn with_etag(version: i64, mut answer: Response) -> Response {
    if let Ok(tag) = HeaderValue::try_from(format!("\"{version}\"")) {
        answer.headers_mut().insert(header::ETAG, tag);
    }
    answer
}

/// The version of what is in an answer, where it has one.
#[derive(serde::Deserialize)]
struct Versioned {
    version: i64,
}

/// That an answer was given before (as Stripe says it).
const REPLAYED: HeaderName = HeaderName::from_static("idempotent-replayed");

/// An answer that was given now, or before, byte for byte; with the version of what is in it, where it has one.
pub fn done<T: Serialize>(done: Done<T>) -> Response {
    let (status, body, is_replayed) = match done {
        Done::Fresh { status, value } => match serde_json::to_string(&value) {
            Ok(body) => (status, body, false),
            Err(_) => return ApiError::UseCase(Error::Broken).into_response(),
        },
        Done::Replayed(answer) => (answer.status, answer.body, true),
    };
    let status = StatusCode::from_u16(status).unwrap_or(StatusCode::OK);
    let version = serde_json::from_str(&body).ok().map(|Versioned { version }| version);
    let mut answer = (status, [(header::CONTENT_TYPE, "application/json")], body).into_response();
    if is_replayed {
        answer.headers_mut().insert(REPLAYED, HeaderValue::from_static("true"));
    }
    match version {
        Some(version) => with_etag(version, answer),
        None => answer,
    }
}
