//! Receivers: small servers on this machine that count their connections.

pub mod bought;
pub mod bridge;
pub mod medusa;
pub mod mirror;
pub mod peer;
pub mod scripted;
pub mod shopify;
pub mod vendure;

use outbound::{
    guard::Allowed,
    http::{CallError, Endpoint, Http, HttpResponse, Resolver},
};
use std::{
    net::{IpAddr, SocketAddr},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};
use tokio::{
    io::{AsyncRead, AsyncReadExt as _, AsyncWriteExt as _, copy_bidirectional},
    net::{TcpListener, TcpSocket, TcpStream},
    task::{JoinHandle, JoinSet},
};

/// The time after which a hanging test fails.
pub const PATIENCE: Duration = Duration::from_secs(30);

/// What a proxy does with the first request of a kind.
#[derive(Clone, Copy)]
pub enum Loses {
    Request,
    Answer,
}

/// A server that passes every connection to a function.
pub struct Receiver {
    pub address: SocketAddr,
    connections: Arc<AtomicUsize>,
    task: JoinHandle<()>,
}

impl Receiver {
    /// Starts one on 127.0.0.1.
    pub fn start<F>(serve: impl Fn(TcpStream) -> F + Send + 'static) -> Self
    where
        F: Future<Output = ()> + Send + 'static,
    {
        Self::start_at("127.0.0.1:0".parse().unwrap(), serve).unwrap()
    }

    /// Starts one on every address of this machine, IPv4 and IPv6.
    pub fn everywhere() -> Self {
        let serve = |stream| async { answer_each(stream, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n").await };
        Self::start_at("[::]:0".parse().unwrap(), serve)
            .or_else(|_| Self::start_at("0.0.0.0:0".parse().unwrap(), serve))
            .unwrap()
    }

    pub fn start_at<F>(at: SocketAddr, serve: impl Fn(TcpStream) -> F + Send + 'static) -> std::io::Result<Self>
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let listener = listen(at)?;
        let address = listener.local_addr()?;
        let connections = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&connections);
        let task = tokio::spawn(async move {
            let mut served = JoinSet::new(); // the connections end with the receiver
            while let Ok((stream, _)) = listener.accept().await {
                count.fetch_add(1, Ordering::SeqCst);
                served.spawn(serve(stream));
            }
        });
        Ok(Self { address, connections, task })
    }

    /// Answers each request on each connection with the same text.
    pub fn answering(answer: &'static str) -> Self {
        Self::start(move |stream| answer_each(stream, answer))
    }

    /// Reads one request, writes these bytes, and closes the connection.
    pub fn writing(answer: impl Into<Vec<u8>>) -> Self {
        let answer: Arc<[u8]> = answer.into().into();
        Self::start(move |mut stream| {
            let answer = Arc::clone(&answer);
            async move {
                read_request(&mut stream).await;
                let _ = stream.write_all(&answer).await;
            }
        })
    }

    /// A proxy that loses the first request with a word, or its answer.
    pub fn before(server: &Endpoint, word: &'static str, loses: Loses) -> Self {
        let requests = Arc::new(AtomicUsize::new(0));
        let server = server.as_str().trim_start_matches("http://").trim_end_matches('/').to_owned();
        Self::start(move |mut stream| {
            let (requests, server) = (Arc::clone(&requests), server.clone());
            async move {
                let Some(request) = read_request(&mut stream).await else { return };
                let is_lost = request.contains(word) && requests.fetch_add(1, Ordering::SeqCst) == 0;
                if is_lost && matches!(loses, Loses::Request) {
                    return;
                }
                let mut beyond = TcpStream::connect(&server).await.unwrap();
                beyond.write_all(request.as_bytes()).await.unwrap();
                if is_lost {
                    beyond.read_u8().await.unwrap(); // the server has answered
                } else {
                    let _ = copy_bidirectional(&mut stream, &mut beyond).await;
                }
            }
        })
    }

    pub fn connections(&self) -> usize {
        self.connections.load(Ordering::SeqCst)
    }

    pub fn port(&self) -> u16 {
        self.address.port()
    }

    pub fn url(&self) -> Endpoint {
        Endpoint::parse(&format!("http://{}/hook?shop=1", self.address)).unwrap()
    }
}

impl Drop for Receiver {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// Listens with small kernel buffers, so that the bytes written are about the bytes read.
fn listen(at: SocketAddr) -> std::io::Result<TcpListener> {
    let socket = if at.is_ipv4() { TcpSocket::new_v4()? } else { TcpSocket::new_v6()? };
    socket.set_send_buffer_size(64 * 1024)?;
    socket.bind(at)?;
    socket.listen(128)
}

async fn answer_each(mut stream: TcpStream, answer: &'static str) {
    while read_request(&mut stream).await.is_some() {
        if stream.write_all(answer.as_bytes()).await.is_err() {
            return;
        }
    }
}

/// One whole request with head and body; `None` if the connection ended before.
pub async fn read_request(stream: &mut (impl AsyncRead + Unpin)) -> Option<String> {
    let mut read = Vec::new();
    while !is_whole(&read) {
        if stream.read_buf(&mut read).await.ok()? == 0 {
            return None;
        }
    }
    String::from_utf8(read).ok()
}

fn is_whole(read: &[u8]) -> bool {
    let text = String::from_utf8_lossy(read).to_lowercase();
    let Some((head, body)) = text.split_once("\r\n\r\n") else { return false };
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")).unwrap_or("0");
    body.len() >= length.parse::<usize>().unwrap()
}

/// A client that may call this machine.
pub fn at_home() -> Http {
    Http::new("127.0.0.0/8, ::1".parse().unwrap()).unwrap()
}

/// A client for which every name resolves to these addresses.
pub fn with_names(allowed: &str, addresses: &[IpAddr]) -> Http {
    let addresses = addresses.to_vec();
    let allowed: Allowed = allowed.parse().unwrap();
    Http::with_resolver(allowed, Resolver::function(move |_| addresses.clone())).unwrap()
}

/// Sends a POST request. Fails the test if the call does not end.
pub async fn post(http: &Http, to: &Endpoint) -> Result<HttpResponse, CallError> {
    let headers = [("content-type", "application/json".to_owned())];
    tokio::time::timeout(PATIENCE, http.post(to, &headers, "{\"a\": 1}")).await.expect("the call should have ended")
}
