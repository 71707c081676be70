//! A line to a Postgres server that can be cut and mended.

use std::net::SocketAddr;
use tokio::{
    io::copy_bidirectional,
    net::{TcpListener, TcpSocket, TcpStream},
    task::{JoinHandle, JoinSet},
};

/// A line. While it is cut, connections are refused, as when the server is stopped.
#[derive(Debug)]
pub struct Line {
    /// The URL of the database by this line.
    pub url: String,
    /// Bound and never listening: the port stays ours while the line is cut.
    _port: TcpSocket,
    address: SocketAddr,
    to: String,
    carrying: Option<JoinHandle<()>>,
}

impl Line {
    /// A line to a database, by its URL.
    pub fn to(url: &str) -> Self {
        let (before, place) = url.rsplit_once('@').expect("a URL with a user");
        let (to, name) = place.split_once('/').expect("a URL with a database");
        let port = socket(SocketAddr::from(([127, 0, 0, 1], 0)));
        let address = port.local_addr().unwrap();
        let url = format!("{before}@{address}/{name}");
        let mut line = Self { url, _port: port, address, to: to.to_owned(), carrying: None };
        line.mend();
        line
    }

    /// Lets connections through again.
    pub fn mend(&mut self) {
        let listener = socket(self.address).listen(64).unwrap();
        self.carrying = Some(tokio::spawn(carry(listener, self.to.clone())));
    }

    /// Ends all connections and refuses new ones.
    pub async fn cut(&mut self) {
        if let Some(carrying) = self.carrying.take() {
            carrying.abort();
            let _ = carrying.await; // with it went the listener and the connections
        }
    }
}

fn socket(address: SocketAddr) -> TcpSocket {
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_reuseaddr(true).unwrap();
    socket.bind(address).unwrap();
    socket
}

async fn carry(listener: TcpListener, to: String) {
    let mut connections = JoinSet::new();
    while let Ok((mut near, _)) = listener.accept().await {
        let to = to.clone();
        connections.spawn(async move {
            if let Ok(mut far) = TcpStream::connect(to).await {
                let _ = copy_bidirectional(&mut near, &mut far).await;
            }
        });
    }
}
