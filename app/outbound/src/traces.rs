//! Exports traces to the operator's OpenTelemetry collector: which steps a request or a task took, and how long each step
//! lasted.
//!
//! Traces consist of the [spans](crate::spans) with the target [`TARGET`]. They are sent by OTLP over HTTP, in batches and
//! from a thread of their own. If the collector does not accept a batch, it is lost; nothing waits for it.

pub use crate::spans::{TARGET, record_status, request, trace_id};

use crate::http::{Bytes, Call, Endpoint, EndpointError, Http, HttpError, Method};
use hyper::{Request, Response};
use opentelemetry::{Key, KeyValue, trace::TracerProvider as _};
use opentelemetry_http::{HttpClient, HttpError as ExportError};
use opentelemetry_otlp::{Protocol, WithExportConfig as _, WithHttpConfig as _};
use opentelemetry_sdk::{
    Resource,
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
use tracing::{Level, Metadata, Subscriber, level_filters::LevelFilter};
use tracing_subscriber::{Layer, filter::FilterFn, registry::LookupSpan};

/// The target of the events that sqlx emits for each statement.
const STATEMENTS: &str = "sqlx::query";
/// How long the collector may take to accept a batch.
const EXPORT_TIMEOUT: Duration = Duration::from_secs(5);
/// How long it may take for the last batch, when the program ends.
const LAST_EXPORT_TIMEOUT: Duration = Duration::from_secs(3);

/// The exporter of traces.
#[derive(Debug)]
pub struct Traces(SdkTracerProvider);

/// Why traces cannot be exported.
#[derive(Debug, thiserror::Error)]
pub enum TracesError {
    /// The collector's URL is invalid.
    #[error("OTEL_EXPORTER_OTLP_ENDPOINT: {0}")]
    Url(#[from] EndpointError),
    /// An unsupported protocol.
    #[error("OTEL_EXPORTER_OTLP_PROTOCOL: expected http/protobuf")]
    Protocol,
    /// Certificates or TLS cannot be set up.
    #[error(transparent)]
    Http(#[from] HttpError),
    /// An invalid variable among those that OpenTelemetry's library reads.
    #[error("OTEL_…: {0}")]
    Setting(String),
}

impl Traces {
    /// Exports traces to the collector at a base URL such as `http://127.0.0.1:4318`. OpenTelemetry's own environment variables
    /// configure the rest, such as the name of the service and the sampling ratio.
    pub fn to(collector: &str, runtime: &Handle) -> Result<Self, TracesError> {
        let collector = Endpoint::parse(collector)?.below("v1")?.below("traces")?;
        let protocols = ["OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL"];
        if protocols.into_iter().filter_map(|name| env::var(name).ok()).any(|name| name != "http/protobuf") {
            return Err(TracesError::Protocol);
        }
        // The operator configures this URL, so every address is allowed.
        let everywhere = "0.0.0.0/0,::/0".parse().map_err(TracesError::Setting)?;
        let http = Http::new(everywhere)?.with_timeout(EXPORT_TIMEOUT).untraced();
        let sender = BatchSender { http, to: collector.clone(), runtime: runtime.clone(), is_failing: Arc::default() };
        let exporter = opentelemetry_otlp::SpanExporter::builder()
            .with_http()
            .with_http_client(sender)
            .with_protocol(Protocol::HttpBinary)
            .with_endpoint(collector.as_str())
            .build()
            .map_err(|error| TracesError::Setting(error.to_string()))?;
        Ok(Self(SdkTracerProvider::builder().with_batch_exporter(exporter).with_resource(resource()).build()))
    }

    /// The layer of a `tracing` subscriber that turns spans into traces.
    pub fn layer<S>(&self) -> impl Layer<S> + Send + Sync + use<S>
    where
        S: Subscriber + for<'a> LookupSpan<'a> + Send + Sync,
    {
        let tracer: Tracer = self.0.tracer("retour");
        let layer = tracing_opentelemetry::layer().with_tracer(tracer);
        let layer = layer.with_location(false).with_threads(false).with_tracked_inactivity(false).with_target(false);
        layer.with_filter(FilterFn::new(is_exported).with_max_level_hint(LevelFilter::DEBUG))
    }

    /// Exports what is left, within [`LAST_EXPORT_TIMEOUT`].
    pub async fn finish(self) {
        let last = move || self.0.shutdown_with_timeout(LAST_EXPORT_TIMEOUT);
        let _ = tokio::task::spawn_blocking(last).await; // traces that the collector does not accept are lost
    }
}

/// Log events are not exported, because they may contain more about a request than traces should.
fn is_exported(about: &Metadata<'_>) -> bool {
    if about.is_span() {
        about.target() == TARGET
    } else {
        about.target() == STATEMENTS && *about.level() <= Level::DEBUG
    }
}

/// The service's name and version. The environment may set another name.
fn resource() -> Resource {
    let configured = Resource::builder().build();
    let name = configured.get(&Key::from_static_str("service.name")).map(|name| name.to_string()).unwrap_or_default();
    let ours = Resource::builder().with_attribute(KeyValue::new("service.version", env!("CARGO_PKG_VERSION")));
    if name.is_empty() || name.starts_with("unknown_service") { ours.with_service_name("retour") } else { ours }.build()
}

/// Sends batches to the collector, through the client that all calls use.
#[derive(Debug, Clone)]
struct BatchSender {
    http: Http,
    to: Endpoint,
    /// The exporter calls from a thread outside of the runtime, where our client cannot run.
    runtime: Handle,
    /// Whether the last batch failed: only a change is logged, not every failure.
    is_failing: Arc<AtomicBool>,
}

#[async_trait::async_trait]
impl HttpClient for BatchSender {
    async fn send_bytes(&self, request: Request<Bytes>) -> Result<Response<Bytes>, ExportError> {
        let sender = self.clone();
        self.runtime.spawn(async move { sender.send(request).await }).await?
    }
}

impl BatchSender {
    async fn send(&self, request: Request<Bytes>) -> Result<Response<Bytes>, ExportError> {
        let (head, body) = request.into_parts();
        let headers: Vec<(&str, String)> = head
            .headers
            .iter()
            .filter_map(|(name, value)| Some((name.as_str(), value.to_str().ok()?.to_owned())))
            .collect();
        let max_response_bytes = crate::http::MAX_RESPONSE_BYTES;
        let (to, method) = (&self.to, Method::POST);
        let call = Call { to, method, headers: &headers, body, max_response_bytes, is_repeatable: true };
        let response = self.http.call(call).await;
        self.log_change(&response.as_ref().map(|response| response.status).map_err(|error| error.name()));
        let response = response?;
        Ok(Response::builder().status(response.status).body(Bytes::from(response.body))?)
    }

    fn log_change(&self, result: &Result<u16, &'static str>) {
        let is_accepted = result.is_ok_and(|status| status < 300);
        let was_failing = self.is_failing.swap(!is_accepted, Ordering::Relaxed);
        if !is_accepted && !was_failing {
            tracing::warn!(
                ?result,
                "the collector does not accept traces (OTEL_EXPORTER_OTLP_ENDPOINT), so they are lost"
            );
        } else if is_accepted && was_failing {
            tracing::info!("the collector accepts traces again");
        }
    }
}
