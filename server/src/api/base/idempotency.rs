//! `Idempotency-Key`: the same request with the same key is carried out once.

use super::error::response;
use axum::{
    http::{HeaderMap, Method, StatusCode, Uri},
    response::Response,
};
use domain::RefusalCode;
use returns::FieldError;
use sha2::{Digest, Sha256};

const MAX_KEY_CHARS: usize = 255;

/// The client's key, if it sent one.
pub(crate) fn idempotency_key(headers: &HeaderMap) -> Result<Option<String>, Response> {
    let Some(value) = headers.get("idempotency-key") else { return Ok(None) };
    let key = value.to_str().ok().filter(|key| (1..=MAX_KEY_CHARS).contains(&key.len()));
    key.map(|key| Some(key.to_owned())).ok_or_else(|| {
        let message = format!("expected 1 to {MAX_KEY_CHARS} ASCII characters");
        let details = [FieldError::new("Idempotency-Key", RefusalCode::OutOfRange, message)];
        response(StatusCode::BAD_REQUEST, "BadRequest", "The value of a header is not allowed.", &details)
    })
}

/// A hash of the request, which tells whether a key is used again for another request. It is computed as the body arrives.
#[derive(Debug, Clone)]
pub(crate) struct Fingerprint(Sha256);

impl Fingerprint {
    fn of_head(method: &Method, uri: &Uri) -> Self {
        let mut hash = Sha256::new();
        hash.update(method.as_str());
        hash.update([0]);
        hash.update(uri.path_and_query().map_or("", |path| path.as_str()));
        Self(hash)
    }

    /// The fingerprint of a request with these parts of a body.
    pub(crate) fn of_parts(method: &Method, uri: &Uri, parts: &[&[u8]]) -> Vec<u8> {
        let mut fingerprint = Self::of_head(method, uri);
        for part in parts {
            fingerprint.0.update([0]);
            fingerprint.add(part);
        }
        fingerprint.finish()
    }

    /// Starts the fingerprint of a request with one body, of which nothing has arrived yet.
    pub(crate) fn start(method: &Method, uri: &Uri) -> Self {
        let mut fingerprint = Self::of_head(method, uri);
        fingerprint.0.update([0]);
        fingerprint
    }

    /// Adds the next piece of the body.
    pub(crate) fn add(&mut self, piece: &[u8]) {
        self.0.update(piece);
    }

    pub(crate) fn finish(self) -> Vec<u8> {
        self.0.finalize().to_vec()
    }
}
