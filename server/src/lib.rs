//! The network's way in: REST API, portal, health, and the command line. Doors only: what happens behind them
//! stands in the crate `returns`.

pub mod api;
pub mod cli;
mod http;
mod limit;

pub use http::{App, app, serve};
