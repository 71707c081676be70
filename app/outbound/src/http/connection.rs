//! A connection to one origin, and those that wait for their next request.

use crate::http::{CallError, Endpoint};
use http_body_util::Full;
use hyper::{
    Request, Response,
    body::{Bytes, Incoming},
    client::conn::http1::{self, SendRequest},
};
use hyper_util::rt::TokioIo;
use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};
use tokio::{
    io::{AsyncRead, AsyncWrite},
    net::TcpStream,
    task::AbortHandle,
    time::timeout,
};
use tokio_rustls::{TlsConnector, rustls::pki_types::ServerName};
use url::Host;

/// For one of several addresses; then it is the next one's turn.
const CONNECT: Duration = Duration::from_secs(5);
/// What an answer's head may take, and what is read ahead of its body.
const BUFFER: usize = 64 * 1024;

/// An open connection. Dropped, it is closed, whatever the other side is still sending.
pub(super) struct Line {
    sender: SendRequest<Full<Bytes>>,
    driver: AbortHandle,
}

impl Line {
    /// Connects to the first address that answers.
    pub(super) async fn open(tls: &TlsConnector, to: &Endpoint, addresses: &[IpAddr]) -> Result<Self, CallError> {
        let tcp = connect(addresses, to.url().port_or_known_default().unwrap_or(0)).await?;
        if to.is_plain() {
            return Self::start(tcp).await;
        }
        let name = server_name(to).ok_or(CallError::TlsFailed)?;
        Self::start(tls.connect(name, tcp).await.map_err(|_| CallError::TlsFailed)?).await
    }

    async fn start(stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static) -> Result<Self, CallError> {
        let handshake = http1::Builder::new().max_buf_size(BUFFER).handshake(TokioIo::new(stream)).await;
        let (sender, connection) = handshake.map_err(|_| CallError::BrokenOff)?;
        let driver = tokio::spawn(async { drop(connection.await) }).abort_handle();
        Ok(Self { sender, driver })
    }

    /// Sends a request and waits for the answer's head.
    pub(super) async fn send(&mut self, request: Request<Full<Bytes>>) -> Result<Response<Incoming>, CallError> {
        self.sender.send_request(request).await.map_err(|_| CallError::BrokenOff)
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        self.driver.abort();
    }
}

async fn connect(addresses: &[IpAddr], port: u16) -> Result<TcpStream, CallError> {
    for address in addresses {
        if let Ok(Ok(tcp)) = timeout(CONNECT, TcpStream::connect((*address, port))).await {
            let _ = tcp.set_nodelay(true); // a request is written at once; without this it only is slower
            return Ok(tcp);
        }
    }
    Err(CallError::NotConnected)
}

/// Who the certificate has to be for.
fn server_name(to: &Endpoint) -> Option<ServerName<'static>> {
    match to.url().host()? {
        Host::Domain(name) => ServerName::try_from(name.trim_end_matches('.').to_owned()).ok(),
        Host::Ipv4(address) => Some(ServerName::from(IpAddr::from(address))),
        Host::Ipv6(address) => Some(ServerName::from(IpAddr::from(address))),
    }
}

/// How long a connection may wait for the next request.
const IDLE: Duration = Duration::from_secs(90);
/// How many may wait for one origin.
const IDLE_PER_ORIGIN: usize = 128;
/// How many may wait in all: each takes one of the process's files.
const IDLE_IN_ALL: usize = 256;
/// How often those are closed that have waited too long.
const SWEEP_EVERY: Duration = Duration::from_secs(10);
/// For a connection to be ready again after an answer; one that is not has something left to say.
const READY: Duration = Duration::from_millis(100);

/// Connections that wait for their next request.
#[derive(Default)]
pub(super) struct Idle(Mutex<Waiting>);

#[derive(Default)]
struct Waiting {
    /// By origin, the one that was used last at the end.
    lines: HashMap<String, Vec<(Instant, Line)>>,
    count: usize,
    swept_at: Option<Instant>,
}

impl Idle {
    /// The connection that was used last, while it is open.
    pub(super) fn take(&self, to: &Endpoint) -> Option<Line> {
        let mut waiting = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            let last = waiting.lines.get_mut(to.origin())?.pop()?;
            waiting.count -= 1;
            if is_usable(&last) {
                return Some(last.1);
            }
        }
    }

    /// Keeps a connection whose answer has been read to its end.
    pub(super) async fn put(&self, to: &Endpoint, mut line: Line) {
        if !matches!(timeout(READY, line.sender.ready()).await, Ok(Ok(()))) {
            return;
        }
        let mut waiting = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let is_time = waiting.swept_at.is_none_or(|at| at.elapsed() >= SWEEP_EVERY);
        if is_time || waiting.count >= IDLE_IN_ALL {
            waiting.sweep();
        }
        let of_origin = waiting.lines.get(to.origin()).map_or(0, Vec::len);
        if of_origin < IDLE_PER_ORIGIN && waiting.count < IDLE_IN_ALL {
            waiting.count += 1;
            match waiting.lines.get_mut(to.origin()) {
                Some(lines) => lines.push((Instant::now(), line)),
                None => drop(waiting.lines.insert(to.origin().to_owned(), vec![(Instant::now(), line)])),
            }
        }
    }
}

impl Waiting {
    fn sweep(&mut self) {
        self.lines.retain(|_, lines| {
            lines.retain(is_usable);
            !lines.is_empty()
        });
        self.count = self.lines.values().map(Vec::len).sum();
        self.swept_at = Some(Instant::now());
    }
}

fn is_usable((since, line): &(Instant, Line)) -> bool {
    since.elapsed() < IDLE && !line.sender.is_closed()
}
