//! A TCP proxy before a Postgres server that injects faults.

use std::net::SocketAddr;
use tokio::{
    io::copy_bidirectional,
    net::{TcpListener, TcpSocket, TcpStream},
    sync::watch,
    task::{JoinHandle, JoinSet},
};

/// Connections that may wait to be accepted.
const BACKLOG: u32 = 64;

/// A TCP proxy before a Postgres server. It can be cut, as if the server were stopped, and it can fall silent, as if
/// the network lost its packets.
#[derive(Debug)]
pub struct DatabaseProxy {
    /// The URL of the database through this proxy.
    pub url: String,
    /// Bound and never listening: the port stays ours while the proxy is cut.
    _port: TcpSocket,
    address: SocketAddr,
    server: String,
    accepting: Option<JoinHandle<()>>,
    /// Counts the calls of [`Self::fall_silent`].
    silenced: watch::Sender<u32>,
    /// The number of connections that carry data.
    carrying: watch::Sender<usize>,
}

impl DatabaseProxy {
    /// A proxy before the server of a database, by its URL.
    pub fn to(url: &str) -> Self {
        let (credentials, place) = url.rsplit_once('@').expect("a URL with a user");
        let (server, name) = place.split_once('/').expect("a URL with a database");
        let port = bind(SocketAddr::from(([127, 0, 0, 1], 0)));
        let address = port.local_addr().unwrap();
        let mut proxy = Self {
            url: format!("{credentials}@{address}/{name}"),
            _port: port,
            address,
            server: server.to_owned(),
            accepting: None,
            silenced: watch::Sender::new(0),
            carrying: watch::Sender::new(0),
        };
        proxy.restore();
        proxy
    }

    /// Accepts connections again.
    pub fn restore(&mut self) {
        let listener = bind(self.address).listen(BACKLOG).unwrap();
        let accepting = accept(listener, self.server.clone(), self.silenced.clone(), self.carrying.clone());
        self.accepting = Some(tokio::spawn(accepting));
    }

    /// Closes all connections and refuses new ones.
    pub async fn cut(&mut self) {
        if let Some(accepting) = self.accepting.take() {
            accepting.abort();
            let _ = accepting.await; // drops the listener and the connections
        }
    }

    /// The open connections carry nothing any more, and are not closed. New connections work. Returns when no earlier
    /// connection carries data: a test would take one that does for a living one.
    pub async fn fall_silent(&self) {
        self.silenced.send_modify(|times| *times += 1);
        self.carrying.subscribe().wait_for(|count| *count == 0).await.unwrap();
    }
}

fn bind(address: SocketAddr) -> TcpSocket {
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_reuseaddr(true).unwrap();
    socket.bind(address).unwrap();
    socket
}

async fn accept(listener: TcpListener, server: String, silenced: watch::Sender<u32>, carrying: watch::Sender<usize>) {
    let mut connections = JoinSet::new();
    while let Ok((near, _)) = listener.accept().await {
        connections.spawn(carry(near, server.clone(), silenced.subscribe(), Carrying::new(&carrying)));
    }
}

async fn carry(mut near: TcpStream, server: String, mut silenced: watch::Receiver<u32>, carrying: Carrying) {
    let Ok(mut far) = TcpStream::connect(server).await else { return };
    let is_silenced = tokio::select! {
        _ = copy_bidirectional(&mut near, &mut far) => false,
        _ = silenced.changed() => true,
    };
    drop(carrying);
    if is_silenced {
        std::future::pending::<()>().await;
    }
}

/// Counts a connection while it carries data, also when its task is aborted.
struct Carrying(watch::Sender<usize>);

impl Carrying {
    fn new(count: &watch::Sender<usize>) -> Self {
        count.send_modify(|count| *count += 1);
        Self(count.clone())
    }
}

impl Drop for Carrying {
    fn drop(&mut self) {
        self.0.send_modify(|count| *count -= 1);
    }
}
