//! The circumstances of a move.

use crate::{
    base::{time_zone::TimeZone, timestamp::Timestamp},
    policy::Policy,
};

/// The circumstances of a move.
#[derive(Debug, Clone, Copy)]
pub struct StageContext<'a> {
    /// The merchant's policy.
    pub policy: &'a Policy,
    /// The time zone whose days the policy counts.
    pub zone: &'a TimeZone,
    /// The moment of the move.
    pub now: Timestamp,
}
