//! A simulated carrier, warehouse and shopper, for test accounts.
//!
//! They call the use cases of the API, so a test return has the stages, timeline entries and events of a real one. A parcel of
//! the simulated carrier moves by itself: the worker of [`crate::parcels`] calls [`carrier`]. [`trigger`] moves a return on until
//! a given event happens.

mod action;
mod carrier;
mod shopper;
mod trigger;
mod warehouse;

pub use trigger::{Trigger, Triggered};

use crate::{Error, Result};
use domain::{Refusal, RefusalCode};

/// Refuses with a message.
fn refuse<T>(message: impl Into<String>) -> Result<T> {
    Err(refused(message))
}

fn refused(message: impl Into<String>) -> Error {
    Refusal::new(RefusalCode::NotAllowed, message).into()
}
