//! `GET /metrics`, in the text format of Prometheus 0.0.4: figures of this program and of what waits in the database.
//! Nothing about anybody.

use crate::App;
use axum::{
    extract::State,
    http::{StatusCode, header},
    response::{IntoResponse, Response},
};
use returns::{
    Retour,
    webhooks::{Backlog, Figures, Latency},
};
use std::{
    fmt::Write,
    sync::Arc,
    time::{Duration, Instant},
};
use tokio::sync::Mutex;

/// Counting what waits takes longer the more it is: whoever asks more often gets the count from before.
const COUNT_EVERY: Duration = Duration::from_secs(1);

/// What waits, as it was counted last. Whoever asks while it is counted waits for that count.
#[derive(Debug, Clone, Default)]
pub(crate) struct Counted(Arc<Mutex<Option<(Instant, Backlog)>>>);

impl Counted {
    async fn backlog(&self, retour: &Retour) -> returns::Result<Backlog> {
        let mut counted = self.0.lock().await;
        match *counted {
            Some((at, backlog)) if at.elapsed() < COUNT_EVERY => Ok(backlog),
            _ => {
                let backlog = retour.webhook_backlog().await?;
                *counted = Some((Instant::now(), backlog));
                Ok(backlog)
            }
        }
    }
}

pub(crate) async fn metrics(State(app): State<App>) -> Response {
    let Ok(backlog) = app.counted.backlog(&app.retour).await else {
        return StatusCode::SERVICE_UNAVAILABLE.into_response();
    };
    let mut text = String::new();
    // Writing to a text cannot fail.
    let _ = write_backlog(&mut text, backlog, app.retour.now().seconds());
    let _ = write_attempts(&mut text, app.retour.figures());
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4")], text).into_response()
}

fn write_backlog(text: &mut String, backlog: Backlog, now: i64) -> std::fmt::Result {
    let oldest = backlog.oldest.map_or(0, |at| now.saturating_sub(at.seconds()).max(0));
    head(text, "retour_webhook_pending", "gauge", "Deliveries that wait, of all programs on this database.")?;
    writeln!(text, "retour_webhook_pending {}", backlog.pending)?;
    head(
        text,
        "retour_webhook_oldest_pending_seconds",
        "gauge",
        "Age of the oldest event that waits to be delivered.",
    )?;
    writeln!(text, "retour_webhook_oldest_pending_seconds {oldest}")
}

fn write_attempts(text: &mut String, figures: &Figures) -> std::fmt::Result {
    const NAME: &str = "retour_webhook_attempt_duration_seconds";
    head(text, NAME, "histogram", "Attempts to deliver by this program, by outcome: Delivered, or what went wrong.")?;
    for (outcome, latency) in figures.read() {
        for (bound, within) in Latency::BOUNDS.iter().zip(latency.within) {
            writeln!(text, "{NAME}_bucket{{outcome=\"{outcome}\",le=\"{bound}\"}} {within}")?;
        }
        writeln!(text, "{NAME}_bucket{{outcome=\"{outcome}\",le=\"+Inf\"}} {}", latency.count)?;
        writeln!(text, "{NAME}_sum{{outcome=\"{outcome}\"}} {}", latency.sum)?;
        writeln!(text, "{NAME}_count{{outcome=\"{outcome}\"}} {}", latency.count)?;
    }
    Ok(())
}

fn head(text: &mut String, name: &str, kind: &str, help: &str) -> std::fmt::Result {
    writeln!(text, "# HELP {name} {help}\n# TYPE {name} {kind}")
}
