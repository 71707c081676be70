//! How the program is: alive, ready, or about to stop.

use crate::App;
use axum::{Json, extract::State, http::StatusCode, response::IntoResponse};
use serde_json::json;
use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, SystemTime, UNIX_EPOCH},
};
use tokio::time::timeout;

/// For the database to answer. Whoever asks whether we are ready waits for a few seconds at most.
const PATIENCE: Duration = Duration::from_secs(2);

/// Since when the program runs, and whether it is about to stop. Clones share it.
#[derive(Debug, Clone)]
pub(crate) struct Health {
    began_at: u64,
    is_stopping: Arc<AtomicBool>,
}

impl Default for Health {
    fn default() -> Self {
        let began_at = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
        Self { began_at, is_stopping: Arc::default() }
    }
}

impl Health {
    /// In seconds since 1970.
    pub(crate) fn began_at(&self) -> u64 {
        self.began_at
    }

    /// From here on no balancer should send anybody.
    pub(crate) fn stop(&self) {
        self.is_stopping.store(true, Ordering::Relaxed);
    }

    pub(crate) fn is_stopping(&self) -> bool {
        self.is_stopping.load(Ordering::Relaxed)
    }
}

/// Shops that do not answer make nothing of ours unready, and somebody wants to know.
pub(crate) async fn ready(State(app): State<App>) -> impl IntoResponse {
    let is_ready = !app.health.is_stopping() && timeout(PATIENCE, app.retour.is_ready()).await.unwrap_or(false);
    let status = if is_ready { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
    (status, Json(json!({"ready": is_ready, "bridgesUnavailable": app.retour.shops_left_alone()})))
}
