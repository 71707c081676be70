//! How bodies are read: strictly, bounded, with what an `Idempotency-Key` needs.

use super::{door::bearer, error::response};
use axum::{
    body::Bytes,
    extract::{FromRequest, Request},
    http::{HeaderMap, Method, StatusCode, Uri, header},
    response::Response,
};
use domain::RefusalCode;
use returns::{Caller, FieldError, IdempotencyKey, SealedKey};
use serde::de::DeserializeOwned;
use serde_json::Value;
use sha2::{Digest, Sha256};

const MAX_KEY_CHARS: usize = 255;

/// With requests in whose bodies `null` is as good as left out: clients that write every field send it for those that they leave out.
#[derive(Debug, Clone, Copy)]
pub struct NullsAreLeftOut;

fn nulls_are_left_out(request: &Request) -> bool {
    request.extensions().get::<NullsAreLeftOut>().is_some()
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
        let leaves_nulls_out = nulls_are_left_out(&request);
        let bytes = Bytes::from_request(request, state).await.map_err(|error| unreadable(error.status()))?;
        if !is_json(&headers) {
            return Err(unsupported("Send the body as JSON, with Content-Type: application/json."));
        }
        let value = parse(&bytes, leaves_nulls_out)?;
        Ok(Self { value, fingerprint: fingerprint(&method, &uri, &bytes), key, credential })
    }
}

/// A body that may be of several types, with what an `Idempotency-Key` needs.
pub struct AnyBody {
    /// What was sent.
    pub bytes: Bytes,
    /// Whether it says that it is JSON.
    pub is_json: bool,
    leaves_nulls_out: bool,
    fingerprint: Vec<u8>,
    key: Option<String>,
}

impl AnyBody {
    /// As JSON, as strictly as ever.
    pub fn json<T: DeserializeOwned>(self) -> Result<JsonBody<T>, Response> {
        let value = parse(&self.bytes, self.leaves_nulls_out)?;
        Ok(JsonBody { value, fingerprint: self.fingerprint, key: self.key, credential: None })
    }
}

impl<S: Send + Sync> FromRequest<S> for AnyBody {
    type Rejection = Response;

    async fn from_request(request: Request, state: &S) -> Result<Self, Response> {
        let (method, uri, headers) = (request.method().clone(), request.uri().clone(), request.headers().clone());
        let key = idempotency_key(&headers)?;
        let leaves_nulls_out = nulls_are_left_out(&request);
        let bytes = Bytes::from_request(request, state).await.map_err(|error| unreadable(error.status()))?;
        let fingerprint = fingerprint(&method, &uri, &bytes);
        Ok(Self { bytes, is_json: is_json(&headers), leaves_nulls_out, fingerprint, key })
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
            parse::<Empty>(&bytes, false)?;
        }
        Ok(Self(JsonBody { value: (), fingerprint: fingerprint(&method, &uri, &bytes), key, credential }))
    }
}

/// A JSON body that may be left out: then everything in it is.
pub struct MaybeJsonBody<T>(pub JsonBody<T>);

impl<T: DeserializeOwned + Default, S: Send + Sync> FromRequest<S> for MaybeJsonBody<T> {
    type Rejection = Response;

    async fn from_request(request: Request, state: &S) -> Result<Self, Response> {
        let body = AnyBody::from_request_with_credential(request, state).await?;
        let (AnyBody { bytes, is_json, leaves_nulls_out, fingerprint, key }, credential) = body;
        if !bytes.is_empty() && !is_json {
            return Err(unsupported("Send the body as JSON, with Content-Type: application/json, or send none."));
        }
        let value = if bytes.is_empty() { T::default() } else { parse(&bytes, leaves_nulls_out)? };
        Ok(Self(JsonBody { value, fingerprint, key, credential }))
    }
}

impl AnyBody {
    async fn from_request_with_credential<S: Send + Sync>(
        request: Request,
        state: &S,
    ) -> Result<(Self, Option<String>), Response> {
        let credential = bearer(request.headers()).map(str::to_owned);
        Ok((Self::from_request(request, state).await?, credential))
    }
}

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Empty {}

pub fn media_type(headers: &HeaderMap) -> String {
    let value = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    value.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
}

pub fn is_json(headers: &HeaderMap) -> bool {
    let essence = media_type(headers);
    essence == "application/json" || (essence.starts_with("application/") && essence.ends_with("+json"))
}

fn unreadable(status: StatusCode) -> Response {
    if status == StatusCode::PAYLOAD_TOO_LARGE {
        return response(status, "PayloadTooLarge", "The body is larger than 1 MiB.", &[]);
    }
    response(StatusCode::BAD_REQUEST, "BadRequest", "The body ended too early, or took too long.", &[])
}

fn parse<T: DeserializeOwned>(bytes: &[u8], leaves_nulls_out: bool) -> Result<T, Response> {
    read_as(bytes, leaves_nulls_out).map_err(|unread| match unread {
        Unread::Malformed(message) => response(StatusCode::BAD_REQUEST, "BadRequest", &message, &[]),
        Unread::Wrong(detail) => wrong(detail),
    })
}

/// Why an object could not be read.
#[derive(Debug)]
pub enum Unread {
    /// It is not JSON.
    Malformed(String),
    /// A field has a bad value.
    Wrong(FieldError),
}

/// Reads an object of JSON as strictly as bodies are read, and refuses it in the same words.
pub fn read<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Unread> {
    read_as(bytes, false)
}

fn read_as<T: DeserializeOwned>(bytes: &[u8], leaves_nulls_out: bool) -> Result<T, Unread> {
    let value = match typed(bytes) {
        // To JSON, 2.0 is as whole a number as 2; to Serde it is not.
        Err((_, error)) if is_type(&error, "floating point") || (leaves_nulls_out && is_type(&error, "null")) => {
            generous(bytes, leaves_nulls_out)
        }
        outcome => outcome,
    };
    let value = value.map_err(|(field, error)| {
        if error.is_data() { Unread::Wrong(what_is_wrong(&field, &error)) } else { malformed(&error) }
    })?;
    // Serde would also take a list of the values, in the order of the fields.
    if bytes.trim_ascii_start().starts_with(b"{") {
        Ok(value)
    } else {
        Err(Unread::Wrong(FieldError::new("body", RefusalCode::NotAllowed, "expected an object")))
    }
}

/// What is in the way, and where.
type Wrong = (String, serde_json::Error);

fn typed<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Wrong> {
    let mut deserializer = serde_json::Deserializer::from_slice(bytes);
    let value = serde_path_to_error::deserialize(&mut deserializer)
        .map_err(|error| (error.path().to_string(), error.into_inner()))?;
    deserializer.end().map_err(|error| (String::new(), error))?;
    Ok(value)
}

/// Whether a value of this type is in the way.
fn is_type(error: &serde_json::Error, kind: &str) -> bool {
    error.to_string().strip_prefix("invalid type: ").is_some_and(|rest| rest.starts_with(kind))
}

/// More fields than any body has whose `null` is no value.
const MOST_NULL_FIELDS: usize = 64;

/// The same with whole numbers that are written with a point; and, where that is so, without each `null` that is in the way.
fn generous<T: DeserializeOwned>(bytes: &[u8], leaves_nulls_out: bool) -> Result<T, Wrong> {
    let mut value: Value = typed(bytes)?;
    make_whole(&mut value);
    let mut outcome = typed_value(value.clone());
    // Each round leaves out one field wherever it is null, of all items of a list at once.
    for _ in 0..MOST_NULL_FIELDS {
        match &outcome {
            Err((path, error))
                if leaves_nulls_out && is_type(error, "null") && leave_out(&mut value, "", &every_item(path)) =>
            {
                outcome = typed_value(value.clone());
            }
            _ => break,
        }
    }
    outcome
}

fn typed_value<T: DeserializeOwned>(value: Value) -> Result<T, Wrong> {
    serde_path_to_error::deserialize(value).map_err(|error| (error.path().to_string(), error.into_inner()))
}

/// `items[3].name` as `items[].name`.
fn every_item(path: &str) -> String {
    let mut pattern = String::new();
    for (at, part) in path.split('[').enumerate() {
        match part.split_once(']').filter(|_| at > 0) {
            Some((index, rest)) if index.bytes().all(|byte| byte.is_ascii_digit()) => {
                pattern.push_str("[]");
                pattern.push_str(rest);
            }
            _ => {
                pattern.push_str(if at > 0 { "[" } else { "" });
                pattern.push_str(part);
            }
        }
    }
    pattern
}

/// Takes out the fields at this pattern that are null, and tells whether there were any. `at`: where the value itself is.
fn leave_out(value: &mut Value, at: &str, pattern: &str) -> bool {
    let mut any = false;
    match value {
        Value::Array(items) => {
            let at = format!("{at}[]");
            for item in items.iter_mut().filter(|_| pattern.starts_with(&at)) {
                any |= leave_out(item, &at, pattern);
            }
        }
        Value::Object(fields) => {
            let place = |name: &str| if at.is_empty() { name.to_owned() } else { format!("{at}.{name}") };
            let before = fields.len();
            fields.retain(|name, field| !field.is_null() || place(name) != pattern);
            any = fields.len() < before;
            for (name, field) in fields {
                let at = place(name);
                any |= pattern.starts_with(&at) && leave_out(field, &at, pattern);
            }
        }
        _ => {}
    }
    any
}

fn make_whole(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(make_whole),
        Value::Object(fields) => fields.values_mut().for_each(make_whole),
        Value::Number(number) => {
            // Written without a point, it is the same number.
            let text = number.as_f64().filter(|number| number.fract() == 0.0).map(|number| format!("{number:.0}"));
            if let Some(whole) = text.and_then(|text| text.parse::<i64>().ok()).filter(|_| number.is_f64()) {
                *number = whole.into();
            }
        }
        _ => {}
    }
}

fn wrong(detail: FieldError) -> Response {
    let message = "Some fields have values that are not allowed.";
    response(StatusCode::UNPROCESSABLE_ENTITY, "ValidationFailed", message, &[detail])
}

fn malformed(error: &serde_json::Error) -> Unread {
    Unread::Malformed(format!("Invalid JSON at line {}, column {}.", error.line(), error.column()))
}

/// Serde's sentence as ours: in words that a client's author knows, and without values: what was sent may be
/// personal.
fn what_is_wrong(path: &str, error: &serde_json::Error) -> FieldError {
    let sentence = error.to_string();
    // What serde_json appends; a text that came may hold the same words further up.
    let suffix = format!(" at line {} column {}", error.line(), error.column());
    let sentence = sentence.strip_suffix(&suffix).unwrap_or(&sentence);
    let path = if path == "." { "" } else { path };
    // A path may end in a name that the client made up.
    let plain: String = path.chars().take(200).map(|c| if c.is_control() { '?' } else { c }).collect();
    let path = plain.as_str();
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
    // The last of them is Serde's, if it has one: what stands before may be a text that came.
    let known = sentence.rsplit_once(", expected ").filter(|_| !sentence.ends_with(", there are no fields"));
    let message = match known {
        Some((problem, known)) if problem.starts_with("unknown field") => format!("unknown field; expected {known}"),
        Some((_, "i64")) => "expected a whole number".to_owned(),
        Some((_, "u32")) => "expected a whole number, 0 or more".to_owned(),
        Some((_, "a map")) => "expected an object".to_owned(),
        Some((_, "a sequence")) => "expected a list".to_owned(),
        Some((_, kind)) if kind.starts_with("struct ") => "expected an object".to_owned(),
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
pub fn fingerprint_of(method: &Method, uri: &Uri, parts: &[&[u8]]) -> Vec<u8> {
    let mut hash = Fingerprint::of(method, uri);
    for part in parts {
        hash.0.update([0]);
        hash.0.update(part);
    }
    hash.finish()
}

/// The fingerprint of a request, made as its body arrives.
#[derive(Debug, Clone)]
pub struct Fingerprint(Sha256);

impl Fingerprint {
    /// Of a request with one body, of which nothing has arrived yet.
    pub fn of_body(method: &Method, uri: &Uri) -> Self {
        let mut fingerprint = Self::of(method, uri);
        fingerprint.0.update([0]);
        fingerprint
    }

    fn of(method: &Method, uri: &Uri) -> Self {
        let mut hash = Sha256::new();
        hash.update(method.as_str());
        hash.update([0]);
        hash.update(uri.path_and_query().map_or("", |path| path.as_str()));
        Self(hash)
    }

    /// Goes on with the next piece of the body.
    pub fn add(&mut self, piece: &[u8]) {
        self.0.update(piece);
    }

    /// The fingerprint of all that was added.
    pub fn finish(self) -> Vec<u8> {
        self.0.finalize().to_vec()
    }
}

pub fn idempotency_key(headers: &HeaderMap) -> Result<Option<String>, Response> {
    let Some(value) = headers.get("idempotency-key") else { return Ok(None) };
    let key = value.to_str().ok().filter(|key| (1..=MAX_KEY_CHARS).contains(&key.len()));
    key.map(|key| Some(key.to_owned())).ok_or_else(|| {
        let message = format!("expected 1 to {MAX_KEY_CHARS} ASCII characters");
        let details = [FieldError::new("Idempotency-Key", RefusalCode::OutOfRange, message)];
        response(StatusCode::BAD_REQUEST, "BadRequest", "A header has a value that is not allowed.", &details)
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use returns::Given;
    use serde::Deserialize;

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Line {
        id: String,
        #[serde(default)]
        note: String,
        #[serde(default)]
        units: i64,
    }

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Sent {
        #[serde(default)]
        lines: Vec<Line>,
        #[serde(default)]
        logo: Given<Option<String>>,
        #[serde(default)]
        names: Vec<String>,
    }

    fn read_generously(text: &str) -> Result<Sent, Unread> {
        read_as(text.as_bytes(), true)
    }

    #[test]
    fn a_null_that_is_no_value_is_as_good_as_left_out() {
        let lines =
            (0..300).map(|id| format!(r#"{{"id": "{id}", "note": null, "units": {}}}"#, ["null", "2.0"][id % 2]));
        let text = format!(r#"{{"lines": [{}], "logo": null, "names": null}}"#, lines.collect::<Vec<_>>().join(","));
        let sent = read_generously(&text).unwrap();
        assert_eq!((sent.lines.len(), sent.lines[0].units, sent.lines[1].units), (300, 0, 2));
        assert!(sent.lines.iter().all(|line| line.note.is_empty() && !line.id.is_empty()) && sent.names.is_empty());
        assert_eq!(sent.logo, Given(Some(None)), "here it is a value");
        assert!(read::<Sent>(text.as_bytes()).is_err(), "elsewhere it is none");
    }

    #[test]
    fn what_must_be_there_must_not_be_null() {
        for (text, field) in [
            (r#"{"lines": [{"id": null}]}"#, "lines[0].id"),
            (r#"{"lines": [null]}"#, "lines[0]"),
            (r#"{"names": ["a", null]}"#, "names[1]"),
            (r#"{"lines": [{"id": "a", "note": null, "other": null}]}"#, "lines[0].other"),
            ("null", "body"),
        ] {
            match read_generously(text) {
                Err(Unread::Wrong(detail)) => assert_eq!(detail.field, field, "{text}"),
                other => panic!("{text}: {other:?}"),
            }
        }
    }
}
