//! A receiver of webhooks: a real HTTP server that records each delivery and its time.

use axum::{
    Router,
    body::Bytes,
    extract::{Path, State},
    http::{HeaderMap, StatusCode},
    routing::post,
};
use serde_json::Value;
use standardwebhooks::Webhook;
use std::{
    collections::{HashMap, HashSet},
    net::SocketAddr,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};
use tokio::net::TcpListener;

/// One delivery.
#[derive(Debug, Clone)]
pub struct Delivery {
    /// The last segment of its path.
    pub to: String,
    pub webhook_id: String,
    pub body: Value,
    pub at: Instant,
}

/// Listens on `/hooks/{name}` until the test ends.
#[derive(Debug, Clone)]
pub struct Receiver {
    pub base: String,
    pub address: SocketAddr,
    secrets: Arc<Mutex<HashMap<String, String>>>,
    unsigned: Arc<AtomicUsize>,
    came: Arc<Mutex<Vec<Delivery>>>,
    refused: Arc<Mutex<HashSet<String>>>,
}

/// Deliveries to this name are answered after ten seconds, and those to the next name never.
pub const SLOW: &str = "slow";
pub const DEAD: &str = "dead";
/// Some deliveries to this name are refused the first time.
pub const FLAKY: &str = "moody";

impl Receiver {
    pub async fn listen() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let base = format!("http://{address}/hooks");
        let (secrets, unsigned, came, refused) = Default::default();
        let receiver = Self { base, address, secrets, unsigned, came, refused };
        let app = Router::new().route("/hooks/{name}", post(receive)).with_state(receiver.clone());
        tokio::spawn(async move { axum::serve(listener, app).await.unwrap() });
        receiver
    }

    /// Every delivery, in order.
    pub fn came(&self) -> Vec<Delivery> {
        self.came.lock().unwrap().clone()
    }

    pub fn count(&self) -> usize {
        self.came.lock().unwrap().len()
    }

    /// From now on, deliveries to this name must be signed with this secret.
    pub fn trust(&self, name: &str, secret: &str) {
        self.secrets.lock().unwrap().insert(name.to_owned(), secret.to_owned());
    }

    /// How many deliveries to such names had no valid signature.
    pub fn unsigned(&self) -> usize {
        self.unsigned.load(Ordering::Relaxed)
    }
}

async fn receive(
    State(receiver): State<Receiver>,
    Path(to): Path<String>,
    headers: HeaderMap,
    body: Bytes,
) -> StatusCode {
    match to.as_str() {
        SLOW => tokio::time::sleep(Duration::from_secs(10)).await,
        DEAD => std::future::pending().await,
        _ => {}
    }
    let webhook_id = headers["webhook-id"].to_str().unwrap().to_owned();
    assert!(headers["webhook-signature"].to_str().unwrap().starts_with("v1,"));
    let secret = receiver.secrets.lock().unwrap().get(&to).cloned();
    if secret.is_some_and(|secret| Webhook::new(&secret).unwrap().verify(&body, &headers).is_err()) {
        receiver.unsigned.fetch_add(1, Ordering::Relaxed);
        return StatusCode::UNAUTHORIZED;
    }
    if to == FLAKY && webhook_id.ends_with('7') && receiver.refused.lock().unwrap().insert(webhook_id.clone()) {
        return StatusCode::INTERNAL_SERVER_ERROR;
    }
    let body = serde_json::from_slice(&body).unwrap();
    receiver.came.lock().unwrap().push(Delivery { to, webhook_id, body, at: Instant::now() });
    StatusCode::NO_CONTENT
}
