//! Compression of answers: zstd, Brotli or gzip, whichever the client's `Accept-Encoding` prefers.

use axum::{
    extract::Request,
    http::{Extensions, HeaderMap, HeaderValue, Method, StatusCode, Version, header},
};
use tower_http::compression::{
    CompressionLayer,
    predicate::{Predicate, SizeAbove},
};

/// A smaller answer fits into one packet.
const MIN_BYTES: u64 = 1024;

/// Compresses texts as they are sent. Files that are already compressed stay as they are.
pub(crate) fn layer() -> CompressionLayer<impl Predicate> {
    CompressionLayer::new().compress_when(SizeAbove::new(MIN_BYTES).and(is_text))
}

/// Whether an answer is text without a strong `ETag`, which would name the uncompressed bytes (RFC 9110, 8.8.1).
fn is_text(_: StatusCode, _: Version, headers: &HeaderMap, extensions: &Extensions) -> bool {
    let text = |name| headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let media_type = text(header::CONTENT_TYPE).split(';').next().unwrap_or_default().trim();
    let is_strong = |tag: &str| tag.starts_with('"');
    (media_type.starts_with("text/") || media_type.ends_with("json") || media_type.ends_with("xml"))
        && !is_strong(text(header::ETAG))
        && extensions.get::<portal::MixesSecrets>().is_none()
}

/// Removes the parts of `Accept-Encoding` that the layer must not see.
pub(crate) fn prepare(mut request: Request) -> Request {
    if !request.headers().contains_key(header::ACCEPT_ENCODING) {
        return request;
    }
    if may_leak(&request) {
        request.headers_mut().remove(header::ACCEPT_ENCODING);
    } else {
        without_refusals(request.headers_mut());
    }
    request
}

/// Whether the answer can contain both a secret and text that an attacker chose. Its compressed size would then reveal whether the two are alike
/// (BREACH). An attacker's page can choose the query and the form of a request to which the browser adds its cookie. A request without a
/// cookie has its own credential, which the attacker does not have.
fn may_leak(request: &Request) -> bool {
    let can_be_chosen = request.uri().query().is_some() || !matches!(*request.method(), Method::GET | Method::HEAD);
    can_be_chosen && request.headers().contains_key(header::COOKIE)
}

/// Removes refusals of uncompressed answers (`identity;q=0`, `*;q=0`). The layer would answer 406 after the handler has done its work; RFC
/// 9110 (12.5.3) lets a server ignore the refusal.
fn without_refusals(headers: &mut HeaderMap) {
    let values = headers.get_all(header::ACCEPT_ENCODING);
    let all: Vec<_> = values.iter().filter_map(|value| value.to_str().ok()).flat_map(|list| list.split(',')).collect();
    let kept: Vec<_> = all.iter().copied().filter(|coding| !refuses_identity(coding)).collect();
    if kept.len() < all.len() {
        let kept = HeaderValue::from_str(&kept.join(","));
        match kept.ok().filter(|kept| !kept.is_empty()) {
            Some(kept) => drop(headers.insert(header::ACCEPT_ENCODING, kept)),
            None => drop(headers.remove(header::ACCEPT_ENCODING)),
        }
    }
}

fn refuses_identity(coding: &str) -> bool {
    let (name, weight) = coding.split_once(';').unwrap_or((coding, ""));
    let (name, weight) = (name.trim(), weight.trim().to_ascii_lowercase());
    let is_zero = weight.strip_prefix("q=").and_then(|weight| weight.trim().parse::<f32>().ok()) == Some(0.0);
    is_zero && (name == "*" || name.eq_ignore_ascii_case("identity"))
}
