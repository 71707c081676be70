//! What other systems are told, who wants to hear of what, and when a delivery is tried again (design 4).

mod attempt;
mod event_type;
mod schedule;
mod subscription;

pub use attempt::{DeliveryStatus, Outcome};
pub use event_type::EventType;
pub use schedule::{failing_since, is_given_up, next_attempt};
pub use subscription::{DisabledBecause, Interest};
