//! What a subscription is about.

use super::event_type::EventType;
use crate::{
    base::refusal::{Problems, RefusalCode},
    stage::StageName,
};
use serde::{Deserialize, Serialize};

/// What a subscription is about. Nothing in a list means everything.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Interest {
    /// Which types of event.
    pub event_types: Vec<EventType>,
    /// Of `return_request.stage_changed`, the entering of which stages.
    pub stages: Vec<StageName>,
}

impl Interest {
    /// Whether it is about an event of that type, which tells of that stage.
    pub fn covers(&self, kind: EventType, stage: Option<StageName>) -> bool {
        let type_matches = self.event_types.is_empty() || self.event_types.contains(&kind);
        let stage_matches = self.stages.is_empty() || stage.is_none_or(|stage| self.stages.contains(&stage));
        type_matches && stage_matches
    }

    /// The same, with each thing said once.
    #[must_use]
    pub fn said_once(self) -> Self {
        let names = |kind: &&EventType| self.event_types.contains(kind);
        let stages = |stage: &&StageName| self.stages.contains(stage);
        Self {
            event_types: EventType::ALL.iter().filter(names).copied().collect(),
            stages: StageName::all().iter().filter(stages).copied().collect(),
        }
    }

    /// What is wrong with it.
    pub fn problems(&self) -> Problems {
        let mut problems = Problems::default();
        let stages_matter = self.covers(EventType::StageChanged, None);
        if !self.stages.is_empty() && !stages_matter {
            let message = "expected return_request.stage_changed among eventTypes: only that tells of stages";
            problems.add("stages", RefusalCode::Mismatch, message);
        }
        problems
    }
}

/// The reason why a webhook subscription is disabled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
pub enum DisabledBecause {
    /// The merchant disabled it.
    ByMerchant,
    /// The receiver answered 410 Gone.
    Gone,
    /// The receiver failed for five days.
    Failing,
}

impl DisabledBecause {
    /// The name in JSON and SQL.
    pub fn name(self) -> &'static str {
        match self {
            Self::ByMerchant => "ByMerchant",
            Self::Gone => "Gone",
            Self::Failing => "Failing",
        }
    }

    /// The reason of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::ByMerchant, Self::Gone, Self::Failing].into_iter().find(|one| one.name() == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interest_covers_what_it_names_and_everything_where_it_names_nothing() {
        let approved = StageName::ResolutionApproved;
        let all = Interest::default();
        let stages = Interest { stages: vec![approved], ..Interest::default() };
        let labels = Interest { event_types: vec![EventType::LabelCreated], ..Interest::default() };
        for kind in EventType::ALL {
            assert!(all.covers(*kind, None));
            assert_eq!(labels.covers(*kind, None), *kind == EventType::LabelCreated);
        }
        assert!(stages.covers(EventType::StageChanged, Some(approved)));
        assert!(!stages.covers(EventType::StageChanged, Some(StageName::ResolutionPending)));
        assert!(stages.covers(EventType::LabelCreated, None), "stages choose among events that tell of one");
        assert!(stages.problems().0.is_empty());
        let never = Interest { stages: vec![approved], ..labels };
        assert_eq!(never.problems().0.len(), 1);
    }
}
