//! The spans that traces consist of: one for each request, each step within it, and each call that we make.
//!
//! A span contains methods, route patterns, status codes and SQL with placeholders. It contains no personal data.

use hyper::Method;
use opentelemetry::{
    propagation::{Extractor, TextMapPropagator as _},
    trace::{SpanContext, TraceContextExt as _},
};
use opentelemetry_sdk::propagation::TraceContextPropagator;
use tracing::{Span, field::Empty};
use tracing_opentelemetry::OpenTelemetrySpanExt as _;

/// The target of these spans. Logs leave them out.
pub const TARGET: &str = "retour::trace";

/// A span for a step: `step!("settlements")`. It costs nothing while traces are off.
#[macro_export]
macro_rules! step {
    ($name:expr $(, $($field:tt)*)?) => {
        ::tracing::debug_span!(target: "retour::trace", "step", otel.name = $name $(, $($field)*)?)
    };
}

/// A span for an incoming request. It joins the trace that the request's `traceparent` names.
pub fn request(method: &str, request_id: &str, traceparent: Option<&str>) -> Span {
    let method = known_method(method);
    let span = tracing::debug_span!(
        target: TARGET, "request",
        otel.name = method, otel.kind = "server", otel.status_code = Empty,
        http.request.method = method, http.route = Empty, http.response.status_code = Empty, request.id = request_id,
    );
    if let Some(traceparent) = traceparent.filter(|_| !span.is_disabled()) {
        let _ = span.set_parent(TraceContextPropagator::new().extract(&TraceparentHeader(traceparent))); // fails only while traces are off
    }
    span
}

/// The method, or `_OTHER` for one that HTTP does not define: clients can invent methods, and collectors keep an index of names.
fn known_method(method: &str) -> &str {
    let known = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT"];
    if known.contains(&method) { method } else { "_OTHER" }
}

/// Records the response to a request. Only status codes of 500 and above count as errors.
pub fn record_status(span: &Span, method: &str, route: Option<&str>, status: u16) {
    if span.is_disabled() {
        return;
    }
    if let Some(route) = route {
        span.record("http.route", route);
        // The field `otel.name` has an effect only before the span starts.
        span.context().span().update_name(format!("{} {route}", known_method(method)));
    }
    span.record("http.response.status_code", i64::from(status)); // an unsigned number would be exported as text
    if status >= 500 {
        span.record("otel.status_code", "ERROR");
    }
}

/// A span for a call that we make.
pub(crate) fn call(method: &Method) -> Span {
    tracing::debug_span!(
        target: TARGET, "call",
        otel.name = method.as_str(), otel.kind = "client", otel.status_code = Empty,
        http.request.method = method.as_str(), http.response.status_code = Empty, "error.type" = Empty,
    )
}

/// Records the result of a call: the status, or the name of the error.
pub(crate) fn record_response(span: &Span, result: Result<u16, &'static str>) {
    match result {
        Ok(status) => {
            span.record("http.response.status_code", i64::from(status));
        }
        Err(error) => {
            span.record("error.type", error);
        }
    }
    if result.is_err() || result.is_ok_and(|status| status >= 400) {
        span.record("otel.status_code", "ERROR");
    }
}

/// The id of the span's trace: logs contain it, so that operators find the trace.
pub fn trace_id(span: &Span) -> Option<String> {
    context(span).map(|trace| trace.trace_id().to_string())
}

/// The `traceparent` field of a call: it tells the receiver which trace and span the call belongs to.
pub(crate) fn traceparent(span: &Span) -> Option<String> {
    let trace = context(span)?;
    Some(format!("00-{}-{}-{:02x}", trace.trace_id(), trace.span_id(), trace.trace_flags().to_u8()))
}

fn context(span: &Span) -> Option<SpanContext> {
    if span.is_disabled() {
        return None;
    }
    Some(span.context().span().span_context().clone()).filter(SpanContext::is_valid)
}

/// A request's `traceparent`, in the form that OpenTelemetry's propagator reads.
struct TraceparentHeader<'a>(&'a str);

impl Extractor for TraceparentHeader<'_> {
    fn get(&self, key: &str) -> Option<&str> {
        (key == "traceparent").then_some(self.0)
    }

    fn keys(&self) -> Vec<&str> {
        vec!["traceparent"]
    }
}
