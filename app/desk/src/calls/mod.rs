//! The desk's actions: one `#[server]` function each, compiled for both sides.
//!
//! A form and an island call the same function, at `POST /desk/call/{name}`. A function reads its arguments, calls one use case, and
//! ends with `call.answer(…)`. An island gets JSON. A form gets
//!
//! - 303 to the next page, which shows the sentence of [`call::Next::saying`] once;
//! - its own page again, with what was typed, if the problem is mistakes, a refusal or a change by somebody else: the page reads
//!   `visit.typed`, `visit.mistake` and `visit.refusal`. The page is the one in the form's hidden field `here`;
//! - the sign-in, or an error page.
//!
//! To add a function: a file here, listed below. Give each argument `#[server(default)]`: a field that a form omits is then a mistake
//! that the page shows. A form contains `hidden_fields(&visit)`: `here`, and the idempotency key that `visit.key()` reads.

#![allow(missing_docs, reason = "the macro makes items that cannot have docs")]
#![allow(clippy::unused_async, reason = "the macro makes async functions for the browser")]

pub mod bulk;
#[cfg(feature = "ssr")]
pub(crate) mod bulk_step;
#[cfg(feature = "ssr")]
pub(crate) mod call;
pub mod find;
#[cfg(feature = "ssr")]
pub(crate) mod found;
#[cfg(feature = "ssr")]
pub(crate) mod key_steps;
pub mod me;
pub mod new_return;
#[cfg(feature = "ssr")]
pub(crate) mod order_search;
pub mod orders;
#[cfg(feature = "ssr")]
mod own;
#[cfg(feature = "ssr")]
pub(crate) mod parcel;
#[cfg(feature = "ssr")]
pub(crate) mod parcel_steps;
pub mod parcels;
#[cfg(feature = "ssr")]
pub(crate) mod passkey_steps;
pub mod passkeys;
pub mod people;
#[cfg(feature = "ssr")]
pub(crate) mod people_steps;
pub mod presence;
#[cfg(feature = "ssr")]
pub(crate) mod presence_step;
#[cfg(feature = "ssr")]
mod proofs;
#[cfg(feature = "ssr")]
pub(crate) mod proposal_steps;
pub mod return_order;
#[cfg(feature = "ssr")]
pub(crate) mod return_order_steps;
#[cfg(feature = "ssr")]
pub(crate) mod return_steps;
pub mod scan;
pub mod sign_in;
#[cfg(feature = "ssr")]
pub(crate) mod station;
pub mod views;
#[cfg(feature = "ssr")]
pub(crate) mod withdrawal_steps;
pub mod withdrawals;
