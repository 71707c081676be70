//! Background jobs. Nothing imports from here.

pub(crate) mod backoff;
pub(crate) mod deadlines;
pub(crate) mod handle;
pub(crate) mod job_runner;
pub(crate) mod labels;
pub(crate) mod mail;
pub(crate) mod parcels;
pub(crate) mod payments;
pub(crate) mod settlements;
pub(crate) mod webhooks;
