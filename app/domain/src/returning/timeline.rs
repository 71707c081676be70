//! The timeline of a return request.

use super::actor::Actor;
use crate::{
    base::{id::ReturnRequestId, timestamp::Timestamp},
    stage,
};

/// One stage that a request entered, or a failed call to another system while the request stayed in its stage.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TimelineEntry {
    /// Whose.
    pub return_request_id: ReturnRequestId,
    /// When.
    pub at: Timestamp,
    /// Who.
    pub actor: Actor,
    /// Which of the merchant's users or programs, where it was one of those.
    pub actor_id: Option<uuid::Uuid>,
    /// Where from; `None` at the start.
    pub from: Option<stage::StageName>,
    /// Where to; the same as `from` for a failed call.
    pub to: stage::StageName,
    /// Why; may be empty.
    pub comment: String,
}

impl TimelineEntry {
    /// Whether this is a failed call to another system. Only the merchant's staff sees such entries.
    pub fn is_failed_attempt(&self) -> bool {
        self.from == Some(self.to)
    }
}
