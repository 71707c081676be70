//! The loop that accepts connections and serves HTTP/1 on them.

use super::half_close::{HalfCloseStream, TrackedBody};
use axum::{
    Router,
    body::Body,
    extract::Request,
    http::{HeaderValue, header},
    response::Response,
};
use hyper::{body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    server::graceful::GracefulShutdown,
};
use std::{convert::Infallible, net::SocketAddr, sync::atomic::Ordering, time::Duration};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tower::Service as _;

/// How long a client may take to send the head of a request.
const HEADER_TIMEOUT: Duration = Duration::from_secs(10);
/// Bytes for each connection: the largest head of a request, and the most of a body that is read before a handler asks for it.
const READ_BUFFER: usize = 64 * 1024;
/// How long requests in flight may take after the program was asked to stop.
const SHUTDOWN_GRACE: Duration = Duration::from_secs(10);
/// Bytes of an answer that lie in the kernel. Few enough that a slow client is seen to read, and enough for a distant one.
const SEND_BUFFER: u32 = 64 * 1024;
/// Connections that may wait to be accepted.
const BACKLOG: u32 = 1024;
/// The pause after an error of `accept`, so that running out of file handles does not become a busy loop.
const ACCEPT_ERROR_PAUSE: Duration = Duration::from_millis(50);

/// The address of the other end of a connection.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PeerAddress(pub SocketAddr);

/// Opens a socket to listen on.
pub fn listen(address: SocketAddr) -> std::io::Result<TcpListener> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4()? } else { TcpSocket::new_v6()? };
    socket.set_reuseaddr(true)?;
    socket.set_send_buffer_size(SEND_BUFFER)?; // accepted connections inherit it
    socket.bind(address)?;
    socket.listen(BACKLOG)
}

/// Accepts connections until `stop` resolves, then lets requests in flight finish.
///
/// This is a loop of our own, because `axum::serve` sets no limit on the time in which a client sends its head.
pub async fn serve(listener: TcpListener, router: Router, stop: impl Future<Output = ()>) {
    let graceful = GracefulShutdown::new();
    let mut stop = std::pin::pin!(stop);
    loop {
        tokio::select! {
            () = &mut stop => break,
            accepted = listener.accept() => match accepted {
                Ok((stream, peer)) => serve_connection(stream, peer, router.clone(), &graceful),
                Err(error) => {
                    tracing::warn!(%error, "cannot accept a connection");
                    tokio::time::sleep(ACCEPT_ERROR_PAUSE).await;
                }
            },
        }
    }
    drop(listener);
    if tokio::time::timeout(SHUTDOWN_GRACE, graceful.shutdown()).await.is_err() {
        tracing::warn!("cut off requests that were still in flight");
    }
}

fn serve_connection(stream: TcpStream, peer: SocketAddr, router: Router, graceful: &GracefulShutdown) {
    let _ = stream.set_nodelay(true); // small answers leave at once
    let service = service_fn(move |request: Request<Incoming>| {
        let mut router = router.clone();
        async move {
            let (head, body) = request.into_parts();
            let (body, is_read) = TrackedBody::new(body);
            let mut request = Request::from_parts(head, Body::new(body));
            request.extensions_mut().insert(PeerAddress(peer));
            let answer: Result<Response, Infallible> = router.call(request).await; // a router is always ready
            answer.map(|mut answer| {
                if !is_read.load(Ordering::Relaxed) {
                    answer.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
                }
                answer
            })
        }
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEADER_TIMEOUT)
        .max_buf_size(READ_BUFFER)
        .serve_connection(TokioIo::new(HalfCloseStream::new(stream)), service);
    let watched = graceful.watch(connection);
    tokio::spawn(async move {
        // A client that disconnects early is no error of the service.
        if let Err(error) = watched.await {
            tracing::trace!(%error, "connection ended");
        }
    });
}
