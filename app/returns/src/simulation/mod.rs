//! A simulated carrier, warehouse and shopper, for test accounts.
//!
//! They call the use cases of the API, so a test return has the stages, timeline entries and events of a real one. A
//! parcel of the simulated carrier moves by itself: the worker in `app/workers/src/parcels.rs` calls `carrier.rs`. `trigger.rs`
//! moves a return on until a given event happens.

pub use trigger::{Trigger, Triggered};
mod action;
mod carrier;
mod refusal;
mod shopper;
mod trigger;
mod warehouse;
