//! What the page of a return and its mail show: headline, timeline, receipt, items.

use crate::{
    amounts::receipt::{Receipt, ReceiptNames, ReceiptShipping},
    progress::{
        followed_return::{FollowedReturn, is_refusal, wanted},
        headline::{Circumstances, Compensation, Headline},
        outcome::ExpectedOutcome,
        phase::Phase,
        promises::Promise,
        timeline::{TimelineEvent, TimelineStep, ahead, past},
        tracking::Tracked,
        wording::{ReturnItem, quantity_and_resolution, requested_resolution},
    },
};
use domain::{
    Money, PurchaseId,
    party::Actor,
    payment::PaymentStatus,
    policy::Resolution,
    returning::ShipmentStatus,
    stage::{ReviewReason, StageName},
};
use returns::view;
use ui::{
    components::ProductSummary,
    text::{format, isolated},
};

impl FollowedReturn<'_> {
    /// The shipments that carriers track, while they are on their way.
    pub fn tracked(&self) -> Vec<Tracked> {
        if !matches!(self.phase(), Phase::Transit | Phase::Delayed) {
            return Vec::new();
        }
        let is_scanned = |shipment: &&view::ShipmentView| {
            matches!(shipment.status, ShipmentStatus::InTransit | ShipmentStatus::Exception | ShipmentStatus::Delivered)
        };
        Tracked::of(&self.shipments().filter(is_scanned).collect::<Vec<_>>(), self.words)
    }

    /// What the headline depends on.
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

    /// What the return gives back.
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
            view::Costs::Gift(gift) => {
                Compensation { gift_credit: gift.store_credit, exchange, ..Compensation::default() }
            }
            view::Costs::Hidden {} => Compensation { exchange, ..Compensation::default() },
        }
    }

    /// The headline.
    pub fn headline(&self, about: &Circumstances) -> Headline {
        let mut headline = Headline::new(self.phase(), about, self.words);
        let paid_back = self.order.payment.as_ref().map(|payment| payment.refund_due);
        if let Some(refunded) = paid_back.filter(|refunded| refunded.minor > 0) {
            let back = format(self.words.paid_back, &[&self.figure(refunded)]);
            headline.text = if headline.text.is_empty() { back } else { format!("{} {back}", headline.text) };
        }
        headline
    }

    /// What happened, newest first, then what is next.
    pub fn steps(&self, about: &Circumstances) -> Vec<TimelineStep> {
        let mut events: Vec<TimelineEvent> = self.timeline.iter().filter_map(|entry| self.event(entry)).collect();
        // The headline, or the notice below it, has the comment already.
        let is_refused = matches!(self.phase(), Phase::Rejected | Phase::Denied);
        let dropped = self.dropped();
        let is_said = |event: &&mut TimelineEvent| {
            let is_dropped = dropped.iter().any(|one| one.id == event.request && one.stage == event.to);
            is_dropped || (is_refused && is_refusal(event.to) && event.comment == about.comment)
        };
        events.iter_mut().filter(is_said).for_each(|event| event.comment.clear());
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
            gives_nothing: self.comes_back().is_nothing(),
            at: entry.at,
            actor: entry.actor,
            from: entry.from_stage,
            to: entry.to_stage,
            // Why a person has to review a return is for the shop's staff only.
            comment: ReviewReason::from_comment(&entry.comment)
                .map_or_else(|| entry.comment.clone(), |_| String::new()),
        })
    }

    /// The receipt. `None` if the return gives nothing back or amounts are not shown.
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

    /// The names of a request on the receipt.
    fn called(&self, request: &view::ReturnRequestView) -> ReceiptNames {
        let is_exchange = request.requested_resolution == Resolution::Exchange;
        let live = self.words.live();
        ReceiptNames {
            name: ProductSummary::new(&request.product).name,
            replacement: is_exchange.then(|| self.wanted(request).unwrap_or(live.replacement).to_owned()),
        }
    }

    /// What the shopper gets, and when. `None` if they have it, or if there is nothing to get.
    pub fn after(&self) -> Option<(ExpectedOutcome, String)> {
        let phase = self.phase();
        if self.is_lost() || phase == Phase::Done {
            return None;
        }
        let is_exchange = self.is_exchange();
        let mut costs = self.order.costs.clone();
        if let (view::Costs::CostBreakdown(costs), PaymentStatus::Paid) = (&mut costs, self.order.payment_status) {
            costs.payable_now.minor = 0; // it is paid
        }
        let outcome = ExpectedOutcome::of(&costs, is_exchange, self.words);
        let is_open = matches!(phase, Phase::Review | Phase::Evidence | Phase::Checking);
        let outcome = if is_open { outcome.if_agreed(self.words) } else { outcome };
        let outcome = if matches!(self.back(), Promise::By(_)) { outcome.by_a_date(self.words) } else { outcome };
        Some((outcome, self.back_when()))
    }

    /// A sentence about each item that was refused or closed while the others continue: its result, and the reason.
    pub fn dropped_items(&self) -> Vec<String> {
        let words = self.words;
        let sentence = |request: &view::ReturnRequestView| {
            let mut entries = self.timeline.iter().rev().filter(|entry| entry.return_request_id == request.id);
            let entry = entries.find(|entry| entry.to_stage == request.stage);
            let what = match (request.stage, entry.map(|entry| entry.actor)) {
                (StageName::RequestedRejected, _) => words.did_refuse,
                (StageName::ResolutionDenied, _) => words.did_deny,
                (StageName::ClosedExpired, _) => words.did_expire,
                (_, Some(Actor::Consumer)) => words.did_cancel,
                _ => words.did_cancel_shop,
            };
            let name = ProductSummary::new(&request.product).name;
            let said = format(words.only_for, &[what, &isolated(&name, words)]);
            match entry.map_or("", |entry| entry.comment.as_str()) {
                "" => format(words.sentence_nothing, &[&said]),
                comment => {
                    let quoted = format(words.quoted, &[&isolated(comment, words)]);
                    format(words.live().about_row, &[&said, &quoted])
                }
            }
        };
        self.dropped().into_iter().map(sentence).collect()
    }

    /// The items.
    pub fn items(&self) -> Vec<ReturnItem> {
        let item = |request: &view::ReturnRequestView| {
            let reason = self.offered.reasons.iter().find(|reason| reason.id == request.return_reason_id);
            let resolution = requested_resolution(request.requested_resolution, self.wanted(request), self.words);
            ReturnItem {
                product: ProductSummary::new(&request.product),
                what: quantity_and_resolution(request.quantity, 1, &resolution, self.words),
                why: reason.map(|reason| reason.description.clone()).unwrap_or_default(),
                photos: Vec::new(),
            }
        };
        self.remaining().into_iter().map(item).collect()
    }

    /// The heading of the items.
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
