//! The REST API through a real listening server, on SQLite and on Postgres.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::missing_docs_in_private_items,
    reason = "what goes wrong stops the test at once"
)]

mod bad_input;
mod flow;
mod harness;
mod idempotency;
mod limits;
mod lists;
mod routes;
mod tenants;
