//! The one HTTP client for every call whose target is somebody's setting.
//!
//! It follows no redirect, knows no proxy and no cookie, and decompresses nothing: whatever is at the other end, a call
//! ends within its time and holds a few kilobytes. Connections are opened here rather than by a library, so that they
//! lead to the very addresses that [`crate::guard`] vetted.

mod connection;
mod endpoint;
mod resolve;
mod tls;

pub use endpoint::{Endpoint, EndpointError, MOST_BYTES};
pub use resolve::Resolver;

use crate::{guard::Allowed, traces};
use connection::{Idle, Line};
use domain::Timestamp;
use http_body_util::{BodyExt as _, Full};
pub use hyper::{Method, body::Bytes};
use hyper::{
    Request, Response,
    body::Incoming,
    header::{HOST, HeaderName, HeaderValue, RETRY_AFTER, USER_AGENT},
};
use std::{
    fmt,
    net::IpAddr,
    sync::Arc,
    time::{Duration, UNIX_EPOCH},
};
use tokio::time::timeout;
use tokio_rustls::TlsConnector;
use tracing::{Instrument as _, Span};

/// For a whole exchange, from looking up the name to the last of the answer.
pub const WHOLE: Duration = Duration::from_secs(15);
/// How many exchanges at once, unless told otherwise: with [`connection`]'s, fewer connections than most systems allow.
const AT_ONCE: usize = 256;
/// How many bytes of the answer to a [`Http::post`] are read.
pub const MOST_READ: usize = 64 * 1024;

/// Which trace a call is part of (W3C Trace Context): two numbers that are made up, and nothing about anybody.
const TRACEPARENT: HeaderName = HeaderName::from_static("traceparent");
const OUR_NAME: HeaderValue = HeaderValue::from_static(concat!("Retour/", env!("CARGO_PKG_VERSION")));

/// The client. Cheap to clone; clones share their connections.
#[derive(Clone)]
pub struct Http {
    shared: Arc<Shared>,
    whole: Duration,
    at_once: usize,
    is_traced: bool,
}

struct Shared {
    allowed: Allowed,
    resolver: Resolver,
    tls: TlsConnector,
    idle: Idle,
}

/// Why there can be no client.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum HttpError {
    /// `SSL_CERT_FILE` or `SSL_CERT_DIR` leads to no certificate.
    #[error("SSL_CERT_FILE, SSL_CERT_DIR: expected certificates in PEM format there")]
    Roots,
    /// The TLS library refuses its settings.
    #[error("TLS cannot be set up")]
    Tls,
}

/// A request, and what may be done for its answer.
pub struct Call<'a> {
    /// Whom to call.
    pub to: &'a Endpoint,
    /// How.
    pub method: Method,
    /// Header fields, besides those of every request.
    pub headers: &'a [(&'a str, String)],
    /// The body; none with GET.
    pub body: Bytes,
    /// How many bytes of the answer's body are read. What is beyond is cut off.
    pub most_read: usize,
    /// Whether the other side may see the request twice. If not, it goes over a new connection: one that had waited may
    /// break while it carries the request, and nobody knows how far that got.
    pub may_repeat: bool,
}

/// What came back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The status code.
    pub status: u16,
    /// The `Retry-After` field: seconds or a date.
    pub retry_after: Option<String>,
    /// The body, up to as many bytes as were to be read.
    pub body: Vec<u8>,
}

impl Answer {
    /// How many seconds the other side asks for, if it says so in a way that can be read (RFC 9110, 10.2.3).
    pub fn wait_seconds(&self, now: Timestamp) -> Option<u64> {
        let text = self.retry_after.as_deref()?.trim();
        if let Ok(seconds) = text.parse() {
            return Some(seconds);
        }
        let at = httpdate::parse_http_date(text).ok()?.duration_since(UNIX_EPOCH).ok()?.as_secs();
        Some(at.saturating_sub(u64::try_from(now.seconds()).unwrap_or(0)))
    }
}

/// Why nothing came back. Each sentence is for the merchant's log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
pub enum CallError {
    /// The host is, or has, an address inside.
    #[error("The address is not on the public internet, and the operator has not allowed it.")]
    AddressNotAllowed,
    /// `http:` to the public internet.
    #[error("Calls over the internet need https.")]
    PlainHttpNotAllowed,
    /// The name has no address.
    #[error("The host name is not known.")]
    UnknownHost,
    /// Nobody listens there.
    #[error("No connection could be made.")]
    NotConnected,
    /// The certificate is not trusted, is for another name or is out of date; or the other side speaks no TLS.
    #[error("No secure connection could be made: the certificate, or the TLS of the other side, was not accepted.")]
    TlsFailed,
    /// The exchange took too long.
    #[error("The answer did not come in time.")]
    TimedOut,
    /// The connection was closed early, or what came is not HTTP.
    #[error("The connection ended before there was a whole answer, or what came was not HTTP.")]
    BrokenOff,
    /// A header of ours holds what headers cannot.
    #[error("The request could not be made: a header holds a character that headers cannot hold.")]
    BadHeader,
}

impl CallError {
    /// Its name for programs; it stays.
    pub fn name(self) -> &'static str {
        match self {
            Self::AddressNotAllowed => "AddressNotAllowed",
            Self::PlainHttpNotAllowed => "PlainHttpNotAllowed",
            Self::UnknownHost => "UnknownHost",
            Self::NotConnected => "NotConnected",
            Self::TlsFailed => "TlsFailed",
            Self::TimedOut => "TimedOut",
            Self::BrokenOff => "BrokenOff",
            Self::BadHeader => "BadHeader",
        }
    }
}

impl Http {
    /// A client that calls what is public, and what the operator opened.
    pub fn new(allowed: Allowed) -> Result<Self, HttpError> {
        Self::with_resolver(allowed, Resolver::System)
    }

    /// The same, with addresses from somewhere else: for tests.
    pub fn with_resolver(allowed: Allowed, resolver: Resolver) -> Result<Self, HttpError> {
        let shared = Shared { allowed, resolver, tls: tls::connector()?, idle: Idle::default() };
        Ok(Self { shared: Arc::new(shared), whole: WHOLE, at_once: AT_ONCE, is_traced: true })
    }

    /// The same client, with another time for a whole exchange.
    #[must_use]
    pub fn with_timeout(self, whole: Duration) -> Self {
        Self { whole, ..self }
    }

    /// The same client, for so many exchanges at once.
    #[must_use]
    pub fn with_exchanges_at_once(self, at_once: usize) -> Self {
        Self { at_once, ..self }
    }

    /// The same client for what no trace tells of: the calls that traces leave by would tell of themselves without end.
    #[must_use]
    pub fn untraced(self) -> Self {
        Self { is_traced: false, ..self }
    }

    /// How many exchanges it is meant for at once: each takes one of the process's files. Who calls keeps to it.
    pub fn exchanges_at_once(&self) -> usize {
        self.at_once
    }

    /// Refuses what is known before anything is called: an address, rather than a name, that may not be.
    pub fn check(&self, to: &Endpoint) -> Result<(), CallError> {
        match resolve::literal(to) {
            Some(address) => resolve::vet(&self.shared.allowed, to, &[address]),
            None => Ok(()),
        }
    }

    /// Those of a URL's addresses that the operator would have to open for it to be called: for whoever may be told.
    pub async fn closed_addresses(&self, to: &Endpoint) -> Vec<IpAddr> {
        resolve::closed(&self.shared.resolver, &self.shared.allowed, to).await
    }

    /// Sends a body and reads the answer, whatever its status. The other side may see the same request twice: a
    /// connection that had waited may break while it carries one, which then goes over a new connection.
    pub async fn post(
        &self,
        to: &Endpoint,
        headers: &[(&'static str, String)],
        body: impl Into<Bytes>,
    ) -> Result<Answer, CallError> {
        let (method, body) = (Method::POST, body.into());
        self.call(Call { to, method, headers, body, most_read: MOST_READ, may_repeat: true }).await
    }

    /// Makes a call and reads the answer, whatever its status.
    pub async fn call(&self, call: Call<'_>) -> Result<Answer, CallError> {
        let to = call.to;
        let span = if self.is_traced { traces::call(&call.method) } else { Span::none() };
        let exchange = timeout(self.whole, self.exchange(call)).instrument(span.clone()).await;
        let exchange = exchange.unwrap_or(Err(CallError::TimedOut));
        traces::answered(&span, exchange.as_ref().map(|(answer, _)| answer.status).map_err(|error| error.name()));
        let (answer, line) = exchange?;
        if let Some(line) = line {
            self.shared.idle.put(to, line).await;
        }
        Ok(answer)
    }

    async fn exchange(&self, call: Call<'_>) -> Result<(Answer, Option<Line>), CallError> {
        let (to, most_read) = (call.to, call.most_read);
        let waiting = if call.may_repeat { self.shared.idle.take(to) } else { None };
        let mut request = request(call)?;
        if let Some(trace) =
            Some(Span::current()).filter(|_| self.is_traced).and_then(|span| traces::traceparent(&span))
        {
            request.headers_mut().insert(TRACEPARENT, HeaderValue::from_str(&trace).map_err(|_| CallError::BadHeader)?);
        }
        if let Some(mut line) = waiting
            && let Ok(response) = line.send(request.clone()).await
        {
            return read(line, response, most_read).await;
        }
        let addresses = resolve::addresses(&self.shared.resolver, &self.shared.allowed, to).await?;
        let mut line = Line::open(&self.shared.tls, to, &addresses).await?;
        let response = line.send(request).await?;
        read(line, response, most_read).await
    }
}

/// With what it is for and no more: no address, since they are personal to the merchant.
impl fmt::Debug for Http {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Http").field("whole", &self.whole).finish_non_exhaustive()
    }
}

fn request(Call { to, method, headers, body, .. }: Call<'_>) -> Result<Request<Full<Bytes>>, CallError> {
    let mut request = Request::new(Full::new(body));
    *request.method_mut() = method;
    *request.uri_mut() = to.path().parse().map_err(|_| CallError::BadHeader)?;
    let fields = request.headers_mut();
    for (name, value) in headers {
        let name = HeaderName::from_bytes(name.as_bytes()).map_err(|_| CallError::BadHeader)?;
        fields.insert(name, HeaderValue::from_str(value).map_err(|_| CallError::BadHeader)?);
    }
    fields.insert(USER_AGENT, OUR_NAME);
    fields.insert(HOST, HeaderValue::from_str(to.authority()).map_err(|_| CallError::BadHeader)?);
    Ok(request)
}

/// Reads the answer as far as anyone cares. The connection comes back if it can take another request.
async fn read(line: Line, response: Response<Incoming>, most_read: usize) -> Result<(Answer, Option<Line>), CallError> {
    let retry_after = response.headers().get(RETRY_AFTER).and_then(|value| value.to_str().ok()).map(str::to_owned);
    let status = response.status().as_u16();
    let mut incoming = response.into_body();
    let mut body = Vec::new();
    while let Some(frame) = incoming.frame().await {
        let frame = frame.map_err(|_| CallError::BrokenOff)?;
        body.extend_from_slice(frame.data_ref().map_or(&[][..], |data| data));
        if body.len() > most_read {
            body.truncate(most_read);
            return Ok((Answer { status, retry_after, body }, None));
        }
    }
    Ok((Answer { status, retry_after, body }, Some(line)))
}
