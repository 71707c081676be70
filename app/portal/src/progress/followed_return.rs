//! A return and what its page and its mail both need to know of it.

use crate::{
    progress::{phase::Phase, wording::replacement},
    words::Words,
};
use domain::{
    Money, Timestamp,
    order::Account,
    policy::Resolution,
    shipping::ShippingMethod,
    stage::{StageGroup, StageName},
    status::ShipmentStatus,
};
use returns::view::{self, Offered};
use ui::{
    dates::{Calendar, day, moment_until},
    money,
};

/// Whether the shop says no by it.
pub fn is_refusal(stage: StageName) -> bool {
    matches!(stage, StageName::RequestedRejected | StageName::ResolutionDenied)
}

/// How a return is sent. If the shop has deleted the option, the parcel shows whether there is a label.
pub fn method(offered: &Offered, order: &view::ReturnOrderView) -> Option<ShippingMethod> {
    let id = order.shipping_option_id?;
    let known = offered.options.iter().find(|option| option.id == id).map(|option| option.method);
    let has_parcel = order.shipments.iter().flatten().next().is_some();
    known.or(Some(if has_parcel { ShippingMethod::Label } else { ShippingMethod::InStore }))
}

/// What a return is about, mainly: what comes back of it, else what was asked for.
pub fn wanted(order: &view::ReturnOrderView) -> Resolution {
    let (has_refund, has_credit, otherwise) = match &order.costs {
        view::Costs::CostBreakdown(costs) => {
            (costs.estimated_refund.minor > 0, costs.estimated_credit.minor > 0, Resolution::Refund)
        }
        view::Costs::Gift(gift) => (false, gift.store_credit, Resolution::StoreCredit),
    };
    if has_refund {
        return Resolution::Refund;
    }
    if has_credit {
        return Resolution::StoreCredit;
    }
    let mut requests = order.return_requests.iter().flatten().map(|request| request.requested_resolution);
    requests.find(|wanted| *wanted == Resolution::Exchange).unwrap_or(otherwise)
}

/// How far a return is.
pub fn phase(order: &view::ReturnOrderView) -> Phase {
    let stages: Vec<StageName> = order.return_requests.iter().flatten().map(|request| request.stage).collect();
    match Phase::new(order.status, &stages, order.shipping_option_id.is_none()) {
        Phase::Pay if order.payment.as_ref().is_some_and(|payment| payment.on_its_way) => Phase::Paying,
        phase => phase,
    }
}

/// A return that is followed up.
#[derive(Debug, Clone, Copy)]
pub struct FollowedReturn<'a> {
    /// Where.
    pub account: &'a Account,
    /// The moment.
    pub now: Timestamp,
    /// In which words.
    pub words: &'static Words,
    /// The return with its requests and parcels.
    pub order: &'a view::ReturnOrderView,
    /// What happened, oldest first.
    pub timeline: &'a [view::TimelineEntryView],
    /// What the shop offers.
    pub offered: &'a Offered,
}

impl FollowedReturn<'_> {
    /// Its requests.
    pub fn requests(&self) -> impl Iterator<Item = &view::ReturnRequestView> {
        self.order.return_requests.iter().flatten()
    }

    /// How far it is.
    pub fn phase(&self) -> Phase {
        phase(self.order)
    }

    /// How it is sent.
    pub fn method(&self) -> Option<ShippingMethod> {
        method(self.offered, self.order)
    }

    /// Its parcels, but for those that were called off.
    pub fn parcels(&self) -> impl Iterator<Item = &view::ShipmentView> {
        self.order.shipments.iter().flatten().filter(|parcel| parcel.status != ShipmentStatus::Cancelled)
    }

    /// What the shopper does to send it: where a carrier gave nothing to print, there is a code to show.
    pub fn sends_by(&self) -> Option<ShippingMethod> {
        let method = self.method()?;
        let is_shown =
            self.parcels().next().is_some_and(|parcel| parcel.label_url.is_none() && parcel.qr_code.is_some());
        Some(if is_shown && !method.shows_code() { ShippingMethod::Paperless } else { method })
    }

    /// The way of sending, where it is offered still.
    pub fn option(&self) -> Option<&view::ShippingOptionView> {
        self.offered.options.iter().find(|option| Some(option.id) == self.order.shipping_option_id)
    }

    /// Whether nothing is sent.
    pub fn is_kept(&self) -> bool {
        self.order.shipping_option_id.is_none()
    }

    /// Whether nothing comes of it.
    pub fn is_lost(&self) -> bool {
        self.phase().is_lost()
    }

    /// An amount as the page writes it.
    pub fn figure(&self, amount: Money) -> String {
        money::format(amount, self.words.live())
    }

    /// The shop's days.
    pub fn calendar(&self) -> Calendar<'_> {
        Calendar { zone: &self.account.time_zone, now: self.now }
    }

    /// Until when the shopper has to do what comes next: so long after the return got there.
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

    /// Whether something is sent in place of what comes: not for what was declined or called off.
    pub fn is_exchange(&self) -> bool {
        let is_lost = |stage: StageName| is_refusal(stage) || stage.group() == StageGroup::Closed;
        self.requests().any(|request| request.requested_resolution == Resolution::Exchange && !is_lost(request.stage))
    }

    /// Until when something has to be done: a day, and the time of day where it ends within one, as payments do.
    pub fn due_day(&self, at: Timestamp) -> String {
        match self.phase() {
            Phase::Pay => moment_until(at, self.calendar(), self.words),
            _ => day(at, self.calendar(), self.words),
        }
    }

    /// What is sent in place of the goods of a request, where it is named.
    pub fn wanted<'a>(&self, request: &'a view::ReturnRequestView) -> Option<&'a str> {
        Some(replacement(request.exchange_for.as_ref()?, Some(&request.product), self.words.live()))
    }
}

/// Whether something is waited for that shows on the page by itself. Payments are made elsewhere where the page is in a frame.
pub fn waits(order: &view::ReturnOrderView, phase: Phase, is_embedded: bool) -> bool {
    let is_to_be_paid = order.payment.as_ref().is_some_and(|payment| payment.checkout_url.is_some());
    phase.waits_for_label() || (is_embedded && is_to_be_paid)
}
