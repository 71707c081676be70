//! How the program is: alive, ready, or about to stop.

use crate::App;
use axum::{Json, extract::State, http::StatusCode, response::IntoResponse};
use domain::Timestamp;
use serde_json::json;
use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};
use tokio::time::timeout;

/// How long the database may take to answer. Whoever asks whether we are ready waits for a few seconds at most.
const PATIENCE: Duration = Duration::from_secs(2);

/// Since when the program runs, and whether it is about to stop. Clones share it.
#[derive(Debug, Clone)]
pub(crate) struct Health {
    began_at: Timestamp,
    is_stopping: Arc<AtomicBool>,
}

impl Health {
    /// Of a program that begins.
    pub(crate) fn new(began_at: Timestamp) -> Self {
        Self { began_at, is_stopping: Arc::default() }
    }

    pub(crate) fn began_at(&self) -> Timestamp {
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

/// Neither shops that do not answer nor a lost Redis make us unready, and somebody wants to know.
pub(crate) async fn ready(State(app): State<App>) -> impl IntoResponse {
    let asked = async { tokio::join!(app.retour.is_ready(), app.retour.can_write()) };
    let (fits, can_write) = timeout(PATIENCE, asked).await.unwrap_or((false, false));
    let is_ready = !app.health.is_stopping() && fits && can_write;
    let status = if is_ready { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
    let mut body =
        json!({"ready": is_ready, "writable": can_write, "bridgesUnavailable": app.retour.shops_left_alone()});
    if let (Some(is_shared), Some(body)) = (app.limit.is_shared(), body.as_object_mut()) {
        body.insert("rateLimitShared".to_owned(), is_shared.into());
    }
    (status, Json(body))
}
