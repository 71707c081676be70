//! A return and what its page and its mail both need to know of it.

use crate::{
    progress::{phase::Phase, wording::replacement},
    words::Words,
};
use domain::{
    Money, Timestamp,
    account::Account,
    policy::Resolution,
    returning::ShipmentStatus,
    shipping::ShippingMethod,
    stage::{StageGroup, StageName},
};
use returns::view::{self, Offered};
use ui::{
    dates::{Calendar, day, moment_until},
    money,
};

/// Whether the shop refuses with this stage.
pub fn is_refusal(stage: StageName) -> bool {
    matches!(stage, StageName::RequestedRejected | StageName::ResolutionDenied)
}

/// Whether a request with this stage gives nothing back: it was refused or closed.
fn is_dropped(stage: StageName) -> bool {
    is_refusal(stage) || stage.group() == StageGroup::Closed
}

/// The requests that a return consists of: without those that were refused or closed, unless nothing else is left.
pub fn remaining(order: &view::ReturnOrderView) -> Vec<&view::ReturnRequestView> {
    let requests = || order.return_requests.iter().flatten();
    let remaining: Vec<_> = requests().filter(|request| !is_dropped(request.stage)).collect();
    if remaining.is_empty() { requests().collect() } else { remaining }
}

/// The shipping method of a return. If the option is deleted, the existence of a shipment tells whether there is a label.
pub fn method(offered: &Offered, order: &view::ReturnOrderView) -> Option<ShippingMethod> {
    let id = order.shipping_option_id?;
    let known = offered.options.iter().find(|option| option.id == id).map(|option| option.method);
    let has_parcel = order.shipments.iter().flatten().next().is_some();
    known.or(Some(if has_parcel { ShippingMethod::Label } else { ShippingMethod::InStore }))
}

/// The main resolution of a return: what it gives back, else what was requested.
pub fn wanted(order: &view::ReturnOrderView) -> Resolution {
    let (has_refund, has_credit, otherwise) = match &order.costs {
        view::Costs::CostBreakdown(costs) => {
            (costs.estimated_refund.minor > 0, costs.estimated_credit.minor > 0, Resolution::Refund)
        }
        view::Costs::Gift(gift) => (false, gift.store_credit, Resolution::StoreCredit),
        view::Costs::Hidden {} => (false, false, Resolution::Refund),
    };
    if has_refund {
        return Resolution::Refund;
    }
    if has_credit {
        return Resolution::StoreCredit;
    }
    let mut requests = remaining(order).into_iter().map(|request| request.requested_resolution);
    requests.find(|wanted| *wanted == Resolution::Exchange).unwrap_or(otherwise)
}

/// The phase of a return.
pub fn phase(order: &view::ReturnOrderView) -> Phase {
    let stages: Vec<StageName> = order.return_requests.iter().flatten().map(|request| request.stage).collect();
    match Phase::new(order.status, &stages, order.shipping_option_id.is_none()) {
        Phase::Pay if order.payment.as_ref().is_some_and(|payment| payment.on_its_way) => Phase::Paying,
        phase => phase,
    }
}

/// A return with what its page and its mail need.
#[derive(Debug, Clone, Copy)]
pub struct FollowedReturn<'a> {
    pub account: &'a Account,
    pub now: Timestamp,
    pub words: &'static Words,
    /// The return with its requests and shipments.
    pub order: &'a view::ReturnOrderView,
    /// What happened, oldest first.
    pub timeline: &'a [view::TimelineEntryView],
    /// The shop's options and reasons.
    pub offered: &'a Offered,
}

impl FollowedReturn<'_> {
    /// The requests.
    pub fn requests(&self) -> impl Iterator<Item = &view::ReturnRequestView> {
        self.order.return_requests.iter().flatten()
    }

    /// The requests that the return consists of: without those that were refused or closed, unless nothing else is left.
    pub fn remaining(&self) -> Vec<&view::ReturnRequestView> {
        remaining(self.order)
    }

    /// The requests that were refused or closed while the others go on.
    pub fn dropped(&self) -> Vec<&view::ReturnRequestView> {
        let remaining = self.remaining();
        self.requests().filter(|request| !remaining.iter().any(|one| one.id == request.id)).collect()
    }

    /// The phase.
    pub fn phase(&self) -> Phase {
        phase(self.order)
    }

    /// The shipping method.
    pub fn method(&self) -> Option<ShippingMethod> {
        method(self.offered, self.order)
    }

    /// The shipments that are not cancelled.
    pub fn shipments(&self) -> impl Iterator<Item = &view::ShipmentView> {
        self.order.shipments.iter().flatten().filter(|shipment| shipment.status != ShipmentStatus::Cancelled)
    }

    /// How the shopper sends the return. A carrier that returned no label but a code has a code to show.
    pub fn sends_by(&self) -> Option<ShippingMethod> {
        let method = self.method()?;
        let is_shown =
            self.shipments().next().is_some_and(|shipment| shipment.label_url.is_none() && shipment.qr_code.is_some());
        Some(if is_shown && !method.shows_code() { ShippingMethod::Paperless } else { method })
    }

    /// The shipping option, while it exists.
    pub fn option(&self) -> Option<&view::ShippingOptionView> {
        self.offered.options.iter().find(|option| Some(option.id) == self.order.shipping_option_id)
    }

    /// Whether the shopper keeps the items.
    pub fn is_kept(&self) -> bool {
        self.order.shipping_option_id.is_none()
    }

    /// Whether the return gives nothing back.
    pub fn is_lost(&self) -> bool {
        self.phase().is_lost()
    }

    /// An amount in the words of the page.
    pub fn figure(&self, amount: Money) -> String {
        money::format(amount, self.words.live())
    }

    /// The calendar of the shop.
    pub fn calendar(&self) -> Calendar<'_> {
        Calendar { zone: &self.account.time_zone, now: self.now }
    }

    /// The deadline for what the shopper has to do now.
    pub fn due(&self) -> Option<Timestamp> {
        let Account { policy, time_zone: zone, .. } = self.account;
        let entered =
            |stage: StageName| self.timeline.iter().rev().find(|entry| entry.to_stage == stage).map(|entry| entry.at);
        match self.phase() {
            Phase::Evidence => {
                entered(StageName::RequestedEvidencePending).map(|at| zone.end_of_day(at, policy.evidence_days.max(1)))
            }
            Phase::Pay => entered(StageName::SubmittedPaymentPending).map(|at| at.plus_hours(policy.payment_hours)),
            Phase::Ready if self.method().is_some_and(ShippingMethod::has_label) => {
                entered(StageName::SubmittedReady).map(|at| zone.end_of_day(at, policy.label_expires_days.max(1)))
            }
            _ => None,
        }
    }

    /// Whether a replacement is sent: not for requests that are refused or closed.
    pub fn is_exchange(&self) -> bool {
        let is_exchanged = |request: &view::ReturnRequestView| {
            request.requested_resolution == Resolution::Exchange && !is_dropped(request.stage)
        };
        self.requests().any(is_exchanged)
    }

    /// A deadline: the day, and the time if it ends within a day, as payments do.
    pub fn due_day(&self, at: Timestamp) -> String {
        match self.phase() {
            Phase::Pay => moment_until(at, self.calendar(), self.words),
            _ => day(at, self.calendar(), self.words),
        }
    }

    /// The name of the replacement of a request.
    pub fn wanted<'a>(&self, request: &'a view::ReturnRequestView) -> Option<&'a str> {
        Some(replacement(request.exchange_for.as_ref()?, Some(&request.product), self.words.live()))
    }
}

/// Whether the page changes by itself soon. In a frame, payments are made in another tab.
pub fn waits(order: &view::ReturnOrderView, phase: Phase, is_embedded: bool) -> bool {
    let is_to_be_paid = order.payment.as_ref().is_some_and(|payment| payment.checkout_url.is_some());
    phase.waits_for_label() || (is_embedded && is_to_be_paid)
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::{
        ConsumerId, Currency, DraftReturnOrderId, PaymentId, ReturnOrderId,
        costs::CostBreakdown,
        payment::{PaymentKind, PaymentState, PaymentStatus},
        returning::{ReturnOrderStatus, ReturnSource},
    };
    use returns::view::{Costs, Expandable, GiftCosts, PaymentView, ReturnOrderView};
    use uuid::Uuid;

    const NOW: Timestamp = Timestamp::from_seconds(1_796_000_000);

    fn pounds(minor: i64) -> Money {
        Money::new(minor, Currency::from_code("GBP").unwrap())
    }

    fn amounts(refund: i64, credit: i64) -> Costs {
        Costs::CostBreakdown(CostBreakdown {
            currency: Currency::from_code("GBP").unwrap(),
            lines: Vec::new(),
            refund_total: pounds(refund + credit),
            fee_total: pounds(0),
            estimated_refund: pounds(refund),
            estimated_credit: pounds(credit),
            payable_now: pounds(0),
        })
    }

    fn order(costs: Costs, payment: Option<PaymentView>) -> ReturnOrderView {
        ReturnOrderView {
            id: ReturnOrderId(Uuid::from_u128(1)),
            number: "R-ABCD2345".to_owned(),
            consumer_id: Expandable::Id(ConsumerId(Uuid::from_u128(2))),
            draft_return_order_id: Expandable::Id(DraftReturnOrderId(Uuid::from_u128(3))),
            purchase_order_numbers: Vec::new(),
            shipping_option_id: None,
            costs,
            status: ReturnOrderStatus::Open,
            payment_status: PaymentStatus::NotRequired,
            payment,
            assignee_id: None,
            flags: Vec::new(),
            leave_out_of_bulk: false,
            source: ReturnSource::Portal,
            created_at: NOW,
            updated_at: NOW,
            version: 1,
            shipments: None,
            return_requests: None,
        }
    }

    fn payment(checkout_url: Option<&str>) -> PaymentView {
        PaymentView {
            id: PaymentId(Uuid::from_u128(4)),
            kind: PaymentKind::Simulated,
            status: PaymentState::Pending,
            amount: pounds(395),
            refund_due: pounds(0),
            refunded: pounds(0),
            on_its_way: false,
            checkout_url: checkout_url.map(str::to_owned),
            due_at: NOW,
            created_at: NOW,
            checkouts: Vec::new(),
            error_message: None,
            failed_attempts: 0,
            next_attempt_at: None,
        }
    }

    #[test]
    fn the_main_resolution_is_what_a_return_gives() {
        let gift = |store_credit| Costs::Gift(GiftCosts { store_credit, charges_taken_off: false });
        for (costs, main) in [
            (amounts(1, 0), Resolution::Refund),
            (amounts(1, 1), Resolution::Refund),
            (amounts(0, 1), Resolution::StoreCredit),
            (amounts(0, 0), Resolution::Refund),
            (gift(true), Resolution::StoreCredit),
            (gift(false), Resolution::StoreCredit),
            (Costs::Hidden {}, Resolution::Refund),
        ] {
            assert_eq!(wanted(&order(costs.clone(), None)), main, "{costs:?}");
        }
    }

    #[test]
    fn a_page_waits_for_a_label_and_in_a_frame_for_a_payment() {
        let plain = order(amounts(1, 0), None);
        for (phase, is_waiting) in
            [(Phase::LabelPending, true), (Phase::LabelFailed, true), (Phase::Ready, false), (Phase::Pay, false)]
        {
            for is_embedded in [false, true] {
                assert_eq!(waits(&plain, phase, is_embedded), is_waiting, "{phase:?}");
            }
        }
        let to_pay = order(amounts(1, 0), Some(payment(Some("/pay"))));
        assert!(waits(&to_pay, Phase::Pay, true) && !waits(&to_pay, Phase::Pay, false));
        assert!(waits(&to_pay, Phase::LabelPending, false));
        let paid = order(amounts(1, 0), Some(payment(None)));
        assert!(!waits(&paid, Phase::Pay, true));
    }
}
