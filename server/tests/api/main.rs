//! The REST API through a real listening server, on SQLite and on Postgres.

mod bad_input;
mod flow;
mod harness;
mod idempotency;
mod limits;
mod lists;
mod routes;
mod tenants;
