//! A connection to one origin.

use super::{endpoint::Endpoint, error::CallError};
use http_body_util::Full;
use hyper::{
    Request, Response,
    body::{Bytes, Incoming},
    client::conn::http1::{self, SendRequest},
};
use hyper_util::rt::TokioIo;
use std::{net::IpAddr, time::Duration};
use tokio::{
    io::{AsyncRead, AsyncWrite},
    net::TcpStream,
    task::AbortHandle,
    time::timeout,
};
use tokio_rustls::{TlsConnector, rustls::pki_types::ServerName};
use url::Host;

/// The timeout for connecting to one of a host's addresses, before the next one is tried.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// How many bytes the head of a response may have, and how much of its body is buffered.
const BUFFER_BYTES: usize = 64 * 1024;
/// How long a connection may take to become ready for the next request. One that is not ready still has data to send.
const READY_TIMEOUT: Duration = Duration::from_millis(100);

/// An open connection. Dropping it closes it, even if the server is still sending.
pub(super) struct Connection {
    sender: SendRequest<Full<Bytes>>,
    driver: AbortHandle,
}

impl Connection {
    /// Connects to the first address that accepts.
    pub(super) async fn open(tls: &TlsConnector, to: &Endpoint, addresses: &[IpAddr]) -> Result<Self, CallError> {
        let tcp = connect(addresses, to.url().port_or_known_default().unwrap_or(0)).await?;
        if to.is_plain() {
            return Self::start(tcp).await;
        }
        let name = server_name(to).ok_or(CallError::TlsFailed)?;
        Self::start(tls.connect(name, tcp).await.map_err(|_| CallError::TlsFailed)?).await
    }

    async fn start(stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static) -> Result<Self, CallError> {
        let handshake = http1::Builder::new().max_buf_size(BUFFER_BYTES).handshake(TokioIo::new(stream)).await;
        let (sender, connection) = handshake.map_err(|_| CallError::BrokenOff)?;
        let driver = tokio::spawn(async { drop(connection.await) }).abort_handle();
        Ok(Self { sender, driver })
    }

    /// Sends a request and waits for the head of the response.
    pub(super) async fn send(&mut self, request: Request<Full<Bytes>>) -> Result<Response<Incoming>, CallError> {
        self.sender.send_request(request).await.map_err(|_| CallError::BrokenOff)
    }

    /// Waits a moment until the connection can carry another request, and says whether it can.
    pub(super) async fn becomes_ready(&mut self) -> bool {
        matches!(timeout(READY_TIMEOUT, self.sender.ready()).await, Ok(Ok(())))
    }

    /// Whether one of the two sides has closed it.
    pub(super) fn is_closed(&self) -> bool {
        self.sender.is_closed()
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.driver.abort();
    }
}

async fn connect(addresses: &[IpAddr], port: u16) -> Result<TcpStream, CallError> {
    for address in addresses {
        if let Ok(Ok(tcp)) = timeout(CONNECT_TIMEOUT, TcpStream::connect((*address, port))).await {
            let _ = tcp.set_nodelay(true); // a request is one write; if this fails, the call is only slower
            return Ok(tcp);
        }
    }
    Err(CallError::NotConnected)
}

/// The name or address that the server's certificate has to contain.
fn server_name(to: &Endpoint) -> Option<ServerName<'static>> {
    match to.url().host()? {
        Host::Domain(name) => ServerName::try_from(name.trim_end_matches('.').to_owned()).ok(),
        Host::Ipv4(address) => Some(ServerName::from(IpAddr::from(address))),
        Host::Ipv6(address) => Some(ServerName::from(IpAddr::from(address))),
    }
}
