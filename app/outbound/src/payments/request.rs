//! Requests to a payment provider, and the meaning of its responses.

use super::error::PaymentError;
use crate::http::{Bytes, Call, Endpoint, Http, HttpResponse, Method};
use domain::Timestamp;
use serde::de::DeserializeOwned;
use std::time::Duration;

/// The timeout of one request. Shoppers wait for some of them.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(10);
/// How many bytes a response may have.
const MAX_RESPONSE_BYTES: usize = 256 * 1024;
/// The longest error code that is repeated in a message of ours.
const MAX_CODE_BYTES: usize = 60;

/// A request to a provider.
pub(super) struct ProviderRequest<'a> {
    pub method: Method,
    pub to: &'a Endpoint,
    pub headers: &'a [(&'static str, String)],
    pub body: String,
    /// Finds the error code in the body of a refusal.
    pub error_code: fn(&[u8]) -> String,
}

/// Sends a request and parses the response.
pub(super) async fn send<T: DeserializeOwned>(
    http: &Http,
    request: ProviderRequest<'_>,
    now: Timestamp,
) -> Result<T, PaymentError> {
    let ProviderRequest { method, to, headers, body, error_code } = request;
    let (body, max_response_bytes) = (Bytes::from(body), MAX_RESPONSE_BYTES + 1);
    // Every request has an idempotency key, ends a page or only reads, so it may be received twice.
    let call = Call { to, method, headers, body, max_response_bytes, is_repeatable: true };
    let response = http.clone().with_timeout(REQUEST_TIMEOUT).call(call).await.map_err(PaymentError::NoAnswer)?;
    let HttpResponse { status, body, .. } = &response;
    match status {
        200..=299 if body.len() <= MAX_RESPONSE_BYTES => {
            serde_json::from_slice(body).map_err(|_| PaymentError::NotUnderstood("its answer"))
        }
        200..=299 => Err(PaymentError::NotUnderstood("an answer that is too long")),
        401 | 403 => Err(PaymentError::KeyRefused),
        404 => Err(PaymentError::Unknown),
        // 409: a request with the same idempotency key is in progress.
        408 | 409 | 429 | 500.. => {
            Err(PaymentError::Unavailable { status: *status, wait_seconds: response.wait_seconds(now) })
        }
        status => Err(PaymentError::Refused { status: *status, code: cleaned(&error_code(body)) }),
    }
}

/// An error code that is safe to show; empty if it does not look like one.
fn cleaned(code: &str) -> String {
    let is_code_byte = |byte: u8| byte.is_ascii_alphanumeric() || b"_-. ".contains(&byte);
    let is_code = code.len() <= MAX_CODE_BYTES && code.bytes().all(is_code_byte);
    if is_code { code.to_owned() } else { String::new() }
}

/// A URL below the provider's base URL.
pub(super) fn below(base: &Endpoint, segments: &[&str]) -> Result<Endpoint, PaymentError> {
    let url = segments.iter().try_fold(base.clone(), |url, segment| url.below(segment));
    url.map_err(|_| PaymentError::NotUnderstood("an id that makes the URL too long"))
}
