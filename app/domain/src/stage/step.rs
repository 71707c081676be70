//! What a move comes to.

use super::{context::Context, request::Request, review::ReviewReason, state::Stage};
use crate::{
    order::{TakenUnits, Units},
    policy::ResolveOn,
};

/// The reason of a denial that nobody had to think about.
const NOTHING_ACCEPTED: &str = "None of it was accepted at the inspection.";

/// Who approves a resolution.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Approval {
    /// `autoResolve`.
    ByRule,
    /// Somebody who asked for it.
    ByPerson,
}

const NO_UNITS: TakenUnits = TakenUnits { units: 0, dear: 0 };

/// What a move comes to. The store writes all of it in one transaction: the state, an entry for each stage
/// entered, and on the purchase `taken += taken - freed`, `settled += settled`, each of them as it stands here.
/// Each unit is given back once, because what is freed is no longer held by [`Self::state`].
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use]
pub struct Step {
    /// The request from now on.
    pub state: Request,
    /// Every stage entered, in order, also those that were only passed. Empty when it stays where it is.
    pub entered: Vec<Stage>,
    /// Units that the purchase lends it: when it is submitted, and again when a late parcel arrives. Reckoned
    /// from the [`Units`] read; the write has to make sure that these still hold.
    pub taken: TakenUnits,
    /// Units that the purchase gets back.
    pub freed: TakenUnits,
    /// Units that are settled now: of those taken, they stay taken.
    pub settled: u32,
    /// It was done before: nothing is to be written or told.
    pub repeated: bool,
}

impl Step {
    pub(super) fn stay(state: &Request) -> Self {
        let state = state.clone();
        Self { state, entered: Vec::new(), taken: NO_UNITS, freed: NO_UNITS, settled: 0, repeated: false }
    }

    pub(super) fn again(state: &Request) -> Self {
        Self { repeated: true, ..Self::stay(state) }
    }

    pub(super) fn entering(mut self, stage: Stage) -> Self {
        self.entered.push(stage.clone());
        self.state.stage = stage;
        self
    }

    /// Gives back what is held beyond so many units.
    pub(super) fn keeping(mut self, units: u32) -> Self {
        let kept = self.state.taken.first(units);
        self.freed = self.state.taken.without(kept);
        self.state.taken = kept;
        self
    }

    /// Ends it, called off or too late.
    pub(super) fn closing(mut self, end: Stage) -> Self {
        self.state.undecided = self.state.stage.name().is_undecided();
        self.entering(end).freeing_all()
    }

    pub(super) fn freeing_all(mut self) -> Self {
        self.state.without_receipt = false;
        self.keeping(0)
    }

    /// Adds arriving units to those that count, as far as they were asked for and are held; a parcel that comes
    /// after the units were given back (`arriving` from an end) takes them again, as far as they are there.
    pub(super) fn counting(mut self, units: u32, purchase: &Units, arriving: bool) -> Self {
        let state = &mut self.state;
        let awaited = if arriving || state.without_receipt { state.quantity.saturating_sub(state.received) } else { 0 };
        let wanted = units.min(awaited);
        let lacking = state.received.saturating_add(wanted).saturating_sub(state.taken.units);
        let again = purchase.take(lacking.min(purchase.returnable())).unwrap_or(NO_UNITS);
        let counted = wanted.saturating_sub(lacking.saturating_sub(again.units));
        state.received = state.received.saturating_add(counted);
        state.surplus = state.surplus.saturating_add(units.saturating_sub(counted));
        state.taken.units = state.taken.units.saturating_add(again.units);
        state.taken.dear = state.taken.dear.saturating_add(again.dear);
        self.taken = again;
        self
    }

    pub(super) fn on_to_inspection(self, ctx: &Context<'_>) -> Self {
        if ctx.policy.resolve_on == ResolveOn::Inspection {
            return self.entering(Stage::InspectionPending);
        }
        self.on_to_resolution(None, ctx)
    }

    pub(super) fn resolving_early(mut self, reason: Option<String>, ctx: &Context<'_>) -> Self {
        self.state.without_receipt = true;
        self.on_to_resolution(reason, ctx)
    }

    /// `Resolution: Pending`, and at once further under `autoResolve`.
    pub(super) fn on_to_resolution(self, reason: Option<String>, ctx: &Context<'_>) -> Self {
        let step = self.entering(Stage::ResolutionPending { reason });
        if !ctx.policy.auto_resolve || step.state.undecided {
            return step;
        }
        match (step.state.refundable_units(), &step.state.inspection) {
            (0, Some(_)) => step.entering(Stage::ResolutionDenied { reason: NOTHING_ACCEPTED.to_owned() }),
            (0, None) => step,
            _ if step.state.review.is_some() => step,
            _ => step.approving(),
        }
    }

    /// Whether it is approved with this step, and by whom.
    pub fn approval(&self) -> Option<Approval> {
        match self.entered.as_slice() {
            [.., Stage::ResolutionPending { .. }, Stage::ResolutionApproved] => Some(Approval::ByRule),
            [.., Stage::ResolutionApproved] => Some(Approval::ByPerson),
            _ => None,
        }
    }

    /// The same without the approval that a rule gave: a person has to decide, for this reason.
    pub fn waiting_for_a_person(mut self, reason: ReviewReason) -> Self {
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
