//! The client: from a [`Call`] to its response.

use super::{
    connection::Connection,
    endpoint::Endpoint,
    error::{CallError, HttpError},
    message::{Bytes, Call, HttpResponse, Method},
    pool::ConnectionPool,
    resolve::{self, Resolver},
    stream::ResponseStream,
    tls,
};
use crate::{guard::Allowed, spans};
use http_body_util::{BodyExt as _, Full};
use hyper::{
    Request, Response,
    body::Incoming,
    header::{HOST, HeaderName, HeaderValue, RANGE, RETRY_AFTER, USER_AGENT},
};
use std::{fmt, net::IpAddr, sync::Arc, time::Duration};
use tokio::time::timeout;
use tokio_rustls::TlsConnector;
use tracing::{Instrument as _, Span};

/// The default timeout of a whole call, from resolving the name to the last byte of the response.
const DEFAULT_TIMEOUT: Duration = Duration::from_secs(15);
/// The default limit of concurrent calls. Together with the pool's idle connections, this stays below the number of open
/// files that most systems allow a process (1,024).
const DEFAULT_MAX_CONCURRENT: usize = 256;
/// How many bytes of a response [`Http::post`] reads.
pub const MAX_RESPONSE_BYTES: usize = 64 * 1024;

/// Tells the receiver which trace the call belongs to (W3C Trace Context): two random numbers without personal data.
const TRACEPARENT: HeaderName = HeaderName::from_static("traceparent");
const OUR_USER_AGENT: HeaderValue = HeaderValue::from_static(concat!("Retour/", env!("CARGO_PKG_VERSION")));

/// The client. Cheap to clone; clones share their connections.
#[derive(Clone)]
pub struct Http {
    shared: Arc<Shared>,
    timeout: Duration,
    max_concurrent: usize,
    is_traced: bool,
}

struct Shared {
    allowed: Allowed,
    resolver: Resolver,
    tls: TlsConnector,
    pool: ConnectionPool,
}

impl Http {
    /// A client that calls public addresses and those that the operator allowed.
    pub fn new(allowed: Allowed) -> Result<Self, HttpError> {
        Self::with_resolver(allowed, Resolver::System)
    }

    /// The same with another resolver: for tests.
    pub fn with_resolver(allowed: Allowed, resolver: Resolver) -> Result<Self, HttpError> {
        let shared = Shared { allowed, resolver, tls: tls::connector()?, pool: ConnectionPool::default() };
        Ok(Self {
            shared: Arc::new(shared),
            timeout: DEFAULT_TIMEOUT,
            max_concurrent: DEFAULT_MAX_CONCURRENT,
            is_traced: true,
        })
    }

    /// The same client with another timeout for a whole call.
    #[must_use]
    pub fn with_timeout(self, timeout: Duration) -> Self {
        Self { timeout, ..self }
    }

    /// The same client with another limit of concurrent calls.
    #[must_use]
    pub fn with_max_concurrent_calls(self, max_concurrent: usize) -> Self {
        Self { max_concurrent, ..self }
    }

    /// The same client without spans. The exporter of traces uses it: tracing its own calls would create new traces
    /// without end.
    #[must_use]
    pub fn untraced(self) -> Self {
        Self { is_traced: false, ..self }
    }

    /// How many calls may run at the same time. The client does not enforce this limit: its callers do, because each
    /// call uses one of the process's open files.
    pub fn max_concurrent_calls(&self) -> usize {
        self.max_concurrent
    }

    /// Rejects a URL whose host is a forbidden address, without a call. A host name always passes.
    pub fn check(&self, to: &Endpoint) -> Result<(), CallError> {
        match resolve::literal(to) {
            Some(address) => resolve::vet(&self.shared.allowed, to, &[address]),
            None => Ok(()),
        }
    }

    /// The addresses of a URL that the operator would have to allow first. Show them to operators only.
    pub async fn closed_addresses(&self, to: &Endpoint) -> Vec<IpAddr> {
        resolve::closed(&self.shared.resolver, &self.shared.allowed, to).await
    }

    /// Sends a body with POST and reads the response, whatever its status. The server may receive the request twice: if a
    /// pooled connection breaks, the client repeats the request on a new connection.
    pub async fn post(
        &self,
        to: &Endpoint,
        headers: &[(&'static str, String)],
        body: impl Into<Bytes>,
    ) -> Result<HttpResponse, CallError> {
        let (method, body) = (Method::POST, body.into());
        let max_response_bytes = MAX_RESPONSE_BYTES;
        self.call(Call { to, method, headers, body, max_response_bytes, is_repeatable: true }).await
    }

    /// Makes a call and reads the response, whatever its status.
    pub async fn call(&self, call: Call<'_>) -> Result<HttpResponse, CallError> {
        let to = call.to;
        let span = if self.is_traced { spans::call(&call.method) } else { Span::none() };
        let exchange = timeout(self.timeout, self.exchange(call)).instrument(span.clone()).await;
        let exchange = exchange.unwrap_or(Err(CallError::TimedOut));
        spans::record_response(&span, exchange.as_ref().map(|(response, _)| response.status).map_err(|e| e.name()));
        let (response, connection) = exchange?;
        if let Some(connection) = connection {
            self.shared.pool.put(to, connection).await;
        }
        Ok(response)
    }

    /// Begins to read a file from a byte on, without credentials. The server may ignore the position: see
    /// [`ResponseStream::starts_at`]. The timeout is that of the head, and then that of each piece.
    pub async fn stream(&self, to: &Endpoint, from: u64) -> Result<ResponseStream, CallError> {
        let range = [(RANGE.as_str(), format!("bytes={from}-"))];
        let headers: &[(&str, String)] = if from == 0 { &[] } else { &range };
        let call = Call {
            to,
            method: Method::GET,
            headers,
            body: Bytes::new(),
            max_response_bytes: usize::MAX,
            is_repeatable: false,
        };
        let opened = timeout(self.timeout, async {
            let request = request(call)?;
            let addresses = resolve::addresses(&self.shared.resolver, &self.shared.allowed, to).await?;
            let mut connection = Connection::open(&self.shared.tls, to, &addresses).await?;
            let response = connection.send(request).await?;
            Ok::<_, CallError>((connection, response))
        });
        let (connection, response) = opened.await.unwrap_or(Err(CallError::TimedOut))?;
        Ok(ResponseStream::new(connection, response, self.timeout))
    }

    /// Sends the request on a pooled connection if it may be repeated, otherwise on a new one. The connection comes back
    /// if it can carry another request.
    async fn exchange(&self, call: Call<'_>) -> Result<(HttpResponse, Option<Connection>), CallError> {
        let (to, max_bytes) = (call.to, call.max_response_bytes);
        let pooled = if call.is_repeatable { self.shared.pool.take(to) } else { None };
        let mut request = request(call)?;
        if self.is_traced
            && let Some(traceparent) = spans::traceparent(&Span::current())
        {
            let value = HeaderValue::from_str(&traceparent).map_err(|_| CallError::BadHeader)?;
            request.headers_mut().insert(TRACEPARENT, value);
        }
        if let Some(mut connection) = pooled
            && let Ok(response) = connection.send(request.clone()).await
        {
            return read(connection, response, max_bytes).await;
        }
        let addresses = resolve::addresses(&self.shared.resolver, &self.shared.allowed, to).await?;
        let mut connection = Connection::open(&self.shared.tls, to, &addresses).await?;
        let response = connection.send(request).await?;
        read(connection, response, max_bytes).await
    }
}

/// Leaves out the allowed addresses, which describe the operator's network.
impl fmt::Debug for Http {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Http").field("timeout", &self.timeout).finish_non_exhaustive()
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
    fields.insert(USER_AGENT, OUR_USER_AGENT);
    fields.insert(HOST, HeaderValue::from_str(to.authority()).map_err(|_| CallError::BadHeader)?);
    Ok(request)
}

/// Reads the response, at most `max_bytes` of its body. A connection with an unread rest is closed.
async fn read(
    connection: Connection,
    response: Response<Incoming>,
    max_bytes: usize,
) -> Result<(HttpResponse, Option<Connection>), CallError> {
    let retry_after = response.headers().get(RETRY_AFTER).and_then(|value| value.to_str().ok()).map(str::to_owned);
    let status = response.status().as_u16();
    let mut incoming = response.into_body();
    let mut body = Vec::new();
    while let Some(frame) = incoming.frame().await {
        let frame = frame.map_err(|_| CallError::BrokenOff)?;
        body.extend_from_slice(frame.data_ref().map_or(&[][..], |data| data));
        if body.len() > max_bytes {
            body.truncate(max_bytes);
            return Ok((HttpResponse { status, retry_after, body }, None));
        }
    }
    Ok((HttpResponse { status, retry_after, body }, Some(connection)))
}
