//! A merchant's policy: who may return what, for which reasons, until when and at what price.

mod choices;
pub mod eligibility;
pub mod question;
mod queue_targets;
pub mod reason;
mod rules;

pub use choices::{FeeCollection, LookUpBy, Resolution, ResolveOn, Resolver, SecondFactorRule, WindowStart};
pub use queue_targets::QueueTargets;
pub use rules::Policy;
