//! Where a return stands, in the words of the person who sent it: its headline, its tag, what happened, what will.

use super::returns::Tag;
use crate::{
    components::{Tone, icons},
    words::{Words, day, fill},
};
use domain::{
    ReturnRequestId, Timestamp, policy::Resolution, returning::Actor, shipping::ShippingMethod, stage::StageName,
    status::ReturnOrderStatus,
};

/// How far a return is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// The shop decides.
    Review,
    /// A photo is waited for.
    Evidence,
    /// Something is to be paid.
    Pay,
    /// The label is being made.
    LabelPending,
    /// It can be sent.
    Ready,
    /// The carrier has it.
    Transit,
    /// The carrier has trouble with it.
    Delayed,
    /// The shop has it.
    Arrived,
    /// What comes back is on its way.
    Coming,
    /// The same, for what is not sent back.
    Kept,
    /// It is all settled.
    Done,
    /// Nothing came back.
    Denied,
    /// Called off.
    Cancelled,
    /// Nothing happened in time.
    Expired,
    /// The shop said no.
    Rejected,
}

impl Phase {
    /// Told from a return's status and the stages of its requests.
    pub fn new(status: ReturnOrderStatus, stages: &[StageName], kept: bool) -> Self {
        use StageName as N;
        let any = |wanted: &[N]| stages.iter().any(|stage| wanted.contains(stage));
        match status {
            ReturnOrderStatus::Requested if any(&[N::RequestedEvidencePending]) => Self::Evidence,
            ReturnOrderStatus::Requested => Self::Review,
            ReturnOrderStatus::AwaitingPayment => Self::Pay,
            ReturnOrderStatus::Completed if any(&[N::ResolutionCompleted]) => Self::Done,
            ReturnOrderStatus::Completed => Self::Denied,
            ReturnOrderStatus::Cancelled => Self::Cancelled,
            ReturnOrderStatus::Expired => Self::Expired,
            ReturnOrderStatus::Rejected => Self::Rejected,
            ReturnOrderStatus::Open
                if any(&[N::RequestedApproved, N::SubmittedLabelPending, N::SubmittedLabelFailed]) =>
            {
                Self::LabelPending
            }
            ReturnOrderStatus::Open if any(&[N::SubmittedReady]) => Self::Ready,
            ReturnOrderStatus::Open if any(&[N::ShipmentException]) => Self::Delayed,
            ReturnOrderStatus::Open if any(&[N::ShipmentInTransit]) => Self::Transit,
            ReturnOrderStatus::Open
                if any(&[N::ShipmentDelivered, N::ReceivedPartial, N::ReceivedComplete, N::InspectionPending]) =>
            {
                Self::Arrived
            }
            ReturnOrderStatus::Open if kept => Self::Kept,
            ReturnOrderStatus::Open => Self::Coming,
        }
    }

    /// In a word or two.
    pub fn tag(self, wanted: Resolution, method: Option<ShippingMethod>, words: &Words) -> Tag {
        let (tone, icon, text) = match self {
            Self::Review => (Tone::Warn, icons::CLOCK, words.tag_review),
            Self::Evidence => (Tone::Warn, icons::CAMERA, words.tag_evidence),
            Self::Pay => (Tone::Warn, icons::WALLET, words.tag_pay),
            Self::LabelPending => (Tone::Warn, icons::PRINTER, words.tag_making),
            Self::Ready => match method {
                Some(ShippingMethod::InStore) => (Tone::Accent, icons::STORE, words.tag_ready),
                Some(ShippingMethod::OwnCarrier) => (Tone::Accent, icons::BOX, words.tag_ready_send),
                _ => (Tone::Accent, icons::PRINTER, words.tag_label),
            },
            Self::Transit => (Tone::Accent, icons::TRUCK, words.tag_transit),
            Self::Delayed => (Tone::Warn, icons::TRUCK, words.tag_delayed),
            Self::Arrived => (Tone::Accent, icons::BOX, words.tag_arrived),
            Self::Coming | Self::Kept if wanted == Resolution::Refund => {
                (Tone::Accent, icons::WALLET, words.tag_coming)
            }
            Self::Coming | Self::Kept => (Tone::Accent, icons::WALLET, words.tag_coming_other),
            Self::Done if wanted == Resolution::Refund => (Tone::Good, icons::CHECK, words.tag_done),
            Self::Done => (Tone::Good, icons::CHECK, words.tag_done_other),
            Self::Denied => (Tone::Danger, icons::X, words.tag_denied),
            Self::Cancelled => (Tone::Quiet, icons::X, words.tag_cancelled),
            Self::Expired => (Tone::Quiet, icons::CLOCK, words.tag_expired),
            Self::Rejected => (Tone::Danger, icons::X, words.tag_rejected),
        };
        Tag { tone, icon, text }
    }
}

/// The headline of a return.
#[derive(Debug, Clone)]
pub struct Standing {
    /// Its icon.
    pub icon: &'static str,
    /// How serious it is.
    pub tone: Tone,
    /// What it says.
    pub title: &'static str,
    /// What to do, or why; may be empty.
    pub text: String,
    /// Whether the way on is a new return.
    pub restart: bool,
}

/// What a headline is made of, beside the phase.
#[derive(Debug, Clone)]
pub struct Circumstances {
    /// What is asked for, mainly.
    pub wanted: Resolution,
    /// How it is sent.
    pub method: Option<ShippingMethod>,
    /// What comes back, as a figure.
    pub amount: String,
    /// Until when the shopper has to do something.
    pub due: Option<String>,
    /// What the shop said, last.
    pub comment: String,
}

impl Standing {
    /// The headline of a phase.
    pub fn new(phase: Phase, about: &Circumstances, words: &Words) -> Self {
        let due = about.due.clone().unwrap_or_default();
        let quoted = || if about.comment.is_empty() { String::new() } else { format!("“{}”", about.comment) };
        let by_wanted = |refund, credit, exchange| match about.wanted {
            Resolution::Refund => refund,
            Resolution::StoreCredit => credit,
            Resolution::Exchange => exchange,
        };
        let (icon, tone, title, text) = match phase {
            Phase::Review => (icons::CLOCK, Tone::Warn, words.review_wait_title, words.review_wait.to_owned()),
            Phase::Evidence => (icons::CAMERA, Tone::Warn, words.evidence_title, fill(words.evidence, &[&due])),
            Phase::Pay => (icons::WALLET, Tone::Warn, words.pay_title, fill(words.pay, &[&due])),
            Phase::LabelPending => {
                (icons::PRINTER, Tone::Warn, words.label_pending_title, words.label_pending.to_owned())
            }
            Phase::Ready if about.method == Some(ShippingMethod::InStore) => {
                (icons::CHECK, Tone::Good, words.ready_in_store_title, String::new())
            }
            Phase::Ready => (icons::CHECK, Tone::Good, words.ready_title, String::new()),
            Phase::Transit => (icons::TRUCK, Tone::Good, words.transit_title, String::new()),
            Phase::Delayed => (icons::TRUCK, Tone::Warn, words.exception_title, words.exception.to_owned()),
            Phase::Arrived => (icons::BOX, Tone::Good, words.arrived_title, words.arrived.to_owned()),
            Phase::Kept if about.wanted == Resolution::Refund => {
                (icons::CHECK, Tone::Good, words.kept_title, words.keep_lede.to_owned())
            }
            Phase::Coming | Phase::Kept => {
                let title = by_wanted(words.money_coming_title, words.credit_coming_title, words.exchange_coming_title);
                (icons::WALLET, Tone::Good, title, String::new())
            }
            Phase::Done => {
                let title = by_wanted(words.done_title, words.done_credit_title, words.done_exchange_title);
                let text =
                    if about.wanted == Resolution::Refund { fill(words.done, &[&about.amount]) } else { String::new() };
                (icons::CHECK, Tone::Good, title, text)
            }
            Phase::Denied => (icons::X, Tone::Danger, words.denied_title, quoted()),
            Phase::Cancelled => (icons::X, Tone::Quiet, words.cancelled_title, words.cancelled.to_owned()),
            Phase::Expired => (icons::CLOCK, Tone::Quiet, words.expired_title, words.expired.to_owned()),
            Phase::Rejected => (icons::X, Tone::Danger, words.rejected_title, quoted()),
        };
        Self { icon, tone, title, text, restart: matches!(phase, Phase::Cancelled | Phase::Expired) }
    }
}

/// A step of a return's way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// `past`, `now` or `next`.
    pub when: &'static str,
    /// What.
    pub what: String,
    /// When, in words.
    pub date: String,
}

/// A stage that a request entered, and what the request is about.
#[derive(Debug, Clone)]
pub struct Event {
    /// Whose.
    pub request: ReturnRequestId,
    /// What it is called.
    pub name: String,
    /// What was asked for.
    pub wanted: Resolution,
    /// When.
    pub at: Timestamp,
    /// Who.
    pub actor: Actor,
    /// Where from.
    pub from: Option<StageName>,
    /// Where to.
    pub to: StageName,
    /// Why.
    pub comment: String,
}

/// What happened, oldest first: the same thing on the same day stands once, and says for which items.
pub fn past(
    events: &[Event],
    requests: usize,
    method: Option<ShippingMethod>,
    now: Timestamp,
    words: &Words,
) -> Vec<Step> {
    struct Group<'a> {
        what: &'static str,
        day: String,
        of: Vec<&'a Event>,
    }
    let mut groups: Vec<Group<'_>> = Vec::new();
    for event in events {
        let Some(what) = did(event, method, words) else { continue };
        let day = day(event.at, now, words);
        match groups.iter_mut().find(|group| group.what == what && group.day == day) {
            Some(group) => group.of.push(event),
            None => groups.push(Group { what, day, of: vec![event] }),
        }
    }
    let step = |group: Group<'_>| {
        let mut of: Vec<ReturnRequestId> = group.of.iter().map(|event| event.request).collect();
        of.sort_unstable();
        of.dedup();
        let mut names: Vec<&str> = group.of.iter().map(|event| event.name.as_str()).collect();
        names.dedup();
        let what = if of.len() < requests {
            fill(words.only_for, &[group.what, &names.join(", ")])
        } else {
            group.what.to_owned()
        };
        let comment = group.of.iter().map(|event| event.comment.as_str()).find(|comment| !comment.is_empty());
        let what = match comment {
            Some(comment) => format!("{what}: “{comment}”"),
            None => what,
        };
        Step { when: "past", what, date: group.day }
    };
    groups.into_iter().map(step).collect()
}

/// What entering a stage means to the shopper; `None` for what is only of use inside.
fn did(event: &Event, method: Option<ShippingMethod>, words: &Words) -> Option<&'static str> {
    use StageName as N;
    let said = match event.to {
        _ if event.from.is_none() => words.did_send_in,
        N::RequestedReview => words.did_photo,
        N::RequestedApproved => words.did_agree,
        N::RequestedRejected => words.did_refuse,
        N::SubmittedReady if method.is_none_or(ShippingMethod::has_label) => words.did_label,
        N::SubmittedLabelFailed => words.did_label_failed,
        N::ShipmentInTransit => words.did_hand_in,
        N::ShipmentException => words.did_delay,
        N::ShipmentDelivered => words.did_deliver,
        N::ReceivedPartial => words.did_arrive_part,
        N::ReceivedComplete => words.did_arrive,
        N::InspectionPending => words.did_inspect,
        N::ResolutionApproved => words.did_approve,
        N::ResolutionFailed => words.did_fail,
        N::ResolutionDenied => words.did_deny,
        N::ResolutionCompleted => match event.wanted {
            Resolution::Refund => words.did_pay_back,
            Resolution::StoreCredit => words.did_credit,
            Resolution::Exchange => words.did_exchange,
        },
        N::ClosedCancelled if event.actor == Actor::Consumer => words.did_cancel,
        N::ClosedCancelled => words.did_cancel_shop,
        N::ClosedExpired => words.did_expire,
        _ => return None,
    };
    Some(said)
}

/// What comes now and next; nothing once a return is over.
pub fn ahead(phase: Phase, about: &Circumstances, words: &Words) -> Vec<Step> {
    let by = || about.due.as_deref().map(|day| fill(words.by, &[day])).unwrap_or_default();
    let back = match about.wanted {
        Resolution::Refund => fill(words.will_back, &[&about.amount]),
        Resolution::StoreCredit => fill(words.will_credit, &[&about.amount]),
        Resolution::Exchange => words.will_exchange.to_owned(),
    };
    let has_label = about.method.is_none_or(ShippingMethod::has_label);
    let agree =
        (if has_label { words.will_agree } else { words.will_agree_plain }.to_owned(), words.soon_agrees.to_owned());
    let arrive = (words.will_arrive.to_owned(), words.soon_arrive.to_owned());
    let in_store = about.method == Some(ShippingMethod::InStore);
    let last = (back, if in_store { words.soon_back_plain } else { words.soon_back }.to_owned());
    let hand_in = match about.method {
        Some(ShippingMethod::InStore) => words.will_bring,
        Some(ShippingMethod::OwnCarrier) => words.will_send,
        _ => words.will_hand_in,
    };
    let review = (words.will_review.to_owned(), words.soon_review.to_owned());
    let steps = match phase {
        Phase::Review => vec![review, agree, last],
        Phase::Evidence => vec![(words.will_photo.to_owned(), by()), review, agree, last],
        Phase::Pay => vec![(words.will_pay.to_owned(), by()), (agree.0, String::new()), last],
        Phase::LabelPending => {
            vec![(words.will_label.to_owned(), words.soon_label.to_owned()), (hand_in.to_owned(), String::new()), last]
        }
        Phase::Ready if in_store => vec![(hand_in.to_owned(), by()), last],
        Phase::Ready => vec![(hand_in.to_owned(), by()), arrive, last],
        Phase::Transit | Phase::Delayed => vec![arrive, last],
        Phase::Arrived => vec![
            (words.will_check.to_owned(), words.soon_review.to_owned()),
            (last.0, words.soon_back_plain.to_owned()),
        ],
        Phase::Coming | Phase::Kept => vec![(last.0, words.soon_back_plain.to_owned())],
        _ => Vec::new(),
    };
    let step = |(index, (what, date)): (usize, (String, String))| Step {
        when: if index == 0 { "now" } else { "next" },
        what,
        date,
    };
    steps.into_iter().enumerate().map(step).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::EN;
    use uuid::Uuid;

    fn event(request: u128, from: Option<StageName>, to: StageName) -> Event {
        Event {
            request: ReturnRequestId(Uuid::from_u128(request)),
            name: if request == 1 { "Shirt".into() } else { "Mug".into() },
            wanted: Resolution::Refund,
            at: Timestamp::from_seconds(1_796_000_000),
            actor: Actor::Consumer,
            from,
            to,
            comment: String::new(),
        }
    }

    #[test]
    fn the_past_is_told_once_and_says_for_what() {
        use StageName as N;
        let refused = Event { comment: "Worn".into(), ..event(2, Some(N::RequestedReview), N::RequestedRejected) };
        let events = [
            event(1, None, N::RequestedReview),
            event(2, None, N::RequestedReview),
            refused,
            event(1, Some(N::RequestedReview), N::RequestedApproved),
            event(1, Some(N::RequestedApproved), N::SubmittedLabelPending),
            event(1, Some(N::SubmittedLabelPending), N::SubmittedReady),
        ];
        let told: Vec<String> = past(&events, 2, Some(ShippingMethod::Label), events[0].at, &EN)
            .into_iter()
            .map(|step| step.what)
            .collect();
        assert_eq!(
            told,
            [
                "You sent your return in",
                "The shop said no (Mug): “Worn”",
                "The shop agreed (Shirt)",
                "We made your label (Shirt)"
            ]
        );
    }

    #[test]
    fn every_status_has_a_phase_and_ends_have_no_future() {
        let about = Circumstances {
            wanted: Resolution::Refund,
            method: None,
            amount: "£1.00".into(),
            due: None,
            comment: String::new(),
        };
        for &status in ReturnOrderStatus::all() {
            for &stage in StageName::all() {
                let phase = Phase::new(status, &[stage], false);
                assert!(!Standing::new(phase, &about, &EN).title.is_empty());
                let is_over = !matches!(
                    status,
                    ReturnOrderStatus::Requested | ReturnOrderStatus::AwaitingPayment | ReturnOrderStatus::Open
                );
                assert_eq!(ahead(phase, &about, &EN).is_empty(), is_over, "{status} {stage}");
            }
        }
    }
}
