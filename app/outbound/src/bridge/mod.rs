//! The contract with a shop or a carrier: what Retour asks, what may be answered, and which errors there are.
//!
//! A merchant's own component implements this contract over HTTP (see `docs/bridge.md`). The built-in clients of
//! [`crate::shops`] and [`crate::carriers`] translate it to another system's API. Every answer passes the same checks, so
//! that no caller depends on the system behind it. [`document`] is the contract as an OpenAPI document, and [`Breakers`]
//! pause the calls to a system that is down.

mod check;
mod circuit_breaker;
pub mod contract;
mod error;
pub(crate) mod examples;
mod in_flight;
mod json;
mod label_file;
mod missing_fields;
mod openapi;
mod outcome;
mod reason;
mod response;

pub(crate) use check::{label as check_label, resolution as check_resolution};
pub use circuit_breaker::{BreakerState, Breakers};
pub use error::{BridgeError, Rejected, Unavailable};
pub use in_flight::IN_FLIGHT_LIMIT;
pub(crate) use in_flight::may_be_in_flight;
pub(crate) use json::parse;
pub(crate) use label_file::decode as decode_label;
pub use openapi::document;
pub use outcome::{CarrierLabel, Labelled, LookUp, Resolved};
pub(crate) use outcome::{plausible, verified};
pub(crate) use reason::one_line;
pub use response::{CALL_TIMEOUT, MAX_ANSWER_BYTES};
pub(crate) use response::{ensure_valid, parse_answer, success_body, success_body_up_to};
