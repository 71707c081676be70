//! The network's way in: REST API, portal, health, and the command line. Doors only: what happens behind them
//! stands in the crate `returns`.

#![allow(
    clippy::result_large_err,
    reason = "the Err of a door is the answer itself: boxing it on each path would help nobody"
)]

pub mod api;
mod bodies;
pub mod cli;
mod compression;
mod health;
mod http;
mod limit;
mod linger;
mod metrics;
mod notices;
mod open_files;
mod pace;
mod proxies;
mod requests;
mod telemetry;

pub use http::{App, app, listen, serve};
pub use limit::SharingError;
pub use proxies::TrustedProxies;
