//! Requests by route: how many came to what, and how long they took. Routes are named by their patterns, so that there are as
//! many figures as routes, whatever is asked for.

use super::head;
use std::{
    collections::HashMap,
    fmt::Write,
    sync::{
        Arc, OnceLock, PoisonError, RwLock,
        atomic::{AtomicI64, AtomicU64, Ordering::Relaxed},
    },
    time::{Duration, Instant},
};

/// Methods that have figures of their own; a client can make others up, which share the last.
const METHODS: [&str; 8] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "other"];
/// What requests come to. 429 stands for itself: it tells of a limit, not of a wrong request. Whoever hangs up before there is an
/// answer has often waited longest.
const STATUSES: [&str; 7] = ["1xx", "2xx", "3xx", "4xx", "429", "5xx", "aborted"];
/// Seconds.
const BOUNDS: [f64; 12] = [0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0];
/// What no route has a pattern for: scripts, styles, pictures, and what is nowhere.
const NO_ROUTE: &str = "other";

/// Requests that this program answered since it began. Clones share them.
#[derive(Debug, Clone, Default)]
pub(crate) struct Requests(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    under_way: AtomicI64,
    routes: RwLock<HashMap<Box<str>, Arc<[OfMethod; METHODS.len()]>>>,
}

#[derive(Debug, Default)]
struct OfMethod {
    statuses: [AtomicU64; STATUSES.len()],
    /// How many took longer than the bound before and no longer than this one.
    took: [AtomicU64; BOUNDS.len()],
    micros: AtomicU64,
}

/// The pattern of a request's route, once it is known. Clones share it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Route(Arc<OnceLock<Box<str>>>);

impl Route {
    pub(crate) fn is(&self, pattern: &str) {
        let _ = self.0.set(pattern.into()); // a request has one route
    }

    /// `None` where there is none for what was asked.
    pub(crate) fn known(&self) -> Option<&str> {
        self.0.get().map(AsRef::as_ref)
    }
}

/// A request that is being answered. Dropped without an answer, its client has hung up.
#[derive(Debug)]
pub(crate) struct UnderWay {
    requests: Requests,
    /// Its place in [`METHODS`].
    method: usize,
    route: Route,
    began: Instant,
    status: Option<u16>,
}

impl UnderWay {
    pub(crate) fn route(&self) -> Route {
        self.route.clone()
    }

    /// How long it took until it was answered.
    pub(crate) fn answered(mut self, status: u16) -> Duration {
        self.status = Some(status);
        self.began.elapsed()
    }
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        self.requests.0.under_way.fetch_sub(1, Relaxed);
        self.requests.count(self.method, self.route.known(), self.status, self.began.elapsed());
    }
}

impl Requests {
    pub(crate) fn begin(&self, method: &str) -> UnderWay {
        self.0.under_way.fetch_add(1, Relaxed);
        let method = METHODS.iter().position(|known| *known == method).unwrap_or(METHODS.len() - 1);
        UnderWay { requests: self.clone(), method, route: Route::default(), began: Instant::now(), status: None }
    }

    fn count(&self, method: usize, route: Option<&str>, status: Option<u16>, took: Duration) {
        let of_route = self.of_route(route.unwrap_or(NO_ROUTE));
        let Some(of_method) = of_route.get(method) else { return };
        let status = match status {
            Some(429) => 4,
            Some(500..) => 5,
            Some(status) => usize::from(status / 100).saturating_sub(1),
            None => 6,
        };
        if let Some(count) = of_method.statuses.get(status) {
            count.fetch_add(1, Relaxed);
        }
        let seconds = took.as_secs_f64();
        if let Some(count) = BOUNDS.iter().position(|bound| seconds <= *bound).and_then(|at| of_method.took.get(at)) {
            count.fetch_add(1, Relaxed);
        }
        of_method.micros.fetch_add(u64::try_from(took.as_micros()).unwrap_or(u64::MAX), Relaxed);
    }

    fn of_route(&self, route: &str) -> Arc<[OfMethod; METHODS.len()]> {
        if let Some(known) = self.0.routes.read().unwrap_or_else(PoisonError::into_inner).get(route) {
            return known.clone();
        }
        self.0.routes.write().unwrap_or_else(PoisonError::into_inner).entry(route.into()).or_default().clone()
    }

    pub(super) fn write(&self, text: &mut String) -> std::fmt::Result {
        head(text, "retour_http_requests_in_flight", "gauge", "Requests that are being answered.")?;
        writeln!(text, "retour_http_requests_in_flight {}", self.0.under_way.load(Relaxed))?;
        let routes = self.0.routes.read().unwrap_or_else(PoisonError::into_inner);
        let mut routes: Vec<_> = routes.iter().collect();
        routes.sort_unstable_by_key(|(route, _)| *route);
        let all =
            || routes.iter().flat_map(|(route, methods)| METHODS.iter().zip(methods.iter()).map(move |of| (route, of)));
        head(
            text,
            "retour_http_requests_total",
            "counter",
            "Requests that were answered, by route, method and status.",
        )?;
        for (route, (method, of)) in all() {
            for (status, count) in STATUSES.iter().zip(&of.statuses) {
                let count = count.load(Relaxed);
                if count > 0 {
                    let labels = format!("route=\"{route}\",method=\"{method}\",status=\"{status}\"");
                    writeln!(text, "retour_http_requests_total{{{labels}}} {count}")?;
                }
            }
        }
        let name = "retour_http_request_duration_seconds";
        head(text, name, "histogram", "From the head of a request to that of its answer, by route and method.")?;
        for (route, (method, of)) in all() {
            of.write(text, name, &format!("route=\"{route}\",method=\"{method}\""))?;
        }
        Ok(())
    }
}

impl OfMethod {
    fn write(&self, text: &mut String, name: &str, labels: &str) -> std::fmt::Result {
        let count: u64 = self.statuses.iter().map(|count| count.load(Relaxed)).sum();
        if count == 0 {
            return Ok(());
        }
        let mut within = 0;
        for (bound, took) in BOUNDS.iter().zip(&self.took) {
            within += took.load(Relaxed);
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
        let requests = Requests::default();
        let under_way = requests.begin("GET");
        for (status, millis) in [(200, 2), (204, 700), (404, 1), (429, 1), (503, 20_000)] {
            requests.count(0, Some("/{slug}"), Some(status), Duration::from_millis(millis));
        }
        requests.begin("BREW").answered(405);
        let hung_up = requests.begin("POST");
        hung_up.route().is("/consumer/{consumer_id}/return-order");
        drop(hung_up);
        let mut text = String::new();
        requests.write(&mut text).unwrap();
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
        drop(under_way);
        assert_eq!(requests.0.under_way.load(Relaxed), 0);
    }
}
