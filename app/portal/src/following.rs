//! Where a return stands, what is to be done and what comes of it: what its page and its mail both tell.

use crate::{
    components::ProductSummary,
    http::review::{replacement, what},
    money,
    pages::{
        return_order::ReturnItem,
        review::ExpectedOutcome,
        standing::{Compensation, Circumstances, Phase, Headline},
        steps::{TimelineEvent, TimelineStep, ahead, past},
        tracking::Tracked,
    },
    promises::Promise,
    receipt::{ReceiptNames, Receipt, ReceiptShipping},
    words::{Calendar, Words, day, format, moment_until},
};
use domain::{
    Money, PurchaseId, Timestamp,
    order::Account,
    policy::Resolution,
    shipping::ShippingMethod,
    stage::{ReviewReason, StageGroup, StageName},
    status::{PaymentStatus, ShipmentStatus},
};
use returns::view::{self, Offered};

/// Whether the shop says no by it.
fn is_refusal(stage: StageName) -> bool {
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

    /// Parcels that their carriers have, while they are on their way.
    pub fn tracked(&self) -> Vec<Tracked> {
        if !matches!(self.phase(), Phase::Transit | Phase::Delayed) {
            return Vec::new();
        }
        let is_scanned = |parcel: &&view::ShipmentView| {
            matches!(parcel.status, ShipmentStatus::InTransit | ShipmentStatus::Exception | ShipmentStatus::Delivered)
        };
        Tracked::of(&self.parcels().filter(is_scanned).collect::<Vec<_>>(), self.words)
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

    /// What its headline is made of.
    pub fn circumstances(&self) -> Circumstances {
        let wanted = wanted(self.order);
        let refusals = self.timeline.iter().rev().filter(|entry| is_refusal(entry.to_stage));
        let comments = refusals.map(|entry| entry.comment.clone());
        Circumstances {
            wanted,
            method: self.method(),
            back: self.comes_back(),
            due: self.due().map(|at| self.due_day(at)),
            to_pay: self.order.payment.as_ref().map(|payment| self.figure(payment.amount)),
            comment: comments.into_iter().find(|comment| !comment.is_empty()).unwrap_or_default(),
            soon: self.soon(),
        }
    }

    /// What comes back of it.
    pub fn comes_back(&self) -> Compensation {
        let exchange = self.is_exchange();
        let figure = |amount: Money| (amount.minor > 0).then(|| self.figure(amount));
        match &self.order.costs {
            view::Costs::CostBreakdown(costs) => Compensation {
                refund: figure(costs.estimated_refund),
                credit: figure(costs.estimated_credit),
                gift_credit: false,
                exchange,
            },
            view::Costs::Gift(gift) => Compensation { gift_credit: gift.store_credit, exchange, ..Compensation::default() },
        }
    }

    /// Whether something is sent in place of what comes: not for what was declined or called off.
    fn is_exchange(&self) -> bool {
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

    /// Its headline.
    pub fn headline(&self, about: &Circumstances) -> Headline {
        let mut headline = Headline::new(self.phase(), about, self.words);
        let paid_back = self.order.payment.as_ref().map(|payment| payment.refund_due);
        if let Some(refunded) = paid_back.filter(|refunded| refunded.minor > 0) {
            let back = format(self.words.paid_back, &[&self.figure(refunded)]);
            headline.text = if headline.text.is_empty() { back } else { format!("{} {back}", headline.text) };
        }
        headline
    }

    /// What happened, newest first, and then what will.
    pub fn steps(&self, about: &Circumstances) -> Vec<TimelineStep> {
        let mut events: Vec<TimelineEvent> = self.timeline.iter().filter_map(|entry| self.event(entry)).collect();
        if matches!(self.phase(), Phase::Rejected | Phase::Denied) {
            // The headline says it.
            let is_said = |event: &&mut TimelineEvent| is_refusal(event.to) && event.comment == about.comment;
            events.iter_mut().filter(is_said).for_each(|event| event.comment.clear());
        }
        let mut steps = past(&events, self.requests().count(), self.method(), self.calendar(), self.words);
        steps.extend(ahead(self.phase(), about, self.words));
        steps
    }

    fn event(&self, entry: &view::TimelineEntryView) -> Option<TimelineEvent> {
        let request = self.requests().find(|request| request.id == entry.return_request_id)?;
        Some(TimelineEvent {
            request: request.id,
            name: ProductSummary::new(&request.product).name,
            wanted: request.requested_resolution,
            at: entry.at,
            actor: entry.actor,
            from: entry.from_stage,
            to: entry.to_stage,
            // Why a person of the shop decides is for that person.
            comment: ReviewReason::of_sentence(&entry.comment).map_or_else(|| entry.comment.clone(), |_| String::new()),
        })
    }

    /// What it comes to; `None` where nothing comes of it, or no amounts are shown.
    pub fn receipt(&self) -> Option<Receipt> {
        let costs = self.order.costs.breakdown().filter(|_| !self.is_lost())?;
        let called = |id: PurchaseId| {
            let request = self.requests().find(|request| request.purchase_id == id);
            request.map(|request| self.called(request)).unwrap_or_default()
        };
        let option = self.option().map_or("", |option| option.name.as_str());
        let sending = if self.is_kept() { ReceiptShipping::None } else { ReceiptShipping::Chosen(option) };
        let live = self.words.live();
        let receipt = Receipt::new(costs, &sending, called, live);
        Some(match self.phase() {
            _ if self.order.payment_status == PaymentStatus::Paid => receipt.paid(self.words.paid_first, live),
            Phase::Review | Phase::Evidence => receipt.due_later(live),
            _ => receipt,
        })
    }

    /// What a receipt calls the goods of a request.
    fn called(&self, request: &view::ReturnRequestView) -> ReceiptNames {
        let is_exchange = request.requested_resolution == Resolution::Exchange;
        let live = self.words.live();
        ReceiptNames {
            name: ProductSummary::new(&request.product).name,
            replacement: is_exchange.then(|| self.wanted(request).unwrap_or(live.replacement).to_owned()),
        }
    }

    /// What is sent in place of the goods of a request, where it is named.
    pub fn wanted<'a>(&self, request: &'a view::ReturnRequestView) -> Option<&'a str> {
        Some(replacement(request.exchange_for.as_ref()?, Some(&request.product), self.words.live()))
    }

    /// What comes back, and when, if that can be said; `None` where it has, or nothing does.
    pub fn after(&self) -> Option<(ExpectedOutcome, String)> {
        let phase = self.phase();
        if self.is_lost() || phase == Phase::Done {
            return None;
        }
        let is_exchange = self.is_exchange();
        let mut costs = self.order.costs.clone();
        if let (view::Costs::CostBreakdown(costs), PaymentStatus::Paid) = (&mut costs, self.order.payment_status) {
            costs.payable_now.minor = 0; // nothing is left to pay
        }
        let outcome = ExpectedOutcome::of(&costs, is_exchange, self.words);
        let is_open = matches!(phase, Phase::Review | Phase::Evidence);
        let outcome = if is_open { outcome.if_agreed(self.words) } else { outcome };
        let outcome = if matches!(self.back(), Promise::By(_)) { outcome.by_a_date(self.words) } else { outcome };
        Some((outcome, self.back_when()))
    }

    /// What is in it.
    pub fn items(&self) -> Vec<ReturnItem> {
        let item = |request: &view::ReturnRequestView| {
            let reason = self.offered.reasons.iter().find(|reason| reason.id == request.return_reason_id);
            let wanted = (request.requested_resolution, self.wanted(request));
            ReturnItem {
                product: ProductSummary::new(&request.product),
                what: what(request.quantity, 1, wanted, self.words),
                why: reason.map(|reason| reason.description.clone()).unwrap_or_default(),
                photos: Vec::new(),
            }
        };
        self.requests().map(item).collect()
    }

    /// What stands above what is in it.
    pub fn items_title(&self) -> &'static str {
        match (self.is_lost(), self.phase() == Phase::Done, self.is_kept()) {
            (true, ..) => self.words.was_in_it,
            (false, true, true) => self.words.stayed,
            (false, true, false) => self.words.went_back,
            (false, false, true) => self.words.stays,
            (false, false, false) => self.words.goes_back,
        }
    }
}
