//! A request and its response.

use super::endpoint::Endpoint;
use domain::Timestamp;
pub use hyper::{Method, body::Bytes};
use std::time::UNIX_EPOCH;

/// A request.
pub struct Call<'a> {
    /// The URL.
    pub to: &'a Endpoint,
    /// The method.
    pub method: Method,
    /// Header fields, in addition to those that every request has.
    pub headers: &'a [(&'a str, String)],
    /// The body; empty with GET.
    pub body: Bytes,
    /// How many bytes of the response's body are read. Longer bodies are cut off.
    pub max_response_bytes: usize,
    /// Whether the server may receive the request twice. If not, the request uses a new connection: a pooled connection
    /// may break while it carries the request, and then we do not know whether the server processed it.
    pub is_repeatable: bool,
}

/// A response, whatever its status.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HttpResponse {
    /// The status code.
    pub status: u16,
    /// The `Retry-After` field: seconds or a date.
    pub retry_after: Option<String>,
    /// The body, up to [`Call::max_response_bytes`].
    pub body: Vec<u8>,
}

impl HttpResponse {
    /// How many seconds `Retry-After` asks us to wait (RFC 9110, 10.2.3); `None` without a valid value.
    pub fn wait_seconds(&self, now: Timestamp) -> Option<u64> {
        let text = self.retry_after.as_deref()?.trim();
        if let Ok(seconds) = text.parse() {
            return Some(seconds);
        }
        let at = httpdate::parse_http_date(text).ok()?.duration_since(UNIX_EPOCH).ok()?.as_secs();
        Some(at.saturating_sub(u64::try_from(now.seconds()).unwrap_or(0)))
    }
}
