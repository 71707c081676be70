//! Background jobs: what Retour does without a request. [`Workers`] has one method for each kind of job; each runs until
//! it is stopped.
//!
//! A use case queues a job in its own transaction. `job_runner` claims due jobs, some of each account at a time, and
//! repeats a failed one by `backoff`:
//!
//! - `settlements`: shops carry out approved resolutions
//! - `labels`: carriers make labels
//! - `parcels`: carriers report where parcels are, and void labels
//! - `payments`: payment providers report payments, and refund
//! - `mail`: shoppers get mail
//! - `shop_changes`: orders that have changed in their shop are read again, and requests about people are carried out
//! - `shop_returns`: shops show returns
//!
//! Two kinds have loops of their own: `deadlines`, which are read from the returns themselves, and `webhooks`, whose
//! order within a return matters.
//!
//! Jobs take the same steps as the use cases, through [`returns::internals`].

mod backoff;
mod deadlines;
mod handle;
mod job_runner;
mod labels;
mod mail;
mod parcels;
mod payments;
mod settlements;
mod shop_changes;
mod shop_returns;
mod webhooks;

pub use handle::Workers;
