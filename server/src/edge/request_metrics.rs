//! Requests by route, method and status, and their durations. Routes are named by their patterns, so that the number of metrics is bounded
//! by the number of routes.

use super::prometheus::{write_head, write_value};
use std::{
    collections::HashMap,
    fmt::Write,
    sync::{
        Arc, OnceLock, PoisonError, RwLock,
        atomic::{AtomicI64, AtomicU64, Ordering::Relaxed},
    },
    time::{Duration, Instant},
};

/// Methods that have metrics of their own. Others, which a client can make up, share the last.
const METHODS: [&str; 8] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "other"];
/// The classes of statuses. 429 has its own, because it means a limit and not a wrong request. `aborted` means that the client disconnected
/// before the answer, often after the longest waits.
const STATUS_CLASSES: [&str; 7] = ["1xx", "2xx", "3xx", "4xx", "429", "5xx", "aborted"];
/// The upper bounds of the histogram's buckets, in seconds.
const BOUNDS: [f64; 12] = [0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0];
/// The route of requests without a pattern: scripts, styles, pictures, and unknown paths.
const NO_ROUTE: &str = "other";

/// The metrics of all requests since the program started. Clones share them.
#[derive(Debug, Clone, Default)]
pub(crate) struct RequestMetrics(Arc<Counters>);

#[derive(Debug, Default)]
struct Counters {
    in_flight: AtomicI64,
    routes: RwLock<HashMap<Box<str>, Arc<RouteMetrics>>>,
}

/// The metrics of a route, by the place of the method in [`METHODS`].
type RouteMetrics = [MethodMetrics; METHODS.len()];

#[derive(Debug, Default)]
struct MethodMetrics {
    /// How many answers there were of each of the [`STATUS_CLASSES`].
    statuses: [AtomicU64; STATUS_CLASSES.len()],
    /// How many requests took longer than the bound before and no longer than this one.
    durations: [AtomicU64; BOUNDS.len()],
    micros: AtomicU64,
}

/// The pattern of a request's route, once the router has found it. Clones share it.
#[derive(Debug, Clone, Default)]
pub(crate) struct RoutePattern(Arc<OnceLock<Box<str>>>);

impl RoutePattern {
    pub(crate) fn set(&self, pattern: &str) {
        let _ = self.0.set(pattern.into()); // a request has one route
    }

    /// `None` if no route matches the request.
    pub(crate) fn get(&self) -> Option<&str> {
        self.0.get().map(AsRef::as_ref)
    }
}

/// A request that is being answered. If it is dropped without an answer, its client has disconnected.
#[derive(Debug)]
pub(crate) struct InFlightRequest {
    metrics: RequestMetrics,
    /// The place in [`METHODS`].
    method: usize,
    route: RoutePattern,
    started_at: Instant,
    status: Option<u16>,
}

impl InFlightRequest {
    pub(crate) fn route(&self) -> RoutePattern {
        self.route.clone()
    }

    /// Records the answer, and returns how long it took.
    pub(crate) fn answered(mut self, status: u16) -> Duration {
        self.status = Some(status);
        self.started_at.elapsed()
    }
}

impl Drop for InFlightRequest {
    fn drop(&mut self) {
        self.metrics.0.in_flight.fetch_sub(1, Relaxed);
        self.metrics.count(self.method, self.route.get(), self.status, self.started_at.elapsed());
    }
}

impl RequestMetrics {
    pub(crate) fn begin(&self, method: &str) -> InFlightRequest {
        self.0.in_flight.fetch_add(1, Relaxed);
        let method = METHODS.iter().position(|known| *known == method).unwrap_or(METHODS.len() - 1);
        InFlightRequest {
            metrics: self.clone(),
            method,
            route: RoutePattern::default(),
            started_at: Instant::now(),
            status: None,
        }
    }

    fn count(&self, method: usize, route: Option<&str>, status: Option<u16>, took: Duration) {
        let of_route = self.route_metrics(route.unwrap_or(NO_ROUTE));
        let Some(of_method) = of_route.get(method) else { return };
        if let Some(count) = of_method.statuses.get(status_class(status)) {
            count.fetch_add(1, Relaxed);
        }
        let seconds = took.as_secs_f64();
        if let Some(count) =
            BOUNDS.iter().position(|bound| seconds <= *bound).and_then(|at| of_method.durations.get(at))
        {
            count.fetch_add(1, Relaxed);
        }
        of_method.micros.fetch_add(u64::try_from(took.as_micros()).unwrap_or(u64::MAX), Relaxed);
    }

    fn route_metrics(&self, route: &str) -> Arc<RouteMetrics> {
        if let Some(known) = self.0.routes.read().unwrap_or_else(PoisonError::into_inner).get(route) {
            return known.clone();
        }
        self.0.routes.write().unwrap_or_else(PoisonError::into_inner).entry(route.into()).or_default().clone()
    }

    pub(crate) fn write(&self, text: &mut String) -> std::fmt::Result {
        let in_flight = self.0.in_flight.load(Relaxed);
        write_value(text, "retour_http_requests_in_flight", "gauge", "Requests in progress.", in_flight)?;
        let routes = self.0.routes.read().unwrap_or_else(PoisonError::into_inner);
        let mut routes: Vec<_> = routes.iter().collect();
        routes.sort_unstable_by_key(|(route, _)| *route);
        let name = "retour_http_requests_total";
        write_head(text, name, "counter", "Requests that were answered, by route, method and status.")?;
        for (route, methods) in &routes {
            for (method, metrics) in METHODS.iter().zip(methods.iter()) {
                metrics.write_totals(text, name, &format!("route=\"{route}\",method=\"{method}\""))?;
            }
        }
        let name = "retour_http_request_duration_seconds";
        write_head(
            text,
            name,
            "histogram",
            "Time from the head of a request to the head of its answer, by route and method.",
        )?;
        for (route, methods) in &routes {
            for (method, metrics) in METHODS.iter().zip(methods.iter()) {
                metrics.write_durations(text, name, &format!("route=\"{route}\",method=\"{method}\""))?;
            }
        }
        Ok(())
    }
}

/// The place of a status in [`STATUS_CLASSES`]; `None` is a request whose client disconnected.
fn status_class(status: Option<u16>) -> usize {
    match status {
        Some(429) => 4,
        Some(500..) => 5,
        Some(status) => usize::from(status / 100).saturating_sub(1),
        None => 6,
    }
}

impl MethodMetrics {
    fn write_totals(&self, text: &mut String, name: &str, labels: &str) -> std::fmt::Result {
        for (status, count) in STATUS_CLASSES.iter().zip(&self.statuses) {
            let count = count.load(Relaxed);
            if count > 0 {
                writeln!(text, "{name}{{{labels},status=\"{status}\"}} {count}")?;
            }
        }
        Ok(())
    }

    fn write_durations(&self, text: &mut String, name: &str, labels: &str) -> std::fmt::Result {
        let count: u64 = self.statuses.iter().map(|count| count.load(Relaxed)).sum();
        if count == 0 {
            return Ok(());
        }
        let mut within = 0;
        for (bound, requests) in BOUNDS.iter().zip(&self.durations) {
            within += requests.load(Relaxed);
            // A request may be counted here before it is counted in `statuses`.
            writeln!(text, "{name}_bucket{{{labels},le=\"{bound}\"}} {}", within.min(count))?;
        }
        writeln!(text, "{name}_bucket{{{labels},le=\"+Inf\"}} {count}")?;
        let seconds = Duration::from_micros(self.micros.load(Relaxed)).as_secs_f64();
        writeln!(text, "{name}_sum{{{labels}}} {seconds}\n{name}_count{{{labels}}} {count}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_counted_by_pattern_and_class() {
        let metrics = RequestMetrics::default();
        let in_flight = metrics.begin("GET");
        for (status, millis) in [(200, 2), (204, 700), (404, 1), (429, 1), (503, 20_000)] {
            metrics.count(0, Some("/{slug}"), Some(status), Duration::from_millis(millis));
        }
        metrics.begin("BREW").answered(405);
        let disconnected = metrics.begin("POST");
        disconnected.route().set("/consumer/{consumer_id}/return-order");
        drop(disconnected);
        let mut text = String::new();
        metrics.write(&mut text).unwrap();
        for line in [
            "retour_http_requests_in_flight 1",
            r#"retour_http_requests_total{route="/{slug}",method="GET",status="2xx"} 2"#,
            r#"retour_http_requests_total{route="/{slug}",method="GET",status="4xx"} 1"#,
            r#"retour_http_requests_total{route="/{slug}",method="GET",status="429"} 1"#,
            r#"retour_http_requests_total{route="/{slug}",method="GET",status="5xx"} 1"#,
            r#"retour_http_requests_total{route="other",method="other",status="4xx"} 1"#,
            r#"retour_http_requests_total{route="/consumer/{consumer_id}/return-order",method="POST",status="aborted"} 1"#,
            r#"retour_http_request_duration_seconds_bucket{route="/{slug}",method="GET",le="0.0025"} 3"#,
            r#"retour_http_request_duration_seconds_bucket{route="/{slug}",method="GET",le="10"} 4"#,
            r#"retour_http_request_duration_seconds_bucket{route="/{slug}",method="GET",le="+Inf"} 5"#,
            r#"retour_http_request_duration_seconds_sum{route="/{slug}",method="GET"} 20.704"#,
            r#"retour_http_request_duration_seconds_count{route="/{slug}",method="GET"} 5"#,
        ] {
            assert!(text.lines().any(|known| known == line), "{line}\n{text}");
        }
        drop(in_flight);
        assert_eq!(metrics.0.in_flight.load(Relaxed), 0);
    }
}
