//! Traces: which steps a request or a piece of work took, and how long each, for the operator's OpenTelemetry collector.
//!
//! They are made of spans of `tracing` with the target [`TARGET`] and of nothing else, so that what they tell is what stands
//! in those spans: methods, patterns of routes, status codes, SQL with its places for values. They leave by OTLP over HTTP, in
//! batches and on a thread of their own; what a collector does not take is lost, and nobody waits for it.

use crate::http::{Call, Endpoint, EndpointError, Http, HttpError};
use hyper::{Method, Request, Response, body::Bytes};
use opentelemetry::{
    Key, KeyValue,
    propagation::{Extractor, TextMapPropagator as _},
    trace::{SpanContext, TraceContextExt as _, TracerProvider as _},
};
use opentelemetry_http::{HttpClient, HttpError as Failure};
use opentelemetry_otlp::{Protocol, WithExportConfig as _, WithHttpConfig as _};
use opentelemetry_sdk::{
    Resource,
    propagation::TraceContextPropagator,
    trace::{SdkTracerProvider, Tracer},
};
use std::{
    env,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};
use tokio::runtime::Handle;
use tracing::{Level, Metadata, Span, Subscriber, field::Empty, level_filters::LevelFilter};
use tracing_opentelemetry::OpenTelemetrySpanExt as _;
use tracing_subscriber::{Layer, filter::FilterFn, registry::LookupSpan};

/// The target of spans that traces are made of. Logs leave them out.
pub const TARGET: &str = "retour::trace";
/// The target of what sqlx tells of each statement.
const STATEMENTS: &str = "sqlx::query";
/// How long the collector may take for a batch.
const PATIENCE: Duration = Duration::from_secs(5);
/// How long it may take for the last one, when the program ends.
const LAST: Duration = Duration::from_secs(3);

/// A span of a trace: `step!("settlements")`. It costs nothing where there are no traces.
#[macro_export]
macro_rules! step {
    ($name:expr $(, $($field:tt)*)?) => {
        ::tracing::debug_span!(target: "retour::trace", "step", otel.name = $name $(, $($field)*)?)
    };
}

/// Where traces go.
#[derive(Debug)]
pub struct Traces(SdkTracerProvider);

/// Why there can be no traces.
#[derive(Debug, thiserror::Error)]
pub enum TracesError {
    /// The collector's address is not one.
    #[error("OTEL_EXPORTER_OTLP_ENDPOINT: {0}")]
    Url(#[from] EndpointError),
    /// A protocol that we do not speak.
    #[error("OTEL_EXPORTER_OTLP_PROTOCOL: expected http/protobuf")]
    Protocol,
    /// Certificates or TLS.
    #[error(transparent)]
    Http(#[from] HttpError),
    /// One of the variables that OpenTelemetry's library reads by itself.
    #[error("OTEL_…: {0}")]
    Setting(String),
}

impl Traces {
    /// Sends traces to the collector at a base URL such as `http://127.0.0.1:4318`. What else there is to say, such as the
    /// name of the service or how many of a thousand to keep, stands in OpenTelemetry's own variables.
    pub fn to(collector: &str, runtime: &Handle) -> Result<Self, TracesError> {
        let collector = Endpoint::parse(collector)?.below("v1")?.below("traces")?;
        let protocols = ["OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL"];
        if protocols.into_iter().filter_map(|name| env::var(name).ok()).any(|name| name != "http/protobuf") {
            return Err(TracesError::Protocol);
        }
        // The operator's own setting: it may lead anywhere.
        let everywhere = "0.0.0.0/0,::/0".parse().map_err(TracesError::Setting)?;
        let http = Http::new(everywhere)?.with_timeout(PATIENCE).untraced();
        let courier = Courier { http, to: collector.clone(), runtime: runtime.clone(), is_failing: Arc::default() };
        let exporter = opentelemetry_otlp::SpanExporter::builder()
            .with_http()
            .with_http_client(courier)
            .with_protocol(Protocol::HttpBinary)
            .with_endpoint(collector.as_str())
            .build()
            .map_err(|error| TracesError::Setting(error.to_string()))?;
        Ok(Self(SdkTracerProvider::builder().with_batch_exporter(exporter).with_resource(resource()).build()))
    }

    /// The part of a subscriber that makes traces of spans.
    pub fn layer<S>(&self) -> impl Layer<S> + Send + Sync + use<S>
    where
        S: Subscriber + for<'a> LookupSpan<'a> + Send + Sync,
    {
        let tracer: Tracer = self.0.tracer("retour");
        let layer = tracing_opentelemetry::layer().with_tracer(tracer);
        let layer = layer.with_location(false).with_threads(false).with_tracked_inactivity(false).with_target(false);
        layer.with_filter(FilterFn::new(is_told).with_max_level_hint(LevelFilter::DEBUG))
    }

    /// Hands over what is there; not for long, should nobody take it.
    pub async fn finish(self) {
        let last = move || self.0.shutdown_with_timeout(LAST);
        let _ = tokio::task::spawn_blocking(last).await; // what a collector does not take is lost
    }
}

/// Logs may tell more of a request than traces do, so none of their lines is in a trace.
fn is_told(about: &Metadata<'_>) -> bool {
    if about.is_span() {
        about.target() == TARGET
    } else {
        about.target() == STATEMENTS && *about.level() <= Level::DEBUG
    }
}

/// Who we are: as the environment says, or by our name.
fn resource() -> Resource {
    let said = Resource::builder().build();
    let name = said.get(&Key::from_static_str("service.name")).map(|name| name.to_string()).unwrap_or_default();
    let ours = Resource::builder().with_attribute(KeyValue::new("service.version", env!("CARGO_PKG_VERSION")));
    if name.is_empty() || name.starts_with("unknown_service") { ours.with_service_name("retour") } else { ours }.build()
}

/// A request that came, by its method (`_OTHER` for one that HTTP does not know). It is part of the trace that its `traceparent`
/// names.
pub fn request(method: &str, request_id: &str, traceparent: Option<&str>) -> Span {
    let method = known_method(method);
    let span = tracing::debug_span!(
        target: TARGET, "request",
        otel.name = method, otel.kind = "server", otel.status_code = Empty,
        http.request.method = method, http.route = Empty, http.response.status_code = Empty, request.id = request_id,
    );
    if let Some(traceparent) = traceparent.filter(|_| !span.is_disabled()) {
        let _ = span.set_parent(TraceContextPropagator::new().extract(&Caller(traceparent))); // no layer: no traces
    }
    span
}

/// A client can make methods up, and whoever keeps traces keeps one kind for each name.
fn known_method(method: &str) -> &str {
    let known = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT"];
    if known.contains(&method) { method } else { "_OTHER" }
}

/// What became of a request. Only what failed on our side is a failure.
pub fn responded(span: &Span, method: &str, route: Option<&str>, status: u16) {
    if span.is_disabled() {
        return;
    }
    if let Some(route) = route {
        span.record("http.route", route);
        // The field `otel.name` counts only until the span has begun.
        span.context().span().update_name(format!("{} {route}", known_method(method)));
    }
    span.record("http.response.status_code", i64::from(status)); // an unsigned one would become a text
    if status >= 500 {
        span.record("otel.status_code", "ERROR");
    }
}

/// A call that we make.
pub(crate) fn call(method: &Method) -> Span {
    tracing::debug_span!(
        target: TARGET, "call",
        otel.name = method.as_str(), otel.kind = "client", otel.status_code = Empty,
        http.request.method = method.as_str(), http.response.status_code = Empty, "error.type" = Empty,
    )
}

/// What became of a call: a status, or the name of what went wrong.
pub(crate) fn answered(span: &Span, outcome: Result<u16, &'static str>) {
    match outcome {
        Ok(status) => {
            span.record("http.response.status_code", i64::from(status));
        }
        Err(error) => {
            span.record("error.type", error);
        }
    }
    if outcome.is_err() || outcome.is_ok_and(|status| status >= 400) {
        span.record("otel.status_code", "ERROR");
    }
}

/// The trace that a span is part of, for whoever looks for it by what logs say.
pub fn trace_id(span: &Span) -> Option<String> {
    known(span).map(|trace| trace.trace_id().to_string())
}

/// What tells another program which trace and span its work is part of.
pub(crate) fn traceparent(span: &Span) -> Option<String> {
    let trace = known(span)?;
    Some(format!("00-{}-{}-{:02x}", trace.trace_id(), trace.span_id(), trace.trace_flags().to_u8()))
}

fn known(span: &Span) -> Option<SpanContext> {
    if span.is_disabled() {
        return None;
    }
    Some(span.context().span().span_context().clone()).filter(SpanContext::is_valid)
}

/// A request's `traceparent`, as the library asks for it.
struct Caller<'a>(&'a str);

impl Extractor for Caller<'_> {
    fn get(&self, key: &str) -> Option<&str> {
        (key == "traceparent").then_some(self.0)
    }

    fn keys(&self) -> Vec<&str> {
        vec!["traceparent"]
    }
}

/// Takes batches to the collector, by the client that everything leaves by.
#[derive(Debug, Clone)]
struct Courier {
    http: Http,
    to: Endpoint,
    /// The library asks from a thread of its own, where nothing of ours can wait.
    runtime: Handle,
    /// Whether the last batch was not taken: it is said once, not every few seconds.
    is_failing: Arc<AtomicBool>,
}

#[async_trait::async_trait]
impl HttpClient for Courier {
    async fn send_bytes(&self, request: Request<Bytes>) -> Result<Response<Bytes>, Failure> {
        let courier = self.clone();
        self.runtime.spawn(async move { courier.take(request).await }).await?
    }
}

impl Courier {
    async fn take(&self, request: Request<Bytes>) -> Result<Response<Bytes>, Failure> {
        let (head, body) = request.into_parts();
        let headers: Vec<(&str, String)> = head
            .headers
            .iter()
            .filter_map(|(name, value)| Some((name.as_str(), value.to_str().ok()?.to_owned())))
            .collect();
        let (method, most_read) = (Method::POST, crate::http::MOST_READ);
        let call = Call { to: &self.to, method, headers: &headers, body, most_read, may_repeat: true };
        let answer = self.http.call(call).await;
        self.tell(&answer.as_ref().map(|answer| answer.status).map_err(|error| error.name()));
        let answer = answer?;
        Ok(Response::builder().status(answer.status).body(Bytes::from(answer.body))?)
    }

    fn tell(&self, outcome: &Result<u16, &'static str>) {
        let is_taken = outcome.is_ok_and(|status| status < 300);
        let was_failing = self.is_failing.swap(!is_taken, Ordering::Relaxed);
        if !is_taken && !was_failing {
            tracing::warn!(
                ?outcome,
                "the collector does not take traces (OTEL_EXPORTER_OTLP_ENDPOINT): they are lost until it does"
            );
        } else if is_taken && was_failing {
            tracing::info!("the collector takes traces again");
        }
    }
}
