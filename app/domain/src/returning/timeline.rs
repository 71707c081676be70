//! The timeline of a return request.

use crate::{
    base::{id::ReturnRequestId, timestamp::Timestamp},
    party::Actor,
    stage,
};

/// An entry of a timeline: a stage that the request entered. Or, while the request stayed in its stage, a failed call to
/// another system, or a receipt or inspection that was taken back.
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
    /// The stage entered; the same as `from` if the request stayed in its stage.
    pub to: stage::StageName,
    /// A comment; may be empty.
    pub comment: String,
}

impl TimelineEntry {
    /// Whether the request stayed in its stage, as for a failed call to another system. Only staff see such entries.
    pub fn is_failed_attempt(&self) -> bool {
        self.from == Some(self.to)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stage::StageName;
    use uuid::Uuid;

    fn entry(from: Option<StageName>, to: StageName) -> TimelineEntry {
        TimelineEntry {
            return_request_id: ReturnRequestId(Uuid::nil()),
            at: Timestamp::from_seconds(0),
            actor: Actor::System,
            actor_id: None,
            from,
            to,
            comment: String::new(),
        }
    }

    #[test]
    fn a_failed_attempt_keeps_the_stage() {
        let (approved, processing) = (StageName::ResolutionApproved, StageName::ResolutionProcessing);
        assert!(entry(Some(processing), processing).is_failed_attempt());
        assert!(!entry(Some(approved), processing).is_failed_attempt());
        assert!(!entry(None, StageName::RequestedApproved).is_failed_attempt());
    }
}
