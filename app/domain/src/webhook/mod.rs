//! Webhooks: the events, the subscriptions, the results of deliveries, and when they are retried.

mod attempt;
mod event_type;
mod schedule;
mod subscription;

pub use attempt::{DeliveryOutcome, DeliveryStatus};
pub use event_type::EventType;
pub use schedule::{failing_since, is_given_up, next_attempt};
pub use subscription::{DisabledReason, EventFilter};
