//! What a move is made in.

use crate::{
    base::{time_zone::TimeZone, timestamp::Timestamp},
    policy::Policy,
};

/// What a move is made in.
#[derive(Debug, Clone, Copy)]
pub struct Context<'a> {
    /// The merchant's rules.
    pub policy: &'a Policy,
    /// Whose days their days are.
    pub zone: &'a TimeZone,
    /// The moment.
    pub now: Timestamp,
}
