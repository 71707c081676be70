//! `GET /metrics`, for Prometheus: figures of this program, and of the work that waits in the database. They contain no personal data.

mod process;

use crate::{
    app::App,
    edge::{
        backlog_cache::COUNT_TIMEOUT,
        prometheus::{self, write_head, write_value},
    },
};
use axum::{
    extract::State,
    http::header,
    response::{IntoResponse, Response},
};
use returns::{Backlog, Latencies, Latency, Retour, Waiting};
use std::fmt::Write;
use tokio::time::timeout;

/// Answers also while the database is down, which is when somebody looks.
pub(crate) async fn metrics(State(app): State<App>) -> Response {
    let tables = timeout(COUNT_TIMEOUT, app.retour.tables());
    let can_write = timeout(COUNT_TIMEOUT, app.retour.can_write());
    let (backlog, tables, can_write) = tokio::join!(app.backlog.read(&app.retour), tables, can_write);
    let database =
        DatabaseStatus { is_up: tables.is_ok_and(|tables| tables.is_ok()), can_write: can_write.unwrap_or(false) };
    let text = text(&app, backlog, database).unwrap_or_default(); // writing to a string cannot fail
    ([(header::CONTENT_TYPE, prometheus::CONTENT_TYPE)], text).into_response()
}

#[derive(Debug, Clone, Copy)]
struct DatabaseStatus {
    is_up: bool,
    can_write: bool,
}

fn text(app: &App, backlog: Option<Backlog>, database: DatabaseStatus) -> Result<String, std::fmt::Error> {
    let (mut text, retour) = (String::new(), &app.retour);
    write_program(&mut text, app)?;
    process::write(&mut text)?;
    write_database(&mut text, retour, database)?;
    write_bodies(&mut text, app)?;
    app.requests.write(&mut text)?;
    if let Some(backlog) = backlog {
        write_backlog(&mut text, &backlog, retour.now().seconds())?;
    }
    let help = "Shops that failed to answer this instance several times in a row.";
    write_value(&mut text, "retour_bridges_unavailable", "gauge", help, retour.shops_left_alone())?;
    if let Some(is_shared) = app.limit.is_shared() {
        let help = "1 if this instance counts requests in Redis, 0 while Redis is lost.";
        write_value(&mut text, "retour_rate_limit_shared", "gauge", help, u8::from(is_shared))?;
    }
    write_all_calls(&mut text, retour)?;
    Ok(text)
}

fn write_program(text: &mut String, app: &App) -> std::fmt::Result {
    let (version, database) = (env!("CARGO_PKG_VERSION"), app.retour.database_kind());
    write_head(text, "retour_build_info", "gauge", "The running version, and the kind of database.")?;
    writeln!(text, "retour_build_info{{version=\"{version}\",database=\"{database}\"}} 1")?;
    let started_at = app.health.started_at().seconds();
    write_value(text, "process_start_time_seconds", "gauge", "The start time, in seconds since 1970.", started_at)?;
    let help = "1 while the program finishes requests in flight before it stops.";
    write_value(text, "retour_stopping", "gauge", help, u8::from(app.health.is_stopping()))
}

fn write_bodies(text: &mut String, app: &App) -> std::fmt::Result {
    let help = "Bytes of request bodies in memory.";
    write_value(text, "retour_request_body_bytes", "gauge", help, app.bodies.held())?;
    let help = "Bytes of large answers that clients have not read yet.";
    write_value(text, "retour_answer_body_bytes", "gauge", help, app.answers.held())?;
    let help = "Request bodies that were not read to their end: too slow, or over the limit of all, of an account or of a client.";
    write_head(text, "retour_request_bodies_refused_total", "counter", help)?;
    for (limit, count) in app.bodies.refused() {
        writeln!(text, "retour_request_bodies_refused_total{{limit=\"{limit}\"}} {count}")?;
    }
    Ok(())
}

fn write_database(text: &mut String, retour: &Retour, database: DatabaseStatus) -> std::fmt::Result {
    let help = "1 if the database answered in time.";
    write_value(text, "retour_database_up", "gauge", help, u8::from(database.is_up))?;
    let help = "1 if a write succeeded within the last seconds.";
    write_value(text, "retour_database_writable", "gauge", help, u8::from(database.can_write))?;
    let help = "How often the database reported damage.";
    write_value(text, "retour_database_damage_total", "counter", help, retour.damage_seen())?;
    let connections = retour.connections();
    let busy = connections.open.saturating_sub(connections.idle);
    let help = "Connections to the database; for SQLite, connections that read.";
    write_head(text, "retour_database_connections", "gauge", help)?;
    writeln!(text, "retour_database_connections{{state=\"busy\"}} {busy}")?;
    writeln!(text, "retour_database_connections{{state=\"idle\"}} {}", connections.idle)?;
    let help = "The most connections to the database.";
    write_value(text, "retour_database_connections_max", "gauge", help, connections.most)
}

fn write_backlog(text: &mut String, backlog: &Backlog, now: i64) -> std::fmt::Result {
    for (name, what, waiting) in [
        ("retour_webhook", "Webhooks that wait to be delivered", backlog.webhooks),
        ("retour_settlement", "Resolutions that wait for the shop", backlog.settlements),
        ("retour_order_refresh", "Orders that wait to be read again from the shop", backlog.refreshes),
        ("retour_shop_return", "Returns that wait to be compared with those that shops show", backlog.shop_returns),
        ("retour_label", "Labels that wait for the carrier", backlog.labels),
        ("retour_parcel", "Parcels whose status waits to be read from the carrier", backlog.parcels),
        ("retour_payment", "Payments whose status waits to be read from the provider", backlog.payments),
        ("retour_mail", "Mails that wait to be sent", backlog.mails),
    ] {
        write_waiting(text, name, what, waiting, now)?;
    }
    Ok(())
}

fn write_waiting(text: &mut String, name: &str, what: &str, waiting: Waiting, now: i64) -> std::fmt::Result {
    let oldest = waiting.oldest.map_or(0, |at| now.saturating_sub(at.seconds()).max(0));
    let help = format!("{what}, over all instances.");
    write_value(text, &format!("{name}_pending"), "gauge", &help, waiting.count)?;
    let help = format!("{what}: the age of the oldest.");
    write_value(text, &format!("{name}_oldest_pending_seconds"), "gauge", &help, oldest)
}

fn write_all_calls(text: &mut String, retour: &Retour) -> std::fmt::Result {
    let figures = retour.figures();
    for (name, what, calls) in [
        ("retour_webhook_attempt", "Attempts to deliver a webhook", &figures.webhook_attempts),
        ("retour_bridge_look_up", "Look-ups of orders in shops", &figures.look_ups),
        ("retour_bridge_resolution", "Resolutions sent to shops", &figures.resolutions),
        (
            "retour_bridge_return",
            "Comparisons of returns with those that shops show, and changes there",
            &figures.returns,
        ),
        ("retour_bridge_change", "Reads of orders that have changed in shops", &figures.changes),
        ("retour_carrier_label", "Labels requested from carriers", &figures.labels),
        ("retour_carrier_parcel", "Requests to carriers about parcels", &figures.parcels),
        ("retour_payment_call", "Requests to payment providers", &figures.payments),
        ("retour_mail", "Attempts to hand over a mail", &figures.mails),
        ("retour_file", "Reads, writes and deletions of files", &figures.files),
    ] {
        write_calls(text, name, what, calls)?;
    }
    Ok(())
}

fn write_calls(text: &mut String, name: &str, what: &str, calls: &Latencies) -> std::fmt::Result {
    let name = format!("{name}_duration_seconds");
    write_head(text, &name, "histogram", &format!("{what}, by this instance, by outcome."))?;
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
