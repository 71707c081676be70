//! What surrounds every route: the request log, CORS, compression, the memory for bodies, and the rate limit.

pub(crate) mod body_budget;
mod client;
pub(crate) mod compression;
pub(crate) mod cors;
pub(crate) mod rate_limit;
pub(crate) mod request_log;
