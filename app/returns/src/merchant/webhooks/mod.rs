//! Events and webhook subscriptions.

pub(crate) mod disabling;
pub(crate) mod events;
pub(crate) mod ping;
pub(crate) mod secrets;
pub(crate) mod subscriptions;
