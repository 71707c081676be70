//! Takes a receipt or an inspection back: the request is again as it was before.

use super::{names::StageName, request::RequestState, step::Step};
use crate::{
    base::refusal::{Refusal, RefusalCode},
    order::TakenUnits,
};

const NOTHING: TakenUnits = TakenUnits { units: 0, remainder_units: 0 };

impl RequestState {
    /// Takes back the step of the warehouse that led from `before` to `after`. Nothing else may have happened since, and
    /// the resolution must not have begun. The result takes units again that the step gave up, and frees those that it
    /// took again. The caller takes an approval back.
    pub fn take_back(&self, before: &Self, after: &Self) -> Result<Step, Refusal> {
        let counted = |state: &Self| (state.received, state.surplus, state.clone().redacted().inspection);
        if counted(self) != counted(after) {
            let message = "Units of this return request were received or inspected since. Take that back first.";
            return Err(Refusal::new(RefusalCode::StageConflict, message));
        }
        let state = if self.is_as_after(after) {
            Self { scanned: self.scanned, ..before.clone() }
        } else if before.stage.name() == after.stage.name() {
            // It only counted, for example surplus units, so the stage does not depend on it.
            let (received, surplus, inspection) = (before.received, before.surplus, before.inspection.clone());
            let taken = self.taken.without(after.taken.without(before.taken));
            Self { taken, received, surplus, inspection, ..self.clone() }
        } else {
            return Err(self.too_late());
        };
        let mut step = Step::stay(self);
        step.taken = state.taken.without(self.taken);
        step.freed = if step.taken == NOTHING { self.taken.without(state.taken) } else { NOTHING };
        if state.stage.name() != self.stage.name() {
            step.entered.push(state.stage.clone());
        }
        step.state = state;
        Ok(step)
    }

    /// Whether nothing but a carrier's scan has happened to it since.
    fn is_as_after(&self, after: &Self) -> bool {
        let comparable = |state: &Self| Self { scanned: false, ..state.clone().redacted() };
        comparable(self) == comparable(after)
    }

    fn too_late(&self) -> Refusal {
        let stage = self.stage.name();
        let has_begun = matches!(
            stage,
            StageName::ResolutionProcessing | StageName::ResolutionCompleted | StageName::ResolutionFailed
        );
        let why = if has_begun { "Its resolution has begun" } else { "It has moved on since" };
        let message = format!("{why}: the return request is in stage {stage}. This can no longer be taken back.");
        Refusal::new(RefusalCode::StageConflict, message)
    }
}
