//! A simulated carrier, warehouse and shopper, for accounts that are a test.
//!
//! They act by the use cases of the API, so a test return has the stages, timeline entries and events of a real one. A parcel of
//! the simulated carrier moves by itself ([`carrier`], asked by the worker of [`crate::parcels`]). [`trigger`] moves a return to
//! the next event that somebody asks for.

mod action;
mod carrier;
mod shopper;
mod trigger;
mod warehouse;

pub use trigger::{Trigger, Triggered};

use crate::{Error, Result};
use domain::{Refusal, RefusalCode};

/// A refusal with its sentence.
fn refuse<T>(message: impl Into<String>) -> Result<T> {
    Err(refused(message))
}

fn refused(message: impl Into<String>) -> Error {
    Refusal::new(RefusalCode::NotAllowed, message).into()
}
