//! Counting a parcel: units arrive and are inspected in one step, so that no rule decides before the inspection.

use super::{
    context::StageContext,
    inspection_result::{Condition, Disposition, Inspection},
    moves::Move,
    names::StageName,
    request::RequestState,
    step::Step,
};
use crate::{
    base::refusal::{Refusal, RefusalCode},
    order::Units,
    policy::Policy,
};

/// What the warehouse finds of a request in a parcel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Count {
    /// The units that arrived; 0 if only the rest of this is new.
    pub units: u32,
    /// Whether nothing more is to come: missing units are given up.
    pub is_last: bool,
    /// The inspection, if the units were inspected.
    pub findings: Option<Findings>,
}

/// What the warehouse finds out about the units that arrived.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Findings {
    /// How many of all units that count are refused.
    pub refused: u32,
    /// The condition that the units are in.
    pub condition: Option<Condition>,
    /// What the warehouse does with the units.
    pub disposition: Option<Disposition>,
    /// Why units are refused, or another note for the merchant's people.
    pub note: Option<String>,
}

impl RequestState {
    /// Counts units, gives up missing ones and records their inspection, in one step.
    pub fn count(&self, count: &Count, purchase: Units, ctx: &StageContext<'_>) -> Result<Step, Refusal> {
        // The rule decides at the end, about what was accepted.
        let policy = Policy { auto_resolve: false, ..ctx.policy.clone() };
        let held = StageContext { policy: &policy, ..*ctx };
        let mut step = Step::stay(self);
        if count.units > 0 {
            step = step.then(self.apply(&Move::Receive { units: count.units, purchase }, &held)?);
        }
        if count.is_last && step.state.stage.name() == StageName::ReceivedPartial {
            let given_up = step.state.apply(&Move::CloseReceipt, &held)?;
            step = step.then(given_up);
        }
        if let Some(findings) = &count.findings {
            let inspection = findings.of_units(step.state.received)?;
            let inspected = step.state.apply(&Move::Inspect(inspection), &held)?;
            step = step.then(inspected);
        }
        step.repeated = step.state == *self;
        let is_due = step.entered.last().is_some_and(|stage| stage.name() == StageName::ResolutionPending);
        Ok(if is_due { step.decided_by_rule(ctx) } else { step })
    }
}

impl Findings {
    fn of_units(&self, received: u32) -> Result<Inspection, Refusal> {
        let Self { refused, condition, disposition, ref note } = *self;
        let Some(accepted) = received.checked_sub(refused) else {
            let message = format!("Of {received} units that count, {refused} cannot be refused.");
            return Err(Refusal::new(RefusalCode::Mismatch, message));
        };
        Ok(Inspection { accepted, refused, condition, disposition, note: note.clone() })
    }
}
