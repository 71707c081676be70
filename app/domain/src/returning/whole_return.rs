//! Rules for all requests of a return order together.

use super::return_order::ReturnOrderStatus;
use crate::{
    base::refusal::{Refusal, RefusalCode},
    stage::{Move, RequestState, Stage, StageContext, StageName, Step},
};

/// A request of a return order, for [`proceed`].
#[derive(Debug, Clone, Copy)]
pub struct ReturnMember<'a> {
    /// The request.
    pub request: &'a RequestState,
    /// Whether a payment is due for it, by its own lines of the costs.
    pub owes: bool,
}

/// Moves all approved requests of a return order on together, once none is undecided. The result contains only
/// requests that move. To be called after every move of one of them. There is one payment and one parcel: sent items
/// wait for the payment even if another item owes it; a kept item waits only for its own.
pub fn proceed(
    members: &[ReturnMember<'_>],
    label_needed: bool,
    ctx: &StageContext<'_>,
) -> Result<Vec<(usize, Step)>, Refusal> {
    if members.iter().any(|member| member.request.stage.name().is_undecided()) {
        return Ok(Vec::new());
    }
    let approved = |member: &ReturnMember<'_>| member.request.stage == Stage::RequestedApproved;
    let payable = members.iter().any(|member| approved(member) && member.owes);
    let moves = members.iter().enumerate().filter(|(_, member)| approved(member)).map(|(index, member)| {
        let kept = member.request.kept;
        let payment_due = if kept { member.owes } else { payable };
        let step = member.request.apply(&Move::Proceed { payment_due, label_needed: label_needed && !kept }, ctx)?;
        Ok((index, step))
    });
    moves.collect()
}

/// The stage that prevents the cancellation of the whole return order, if any. Requests that ended without a
/// resolution prevent nothing.
pub fn blocks_cancelling(requests: &[&RequestState]) -> Option<StageName> {
    let ended_without_resolution = |stage: StageName| {
        matches!(stage, StageName::RequestedRejected | StageName::ClosedCancelled | StageName::ClosedExpired)
    };
    let blocking =
        requests.iter().find(|request| !ended_without_resolution(request.stage.name()) && !request.is_cancellable());
    // If all requests have ended, nothing is left to cancel.
    let if_all_ended = || requests.first().filter(|_| requests.iter().all(|request| request.stage.name().is_end()));
    blocking.or_else(if_all_ended).map(|request| request.stage.name())
}

/// Cancels a return order, all or nothing. The result omits requests that had ended before; it is empty if the return
/// order was already cancelled.
pub fn cancel(requests: &[&RequestState], ctx: &StageContext<'_>) -> Result<Vec<(usize, Step)>, Refusal> {
    let stages: Vec<_> = requests.iter().map(|request| request.stage.name()).collect();
    if ReturnOrderStatus::derive(&stages) == ReturnOrderStatus::Cancelled {
        return Ok(Vec::new());
    }
    if let Some(stage) = blocks_cancelling(requests) {
        let message = format!("The return can no longer be cancelled: one of its items is in stage {stage}.");
        return Err(Refusal::new(RefusalCode::NotCancellable, message));
    }
    let open = requests.iter().enumerate().filter(|(_, request)| request.is_cancellable());
    open.map(|(index, request)| Ok((index, request.apply(&Move::Cancel, ctx)?))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        base::{time_zone::TimeZone, timestamp::Timestamp},
        order::TakenUnits,
        policy::{Policy, reason::ReasonRules},
        stage::{Submission, submit},
    };
    use StageName as N;

    const NOW: Timestamp = Timestamp::from_seconds(1_800_000_000);

    fn new(kept: bool, auto_approve: bool, policy: &Policy) -> RequestState {
        let policy = Policy { auto_approve, ..policy.clone() };
        let taken = TakenUnits { units: 1, remainder_units: 0 };
        let submission = Submission { taken, kept, held: false, by_merchant: false, has_evidence: false, review: None };
        submit(submission, &ReasonRules::default(), &StageContext { policy: &policy, zone: &TimeZone::UTC, now: NOW })
            .state
    }

    fn stages(steps: &[(usize, Step)]) -> Vec<(usize, N)> {
        steps.iter().map(|(index, step)| (*index, step.state.stage.name())).collect()
    }

    #[test]
    fn approved_requests_proceed_together() {
        let policy = Policy::default();
        let context = StageContext { policy: &policy, zone: &TimeZone::UTC, now: NOW };
        let (plain, asked, kept) = (new(false, true, &policy), new(false, false, &policy), new(true, true, &policy));
        let member = |request, owes| ReturnMember { request, owes };
        let waiting = [member(&plain, true), member(&asked, false)];
        assert_eq!(proceed(&waiting, true, &context).unwrap(), []);

        let refused = asked.apply(&Move::Reject { reason: "worn".to_owned() }, &context).unwrap().state;
        let free = [member(&refused, true), member(&plain, false), member(&kept, false)];
        let moved = proceed(&free, true, &context).unwrap();
        assert_eq!(
            stages(&moved),
            [(1, N::SubmittedLabelPending), (2, N::ResolutionApproved)],
            "the rejected one drops out"
        );

        let other = asked.apply(&Move::Approve, &context).unwrap().state;
        let owing = [member(&plain, false), member(&other, true), member(&kept, false)];
        let moved = proceed(&owing, true, &context).unwrap();
        let expected = [(0, N::SubmittedPaymentPending), (1, N::SubmittedPaymentPending), (2, N::ResolutionApproved)];
        assert_eq!(stages(&moved), expected, "one payment for all that is sent");
        assert_eq!(
            stages(&proceed(&[member(&kept, true)], false, &context).unwrap()),
            [(0, N::SubmittedPaymentPending)]
        );
        let unlabelled = proceed(&[member(&plain, false)], false, &context).unwrap();
        assert_eq!(stages(&unlabelled), [(0, N::SubmittedReady)], "nothing to wait for");
    }

    #[test]
    fn cancelling_is_all_or_nothing() {
        let policy = Policy::default();
        let context = StageContext { policy: &policy, zone: &TimeZone::UTC, now: NOW };
        let (one, two) = (new(false, false, &policy), new(false, true, &policy));
        let cancelled = cancel(&[&one, &two], &context).unwrap();
        assert_eq!(stages(&cancelled), [(0, N::ClosedCancelled), (1, N::ClosedCancelled)]);
        assert_eq!(cancelled.iter().map(|(_, step)| step.freed.units).sum::<u32>(), 2);

        let rejected = one.apply(&Move::Reject { reason: "worn".to_owned() }, &context).unwrap().state;
        assert_eq!(stages(&cancel(&[&rejected, &two], &context).unwrap()), [(1, N::ClosedCancelled)]);
        assert_eq!(blocks_cancelling(&[&rejected]), Some(N::RequestedRejected), "nothing is left to cancel");

        let gone = two.apply(&Move::Cancel, &context).unwrap().state;
        assert_eq!(cancel(&[&gone, &rejected], &context).unwrap(), [], "cancelled before");
        let sent = RequestState { stage: Stage::ShipmentInTransit, ..two.clone() };
        let refusal = cancel(&[&two, &sent], &context).unwrap_err();
        assert_eq!(refusal.code, RefusalCode::NotCancellable);
        assert!(refusal.message.contains("Shipment: In Transit"));
    }
}
