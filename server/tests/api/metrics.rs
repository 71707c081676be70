//! The metrics can be read by Prometheus's own library, and the alert rules and the dashboard use only existing ones.

use crate::harness::{Service, on_both_databases};
use serde_json::Value;
use std::{
    io::Write as _,
    path::Path,
    process::{Command, Stdio},
};

on_both_databases! {
    metrics_can_be_parsed_by_prometheus
    rules_and_dashboard_use_existing_metrics
    requests_are_counted_by_the_pattern_of_their_route
}

async fn metrics_can_be_parsed_by_prometheus(service: Service) {
    service.ada().await;
    let samples = samples(&service.get("/metrics", "").await.text());
    let labels = |name: &str| samples[name].as_array().unwrap_or_else(|| panic!("no {name}: {samples}")).clone();
    assert_eq!(labels("retour_build_info"), ["version", "database"]);
    assert_eq!(labels("retour_http_requests_total"), ["route", "method", "status"]);
    assert_eq!(labels("retour_http_request_duration_seconds_bucket"), ["route", "method", "le"]);
    assert_eq!(labels("retour_database_connections"), ["state"]);
    for name in
        ["process_cpu_seconds_total", "process_resident_memory_bytes", "process_open_fds", "retour_mail_pending"]
    {
        assert!(labels(name).is_empty(), "{name}");
    }
}

async fn rules_and_dashboard_use_existing_metrics(service: Service) {
    let samples = samples(&service.get("/metrics", "").await.text());
    for file in ["alerts.yaml", "grafana-dashboard.json"] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../deploy/prometheus").join(file);
        let text = std::fs::read_to_string(path).unwrap();
        let is_part = |char: char| char.is_ascii_lowercase() || char.is_ascii_digit() || char == '_';
        let names = text
            .split(|char| !is_part(char))
            .filter(|name| ["retour_", "process_"].iter().any(|of| name.starts_with(of)));
        let names: Vec<&str> = names.collect();
        assert!(names.len() > 10, "{file}: {names:?}");
        // This metric exists only with a Redis: `shared_limits.rs`.
        for name in names.into_iter().filter(|name| *name != "retour_rate_limit_shared") {
            assert!(samples.get(name).is_some(), "{file} uses {name}, which does not exist");
        }
    }
}

async fn requests_are_counted_by_the_pattern_of_their_route(service: Service) {
    let consumer = service.ada().await;
    let id = &consumer.id;
    for _ in 0..2 {
        assert_eq!(service.get(&format!("/consumer/{id}/purchases"), &consumer.token).await.status, 200);
    }
    assert_eq!(service.get(&format!("/consumer/{id}/purchases"), "").await.status, 401);
    assert_eq!(service.get("/nowhere/at/all/ada@example.com", "").await.status, 404);
    let text = service.get("/metrics", "").await.text();
    for line in [
        r#"retour_http_requests_total{route="/consumer/{consumer_id}/purchases",method="GET",status="2xx"} 2"#,
        r#"retour_http_requests_total{route="/consumer/{consumer_id}/purchases",method="GET",status="4xx"} 1"#,
        r#"retour_http_request_duration_seconds_count{route="/consumer/{consumer_id}/purchases",method="GET"} 3"#,
        r#"retour_http_requests_total{route="other",method="GET",status="4xx"} 1"#,
        "retour_http_requests_in_flight 1",
    ] {
        assert!(text.lines().any(|known| known == line), "{line}: {text}");
    }
    assert!(!text.contains(id.as_str()) && !text.contains("ada@"), "metrics contain no personal data: {text}");
}

/// The names of all samples with their labels, as Prometheus's own library parses them.
fn samples(text: &str) -> Value {
    let python = std::env::var("RETOUR_PYTHON").unwrap_or("python3".to_owned());
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../end2end/metrics_reader.py");
    let mut reader = Command::new(python).arg(script).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    reader.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    let output = reader.wait_with_output().unwrap();
    assert!(
        output.status.success(),
        "prometheus-client is needed (`.ci/tools test` installs it), or it cannot read: {text}"
    );
    serde_json::from_slice(&output.stdout).unwrap()
}
