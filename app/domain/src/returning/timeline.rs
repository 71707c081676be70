//! The timeline of a return request.

use crate::{
    base::{id::ReturnRequestId, timestamp::Timestamp},
    party::Actor,
    stage,
};

/// An entry of a timeline: a stage that the request entered, or what happened while the request stayed in its stage: a
/// failed call to another system, a rule that staff overrode, a change of its value by staff, or a receipt or inspection
/// that was taken back.
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
    /// Whether only staff see the entry: the request stayed in its stage.
    pub fn is_for_staff(&self) -> bool {
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
    fn entries_within_a_stage_are_for_staff() {
        let (approved, processing) = (StageName::ResolutionApproved, StageName::ResolutionProcessing);
        assert!(entry(Some(processing), processing).is_for_staff());
        assert!(!entry(Some(approved), processing).is_for_staff());
        assert!(!entry(None, StageName::RequestedApproved).is_for_staff());
    }
}
