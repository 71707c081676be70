//! The timeline of a return request.

use crate::{
    base::{id::ReturnRequestId, timestamp::Timestamp},
    party::Actor,
    stage,
};

/// An entry of a timeline: a stage that the request entered, or a failed call to another system while the request
/// stayed in its stage.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TimelineEntry {
    /// The return request.
    pub return_request_id: ReturnRequestId,
    /// When it happened.
    pub at: Timestamp,
    /// The party that caused it.
    pub actor: Actor,
    /// The merchant's user or program, if it was one.
    pub actor_id: Option<uuid::Uuid>,
    /// The stage before; `None` at the start.
    pub from: Option<stage::StageName>,
    /// The stage entered; the same as `from` for a failed call.
    pub to: stage::StageName,
    /// A comment; may be empty.
    pub comment: String,
}

impl TimelineEntry {
    /// Whether this is a failed call to another system. Only staff see such entries.
    pub fn is_failed_attempt(&self) -> bool {
        self.from == Some(self.to)
    }
}
