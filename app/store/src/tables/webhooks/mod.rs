//! Events, subscriptions and deliveries.

mod event;
pub mod events;
pub mod webhook_attempts;
pub mod webhook_deliveries;
pub mod webhook_senders;
pub mod webhook_subscriptions;
