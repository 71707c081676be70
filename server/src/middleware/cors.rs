//! CORS: scripts of other origins may call the consumer operations if an account lists the origin.
//!
//! A preflight request names no account, so it is allowed if any account lists its origin. The answer to the request itself is readable if
//! the account of the request lists the origin. Credentials are bearer tokens: the API ignores cookies, and no answer allows them.

use crate::{
    api::base::{
        auth_extractors::bearer,
        named_account::NamedAccount,
        resource::{AUTH_ROOT, CONSUMER_ROOT},
    },
    app::App,
};
use axum::{
    extract::{Request, State},
    http::{
        HeaderMap, HeaderName, HeaderValue, Method,
        header::{
            ACCEPT_LANGUAGE, ACCESS_CONTROL_ALLOW_ORIGIN, ACCESS_CONTROL_REQUEST_METHOD, AUTHORIZATION,
            CONTENT_DISPOSITION, CONTENT_TYPE, ETAG, HOST, LOCATION, ORIGIN, RETRY_AFTER, VARY,
        },
    },
    middleware::Next,
    response::Response,
};
use returns::ClaimedOwner;
use std::time::Duration;
use tower::{Layer, ServiceExt as _};
use tower_http::cors::{AllowOrigin, CorsLayer};

/// How long a browser may cache the answer to a preflight request. This is Chromium's maximum. An origin that is removed from the list
/// can read no further answers, even if its browser still has a cached one.
const MAX_AGE: Duration = Duration::from_hours(2);
/// The methods of the consumer operations.
const METHODS: [Method; 4] = [Method::GET, Method::POST, Method::PATCH, Method::DELETE];
const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");
/// The headers that a script may send, in addition to those that browsers always allow. `Content-Disposition` has the name of an uploaded file.
const ALLOWED_HEADERS: [HeaderName; 5] =
    [AUTHORIZATION, CONTENT_TYPE, IDEMPOTENCY_KEY, ACCEPT_LANGUAGE, CONTENT_DISPOSITION];
/// The headers that a script may read, in addition to those that browsers always allow.
const EXPOSED_HEADERS: [HeaderName; 9] = [
    HeaderName::from_static("ratelimit-limit"),
    HeaderName::from_static("ratelimit-remaining"),
    HeaderName::from_static("ratelimit-reset"),
    RETRY_AFTER,
    ETAG,
    LOCATION,
    CONTENT_DISPOSITION,
    HeaderName::from_static("idempotent-replayed"),
    HeaderName::from_static("x-request-id"),
];

/// Lets scripts of listed origins call the consumer operations. This layer is outside the limits, so that scripts can read refusals, too.
pub(crate) async fn answer_cross_origin(State(app): State<App>, request: Request, next: Next) -> Response {
    if !is_for_consumers(request.uri().path()) {
        return next.run(request).await;
    }
    let mut answer = match other_origin(request.headers()) {
        Some(origin) => answer_other_origin(&app, &origin, request, next).await,
        None => next.run(request).await,
    };
    answer.headers_mut().append(VARY, HeaderValue::from_static("origin"));
    answer
}

async fn answer_other_origin(app: &App, origin: &str, mut request: Request, next: Next) -> Response {
    let named = NamedAccount::default();
    let claimed = match bearer(request.headers()).map(ClaimedOwner::of) {
        // A key in a web page is public. Scripts cannot read its answers, so that a developer notices the mistake at once.
        Some(ClaimedOwner::Staff) => return next.run(request).await,
        Some(ClaimedOwner::Consumer(account)) => Some(account),
        Some(ClaimedOwner::Nobody) | None => None,
    };
    let origins = app.retour.api_origins().await;
    if !origins.has(origin) || is_plain_options(&request) {
        return next.run(request).await;
    }
    request.extensions_mut().insert(named.clone());
    let Ok(mut answer) = layer().layer(next).oneshot(request).await;
    // The claim of a token is not proven, and proving an order ignores it: the account that the handler found comes first.
    let account = named.get().or(claimed);
    if account.is_some_and(|account| !origins.has_for(account, origin)) {
        answer.headers_mut().remove(ACCESS_CONTROL_ALLOW_ORIGIN);
    }
    answer
}

/// Writes the headers for a listed origin.
fn layer() -> CorsLayer {
    CorsLayer::new()
        .allow_origin(AllowOrigin::mirror_request())
        .allow_methods(METHODS)
        .allow_headers(ALLOWED_HEADERS)
        .expose_headers(EXPOSED_HEADERS)
        .max_age(MAX_AGE)
        .vary(Vec::<HeaderName>::new()) // `answer_cross_origin` adds it to every answer, also for the same origin
}

/// Whether a path belongs to the consumer operations, as in the reference. Their aliases are not included, because they share a prefix
/// with the merchant's operations.
fn is_for_consumers(path: &str) -> bool {
    let below = |root: &str| path.strip_prefix(root).and_then(|rest| rest.strip_prefix('/'));
    below(AUTH_ROOT) == Some("consumer") || below(CONSUMER_ROOT).is_some()
}

/// The origin of the page that sends a request, unless it is the host's own. Browsers send `null` for an origin that they hide.
fn other_origin(headers: &HeaderMap) -> Option<String> {
    let origin = headers.get(ORIGIN)?.to_str().ok()?;
    let (_, authority) = origin.split_once("://")?;
    let host = headers.get(HOST).and_then(|host| host.to_str().ok());
    (host != Some(authority)).then(|| origin.to_owned())
}

/// Whether the request is OPTIONS but no preflight request.
fn is_plain_options(request: &Request) -> bool {
    request.method() == Method::OPTIONS && !request.headers().contains_key(ACCESS_CONTROL_REQUEST_METHOD)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_origin_differs_if_its_host_differs() {
        let origin = |origin: &'static str| {
            let host = (HOST, HeaderValue::from_static("returns.example"));
            other_origin(&HeaderMap::from_iter([(ORIGIN, HeaderValue::from_static(origin)), host]))
        };
        assert_eq!(origin("https://shop.example").as_deref(), Some("https://shop.example"));
        assert_eq!(origin("https://returns.example:8443").as_deref(), Some("https://returns.example:8443"));
        for own in ["https://returns.example", "http://returns.example", "null", ""] {
            assert_eq!(origin(own), None, "{own}");
        }
        assert_eq!(other_origin(&HeaderMap::new()), None);
    }
}
