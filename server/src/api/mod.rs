//! The REST API (spec 4, design 3). One file a resource; each handler is a door: parse, one call on a use case,
//! answer.
//!
//! To add a resource: write its file with a `router()`, merge it below, and describe it in `docs/api.md`.

mod auth;
mod consumer;
mod door;
mod error;
mod query;
mod return_orders;
mod return_requests;

pub use door::{MAX_BODY, limit};
pub(crate) use error::{broken, unknown_route};

use crate::App;
use axum::Router;

/// Everything under the API's paths. `/auth` and `/consumer` answer at the root and under `/api/v0`.
pub fn router() -> Router<App> {
    let consumers = Router::new().merge(auth::router()).merge(consumer::router());
    let resources = Router::new().merge(return_requests::router()).merge(return_orders::router());
    let api = consumers.clone().nest("/api/v0", consumers.merge(resources));
    api.method_not_allowed_fallback(error::method_not_allowed)
}

/// Whether a path is one of the API's, also when it leads nowhere.
pub fn owns(path: &str) -> bool {
    ["/api", "/auth", "/consumer"]
        .iter()
        .any(|root| path.strip_prefix(root).is_some_and(|rest| rest.is_empty() || rest.starts_with('/')))
}
