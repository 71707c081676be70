//! What follows from several return requests together: a return order's status, and what it does as a whole.

use crate::{
    Refusal, RefusalCode,
    stage::{Context, Move, Request, Stage, StageName, Step},
};
use serde::{Deserialize, Serialize};

/// A closed set of words: its names in JSON and SQL are those of the variants.
macro_rules! statuses {
    ($($(#[$doc:meta])* $status:ident { $($(#[$word_doc:meta])* $word:ident,)+ })+) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
        #[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
        pub enum $status {
            $($(#[$word_doc])* $word,)+
        }

        impl $status {
            /// Every one of them.
            pub const fn all() -> &'static [Self] {
                &[$(Self::$word),+]
            }

            /// The name in JSON and SQL.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$word => stringify!($word),)+
                }
            }

            /// The one of that name.
            pub fn from_name(name: &str) -> Option<Self> {
                Self::all().iter().copied().find(|one| one.name() == name)
            }
        }

        impl std::fmt::Display for $status {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.name())
            }
        }
    )+};
}

statuses! {
    /// Where a return order is, as its requests together tell.
    ReturnOrderStatus {
        /// At least one request is undecided.
        Requested,
        /// The consumer has to pay first.
        AwaitingPayment,
        /// The return is under way.
        Open,
        /// All requests have ended; at least one was settled or denied.
        Completed,
        /// The return was cancelled.
        Cancelled,
        /// The return ended because nothing happened in time.
        Expired,
        /// The merchant rejected the return.
        Rejected,
    }

    /// The states of a return order's payment.
    PaymentStatus {
        /// The return has nothing to pay.
        NotRequired,
        /// The payment has not arrived yet.
        Pending,
        /// The payment has arrived.
        Paid,
        /// The payment did not arrive in time.
        Expired,
        /// The payment was paid back.
        Refunded,
    }

    /// The states of a withdrawal.
    WithdrawalStatus {
        /// Received; the order that it means is not known.
        Received,
        /// It names an order of the same e-mail address.
        OrderFound,
        /// Items of the order are on their way back.
        Returned,
        /// The merchant has dealt with it.
        Closed,
    }

    /// The states of a parcel.
    ShipmentStatus {
        /// The parcel has no label yet.
        New,
        /// The carrier refused to make a label.
        LabelFailed,
        /// The parcel has a label and can be sent.
        LabelCreated,
        /// The parcel is on its way.
        InTransit,
        /// The carrier reports a problem.
        Exception,
        /// The carrier delivered the parcel.
        Delivered,
        /// The parcel will not be sent.
        Cancelled,
    }

    /// The states of a draft return order.
    DraftStatus {
        /// The draft can be submitted.
        Open,
        /// The draft was submitted and is now a return order.
        Accepted,
        /// The merchant rejected the draft.
        Rejected,
        /// The draft is older than 24 hours.
        Expired,
    }
}

impl ReturnOrderStatus {
    /// The status that the stages of a return order's requests (at least one) come to.
    pub fn derive(stages: &[StageName]) -> Self {
        let any = |stage| stages.contains(&stage);
        if stages.iter().any(|stage| stage.is_undecided()) {
            Self::Requested
        } else if any(StageName::SubmittedPaymentPending) {
            Self::AwaitingPayment
        } else if !stages.iter().all(|stage| stage.is_end()) {
            Self::Open
        } else if any(StageName::ResolutionCompleted) || any(StageName::ResolutionDenied) {
            Self::Completed
        } else if any(StageName::ClosedCancelled) {
            Self::Cancelled
        } else if any(StageName::ClosedExpired) {
            Self::Expired
        } else {
            Self::Rejected
        }
    }
}

impl ReturnOrderStatus {
    /// Whether nothing more is to happen.
    pub fn is_over(self) -> bool {
        !matches!(self, Self::Requested | Self::AwaitingPayment | Self::Open)
    }
}

/// A request of a return order, for [`proceed`].
#[derive(Debug, Clone, Copy)]
pub struct Member<'a> {
    /// The request.
    pub request: &'a Request,
    /// Whether something is to be paid for it, by its own lines of the costs.
    pub owes: bool,
}

/// Moves all approved requests of a return order on together, once none is undecided; what does not move is
/// not in the answer. To be called after every move of one of them. There is one payment and one parcel: what
/// is sent waits for the payment whoever owes it, a kept item only for its own.
pub fn proceed(members: &[Member<'_>], label_needed: bool, ctx: &Context<'_>) -> Result<Vec<(usize, Step)>, Refusal> {
    if members.iter().any(|member| member.request.stage.name().is_undecided()) {
        return Ok(Vec::new());
    }
    let approved = |member: &Member<'_>| member.request.stage == Stage::RequestedApproved;
    let payable = members.iter().any(|member| approved(member) && member.owes);
    let moves = members.iter().enumerate().filter(|(_, member)| approved(member)).map(|(index, member)| {
        let kept = member.request.kept;
        let payment_due = if kept { member.owes } else { payable };
        let step = member.request.apply(&Move::Proceed { payment_due, label_needed: label_needed && !kept }, ctx)?;
        Ok((index, step))
    });
    moves.collect()
}

/// The stage that keeps a return order from being called off as a whole, if one does. Requests that ended
/// without a resolution are in nobody's way.
pub fn blocks_cancelling(requests: &[&Request]) -> Option<StageName> {
    let gone = |stage: StageName| {
        matches!(stage, StageName::RequestedRejected | StageName::ClosedCancelled | StageName::ClosedExpired)
    };
    let blocking = requests.iter().find(|request| !gone(request.stage.name()) && !request.is_cancellable());
    // Where everything has ended, there is nothing left to call off.
    let ended = || requests.first().filter(|_| requests.iter().all(|request| request.stage.name().is_end()));
    blocking.or_else(ended).map(|request| request.stage.name())
}

/// Calls a return order off, all or nothing. Requests that have ended before are not in the answer; when it was
/// called off before, nothing is.
pub fn cancel(requests: &[&Request], ctx: &Context<'_>) -> Result<Vec<(usize, Step)>, Refusal> {
    let stages: Vec<_> = requests.iter().map(|request| request.stage.name()).collect();
    if ReturnOrderStatus::derive(&stages) == ReturnOrderStatus::Cancelled {
        return Ok(Vec::new());
    }
    if let Some(stage) = blocks_cancelling(requests) {
        let message = format!("The return cannot be cancelled any more: one of its items is in stage {stage}.");
        return Err(Refusal::new(RefusalCode::NotCancellable, message));
    }
    let open = requests.iter().enumerate().filter(|(_, request)| request.is_cancellable());
    open.map(|(index, request)| Ok((index, request.apply(&Move::Cancel, ctx)?))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Timestamp,
        policy::Policy,
        quantity::TakenUnits,
        reason::ReasonRules,
        stage::{Submission, submit},
    };
    use StageName as N;

    const NOW: Timestamp = Timestamp::from_seconds(1_800_000_000);

    fn new(kept: bool, auto_approve: bool, policy: &Policy) -> Request {
        let policy = Policy { auto_approve, ..policy.clone() };
        let taken = TakenUnits { units: 1, dear: 0 };
        let submission = Submission { taken, kept, by_merchant: false, has_evidence: false, review: None };
        submit(submission, &ReasonRules::default(), &Context { policy: &policy, zone: &crate::TimeZone::UTC, now: NOW })
            .state
    }

    fn stages(steps: &[(usize, Step)]) -> Vec<(usize, N)> {
        steps.iter().map(|(index, step)| (*index, step.state.stage.name())).collect()
    }

    #[test]
    fn a_return_orders_status_follows_from_its_requests() {
        for (stages, status) in [
            (&[N::RequestedReview, N::ResolutionCompleted][..], ReturnOrderStatus::Requested),
            (&[N::RequestedEvidencePending, N::SubmittedPaymentPending], ReturnOrderStatus::Requested),
            (&[N::SubmittedPaymentPending, N::ResolutionApproved], ReturnOrderStatus::AwaitingPayment),
            (&[N::RequestedRejected, N::SubmittedReady], ReturnOrderStatus::Open),
            (&[N::ResolutionFailed, N::ResolutionCompleted], ReturnOrderStatus::Open),
            (&[N::RequestedApproved], ReturnOrderStatus::Open),
            (&[N::ClosedCancelled, N::ResolutionDenied, N::ClosedExpired], ReturnOrderStatus::Completed),
            (&[N::ClosedExpired, N::ResolutionCompleted], ReturnOrderStatus::Completed),
            (&[N::RequestedRejected, N::ClosedExpired, N::ClosedCancelled], ReturnOrderStatus::Cancelled),
            (&[N::RequestedRejected, N::ClosedExpired], ReturnOrderStatus::Expired),
            (&[N::RequestedRejected], ReturnOrderStatus::Rejected),
        ] {
            assert_eq!(ReturnOrderStatus::derive(stages), status, "{stages:?}");
        }
    }

    #[test]
    fn names_are_the_same_in_json_and_sql() {
        for &status in ShipmentStatus::all() {
            assert_eq!(serde_json::to_value(status).unwrap(), status.name());
            assert_eq!(ShipmentStatus::from_name(status.name()), Some(status));
        }
        assert_eq!(PaymentStatus::NotRequired.to_string(), "NotRequired");
        assert_eq!(DraftStatus::from_name("open"), None);
    }

    #[test]
    fn requests_wait_for_each_other_and_then_go_together() {
        let policy = Policy::default();
        let context = Context { policy: &policy, zone: &crate::TimeZone::UTC, now: NOW };
        let (plain, asked, kept) = (new(false, true, &policy), new(false, false, &policy), new(true, true, &policy));
        let member = |request, owes| Member { request, owes };
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
        assert_eq!(stages(&unlabelled), [(0, N::SubmittedReady)], "no label, nothing to wait for");
    }

    #[test]
    fn cancelling_is_all_or_nothing() {
        let policy = Policy::default();
        let context = Context { policy: &policy, zone: &crate::TimeZone::UTC, now: NOW };
        let (one, two) = (new(false, false, &policy), new(false, true, &policy));
        let cancelled = cancel(&[&one, &two], &context).unwrap();
        assert_eq!(stages(&cancelled), [(0, N::ClosedCancelled), (1, N::ClosedCancelled)]);
        assert_eq!(cancelled.iter().map(|(_, step)| step.freed.units).sum::<u32>(), 2);

        let rejected = one.apply(&Move::Reject { reason: "worn".to_owned() }, &context).unwrap().state;
        assert_eq!(stages(&cancel(&[&rejected, &two], &context).unwrap()), [(1, N::ClosedCancelled)]);
        assert_eq!(blocks_cancelling(&[&rejected]), Some(N::RequestedRejected), "nothing left to call off");

        let gone = two.apply(&Move::Cancel, &context).unwrap().state;
        assert_eq!(cancel(&[&gone, &rejected], &context).unwrap(), [], "called off before");
        let sent = Request { stage: Stage::ShipmentInTransit, ..two.clone() };
        let refusal = cancel(&[&two, &sent], &context).unwrap_err();
        assert_eq!(refusal.code, RefusalCode::NotCancellable);
        assert!(refusal.message.contains("Shipment: In Transit"));
    }
}
