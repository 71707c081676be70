//! The id, the log line, the trace and the metrics of every request. They contain nothing personal: no query, no body, and no part of a path that
//! grants access.

use crate::{app::App, edge::request_metrics::RoutePattern};
use axum::{
    extract::{MatchedPath, Request, State},
    http::{HeaderName, HeaderValue, header},
    middleware::Next,
    response::Response,
};
use returns::{MAX_REQUEST_ID_BYTES, RequestId, traces};
use tracing::{Instrument as _, Span, field::Empty};

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Passes the pattern of the matched route to the layers outside of the router.
pub(crate) fn note_route(request: Request) -> Request {
    let extensions = request.extensions();
    if let (Some(route), Some(matched)) = (extensions.get::<RoutePattern>(), extensions.get::<MatchedPath>()) {
        route.set(matched.as_str());
    }
    request
}

/// Gives the request an id, and logs, traces and counts it with its answer.
pub(crate) async fn log_request(State(app): State<App>, mut request: Request, next: Next) -> Response {
    let id = request_id(&app, &request);
    let method = request.method().clone();
    let path = without_secrets(request.uri().path()).to_owned();
    let in_flight = app.requests.begin(method.as_str());
    let route = in_flight.route();
    request.extensions_mut().insert(route.clone());
    if let Some(id) = RequestId::new(text(&id)) {
        request.extensions_mut().insert(id);
    }
    // Every log line of the request has its id, and the id of its trace if there is one.
    let span = tracing::info_span!("request", id = text(&id), trace = Empty);
    let trace = span.in_scope(|| start_trace(&request, &id));
    if let Some(trace) = traces::trace_id(&trace) {
        span.record("trace", trace);
    }
    let mut response = next.run(request).instrument(trace.clone()).instrument(span).await;
    let status = response.status().as_u16();
    let took = in_flight.answered(status);
    traces::record_status(&trace, method.as_str(), route.get(), status);
    let micros = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
    tracing::debug!(id = text(&id), %method, path, status, micros, "request");
    // Not being ready is no failure: load balancers ask every second, and the log already has the reason.
    if response.status().is_server_error() && path != "/health/ready" {
        tracing::error!(id = text(&id), %method, path, status, "request failed");
    }
    let headers = response.headers_mut();
    headers.insert(REQUEST_ID, id);
    headers.entry(header::X_CONTENT_TYPE_OPTIONS).or_insert(HeaderValue::from_static("nosniff"));
    if app.health.is_stopping() {
        // Otherwise a load balancer would send its next request over a connection that is about to end.
        headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
    response
}

/// The id that the client chose, or a new one.
fn request_id(app: &App, request: &Request) -> HeaderValue {
    let sent = request.headers().get(&REQUEST_ID).filter(|id| is_plain(id)).cloned();
    let new = || HeaderValue::try_from(app.retour.request_id()).unwrap_or(HeaderValue::from_static("-"));
    sent.unwrap_or_else(new)
}

fn text(id: &HeaderValue) -> &str {
    id.to_str().unwrap_or("-")
}

fn start_trace(request: &Request, id: &HeaderValue) -> Span {
    let traceparent = request.headers().get("traceparent").and_then(|trace| trace.to_str().ok());
    traces::request(request.method().as_str(), text(id), traceparent)
}

/// The path without the tokens of links in mail.
fn without_secrets(path: &str) -> &str {
    const MAIL: &str = "/mail/";
    path.find(MAIL).and_then(|at| path.get(..at + MAIL.len())).unwrap_or(path)
}

fn is_plain(id: &HeaderValue) -> bool {
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    (1..=MAX_REQUEST_ID_BYTES).contains(&id.len()) && id.as_bytes().iter().all(plain)
}
