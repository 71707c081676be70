//! The `http` bridge: a merchant's own component, which knows what was bought and settles returns.
//!
//! Retour calls the component at a URL of the merchant's, with the requests of [`crate::bridge::contract`], signed as our
//! webhooks are. The component is somebody else's program. Whatever it answers, a call ends within
//! [`CALL_TIMEOUT`](crate::bridge::CALL_TIMEOUT), reads at most [`MAX_ANSWER_BYTES`](crate::bridge::MAX_ANSWER_BYTES), and
//! returns either the answer or a [`BridgeError`](crate::bridge::BridgeError) that says what to fix.

mod answers;
mod client;
#[cfg(test)]
mod tests;

pub use client::Bridge;
