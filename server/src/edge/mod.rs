//! Connections, counters and HTTP helpers that know nothing of the application.

pub(crate) mod accept;
pub(crate) mod backlog_cache;
mod half_close;
pub(crate) mod health;
mod min_throughput;
pub(crate) mod open_files;
pub(crate) mod prometheus;
pub(crate) mod proxies;
pub(crate) mod rate_limit;
pub(crate) mod request_metrics;
pub(crate) mod static_document;
