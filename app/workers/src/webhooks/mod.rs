//! Delivers events to webhook subscriptions (docs/webhooks.md): at least once, and in order within each return order,
//! whatever receivers and instances do.
//!
//! The transaction of a change writes the event and its deliveries ([`store::Writing::publish`]). These modules send them:
//!
//! - [`sender`]: which subscriptions this instance delivers to. One instance claims each subscription, so that
//!   deliveries stay in order and are not sent twice needlessly. The claims of an instance that has not been seen for a
//!   while can be taken over.
//! - [`queue`]: the due deliveries of one subscription, several at a time, but never two of one return order.
//! - [`ordered_backlog`]: the deliveries that have been read and wait for their turn.
//! - [`backpressure`]: when a receiver is paused.
//! - [`concurrency_limit`]: how many exchanges run at a time.
//! - `returns::internals::Internals::exchange`: one signed POST and its result.
//! - [`recorder`]: writes the results of attempts, as many as possible in one transaction.
//! - [`housekeeping`]: deliveries of disabled and deleted subscriptions, and past events that are to be delivered
//!   again.

mod backpressure;
mod concurrency_limit;
mod housekeeping;
mod ordered_backlog;
mod queue;
mod recorder;
mod sender;
