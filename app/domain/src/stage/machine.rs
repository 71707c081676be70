//! The transitions. Each function is one row or a few rows of the table.

use super::{
    context::StageContext,
    inspection_result::Inspection,
    moves::{Move, Scan},
    names::{StageGroup, StageName},
    request::RequestState,
    state::Stage,
    step::Step,
};
use crate::{
    base::refusal::{Refusal, RefusalCode},
    order::Units,
    policy::ResolveOn,
};

/// Days of 24 hours after the last receipt until missing units are given up.
pub const MISSING_UNITS_DAYS: u32 = 14;

impl RequestState {
    /// Makes a move. Repeating a move has no effect; the step then has `repeated` set. A move that the table does not
    /// allow is refused with [`RefusalCode::IllegalTransition`] and the stages that it does allow.
    pub fn apply(&self, mv: &Move, ctx: &StageContext<'_>) -> Result<Step, Refusal> {
        use StageName as N;
        match mv {
            Move::AddEvidence => self.add_evidence(),
            Move::Approve => self.approve(),
            Move::Reject { reason } => self
                .go_because(&[N::RequestedReview], Stage::RequestedRejected { reason: reason.clone() }, reason)
                .map(Step::freeing_all),
            Move::Proceed { payment_due, label_needed } => self.proceed(*payment_due, *label_needed, ctx),
            Move::PaymentSettled => self.payment_settled(ctx),
            Move::LabelMade { expires } => {
                self.label(&[N::SubmittedLabelPending], Stage::SubmittedReady { expires: Some(*expires) })
            }
            Move::LabelFailed { error } => {
                self.label(&[N::SubmittedLabelPending], Stage::SubmittedLabelFailed { error: error.clone() })
            }
            Move::RetryLabel => self.label(&[N::SubmittedLabelFailed], Stage::SubmittedLabelPending),
            Move::SendAnotherWay { label_needed } => self.send_another_way(*label_needed),
            Move::Track(scan) => self.track(*scan, ctx),
            Move::TrackLate(scan) => Ok(self.track_late(*scan, ctx)),
            Move::Receive { units, purchase } => self.receive(*units, purchase, ctx),
            Move::CloseReceipt => self.close_receipt(ctx),
            Move::Inspect(inspection) => self.inspect(inspection, ctx),
            Move::ResolveWithoutReceipt { reason } => self.resolve_without_receipt(reason, ctx),
            Move::ApproveResolution => self.approve_resolution(),
            Move::DenyResolution { reason } => {
                self.go_because(&[N::ResolutionPending], Stage::ResolutionDenied { reason: reason.clone() }, reason)
            }
            // A person denied it, so a person decides again, whatever `autoResolve` says.
            Move::ReopenResolution { reason } => {
                let to = Stage::ResolutionPending { reason: Some(reason.clone()) };
                self.go_because(&[N::ResolutionDenied], to, reason)
            }
            Move::StartProcessing => {
                self.go(&[N::ResolutionApproved, N::ResolutionFailed], Stage::ResolutionProcessing { failed: None })
            }
            Move::CompleteResolution { external_reference } => self.complete(external_reference.as_ref()),
            Move::FailResolution { reason } => {
                self.go(&[N::ResolutionProcessing], Stage::ResolutionFailed { reason: reason.clone() })
            }
            Move::Cancel => self.cancel(),
            Move::Expire => self.expire(ctx),
        }
    }

    fn add_evidence(&self) -> Result<Step, Refusal> {
        if self.stage.name() == StageName::RequestedEvidencePending {
            Ok(Step::stay(self).entering(Stage::RequestedReview))
        } else if self.stage.name().is_end() {
            Err(self.illegal())
        } else {
            Ok(Step::stay(self))
        }
    }

    /// An approved request continues automatically, so a repeated approval finds it a few stages further.
    fn approve(&self) -> Result<Step, Refusal> {
        if self.stage.name().group() == StageGroup::Submitted {
            return Ok(Step::again(self));
        }
        self.go(&[StageName::RequestedReview], Stage::RequestedApproved)
    }

    fn proceed(&self, payment_due: bool, label_needed: bool, ctx: &StageContext<'_>) -> Result<Step, Refusal> {
        if self.stage != Stage::RequestedApproved {
            return Err(self.illegal());
        }
        if payment_due {
            let due = ctx.now.plus_hours(ctx.policy.payment_hours.max(1));
            return Ok(Step::stay(self).entering(Stage::SubmittedPaymentPending { due, label_needed }));
        }
        Ok(self.ready_to_send(label_needed, ctx))
    }

    fn payment_settled(&self, ctx: &StageContext<'_>) -> Result<Step, Refusal> {
        match self.stage {
            Stage::SubmittedPaymentPending { label_needed, .. } => Ok(self.ready_to_send(label_needed, ctx)),
            _ => Err(self.illegal()),
        }
    }

    fn ready_to_send(&self, label_needed: bool, ctx: &StageContext<'_>) -> Step {
        let step = Step::stay(self);
        if self.kept || ctx.policy.resolve_on == ResolveOn::Submission {
            step.resolving_early(None, ctx)
        } else if label_needed {
            step.entering(Stage::SubmittedLabelPending)
        } else {
            step.entering(Stage::SubmittedReady { expires: None })
        }
    }

    /// Makes a move about a label. A request that is resolved early needs no label and stays in its stage.
    fn label(&self, from: &[StageName], to: Stage) -> Result<Step, Refusal> {
        if self.stage.name().group() == StageGroup::Resolution { Ok(Step::stay(self)) } else { self.go(from, to) }
    }

    /// A label that was made for the earlier way of sending is void, so the request waits for the new one.
    fn send_another_way(&self, label_needed: bool) -> Result<Step, Refusal> {
        use StageName as N;
        let to = if label_needed { Stage::SubmittedLabelPending } else { Stage::SubmittedReady { expires: None } };
        match self.stage.name() {
            // The label is made later, for the way of sending that is chosen then.
            N::RequestedEvidencePending | N::RequestedReview | N::RequestedApproved => Ok(Step::stay(self)),
            name @ (N::SubmittedLabelPending | N::SubmittedLabelFailed | N::SubmittedReady) if self.is_unseen() => {
                let mut step = Step::stay(self);
                if name == to.name() {
                    step.state.stage = to;
                    return Ok(step);
                }
                Ok(step.entering(to))
            }
            _ => Err(self.illegal()),
        }
    }

    /// Whether it is in a parcel that a carrier may have scanned.
    pub fn is_in_parcel(&self) -> bool {
        let name = self.stage.name();
        let before = matches!(name.group(), StageGroup::Requested | StageGroup::Submitted);
        !self.kept && (!before || name == StageName::SubmittedReady)
    }

    /// Whether some of its units are still to be counted, in any parcel.
    pub fn is_expected(&self) -> bool {
        self.is_in_parcel() && self.received.saturating_add(self.surplus) < self.quantity
    }

    fn track(&self, scan: Scan, ctx: &StageContext<'_>) -> Result<Step, Refusal> {
        let name = self.stage.name();
        match name.group() {
            StageGroup::Requested => return Err(self.illegal()),
            StageGroup::Submitted if name != StageName::SubmittedReady => return Err(self.illegal()),
            // The parcel of the return order does not contain it.
            _ if self.kept => return Ok(Step::again(self)),
            _ => {}
        }
        let to = match scan {
            Scan::InTransit => Stage::ShipmentInTransit,
            Scan::Exception => Stage::ShipmentException,
            Scan::Delivered => Stage::ShipmentDelivered,
        };
        let mut step = Step::stay(self);
        step.state.scanned = true;
        if name.next().contains(&to.name()) {
            step = step.entering(to);
            return Ok(if resolves(scan, ctx) { step.resolving_early(None, ctx) } else { step });
        }
        step.repeated = step.state == *self;
        Ok(step)
    }

    /// Reports lead to the same stage in any order of arrival.
    fn track_late(&self, scan: Scan, ctx: &StageContext<'_>) -> Step {
        if self.is_in_parcel() && self.stage.name().group() == StageGroup::Shipment && resolves(scan, ctx) {
            return Step::stay(self).resolving_early(None, ctx);
        }
        Step::again(self)
    }

    fn receive(&self, units: u32, purchase: &Units, ctx: &StageContext<'_>) -> Result<Step, Refusal> {
        if units == 0 {
            return Err(Refusal::new(RefusalCode::OutOfRange, "A receipt has at least 1 unit."));
        }
        let name = self.stage.name();
        let arriving = name.next().contains(&StageName::ReceivedComplete);
        if !arriving && matches!(name.group(), StageGroup::Requested | StageGroup::Submitted) {
            return Err(self.illegal());
        }
        let mut step = Step::stay(self).counting(units, purchase, arriving);
        let (received, surplus) = (step.state.received, step.state.surplus);
        if !arriving || received == 0 {
            return Ok(step);
        }
        // Units that arrived too late to be available have arrived, so they are not missing.
        if received.saturating_add(surplus) >= self.quantity {
            return Ok(step.entering(Stage::ReceivedComplete).on_to_inspection(ctx));
        }
        let partial = Stage::ReceivedPartial { due: ctx.now.plus_days(MISSING_UNITS_DAYS) };
        if name == StageName::ReceivedPartial {
            step.state.stage = partial;
            return Ok(step);
        }
        Ok(step.entering(partial))
    }

    fn close_receipt(&self, ctx: &StageContext<'_>) -> Result<Step, Refusal> {
        if self.stage.name().group() != StageGroup::Received {
            return Err(self.illegal());
        }
        Ok(Step::stay(self).keeping(self.received).on_to_inspection(ctx))
    }

    /// Records an inspection. A request in `Inspection: Pending` moves on to its resolution. One whose resolution has
    /// begun stays in its stage; the new inspection changes its value until the resolution is approved.
    fn inspect(&self, inspection: &Inspection, ctx: &StageContext<'_>) -> Result<Step, Refusal> {
        let name = self.stage.name();
        if !matches!(name.group(), StageGroup::Inspection | StageGroup::Resolution) || self.received == 0 {
            return Err(self.illegal());
        }
        let sum = u64::from(inspection.accepted) + u64::from(inspection.refused);
        if sum != u64::from(self.received) {
            let message = format!("Units accepted and refused must be the {} received; they are {sum}.", self.received);
            return Err(Refusal::new(RefusalCode::Mismatch, message));
        }
        let mut step = Step::stay(self);
        step.state.inspection = Some(inspection.clone());
        Ok(if name == StageName::InspectionPending { step.on_to_resolution(None, ctx) } else { step })
    }

    fn resolve_without_receipt(&self, reason: &str, ctx: &StageContext<'_>) -> Result<Step, Refusal> {
        let name = self.stage.name();
        if name != StageName::SubmittedReady && name.group() != StageGroup::Shipment {
            return Err(self.illegal());
        }
        required(reason)?;
        Ok(Step::stay(self).resolving_early(Some(reason.to_owned()), ctx))
    }

    fn approve_resolution(&self) -> Result<Step, Refusal> {
        if self.stage.name() == StageName::ResolutionPending {
            if self.refundable_units() == 0 {
                let message = "No unit was accepted. Deny the resolution, or correct the inspection first.";
                return Err(Refusal::new(RefusalCode::NotAllowed, message));
            }
            return Ok(Step::stay(self).approving());
        }
        self.go(&[], Stage::ResolutionApproved)
    }

    fn complete(&self, external_reference: Option<&String>) -> Result<Step, Refusal> {
        use StageName as N;
        if let Stage::ResolutionCompleted { external_reference: known } = &self.stage
            && external_reference.is_some()
            && known.as_ref() != external_reference
        {
            // Two programs carried it out: the second has to see the conflict.
            let message = "This return is already completed with another externalReference.";
            return Err(Refusal::new(RefusalCode::IllegalTransition, message));
        }
        let to = Stage::ResolutionCompleted { external_reference: external_reference.cloned() };
        let mut step = self.go(&[N::ResolutionApproved, N::ResolutionProcessing, N::ResolutionFailed], to)?;
        if !step.repeated {
            step.settled = self.refundable_units();
        }
        Ok(step)
    }

    fn cancel(&self) -> Result<Step, Refusal> {
        if self.is_cancellable() {
            return Ok(Step::stay(self).closing(Stage::ClosedCancelled));
        }
        self.go(&[], Stage::ClosedCancelled)
    }

    fn expire(&self, ctx: &StageContext<'_>) -> Result<Step, Refusal> {
        match self.stage.deadline() {
            Some((due, Move::Expire)) if ctx.now >= due => Ok(Step::stay(self).closing(Stage::ClosedExpired)),
            Some((due, Move::Expire)) => {
                Err(Refusal::new(RefusalCode::IllegalTransition, format!("It does not expire before {due}.")))
            }
            _ => self.go(&[], Stage::ClosedExpired),
        }
    }

    /// Enters a stage from one of these; does nothing if the request is there already.
    fn go(&self, from: &[StageName], to: Stage) -> Result<Step, Refusal> {
        let name = self.stage.name();
        if name == to.name() {
            Ok(Step::again(self))
        } else if from.contains(&name) {
            Ok(Step::stay(self).entering(to))
        } else {
            Err(self.illegal())
        }
    }

    fn go_because(&self, from: &[StageName], to: Stage, reason: &str) -> Result<Step, Refusal> {
        let step = self.go(from, to)?;
        if !step.repeated {
            required(reason)?;
        }
        Ok(step)
    }

    /// The refusal of a move that is not allowed now.
    pub(super) fn illegal(&self) -> Refusal {
        self.illegal_but(&self.next())
    }

    /// Like [`Self::illegal`], with the stages that can be reached.
    pub(super) fn illegal_but(&self, next: &[StageName]) -> Refusal {
        let next: Vec<_> = next.iter().map(|stage| stage.as_str()).collect();
        let way = if next.is_empty() {
            "No other stage can follow.".to_owned()
        } else {
            format!("The stages that can follow are: {}.", next.join(", "))
        };
        let message = format!("The return request is in stage {}, which does not allow this. {way}", self.stage.name());
        Refusal::new(RefusalCode::IllegalTransition, message)
    }
}

/// Whether `resolveOn` waits for this scan. An exception alone does not prove that the parcel is on its way.
fn resolves(scan: Scan, ctx: &StageContext<'_>) -> bool {
    match ctx.policy.resolve_on {
        ResolveOn::FirstScan => scan != Scan::Exception,
        ResolveOn::Delivery => scan == Scan::Delivered,
        ResolveOn::Submission | ResolveOn::Receipt | ResolveOn::Inspection => false,
    }
}

fn required(reason: &str) -> Result<(), Refusal> {
    if reason.trim().is_empty() {
        return Err(Refusal::new(RefusalCode::Required, "This change needs a reason."));
    }
    Ok(())
}
