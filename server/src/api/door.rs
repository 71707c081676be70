//! What every request passes: who sends it, how often, and how its body is read.

use super::{
    error::{ApiError, response},
    operation::Access,
    owns,
};
use crate::{App, http::Peer, limit::Who};
use axum::{
    body::Bytes,
    extract::{FromRequest, FromRequestParts, RawPathParams, Request, State},
    http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header, request::Parts},
    middleware::Next,
    response::{IntoResponse, Response},
};
use domain::{AccountId, EvidenceId, RefusalCode};
use returns::{
    Caller, ClientAddress, Done, Error, FieldError, IdempotencyKey, Scope, SealedKey, Shopper, SignedIn, Staff,
};
use serde::{Serialize, de::DeserializeOwned};
use sha2::{Digest, Sha256};
use std::str::FromStr;

/// The largest body.
pub const MAX_BODY: usize = 1024 * 1024;
const MAX_KEY_CHARS: usize = 255;

/// Tells who sends a request and counts it. Whoever sends a wrong credential counts as their address, so that
/// nobody gets a fresh limit by making credentials up.
pub async fn limit(State(app): State<App>, mut request: Request, next: Next) -> Response {
    let credential = bearer(request.headers()).map(str::to_owned);
    let caller = match &credential {
        Some(credential) => Some(app.retour.caller(credential).await),
        None => None,
    };
    let peer = request.extensions().get::<Peer>().map_or(std::net::IpAddr::from([0, 0, 0, 0]), |peer| peer.0.ip());
    let client = app.proxies.client(peer, request.headers());
    request.extensions_mut().insert(ClientAddress(client));
    let who = match (&caller, &credential) {
        (Some(Ok(caller)), Some(credential)) => Who::Credential(caller.credential_id(), last_four(credential)),
        // A shopper's pages count together, whichever address they come from.
        _ => match portal::shopper(request.extensions()).await {
            Some(shopper) => Who::Credential(Caller::Shopper(shopper).credential_id(), String::new()),
            None => Who::Address(client),
        },
    };
    let standing = app.limit.count(who.clone(), app.retour.now());
    let refused = standing.is_some_and(|standing| !standing.passes);
    let mut answer = match caller {
        _ if refused && owns(request.uri().path()) => too_many(&who),
        _ if refused => portal::too_many(request.uri().clone()).await,
        // The database failed: nobody can tell who it is.
        Some(Err(error)) if !matches!(error, Error::Unauthorized) => ApiError(error).into_response(),
        caller => {
            if let Some(Ok(caller)) = caller {
                request.extensions_mut().insert(caller);
            }
            next.run(request).await
        }
    };
    if let Some(standing) = standing {
        standing.write(answer.headers_mut());
    }
    answer
}

fn too_many(who: &Who) -> Response {
    let name = match who {
        Who::Credential(_, last_four) => format!("the token that ends in {last_four}"),
        Who::Address(address) => address.to_string(),
    };
    let message = format!("The rate limit is exceeded for {name}. Try again after the seconds in Retry-After.");
    response(StatusCode::TOO_MANY_REQUESTS, "TooManyRequests", &message, &[])
}

fn bearer(headers: &HeaderMap) -> Option<&str> {
    let value = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    let (scheme, credential) = value.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| credential.trim())
}

fn last_four(credential: &str) -> String {
    credential.chars().rev().take(4).collect::<Vec<_>>().into_iter().rev().collect()
}

/// Who sends the request; without a valid credential there is no way past this.
pub struct Authorized(pub Caller);

impl<S: Send + Sync> FromRequestParts<S> for Authorized {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        parts.extensions.get::<Caller>().cloned().map(Self).ok_or(ApiError(Error::Unauthorized))
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
                Err(ApiError(Error::NotFound))
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
        let shopper = caller.as_consumer(consumer.ok_or(ApiError(Error::NotFound))?, scope)?;
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
            _ => Err(ApiError(Error::Forbidden("only the token of a user who signed in opens this"))),
        }
    }
}

/// The scope that the operation asks for.
fn needed(parts: &Parts) -> Result<Scope, ApiError> {
    let access = parts.extensions.get::<Access>().copied();
    access.and_then(Access::scope).ok_or(ApiError(Error::Broken))
}

/// The `{id}` of a path, whatever stands before it.
pub struct Id<T>(pub T);

impl<T: FromStr, S: Send + Sync> FromRequestParts<S> for Id<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let id = named(parts, state, "id").await.and_then(|id| id.parse().ok());
        id.map(Self).ok_or(ApiError(Error::NotFound))
    }
}

/// The `{evidence_id}` of a path.
pub struct EvidenceIdOfPath(pub EvidenceId);

impl<S: Send + Sync> FromRequestParts<S> for EvidenceIdOfPath {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let id = named(parts, state, "evidence_id").await.and_then(|id| id.parse().ok());
        id.map(Self).ok_or(ApiError(Error::NotFound))
    }
}

/// The `{external_id}` of a path: the shop's own id, or ours.
pub struct ExternalId(pub String);

impl<S: Send + Sync> FromRequestParts<S> for ExternalId {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        named(parts, state, "external_id").await.map(Self).ok_or(ApiError(Error::NotFound))
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

/// A JSON body, strictly: right type, right size, no unknown fields; with what an `Idempotency-Key` needs.
pub struct JsonBody<T> {
    /// What was sent.
    pub value: T,
    fingerprint: Vec<u8>,
    key: Option<String>,
    credential: Option<String>,
}

impl<T> JsonBody<T> {
    /// The client's idempotency key, in this caller's key space.
    pub fn key(&self, caller: &Caller) -> Option<IdempotencyKey> {
        let key = self.key.clone()?;
        Some(IdempotencyKey { credential: caller.credential_id(), key, fingerprint: self.fingerprint.clone() })
    }

    /// The same, where the answer bears a secret and is kept for nobody but this credential.
    pub fn sealed_key(&self, caller: &Caller) -> Option<SealedKey> {
        Some(SealedKey::new(self.key(caller)?, self.credential.as_deref()?))
    }
}

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for JsonBody<T> {
    type Rejection = Response;

    async fn from_request(request: Request, state: &S) -> Result<Self, Response> {
        let (method, uri, headers) = (request.method().clone(), request.uri().clone(), request.headers().clone());
        let key = idempotency_key(&headers)?;
        let credential = bearer(&headers).map(str::to_owned);
        let bytes = Bytes::from_request(request, state).await.map_err(|error| unreadable(error.status()))?;
        if !is_json(&headers) {
            return Err(unsupported("Send the body as JSON, with Content-Type: application/json."));
        }
        Ok(Self { value: parse(&bytes)?, fingerprint: fingerprint(&method, &uri, &bytes), key, credential })
    }
}

/// A body that may be of several types, with what an `Idempotency-Key` needs.
pub struct AnyBody {
    /// What was sent.
    pub bytes: Bytes,
    /// Whether it says that it is JSON.
    pub is_json: bool,
    /// Its media type, without parameters.
    pub media_type: String,
    fingerprint: Vec<u8>,
    key: Option<String>,
}

impl AnyBody {
    /// As JSON, as strictly as ever.
    pub fn json<T: DeserializeOwned>(self) -> Result<JsonBody<T>, Response> {
        Ok(JsonBody { value: parse(&self.bytes)?, fingerprint: self.fingerprint, key: self.key, credential: None })
    }

    /// As it is.
    pub fn bytes(self) -> JsonBody<Bytes> {
        JsonBody { value: self.bytes, fingerprint: self.fingerprint, key: self.key, credential: None }
    }
}

impl<S: Send + Sync> FromRequest<S> for AnyBody {
    type Rejection = Response;

    async fn from_request(request: Request, state: &S) -> Result<Self, Response> {
        let (method, uri, headers) = (request.method().clone(), request.uri().clone(), request.headers().clone());
        let key = idempotency_key(&headers)?;
        let bytes = Bytes::from_request(request, state).await.map_err(|error| unreadable(error.status()))?;
        let fingerprint = fingerprint(&method, &uri, &bytes);
        Ok(Self { bytes, is_json: is_json(&headers), media_type: media_type(&headers), fingerprint, key })
    }
}

/// The answer to a body of a type that is not taken.
pub fn unsupported(message: &str) -> Response {
    response(StatusCode::UNSUPPORTED_MEDIA_TYPE, "UnsupportedMediaType", message, &[])
}

/// The same for requests that have no body, or an empty object.
pub struct NoBody(pub JsonBody<()>);

impl<S: Send + Sync> FromRequest<S> for NoBody {
    type Rejection = Response;

    async fn from_request(request: Request, state: &S) -> Result<Self, Response> {
        let (method, uri) = (request.method().clone(), request.uri().clone());
        let key = idempotency_key(request.headers())?;
        let credential = bearer(request.headers()).map(str::to_owned);
        let bytes = Bytes::from_request(request, state).await.map_err(|error| unreadable(error.status()))?;
        if !bytes.is_empty() {
            parse::<Empty>(&bytes)?;
        }
        Ok(Self(JsonBody { value: (), fingerprint: fingerprint(&method, &uri, &bytes), key, credential }))
    }
}

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Empty {}

fn media_type(headers: &HeaderMap) -> String {
    let value = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    value.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
}

fn is_json(headers: &HeaderMap) -> bool {
    let essence = media_type(headers);
    essence == "application/json" || (essence.starts_with("application/") && essence.ends_with("+json"))
}

fn unreadable(status: StatusCode) -> Response {
    if status == StatusCode::PAYLOAD_TOO_LARGE {
        return response(status, "PayloadTooLarge", "The body is larger than 1 MiB.", &[]);
    }
    response(StatusCode::BAD_REQUEST, "BadRequest", "The body ended too early, or took too long.", &[])
}

fn parse<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Response> {
    let mut deserializer = serde_json::Deserializer::from_slice(bytes);
    let value = serde_path_to_error::deserialize(&mut deserializer).map_err(|error| {
        let field = error.path().to_string();
        let inner = error.into_inner();
        if inner.is_data() { wrong(what_is_wrong(&field, &inner)) } else { malformed(&inner) }
    })?;
    deserializer.end().map_err(|error| malformed(&error))?;
    // Serde would also take a list of the values, in the order of the fields.
    if bytes.trim_ascii_start().starts_with(b"{") {
        Ok(value)
    } else {
        Err(wrong(FieldError::new("body", RefusalCode::NotAllowed, "expected an object")))
    }
}

fn wrong(detail: FieldError) -> Response {
    let message = "Some fields have values that are not allowed.";
    response(StatusCode::UNPROCESSABLE_ENTITY, "ValidationFailed", message, &[detail])
}

fn malformed(error: &serde_json::Error) -> Response {
    let message = format!("The body is not JSON: it breaks in line {}, column {}.", error.line(), error.column());
    response(StatusCode::BAD_REQUEST, "BadRequest", &message, &[])
}

/// Serde's sentence as ours: in words that a client's author knows, and without values: what was sent may be
/// personal.
fn what_is_wrong(path: &str, error: &serde_json::Error) -> FieldError {
    let sentence = error.to_string();
    let sentence = sentence.split(" at line ").next().unwrap_or_default();
    let path = if path == "." { "" } else { path };
    let place = if path.is_empty() { "body" } else { path };
    if let Some(name) = quoted(sentence, "missing field ") {
        let field = if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
        return FieldError::new(field, RefusalCode::Required, "this field is missing");
    }
    if sentence.starts_with("duplicate field ") {
        return FieldError::new(place, RefusalCode::NotAllowed, "this field is there twice");
    }
    if sentence.starts_with("UUID parsing failed") {
        return FieldError::new(place, RefusalCode::NotAllowed, "expected an id: a UUID as this API gives them out");
    }
    let message = match sentence.split_once(", expected ") {
        Some((problem, known)) if problem.starts_with("unknown field") => format!("not known here; expected {known}"),
        Some((_, "i64")) => "expected a whole number".to_owned(),
        Some((_, "u32")) => "expected a whole number, 0 or more".to_owned(),
        Some((_, "a map")) => "expected an object".to_owned(),
        Some((_, "a sequence")) => "expected a list".to_owned(),
        Some((_, kind)) if kind.starts_with("struct ") => "expected an object".to_owned(),
        Some((_, "string or map")) => "expected one of the names that the documentation lists".to_owned(),
        Some((_, expected)) => format!("expected {expected}"),
        // Words of our own types.
        None if sentence.starts_with("expected ") => sentence.to_owned(),
        None => "not known here".to_owned(),
    };
    FieldError::new(place, RefusalCode::NotAllowed, message)
}

/// The name in backticks behind these words.
fn quoted<'a>(sentence: &'a str, words: &str) -> Option<&'a str> {
    sentence.strip_prefix(words)?.strip_prefix('`')?.strip_suffix('`')
}

fn fingerprint(method: &Method, uri: &Uri, body: &[u8]) -> Vec<u8> {
    fingerprint_of(method, uri, &[body])
}

/// Of a request whose body has parts.
pub(super) fn fingerprint_of(method: &Method, uri: &Uri, parts: &[&[u8]]) -> Vec<u8> {
    let mut hash = Sha256::new();
    hash.update(method.as_str());
    hash.update([0]);
    hash.update(uri.path_and_query().map_or("", |path| path.as_str()));
    for part in parts {
        hash.update([0]);
        hash.update(part);
    }
    hash.finalize().to_vec()
}

pub(super) fn idempotency_key(headers: &HeaderMap) -> Result<Option<String>, Response> {
    let Some(value) = headers.get("idempotency-key") else { return Ok(None) };
    let key = value.to_str().ok().filter(|key| (1..=MAX_KEY_CHARS).contains(&key.len()));
    key.map(|key| Some(key.to_owned())).ok_or_else(|| {
        let message = format!("expected 1 to {MAX_KEY_CHARS} ASCII characters");
        let details = [FieldError::new("Idempotency-Key", RefusalCode::OutOfRange, message)];
        response(StatusCode::BAD_REQUEST, "BadRequest", "A header has a value that is not allowed.", &details)
    })
}

/// The version of what is in an answer, where it has one.
#[derive(serde::Deserialize)]
struct Versioned {
    version: i64,
}

/// An answer that was given now, or before, byte for byte; with the version of what is in it, where it has one.
pub fn done<T: Serialize>(done: Done<T>) -> Response {
    let (status, body) = match done {
        Done::Fresh { status, value } => match serde_json::to_string(&value) {
            Ok(body) => (status, body),
            Err(_) => return ApiError(Error::Broken).into_response(),
        },
        Done::Replayed(answer) => (answer.status, answer.body),
    };
    let status = StatusCode::from_u16(status).unwrap_or(StatusCode::OK);
    let version = serde_json::from_str(&body).ok().map(|Versioned { version }| version);
    let answer = (status, [(header::CONTENT_TYPE, "application/json")], body).into_response();
    match version {
        Some(version) => with_etag(version, answer),
        None => answer,
    }
}
