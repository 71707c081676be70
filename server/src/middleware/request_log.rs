//! What goes with every request: an id, a line in the log, a step in a trace, and figures. Nothing personal: no query, no
//! body, and of paths only what tells nobody anything to open.

use crate::{App, metrics::Route};
use axum::{
    extract::{MatchedPath, Request, State},
    http::{HeaderName, HeaderValue, header},
    middleware::Next,
    response::Response,
};
use returns::traces;
use tracing::{Instrument as _, Span, field::Empty};

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Tells who stands before the routes which of them it is.
pub(crate) fn named_by_route(request: Request) -> Request {
    if let (Some(route), Some(matched)) =
        (request.extensions().get::<Route>(), request.extensions().get::<MatchedPath>())
    {
        route.is(matched.as_str());
    }
    request
}

/// Gives every request an id, and tells what became of it.
pub(crate) async fn about_request(State(app): State<App>, mut request: Request, next: Next) -> Response {
    let sent = request.headers().get(&REQUEST_ID).filter(|id| is_plain(id)).cloned();
    let id =
        sent.unwrap_or_else(|| HeaderValue::try_from(app.retour.request_id()).unwrap_or(HeaderValue::from_static("-")));
    let method = request.method().clone();
    let path = without_secrets(request.uri().path()).to_owned();
    let under_way = app.requests.begin(method.as_str());
    let route = under_way.route();
    request.extensions_mut().insert(route.clone());
    // Whatever is logged on the way bears the request's id, and its trace's, where there are traces.
    let span = tracing::info_span!("request", id = id.to_str().unwrap_or("-"), trace = Empty);
    let trace = span.in_scope(|| traced(&request, &id));
    if let Some(trace) = traces::trace_id(&trace) {
        span.record("trace", trace);
    }
    let mut response = next.run(request).instrument(trace.clone()).instrument(span).await;
    let status = response.status().as_u16();
    let took = under_way.answered(status);
    traces::responded(&trace, method.as_str(), route.known(), status);
    let micros = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
    tracing::debug!(id = id.to_str().unwrap_or("-"), %method, path, status, micros, "request");
    // That we are not ready is no failure: it is asked for every second, and the log has the reason.
    if response.status().is_server_error() && path != "/health/ready" {
        tracing::error!(id = id.to_str().unwrap_or("-"), %method, path, status, "request failed");
    }
    let headers = response.headers_mut();
    headers.insert(REQUEST_ID, id);
    headers.entry(header::X_CONTENT_TYPE_OPTIONS).or_insert(HeaderValue::from_static("nosniff"));
    if app.health.is_stopping() {
        // Or a balancer would send its next request over a connection that is about to end.
        headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
    response
}

fn traced(request: &Request, id: &HeaderValue) -> Span {
    let traceparent = request.headers().get("traceparent").and_then(|trace| trace.to_str().ok());
    traces::request(request.method().as_str(), id.to_str().unwrap_or("-"), traceparent)
}

/// A path up to what opens something: links in mail hold it.
fn without_secrets(path: &str) -> &str {
    path.find("/mail/").and_then(|at| path.get(..at + "/mail/".len())).unwrap_or(path)
}

fn is_plain(id: &HeaderValue) -> bool {
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    (1..=128).contains(&id.len()) && id.as_bytes().iter().all(plain)
}
