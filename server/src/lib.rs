//! The network edge of Retour: REST API, portal, health, metrics and the command line.
//!
//! Handlers parse a request, call one use case of the crate `returns`, and answer. The rooms, from the lowest to the highest:
//!
//! | room | what is in it |
//! |---|---|
//! | [`edge`] | connections, counters and HTTP helpers that know nothing of the application |
//! | [`app`] | [`App`]: what every handler can reach |
//! | [`api`] | the REST API, its OpenAPI document and its reference pages |
//! | [`middleware`], [`endpoints`] | what surrounds every route, and routes that belong to neither API nor portal |
//! | [`service`] | the whole application as one router |
//! | [`cli`] | the command line |

#![allow(
    clippy::result_large_err,
    reason = "the Err of a handler is the response itself: boxing it on each path would help nobody"
)]

pub mod api;
mod app;
pub mod cli;
mod edge;
mod endpoints;
mod middleware;
mod service;

pub use app::App;
pub use edge::{
    accept::{listen, serve},
    proxies::TrustedProxies,
    rate_limit::SharingError,
};
pub use service::router;
