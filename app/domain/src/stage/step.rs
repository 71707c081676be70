//! The result of a move.

use super::{context::StageContext, request::RequestState, review::ReviewReason, state::Stage};
use crate::{
    order::{TakenUnits, Units},
    policy::ResolveOn,
};

/// The reason of an automatic denial.
const NOTHING_ACCEPTED: &str = "The inspection accepted no units.";

/// Whether a rule or a person approved a resolution.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Approval {
    /// The rule `autoResolve`.
    ByRule,
    /// A person or a program, by a call.
    ByPerson,
}

const NO_UNITS: TakenUnits = TakenUnits { units: 0, remainder_units: 0 };

/// The result of a move. The store writes all of it in one transaction: the state, an entry for each stage entered,
/// and on the purchase `taken += taken - freed`, `settled += settled`. Each unit is given back only once, because
/// freed units are no longer held by [`Self::state`].
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use]
pub struct Step {
    /// The new state of the request.
    pub state: RequestState,
    /// The stages entered, in order, including those passed through. Empty if the request stays in its stage.
    pub entered: Vec<Stage>,
    /// Units taken from the purchase: at submission, and again when a late parcel arrives. They were calculated from
    /// the [`Units`] that were read, so the write must check that those still hold.
    pub taken: TakenUnits,
    /// Units that the purchase gets back.
    pub freed: TakenUnits,
    /// Units that are settled now. They stay taken.
    pub settled: u32,
    /// Whether the move was made before: there is nothing to write or to notify.
    pub repeated: bool,
}

impl Step {
    pub(super) fn stay(state: &RequestState) -> Self {
        let state = state.clone();
        Self { state, entered: Vec::new(), taken: NO_UNITS, freed: NO_UNITS, settled: 0, repeated: false }
    }

    pub(super) fn again(state: &RequestState) -> Self {
        Self { repeated: true, ..Self::stay(state) }
    }

    pub(super) fn entering(mut self, stage: Stage) -> Self {
        self.entered.push(stage.clone());
        self.state.stage = stage;
        self
    }

    /// Gives back the units held beyond `units`.
    pub(super) fn keeping(mut self, units: u32) -> Self {
        let kept = self.state.taken.first(units);
        self.freed = self.state.taken.without(kept);
        self.state.taken = kept;
        self
    }

    /// Ends the request by cancellation or expiry.
    pub(super) fn closing(mut self, end: Stage) -> Self {
        self.state.undecided = self.state.stage.name().is_undecided();
        self.entering(end).freeing_all()
    }

    pub(super) fn freeing_all(mut self) -> Self {
        self.state.without_receipt = false;
        self.keeping(0)
    }

    /// Adds arriving units to those that count, as far as they were requested and are held. A parcel that arrives
    /// after its units were given back (`arriving` from an end) takes them again, as far as they are available.
    pub(super) fn counting(mut self, units: u32, purchase: &Units, arriving: bool) -> Self {
        let state = &mut self.state;
        let awaited = if arriving || state.without_receipt { state.quantity.saturating_sub(state.received) } else { 0 };
        let wanted = units.min(awaited);
        let missing = state.received.saturating_add(wanted).saturating_sub(state.taken.units);
        let again = purchase.take(missing.min(purchase.returnable())).unwrap_or(NO_UNITS);
        let counted = wanted.saturating_sub(missing.saturating_sub(again.units));
        state.received = state.received.saturating_add(counted);
        state.surplus = state.surplus.saturating_add(units.saturating_sub(counted));
        state.taken.units = state.taken.units.saturating_add(again.units);
        state.taken.remainder_units = state.taken.remainder_units.saturating_add(again.remainder_units);
        self.taken = again;
        self
    }

    pub(super) fn on_to_inspection(self, ctx: &StageContext<'_>) -> Self {
        if ctx.policy.resolve_on == ResolveOn::Inspection {
            return self.entering(Stage::InspectionPending);
        }
        self.on_to_resolution(None, ctx)
    }

    pub(super) fn resolving_early(mut self, reason: Option<String>, ctx: &StageContext<'_>) -> Self {
        self.state.without_receipt = true;
        self.on_to_resolution(reason, ctx)
    }

    /// Enters `Resolution: Pending`, and continues at once under `autoResolve`.
    pub(super) fn on_to_resolution(self, reason: Option<String>, ctx: &StageContext<'_>) -> Self {
        self.entering(Stage::ResolutionPending { reason }).decided_by_rule(ctx)
    }

    /// Continues from `Resolution: Pending` under `autoResolve`.
    pub(super) fn decided_by_rule(self, ctx: &StageContext<'_>) -> Self {
        if !ctx.policy.auto_resolve || self.state.undecided {
            return self;
        }
        match (self.state.refundable_units(), &self.state.inspection) {
            (0, Some(_)) => self.entering(Stage::ResolutionDenied { reason: NOTHING_ACCEPTED.to_owned() }),
            (0, None) => self,
            _ if self.state.review.is_some() => self,
            _ => self.approving(),
        }
    }

    /// This step and the next one, as one step.
    pub(super) fn then(mut self, next: Self) -> Self {
        let add = |one: TakenUnits, other: TakenUnits| TakenUnits {
            units: one.units.saturating_add(other.units),
            remainder_units: one.remainder_units.saturating_add(other.remainder_units),
        };
        self.entered.extend(next.entered);
        (self.taken, self.freed) = (add(self.taken, next.taken), add(self.freed, next.freed));
        self.settled = self.settled.saturating_add(next.settled);
        self.state = next.state;
        self
    }

    /// Whether this step approves the resolution, and how.
    pub fn approval(&self) -> Option<Approval> {
        match self.entered.as_slice() {
            [.., Stage::ResolutionPending { .. }, Stage::ResolutionApproved] => Some(Approval::ByRule),
            [.., Stage::ResolutionApproved] => Some(Approval::ByPerson),
            _ => None,
        }
    }

    /// The step without the approval by a rule: a person has to decide, for this reason.
    pub fn held_for_review(mut self, reason: ReviewReason) -> Self {
        if self.approval() == Some(Approval::ByRule) {
            self.state.review = Some(reason);
            self.entered.pop();
            if let Some(stage) = self.entered.last() {
                self.state.stage = stage.clone();
                self.state.approved_units = None;
            }
        }
        self
    }

    pub(super) fn approving(mut self) -> Self {
        self.state.approved_units = Some(self.state.refundable_units());
        self.entering(Stage::ResolutionApproved)
    }
}
