//! Receivers for the tests: small HTTP servers on this machine that record requests and give the planned replies.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpStream},
    sync::watch,
    task::{JoinHandle, JoinSet},
};

/// A request that a receiver got.
#[derive(Debug, Clone)]
pub struct RecordedRequest {
    pub headers: HashMap<String, String>,
    pub body: String,
}

impl RecordedRequest {
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", String::as_str)
    }

    pub fn id(&self) -> String {
        self.header("webhook-id").to_owned()
    }

    pub fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.body).unwrap()
    }

    /// The event's place among those that [`super::webhooks::Hooked::emit`] emitted for its return order.
    pub fn place(&self) -> u64 {
        self.json()["data"]["place"].as_u64().unwrap_or(u64::MAX)
    }

    /// The number of the event's return order; `u64::MAX` for other events.
    pub fn order(&self) -> u64 {
        self.json()["data"]["order"].as_u64().unwrap_or(u64::MAX)
    }
}

/// What a receiver does with a request.
#[derive(Debug, Clone)]
pub enum Reply {
    Status(u16),
    /// A status with more header lines, each with its line end.
    With(u16, String),
    /// These bytes; then the connection closes.
    Raw(Vec<u8>),
    /// The same, but only after the receiver is opened.
    RawWhenOpen(Vec<u8>),
    /// Status 200, after the receiver is opened.
    WhenOpen,
    /// Status 200 with the request's body, after the receiver is opened.
    EchoWhenOpen,
    /// This status, after the receiver is opened.
    StatusWhenOpen(u16),
}

type Answers = dyn Fn(&RecordedRequest) -> Reply + Send + Sync;

pub struct Receiver {
    pub url: String,
    got: Arc<Mutex<Vec<RecordedRequest>>>,
    answers: Arc<Mutex<Arc<Answers>>>,
    open: watch::Sender<bool>,
    task: JoinHandle<()>,
}

impl Receiver {
    pub async fn start(answers: impl Fn(&RecordedRequest) -> Reply + Send + Sync + 'static) -> Self {
        Self::start_with(Arc::new(answers)).await
    }

    async fn start_with(answers: Arc<Answers>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/hook", listener.local_addr().unwrap());
        let got = Arc::new(Mutex::new(Vec::new()));
        let answers = Arc::new(Mutex::new(answers));
        let (open, opened) = watch::channel(false);
        let (all, how) = (Arc::clone(&got), Arc::clone(&answers));
        let task = tokio::spawn(async move {
            let mut connections = JoinSet::new(); // the connections close with the receiver
            while let Ok((stream, _)) = listener.accept().await {
                connections.spawn(serve(stream, Arc::clone(&all), Arc::clone(&how), opened.clone()));
            }
        });
        Self { url, got, answers, open, task }
    }

    /// A receiver that answers 200 to everything.
    pub async fn accepting() -> Self {
        Self::start(|_| Reply::Status(200)).await
    }

    /// A receiver that gives this reply to everything.
    pub async fn always(reply: Reply) -> Self {
        Self::start(move |_| reply.clone()).await
    }

    pub fn answer(&self, answers: impl Fn(&RecordedRequest) -> Reply + Send + Sync + 'static) {
        *self.answers.lock().unwrap() = Arc::new(answers);
    }

    pub fn open(&self) {
        self.open.send_replace(true);
    }

    pub fn got(&self) -> Vec<RecordedRequest> {
        self.got.lock().unwrap().clone()
    }

    pub fn count(&self) -> usize {
        self.got.lock().unwrap().len()
    }

    pub fn ids(&self) -> Vec<String> {
        self.got().iter().map(RecordedRequest::id).collect()
    }

    /// The places of the events of one return order, in the order in which they arrived.
    pub fn places(&self, order: u64) -> Vec<u64> {
        self.got().iter().filter(|got| got.order() == order).map(RecordedRequest::place).collect()
    }
}

impl Drop for Receiver {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn serve(
    mut stream: TcpStream,
    all: Arc<Mutex<Vec<RecordedRequest>>>,
    how: Arc<Mutex<Arc<Answers>>>,
    mut opened: watch::Receiver<bool>,
) {
    let mut read = Vec::new();
    while let Some(got) = request(&mut stream, &mut read).await {
        let answers = Arc::clone(&how.lock().unwrap());
        let reply = answers(&got);
        let body = got.body.clone();
        all.lock().unwrap().push(got);
        let text = match reply {
            Reply::Status(status) => format!("HTTP/1.1 {status} Said\r\ncontent-length: 4\r\n\r\nsaid"),
            Reply::With(status, headers) => format!("HTTP/1.1 {status} Said\r\n{headers}content-length: 4\r\n\r\nsaid"),
            Reply::Raw(bytes) => {
                let _ = stream.write_all(&bytes).await;
                return;
            }
            Reply::RawWhenOpen(bytes) => {
                let _ = opened.wait_for(|open| *open).await;
                let _ = stream.write_all(&bytes).await;
                return;
            }
            Reply::WhenOpen => {
                let _ = opened.wait_for(|open| *open).await;
                "HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n".to_owned()
            }
            Reply::StatusWhenOpen(status) => {
                let _ = opened.wait_for(|open| *open).await;
                format!("HTTP/1.1 {status} Late\r\nretry-after: 3600\r\ncontent-length: 0\r\n\r\n")
            }
            Reply::EchoWhenOpen => {
                let _ = opened.wait_for(|open| *open).await;
                format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n{body}", body.len())
            }
        };
        if stream.write_all(text.as_bytes()).await.is_err() {
            return;
        }
    }
}

/// Reads one complete request; `None` if the connection ends before.
async fn request(stream: &mut TcpStream, read: &mut Vec<u8>) -> Option<RecordedRequest> {
    loop {
        let text = String::from_utf8_lossy(read).into_owned();
        if let Some((head, rest)) = text.split_once("\r\n\r\n") {
            let lines = head.lines().filter_map(|line| line.split_once(": "));
            let headers: HashMap<_, _> = lines.map(|(name, value)| (name.to_lowercase(), value.to_owned())).collect();
            let length: usize = headers.get("content-length").map_or(0, |length| length.parse().unwrap());
            if rest.len() >= length {
                let body = rest[..length].to_owned();
                read.drain(..head.len() + 4 + length);
                return Some(RecordedRequest { headers, body });
            }
        }
        if stream.read_buf(read).await.ok()? == 0 {
            return None;
        }
    }
}
