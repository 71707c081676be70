//! `GET /metrics`, in the text format of Prometheus 0.0.4: figures of this program and of what waits in the database.
//! Nothing about anybody.

mod process;
mod requests;

use crate::App;
use axum::{
    extract::State,
    http::header,
    response::{IntoResponse, Response},
};
pub(crate) use requests::{Requests, Route};
use returns::{Backlog, Latencies, Latency, Retour, Waiting};
use std::{
    fmt::Write,
    sync::Arc,
    time::{Duration, Instant},
};
use tokio::{sync::Mutex, time::timeout};

/// Counting what waits takes longer the more it is: whoever asks more often gets the count from before.
const COUNT_EVERY: Duration = Duration::from_secs(1);
/// A database that does not answer for so long is down. Prometheus itself waits for ten seconds.
const PATIENCE: Duration = Duration::from_secs(5);

/// What waits, as it was counted last. Whoever asks while it is counted waits for that count.
#[derive(Debug, Clone, Default)]
pub(crate) struct Counted(Arc<Mutex<Option<Count>>>);

#[derive(Debug, Clone, Copy)]
struct Count {
    at: Instant,
    /// `None` when that took too long.
    backlog: Option<Backlog>,
}

impl Counted {
    async fn backlog(&self, retour: &Retour) -> Option<Backlog> {
        let mut counted = self.0.lock().await;
        match *counted {
            Some(Count { at, backlog }) if at.elapsed() < COUNT_EVERY => backlog,
            _ => {
                let backlog = timeout(PATIENCE, retour.backlog()).await.ok().and_then(Result::ok);
                *counted = Some(Count { at: Instant::now(), backlog });
                backlog
            }
        }
    }
}

/// Also when the database is down: that is when somebody looks.
pub(crate) async fn metrics(State(app): State<App>) -> Response {
    let tables = timeout(PATIENCE, app.retour.tables());
    let can_write = timeout(PATIENCE, app.retour.can_write());
    let (backlog, tables, can_write) = tokio::join!(app.counted.backlog(&app.retour), tables, can_write);
    let standing = Standing { is_up: tables.is_ok_and(|tables| tables.is_ok()), can_write: can_write.unwrap_or(false) };
    let text = text(&app, backlog, standing).unwrap_or_default(); // writing to a text cannot fail
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4")], text).into_response()
}

/// How the database does.
#[derive(Debug, Clone, Copy)]
struct Standing {
    is_up: bool,
    can_write: bool,
}

fn text(app: &App, backlog: Option<Backlog>, standing: Standing) -> Result<String, std::fmt::Error> {
    let (mut text, retour) = (String::new(), &app.retour);
    write_about_us(&mut text, app)?;
    process::write(&mut text)?;
    write_database(&mut text, retour, standing)?;
    write_bodies(&mut text, app)?;
    app.requests.write(&mut text)?;
    if let Some(backlog) = backlog {
        write_backlog(&mut text, &backlog, retour.now().seconds())?;
    }
    head(
        &mut text,
        "retour_bridges_unavailable",
        "gauge",
        "Shops that did not answer this program several times in a row.",
    )?;
    writeln!(text, "retour_bridges_unavailable {}", retour.shops_left_alone())?;
    if let Some(is_shared) = app.limit.is_shared() {
        let help =
            "Whether this program counts requests in Redis with the others (1), or by itself while that is lost (0).";
        head(&mut text, "retour_rate_limit_shared", "gauge", help)?;
        writeln!(text, "retour_rate_limit_shared {}", u8::from(is_shared))?;
    }
    let figures = retour.figures();
    write_calls(&mut text, "retour_webhook_attempt", "Attempts to deliver", &figures.webhook_attempts)?;
    write_calls(&mut text, "retour_bridge_look_up", "Orders that shops were asked for", &figures.look_ups)?;
    write_calls(&mut text, "retour_bridge_resolution", "Resolutions that shops were asked for", &figures.resolutions)?;
    write_calls(&mut text, "retour_carrier_label", "Labels that carriers were asked for", &figures.labels)?;
    write_calls(&mut text, "retour_carrier_parcel", "What carriers were asked of parcels", &figures.parcels)?;
    write_calls(&mut text, "retour_payment_call", "What payment providers were asked", &figures.payments)?;
    write_calls(&mut text, "retour_mail", "Mails that were to be handed over", &figures.mails)?;
    write_calls(&mut text, "retour_file", "Files that were written, read or deleted", &figures.files)?;
    Ok(text)
}

fn write_about_us(text: &mut String, app: &App) -> std::fmt::Result {
    let (version, database) = (env!("CARGO_PKG_VERSION"), app.retour.database_kind());
    head(text, "retour_build_info", "gauge", "Which version runs, and on which database.")?;
    writeln!(text, "retour_build_info{{version=\"{version}\",database=\"{database}\"}} 1")?;
    head(text, "process_start_time_seconds", "gauge", "When it began, in seconds since 1970.")?;
    writeln!(text, "process_start_time_seconds {}", app.health.began_at().seconds())?;
    head(text, "retour_stopping", "gauge", "1 while it lets requests under way finish, to end then.")?;
    writeln!(text, "retour_stopping {}", u8::from(app.health.is_stopping()))
}

fn write_bodies(text: &mut String, app: &App) -> std::fmt::Result {
    head(text, "retour_request_body_bytes", "gauge", "Bytes that bodies of requests under way hold in memory.")?;
    writeln!(text, "retour_request_body_bytes {}", app.bodies.held())?;
    head(text, "retour_answer_body_bytes", "gauge", "Bytes of large answers that clients have not taken yet.")?;
    writeln!(text, "retour_answer_body_bytes {}", app.answers.held())?;
    let help =
        "Bodies that were not read to their end: too slow, or over the limit of all, of an account or of a client.";
    head(text, "retour_request_bodies_refused_total", "counter", help)?;
    for (limit, count) in app.bodies.refused() {
        writeln!(text, "retour_request_bodies_refused_total{{limit=\"{limit}\"}} {count}")?;
    }
    Ok(())
}

fn write_database(text: &mut String, retour: &Retour, standing: Standing) -> std::fmt::Result {
    head(text, "retour_database_up", "gauge", "1 when the database answered in time.")?;
    writeln!(text, "retour_database_up {}", u8::from(standing.is_up))?;
    head(text, "retour_database_writable", "gauge", "1 when something could be written within the last seconds.")?;
    writeln!(text, "retour_database_writable {}", u8::from(standing.can_write))?;
    head(text, "retour_database_damage_total", "counter", "How often the database said that it is damaged.")?;
    writeln!(text, "retour_database_damage_total {}", retour.damage_seen())?;
    let connections = retour.connections();
    let busy = connections.open.saturating_sub(connections.idle);
    head(text, "retour_database_connections", "gauge", "Connections to the database; of SQLite, those that read.")?;
    writeln!(text, "retour_database_connections{{state=\"busy\"}} {busy}")?;
    writeln!(text, "retour_database_connections{{state=\"idle\"}} {}", connections.idle)?;
    head(text, "retour_database_connections_max", "gauge", "How many of them there may be.")?;
    writeln!(text, "retour_database_connections_max {}", connections.most)
}

fn write_backlog(text: &mut String, backlog: &Backlog, now: i64) -> std::fmt::Result {
    for (name, what, waiting) in [
        ("retour_webhook", "Webhooks that are to be delivered", backlog.webhooks),
        ("retour_settlement", "Resolutions that shops are to carry out", backlog.settlements),
        ("retour_label", "Labels that carriers are to make", backlog.labels),
        ("retour_parcel", "Parcels that carriers are to be asked about", backlog.parcels),
        ("retour_payment", "Payments that providers are to be asked about", backlog.payments),
        ("retour_mail", "People who are to be told something by mail", backlog.mails),
    ] {
        write_waiting(text, name, what, (waiting, now))?;
    }
    Ok(())
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
