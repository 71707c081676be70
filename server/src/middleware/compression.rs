//! Compression of answers (RFC 9110, Content-Encoding): zstd, Brotli or gzip, as the client's `Accept-Encoding` prefers.

use axum::{
    extract::Request,
    http::{Extensions, HeaderMap, HeaderValue, Method, StatusCode, Version, header},
};
use tower_http::compression::{
    CompressionLayer,
    predicate::{Predicate, SizeAbove},
};

/// A smaller answer fits into one packet, bytes.
const WORTH_IT: u64 = 1024;

/// Compresses texts while they are sent. Files that are compressed already stay as they are.
pub(crate) fn layer() -> CompressionLayer<impl Predicate> {
    CompressionLayer::new().compress_when(SizeAbove::new(WORTH_IT).and(is_text))
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

/// The request without those parts of its `Accept-Encoding` that the layer must not see.
pub(crate) fn acceptable(mut request: Request) -> Request {
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

/// Whether the answer may mix a secret with text that a stranger chose: the size of the compressed answer would tell whether
/// the two are alike (BREACH). A stranger's page makes a browser send its cookie, and chooses the query and the form.
/// Requests without a cookie carry their own secret, which a stranger does not have.
fn may_leak(request: &Request) -> bool {
    let is_chosen = request.uri().query().is_some() || !matches!(*request.method(), Method::GET | Method::HEAD);
    is_chosen && request.headers().contains_key(header::COOKIE)
}

/// Takes out the refusal of uncompressed answers (`identity;q=0`, `*;q=0`). The layer would answer it with 406 after the
/// handler has done its work; RFC 9110 (12.5.3) lets a server send the answer as it is.
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
