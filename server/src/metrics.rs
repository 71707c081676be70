//! `GET /metrics`, in the text format of Prometheus 0.0.4: figures of this program and of what waits in the database.
//! Nothing about anybody.

use crate::App;
use axum::{
    extract::State,
    http::{StatusCode, header},
    response::{IntoResponse, Response},
};
use returns::{Backlog, Latencies, Latency, Retour, Waiting};
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
                let backlog = retour.backlog().await?;
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
    let text = text(&app.retour, backlog).unwrap_or_default(); // writing to a text cannot fail
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4")], text).into_response()
}

fn text(retour: &Retour, backlog: Backlog) -> Result<String, std::fmt::Error> {
    let (mut text, now) = (String::new(), retour.now().seconds());
    write_waiting(&mut text, "retour_webhook", "Webhooks that are to be delivered", (backlog.webhooks, now))?;
    write_waiting(
        &mut text,
        "retour_settlement",
        "Resolutions that shops are to carry out",
        (backlog.settlements, now),
    )?;
    write_waiting(&mut text, "retour_label", "Labels that carriers are to make", (backlog.labels, now))?;
    write_waiting(&mut text, "retour_parcel", "Parcels that carriers are to be asked about", (backlog.parcels, now))?;
    write_waiting(
        &mut text,
        "retour_payment",
        "Payments that providers are to be asked about",
        (backlog.payments, now),
    )?;
    write_waiting(&mut text, "retour_mail", "People who are to be told something by mail", (backlog.mails, now))?;
    head(
        &mut text,
        "retour_bridges_unavailable",
        "gauge",
        "Shops that did not answer this program several times in a row.",
    )?;
    writeln!(text, "retour_bridges_unavailable {}", retour.shops_left_alone())?;
    let figures = retour.figures();
    write_calls(&mut text, "retour_webhook_attempt", "Attempts to deliver", &figures.webhook_attempts)?;
    write_calls(&mut text, "retour_bridge_look_up", "Orders that shops were asked for", &figures.look_ups)?;
    write_calls(&mut text, "retour_bridge_resolution", "Resolutions that shops were asked for", &figures.resolutions)?;
    write_calls(&mut text, "retour_carrier_label", "Labels that carriers were asked for", &figures.labels)?;
    write_calls(&mut text, "retour_carrier_parcel", "What carriers were asked of parcels", &figures.parcels)?;
    write_calls(&mut text, "retour_payment_call", "What payment providers were asked", &figures.payments)?;
    write_calls(&mut text, "retour_mail", "Mails that were to be handed over", &figures.mails)?;
    Ok(text)
}

fn write_waiting(text: &mut String, name: &str, what: &str, (waiting, now): (Waiting, i64)) -> std::fmt::Result {
    let oldest = waiting.oldest.map_or(0, |at| now.saturating_sub(at.seconds()).max(0));
    head(text, &format!("{name}_pending"), "gauge", &format!("{what}, of all programs on this database."))?;
    writeln!(text, "{name}_pending {}", waiting.count)?;
    head(text, &format!("{name}_oldest_pending_seconds"), "gauge", &format!("{what}: how long the oldest waits."))?;
    writeln!(text, "{name}_oldest_pending_seconds {oldest}")
}

fn write_calls(text: &mut String, name: &str, what: &str, calls: &Latencies) -> std::fmt::Result {
    let name = format!("{name}_duration_seconds");
    head(text, &name, "histogram", &format!("{what} by this program, by what came of it."))?;
    for (outcome, latency) in calls.read() {
        for (bound, within) in Latency::BOUNDS.iter().zip(latency.within) {
            writeln!(text, "{name}_bucket{{outcome=\"{outcome}\",le=\"{bound}\"}} {within}")?;
        }
        writeln!(text, "{name}_bucket{{outcome=\"{outcome}\",le=\"+Inf\"}} {}", latency.count)?;
        writeln!(text, "{name}_sum{{outcome=\"{outcome}\"}} {}", latency.sum)?;
        writeln!(text, "{name}_count{{outcome=\"{outcome}\"}} {}", latency.count)?;
    }
    Ok(())
}

fn head(text: &mut String, name: &str, kind: &str, help: &str) -> std::fmt::Result {
    writeln!(text, "# HELP {name} {help}\n# TYPE {name} {kind}")
}
