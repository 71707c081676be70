//! The filter of a webhook subscription, and why one is disabled.

use super::event_type::EventType;
use crate::{
    base::refusal::{Problems, RefusalCode},
    stage::StageName,
};
use serde::{Deserialize, Serialize};

/// The events that a subscription receives. An empty list means all.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EventFilter {
    /// The types of events.
    pub event_types: Vec<EventType>,
    /// For `return_request.stage_changed`: the stages whose entry it receives.
    pub stages: Vec<StageName>,
}

impl EventFilter {
    /// Whether it covers an event of this type, which may be about a stage.
    pub fn covers(&self, kind: EventType, stage: Option<StageName>) -> bool {
        let type_matches = self.event_types.is_empty() || self.event_types.contains(&kind);
        let stage_matches = self.stages.is_empty() || stage.is_none_or(|stage| self.stages.contains(&stage));
        type_matches && stage_matches
    }

    /// The filter with each value once.
    #[must_use]
    pub fn deduplicated(self) -> Self {
        let names = |kind: &&EventType| self.event_types.contains(kind);
        let stages = |stage: &&StageName| self.stages.contains(stage);
        Self {
            event_types: EventType::ALL.iter().filter(names).copied().collect(),
            stages: StageName::all().iter().filter(stages).copied().collect(),
        }
    }

    /// Problems by field.
    pub fn problems(&self) -> Problems {
        let mut problems = Problems::default();
        let stages_matter = self.covers(EventType::StageChanged, None);
        if !self.stages.is_empty() && !stages_matter {
            let message = "expected return_request.stage_changed among eventTypes: only this event has stages";
            problems.add("stages", RefusalCode::Mismatch, message);
        }
        problems
    }
}

/// The reason why a webhook subscription is disabled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "openapi", schemars(rename = "DisabledBecause"))]
pub enum DisabledReason {
    /// The merchant disabled it.
    ByMerchant,
    /// The receiver answered 410 Gone.
    Gone,
    /// The receiver failed for five days.
    Failing,
}

enum_names!(DisabledReason { ByMerchant, Gone, Failing });

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_filter_covers_what_it_names_or_everything() {
        let approved = StageName::ResolutionApproved;
        let all = EventFilter::default();
        let stages = EventFilter { stages: vec![approved], ..EventFilter::default() };
        let labels = EventFilter { event_types: vec![EventType::LabelCreated], ..EventFilter::default() };
        for kind in EventType::ALL {
            assert!(all.covers(*kind, None));
            assert_eq!(labels.covers(*kind, None), *kind == EventType::LabelCreated);
        }
        assert!(stages.covers(EventType::StageChanged, Some(approved)));
        assert!(!stages.covers(EventType::StageChanged, Some(StageName::ResolutionPending)));
        assert!(stages.covers(EventType::LabelCreated, None), "stages filter only events that have one");
        assert!(stages.problems().0.is_empty());
        let never = EventFilter { stages: vec![approved], ..labels };
        assert_eq!(never.problems().0.len(), 1);
    }
}
