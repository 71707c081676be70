//! A receiver of webhooks that records requests and answers with a chosen status.

use axum::{Router, body::Bytes, extract::State, http::StatusCode, response::IntoResponse, routing::post};
use reqwest::header::HeaderMap;
use serde_json::Value;
use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicU16, Ordering},
    },
    time::Duration,
};
use tokio::time::{sleep, timeout};

/// After this time, a test that waits in vain fails.
const TIMEOUT: Duration = Duration::from_secs(30);

/// A request that the receiver got.
#[derive(Debug, Clone)]
pub struct Received {
    pub headers: HeaderMap,
    pub body: Vec<u8>,
}

impl Received {
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).unwrap_or_else(|| panic!("no {name}")).to_str().unwrap()
    }

    /// The event. Fails unless it matches the document's webhook of its type.
    pub fn json(&self) -> Value {
        let event = serde_json::from_slice(&self.body).unwrap();
        crate::contract::check_event(&event);
        event
    }
}

#[derive(Debug, Default)]
struct Shared {
    received: Mutex<Vec<Received>>,
    status: AtomicU16,
}

/// Listens at a free port until the test's runtime ends.
pub struct Receiver {
    pub url: String,
    shared: Arc<Shared>,
}

impl Receiver {
    pub async fn start() -> Self {
        let shared = Arc::new(Shared { status: AtomicU16::new(200), ..Shared::default() });
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/hook", listener.local_addr().unwrap());
        let router = Router::new()
            .route("/hook", post(receive))
            .route("/hook/{*below}", post(receive))
            .with_state(shared.clone());
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self { url, shared }
    }

    /// Answers with this status from now on.
    pub fn answer(&self, status: u16) {
        self.shared.status.store(status, Ordering::SeqCst);
    }

    pub fn received(&self) -> Vec<Received> {
        self.shared.received.lock().unwrap().clone()
    }

    /// All requests, once there are this many.
    pub async fn wait_for(&self, count: usize) -> Vec<Received> {
        until(async || self.received().len() >= count).await;
        self.received()
    }
}

async fn receive(State(shared): State<Arc<Shared>>, headers: HeaderMap, body: Bytes) -> impl IntoResponse {
    shared.received.lock().unwrap().push(Received { headers, body: body.to_vec() });
    (StatusCode::from_u16(shared.status.load(Ordering::SeqCst)).unwrap(), "thank you")
}

/// Waits until the condition holds.
pub async fn until(is_so: impl AsyncFn() -> bool) {
    let waiting = async {
        while !is_so().await {
            sleep(Duration::from_millis(20)).await;
        }
    };
    assert!(timeout(TIMEOUT, waiting).await.is_ok(), "the condition did not come true in time");
}
