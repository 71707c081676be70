//! Corrects a header of browsers that misreport who sends a form.

use axum::{
    extract::Request,
    http::{HeaderMap, HeaderName, HeaderValue, header},
    middleware::Next,
    response::Response,
};

/// The header in which a browser says which page sends a form.
const SITE: &str = "sec-fetch-site";

/// Corrects WebKit, which reports a form of ours as `cross-site` if it opens a new tab. The `Origin` header beside it is right, and
/// pages cannot forge it.
pub async fn correct(is_https: bool, mut request: Request, next: Next) -> Response {
    let headers = request.headers_mut();
    if headers.get(SITE).is_some_and(|site| site == "cross-site") && is_own(is_https, headers) {
        headers.insert(SITE, HeaderValue::from_static("same-origin"));
    }
    next.run(request).await
}

/// Whether the page that sends a form has the origin that the form is sent to.
fn is_own(is_https: bool, headers: &HeaderMap) -> bool {
    let text = |name: HeaderName| headers.get(name).and_then(|value| value.to_str().ok());
    let scheme = if is_https { "https://" } else { "http://" };
    let sender = text(header::ORIGIN).and_then(|origin| origin.strip_prefix(scheme));
    sender.is_some_and(|sender| !sender.is_empty() && text(header::HOST) == Some(sender))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_is_ours_if_its_page_has_the_same_origin() {
        let own = |is_https, host: &'static str, origin: &'static str| {
            let headers = [(header::HOST, host), (header::ORIGIN, origin)];
            is_own(
                is_https,
                &headers.map(|(name, value)| (name, HeaderValue::from_static(value))).into_iter().collect(),
            )
        };
        assert!(own(true, "shop.example", "https://shop.example"));
        assert!(own(false, "127.0.0.1:3000", "http://127.0.0.1:3000"));
        let foreign =
            ["http://shop.example", "https://shop.example:8443", "https://evil.example", "https://", "null", ""];
        for origin in foreign {
            assert!(!own(true, "shop.example", origin), "{origin}");
        }
        assert!(!own(true, "", "https://") && !is_own(true, &HeaderMap::new()));
    }
}
