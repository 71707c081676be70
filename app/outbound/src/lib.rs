//! What leaves the house.
//!
//! Every call to somebody else's system, and everything that is made to be read by one, lives here: today
//! the parcel [`label`] that our own carrier draws, and [`files`] that people send. Bridges to shops, payment,
//! carriers, mail and webhooks come as modules of their own beside them. The use cases in `returns` are the one caller.

pub mod files;
pub mod label;
pub mod pictures;
