//! Server functions: how their answers are encoded, how islands call them, and how the server runs them.
//!
//! A crate of pages declares its functions with `input = PostUrl, output = Json, client = Fetch`, and has one route that runs them: it takes
//! the path apart, puts a [`Slot`] with the request into the function's context, and answers forms and islands from what the function
//! leaves in it.

mod failure;
mod json;
#[cfg(feature = "ssr")]
mod run;
#[cfg(feature = "ssr")]
mod slot;
mod transport;

pub use failure::Failure;
pub use json::{Json, JsonText};
#[cfg(feature = "ssr")]
pub use run::{as_json, run, with_status};
#[cfg(feature = "ssr")]
pub use slot::Slot;
pub use transport::Fetch;
