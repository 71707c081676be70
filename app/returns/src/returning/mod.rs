//! The life of a return order: its steps, their consequences, and the work that they queue.

pub(crate) mod adjusting;
pub(crate) mod approval;
pub(crate) mod cancelling;
pub(crate) mod change;
pub(crate) mod costs;
pub(crate) mod events;
pub(crate) mod evidence;
pub(crate) mod follow_up;
pub(crate) mod label_outcome;
pub(crate) mod labels;
pub(crate) mod notices;
pub(crate) mod override_limit;
pub(crate) mod owned;
pub(crate) mod parcels;
pub(crate) mod payment;
pub(crate) mod postage;
pub(crate) mod printing;
pub(crate) mod queue;
pub(crate) mod step;
pub(crate) mod tracking;
pub(crate) mod warehouse;
pub(crate) mod withdrawals;
pub(crate) mod worked;
