//! Delivering events to those who want to be told (design 4). At least once, in order for each return order, whatever
//! receivers and machines do.
//!
//! An event and its deliveries are written in the transaction of the change ([`store::Writing::tell`]). Here they are
//! sent:
//!
//! - [`sender`]: which subscriptions this program delivers to. Each is claimed by one program, so that nothing is sent
//!   twice for no reason and the order holds; the claims of a program that was not seen for a while are anybody's.
//! - [`queue`]: what is due for one subscription, some exchanges at a time, never two of one return order.
//! - [`ordered_backlog`]: what was read of it and waits for its turn.
//! - [`backpressure`]: when a receiver is left alone.
//! - [`concurrency_limit`]: how many exchanges are under way in all.
//! - `integrations::webhook_exchange`: one signed POST and its result.
//! - [`recorder`]: writes what came of attempts, as many as there are in one transaction.
//! - [`housekeeping`]: what is left of disabled and deleted subscriptions, and events that are to be delivered again.

mod backpressure;
mod concurrency_limit;
mod housekeeping;
mod ordered_backlog;
mod queue;
mod recorder;
mod sender;
