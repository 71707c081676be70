//! Compression of answers (RFC 9110, Content-Encoding): zstd, Brotli or gzip, as the client's `Accept-Encoding` prefers.

use axum::{
    extract::Request,
    http::{Extensions, HeaderMap, Method, StatusCode, Version, header},
    middleware::Next,
    response::Response,
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
fn is_text(_: StatusCode, _: Version, headers: &HeaderMap, _: &Extensions) -> bool {
    let text = |name| headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let media_type = text(header::CONTENT_TYPE).split(';').next().unwrap_or_default().trim();
    let is_strong = |tag: &str| tag.starts_with('"');
    (media_type.starts_with("text/") || media_type.ends_with("json") || media_type.ends_with("xml"))
        && !is_strong(text(header::ETAG))
}

/// Leaves answers uncompressed that may mix a secret with text that a stranger chose: the size of the compressed answer tells
/// whether the two are alike (BREACH). A stranger's page makes a browser send its cookie, and chooses the query and the form.
/// Requests without a cookie carry their own secret, which a stranger does not have.
pub(crate) async fn unless_it_leaks(mut request: Request, next: Next) -> Response {
    let is_chosen = request.uri().query().is_some() || !matches!(*request.method(), Method::GET | Method::HEAD);
    if is_chosen && request.headers().contains_key(header::COOKIE) {
        request.headers_mut().remove(header::ACCEPT_ENCODING);
    }
    next.run(request).await
}
