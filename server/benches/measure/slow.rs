//! Latencies of 64 clients, alone and together with 2,000 connections that send bodies byte by byte and 1,000 that send
//! nothing. The two take turns in one run, so that other load on the machine affects both. The requests go to the built
//! program through HTTP.

use crate::support::process::{Server, Shop, run as command};
use serde_json::json;
use std::{
    net::{Ipv4Addr, SocketAddr},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};
use store::testing::Database;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpSocket, TcpStream},
    task::JoinSet,
    time::{sleep, timeout},
};

const CLIENTS: usize = 64;
const SLOW: usize = 2_000;
const IDLE: usize = 1_000;
const ROUNDS: usize = 4;
const ROUND: Duration = Duration::from_secs(5);
/// The length that a slow connection declares, and the bytes that it sends at once.
const DECLARED: usize = 900 * 1024;
const AT_ONCE: usize = 8 * 1024;
/// The number of networks that the slow connections come from.
const NETWORKS: usize = 200;

/// The 99th percentiles.
pub struct Slow {
    pub alone: Duration,
    pub beside: Duration,
    /// The most memory that the program used, in KiB.
    pub memory: u64,
}

/// Measures on a migrated database.
pub async fn run(database: &Database) -> Slow {
    raise_limit();
    let folder = tempfile::tempdir().unwrap();
    let shop = Shop::create(&database.url, folder.path(), None);
    let key = ["service-user", "create", "--account", shop.slug, "--name", "writer", "--scopes", "admin"];
    let key = command(&database.url, &key);
    let server = Server::start(&database.url).await;
    let address: SocketAddr = server.base.trim_start_matches("http://").parse().unwrap();
    for _ in 0..20 {
        ask_for(address, &key, Duration::from_millis(100)).await; // warm
    }
    let (mut alone, mut beside) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        alone.extend(clients(address, &key).await);
        let open = Arc::new(AtomicUsize::new(0));
        let mut others = JoinSet::new();
        for number in 0..SLOW + IDLE {
            others.spawn(be_slow(address, number, open.clone()));
        }
        let all = async {
            while open.load(Ordering::Relaxed) < (SLOW + IDLE) * 95 / 100 {
                sleep(Duration::from_millis(20)).await;
            }
        };
        timeout(Duration::from_mins(1), all).await.unwrap();
        beside.extend(clients(address, &key).await);
        others.shutdown().await;
        sleep(Duration::from_secs(1)).await;
    }
    Slow { alone: p99(alone), beside: p99(beside), memory: server.peak_memory() }
}

fn p99(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() * 99 / 100]
}

fn raise_limit() {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let Rlimit { maximum, .. } = getrlimit(Resource::Nofile);
    let wanted = maximum.unwrap_or(65_536).min(65_536);
    setrlimit(Resource::Nofile, Rlimit { current: Some(wanted), maximum }).unwrap();
}

async fn clients(address: SocketAddr, key: &str) -> Vec<Duration> {
    let mut clients = JoinSet::new();
    for _ in 0..CLIENTS {
        let key = key.to_owned();
        clients.spawn(async move { ask_for(address, &key, ROUND).await });
    }
    clients.join_all().await.concat()
}

/// The times of each request of one client, which alternately reads a list and changes a setting, about 20 times a
/// second.
async fn ask_for(address: SocketAddr, key: &str, while_: Duration) -> Vec<Duration> {
    let body = json!({"name": "Real orders"}).to_string();
    let list =
        format!("GET /api/v0/return-requests?limit=1 HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {key}\r\n\r\n");
    let patch = format!(
        "PATCH /api/v0/account HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {key}\r\ncontent-type: application/json\r\n\
         content-length: {}\r\n\r\n{body}",
        body.len()
    );
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.set_nodelay(true).unwrap();
    let (until, mut times, mut buffer) = (Instant::now() + while_, Vec::new(), vec![0; 64 * 1024]);
    for request in [&list, &patch].into_iter().cycle() {
        if Instant::now() > until {
            break;
        }
        let began = Instant::now();
        stream.write_all(request.as_bytes()).await.unwrap();
        crate::load::read_answer(&mut stream, &mut buffer).await;
        times.push(began.elapsed());
        sleep(Duration::from_millis(50).saturating_sub(began.elapsed())).await;
    }
    times
}

/// Connects again whenever it is disconnected.
async fn be_slow(address: SocketAddr, number: usize, open: Arc<AtomicUsize>) {
    let network = Ipv4Addr::new(127, 1, 1, u8::try_from(number % NETWORKS).unwrap() + 1);
    let head = format!(
        "POST /auth/consumer HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: {DECLARED}\r\n\r\n"
    );
    loop {
        let socket = TcpSocket::new_v4().unwrap();
        socket.bind(SocketAddr::from((network, 0))).unwrap();
        let Ok(mut stream) = socket.connect(address).await else {
            sleep(Duration::from_millis(50)).await;
            continue;
        };
        open.fetch_add(1, Ordering::Relaxed);
        let _ = if number < SLOW {
            drip(&mut stream, &head, number).await
        } else {
            stream.read(&mut [0; 64]).await.map(drop)
        };
        open.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Sends a byte a second, at different moments of the second, because real clients do not send at the same moment.
async fn drip(stream: &mut TcpStream, head: &str, number: usize) -> std::io::Result<()> {
    stream.write_all(head.as_bytes()).await?;
    stream.write_all(&vec![b' '; AT_ONCE]).await?;
    sleep(Duration::from_secs(1) * u32::try_from(number).unwrap() / u32::try_from(SLOW).unwrap()).await;
    let mut answer = [0; 64];
    loop {
        tokio::select! {
            _ = stream.read(&mut answer) => return Ok(()),
            () = sleep(Duration::from_secs(1)) => stream.write_all(b" ").await?,
        }
    }
}
