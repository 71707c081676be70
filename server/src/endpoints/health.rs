//! `GET /health/live` and `GET /health/ready`.

use crate::app::App;
use axum::{Json, extract::State, http::StatusCode, response::IntoResponse};
use serde_json::json;
use std::time::Duration;
use tokio::time::timeout;

/// How long the database may take to answer. Health checks usually wait for a few seconds.
const DATABASE_TIMEOUT: Duration = Duration::from_secs(2);

pub(crate) async fn live() -> StatusCode {
    StatusCode::OK
}

/// Whether this instance can serve requests. Shops that do not answer and a lost Redis are reported, but do not make it unready.
pub(crate) async fn ready(State(app): State<App>) -> impl IntoResponse {
    let database = async { tokio::join!(app.retour.is_ready(), app.retour.can_write()) };
    let (tables_fit, can_write) = timeout(DATABASE_TIMEOUT, database).await.unwrap_or((false, false));
    let is_ready = !app.health.is_stopping() && tables_fit && can_write;
    let status = if is_ready { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
    let mut body =
        json!({"ready": is_ready, "writable": can_write, "bridgesUnavailable": app.retour.shops_left_alone()});
    if let (Some(is_shared), Some(body)) = (app.limit.is_shared(), body.as_object_mut()) {
        body.insert("rateLimitShared".to_owned(), is_shared.into());
    }
    (status, Json(body))
}
