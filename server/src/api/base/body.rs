//! Extractors for bodies: strict, bounded, and with what an `Idempotency-Key` needs.

use super::{
    auth_extractors::bearer,
    error::response,
    idempotency::{Fingerprint, idempotency_key},
    strict_json::{JsonError, NullFields, read},
};
use axum::{
    body::Bytes,
    extract::{FromRequest, Request},
    http::{HeaderMap, StatusCode, header},
    response::Response,
};
use returns::{Caller, FieldError, IdempotencyKey, SealedKey};
use serde::de::DeserializeOwned;

/// The largest body of JSON.
pub(crate) const MAX_BODY: usize = 1024 * 1024;

/// Is in the extensions of requests in whose bodies `null` means the same as a field that is left out.
#[derive(Debug, Clone, Copy)]
pub struct NullsAreLeftOut;

/// A JSON body: right type, right size, no unknown fields.
pub struct JsonBody<T> {
    pub value: T,
    fingerprint: Vec<u8>,
    key: Option<String>,
    credential: Option<String>,
}

impl<T> JsonBody<T> {
    /// The client's idempotency key, among the keys of this caller.
    pub fn key(&self, caller: &Caller) -> Option<IdempotencyKey> {
        let key = self.key.clone()?;
        Some(IdempotencyKey { credential: caller.credential_id(), key, fingerprint: self.fingerprint.clone() })
    }

    /// The idempotency key of an operation whose answer has a secret. Only the same credential can read the stored answer.
    pub fn sealed_key(&self, caller: &Caller) -> Option<SealedKey> {
        Some(SealedKey::new(self.key(caller)?, self.credential.as_deref()?))
    }
}

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for JsonBody<T> {
    type Rejection = Response;

    async fn from_request(request: Request, state: &S) -> Result<Self, Response> {
        let body = AnyBody::from_request(request, state).await?;
        if !body.is_json {
            return Err(unsupported("Send the body as JSON, with Content-Type: application/json."));
        }
        body.json()
    }
}

/// A body that may be of several types.
pub struct AnyBody {
    pub bytes: Bytes,
    /// Whether its `Content-Type` is JSON.
    pub is_json: bool,
    nulls: NullFields,
    fingerprint: Vec<u8>,
    key: Option<String>,
    credential: Option<String>,
}

impl AnyBody {
    /// Reads the body as JSON.
    pub fn json<T: DeserializeOwned>(self) -> Result<JsonBody<T>, Response> {
        let value = parse(&self.bytes, self.nulls)?;
        Ok(self.with_value(value))
    }

    fn with_value<T>(self, value: T) -> JsonBody<T> {
        JsonBody { value, fingerprint: self.fingerprint, key: self.key, credential: self.credential }
    }
}

impl<S: Send + Sync> FromRequest<S> for AnyBody {
    type Rejection = Response;

    async fn from_request(request: Request, state: &S) -> Result<Self, Response> {
        let (method, uri, headers) = (request.method().clone(), request.uri().clone(), request.headers().clone());
        let key = idempotency_key(&headers)?;
        let leaves_nulls_out = request.extensions().get::<NullsAreLeftOut>().is_some();
        let bytes = Bytes::from_request(request, state).await.map_err(|error| unreadable(error.status()))?;
        Ok(Self {
            is_json: is_json(&headers),
            nulls: if leaves_nulls_out { NullFields::LeftOut } else { NullFields::Refused },
            fingerprint: Fingerprint::of_parts(&method, &uri, &[&bytes]),
            key,
            credential: bearer(&headers).map(str::to_owned),
            bytes,
        })
    }
}

/// The body of a request that needs none: empty, or an empty object.
pub struct NoBody(pub JsonBody<()>);

impl<S: Send + Sync> FromRequest<S> for NoBody {
    type Rejection = Response;

    async fn from_request(request: Request, state: &S) -> Result<Self, Response> {
        let body = AnyBody::from_request(request, state).await?;
        if !body.bytes.is_empty() {
            parse::<EmptyObject>(&body.bytes, NullFields::Refused)?;
        }
        Ok(Self(body.with_value(())))
    }
}

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct EmptyObject {}

/// A JSON body that may be left out. Then all of its fields have their defaults.
pub struct MaybeJsonBody<T>(pub JsonBody<T>);

impl<T: DeserializeOwned + Default, S: Send + Sync> FromRequest<S> for MaybeJsonBody<T> {
    type Rejection = Response;

    async fn from_request(request: Request, state: &S) -> Result<Self, Response> {
        let body = AnyBody::from_request(request, state).await?;
        if body.bytes.is_empty() {
            return Ok(Self(body.with_value(T::default())));
        }
        if !body.is_json {
            return Err(unsupported("Send the body as JSON, with Content-Type: application/json, or send none."));
        }
        body.json().map(Self)
    }
}

/// The answer to a body of a type that the operation does not accept.
pub(crate) fn unsupported(message: &str) -> Response {
    response(StatusCode::UNSUPPORTED_MEDIA_TYPE, "UnsupportedMediaType", message, &[])
}

/// The `Content-Type` without parameters.
pub(crate) fn media_type(headers: &HeaderMap) -> String {
    let value = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    value.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
}

pub(crate) fn is_json(headers: &HeaderMap) -> bool {
    let media_type = media_type(headers);
    media_type == "application/json" || (media_type.starts_with("application/") && media_type.ends_with("+json"))
}

fn unreadable(status: StatusCode) -> Response {
    if status == StatusCode::PAYLOAD_TOO_LARGE {
        return response(status, "PayloadTooLarge", "The body is larger than 1 MiB.", &[]);
    }
    response(StatusCode::BAD_REQUEST, "BadRequest", "The body ended too early, or took too long.", &[])
}

fn parse<T: DeserializeOwned>(bytes: &[u8], nulls: NullFields) -> Result<T, Response> {
    read(bytes, nulls).map_err(|error| match error {
        JsonError::Malformed(message) => response(StatusCode::BAD_REQUEST, "BadRequest", &message, &[]),
        JsonError::WrongField(detail) => validation_failed(detail),
    })
}

/// The answer to a body in which a field has a wrong value.
pub(crate) fn validation_failed(detail: FieldError) -> Response {
    let message = "Some fields have values that are not allowed.";
    response(StatusCode::UNPROCESSABLE_ENTITY, "ValidationFailed", message, &[detail])
}
