//! The headline of a return.

use crate::{
    progress::{phase::Phase, promises::ExpectedDates},
    words::Words,
};
use domain::{policy::Resolution, shipping::ShippingMethod};
use ui::{
    components::{Tone, icons},
    text::format,
};

/// The headline of a return.
#[derive(Debug, Clone)]
pub struct Headline {
    pub icon: &'static str,
    pub tone: Tone,
    pub title: String,
    /// What to do, or why; may be empty.
    pub text: String,
    /// Whether the next action is a new return.
    pub restart: bool,
}

/// What a return gives back: any combination of these.
#[derive(Debug, Clone, Default)]
pub struct Compensation {
    /// Money, formatted.
    pub refund: Option<String>,
    /// Store credit, formatted.
    pub credit: Option<String>,
    /// Store credit for a gift, whose amounts are not shown.
    pub gift_credit: bool,
    /// A replacement.
    pub exchange: bool,
}

impl Compensation {
    /// Whether it is nothing: fees or the refund limit use up what the return would give.
    pub fn is_nothing(&self) -> bool {
        self.refund.is_none() && self.credit.is_none() && !self.gift_credit && !self.exchange
    }

    /// A sentence for each part.
    pub fn promised(&self, words: &Words) -> Vec<String> {
        let refund = self.refund.iter().map(|amount| format(words.will_back, &[amount]));
        let credit = self.credit.iter().map(|amount| format(words.will_credit, &[amount]));
        let gift = self.gift_credit.then(|| words.gift_will_credit.to_owned());
        let exchange = self.exchange.then(|| words.will_exchange.to_owned());
        refund.chain(credit).chain(gift).chain(exchange).collect()
    }
}

/// What the headline depends on, beside the phase.
#[derive(Debug, Clone)]
pub struct Circumstances {
    /// The main resolution.
    pub wanted: Resolution,
    /// The shipping method.
    pub method: Option<ShippingMethod>,
    /// What the return gives back.
    pub back: Compensation,
    /// The deadline for the shopper.
    pub due: Option<String>,
    /// The amount to pay, formatted.
    pub to_pay: Option<String>,
    /// Why the shop refused.
    pub comment: String,
    /// When the next steps come.
    pub soon: ExpectedDates,
}

impl Headline {
    /// The headline of a phase.
    pub fn new(phase: Phase, about: &Circumstances, words: &Words) -> Self {
        let due = about.due.clone().unwrap_or_default();
        let refused = |next: &str| match about.comment.as_str() {
            "" => next.to_owned(),
            comment => format!("{} {next}", format(words.quoted, &[comment])),
        };
        let to_pay = about.to_pay.clone().unwrap_or_default();
        let pay_title = format(pay_for(about.method, words), &[&to_pay]);
        let shows_code = about.method.is_some_and(ShippingMethod::shows_code);
        let (icon, tone, title, text) = match phase {
            Phase::Review => (icons::CLOCK, Tone::Warn, words.review_wait_title, words.review_wait.to_owned()),
            Phase::Evidence => (icons::CAMERA, Tone::Warn, words.evidence_title, format(words.evidence, &[&due])),
            Phase::Pay => (icons::WALLET, Tone::Warn, pay_title.as_str(), format(words.pay, &[&due])),
            Phase::Paying => (icons::WALLET, Tone::Accent, words.paying_title, words.paying.to_owned()),
            Phase::LabelPending if shows_code => {
                (icons::QR, Tone::Accent, words.code_pending_title, words.label_pending.to_owned())
            }
            Phase::LabelPending => {
                (icons::PRINTER, Tone::Accent, words.label_pending_title, words.label_pending.to_owned())
            }
            Phase::LabelFailed => (icons::PRINTER, Tone::Warn, words.label_failed_title, words.label_failed.to_owned()),
            Phase::Ready if about.method == Some(ShippingMethod::InStore) => {
                (icons::CHECK, Tone::Good, words.ready_in_store_title, String::new())
            }
            Phase::Ready => (icons::CHECK, Tone::Good, words.ready_title, String::new()),
            Phase::Transit => (icons::TRUCK, Tone::Good, words.transit_title, String::new()),
            Phase::Delayed => (icons::TRUCK, Tone::Warn, words.exception_title, words.exception.to_owned()),
            Phase::Arrived => (icons::BOX, Tone::Good, words.arrived_title, words.arrived.to_owned()),
            Phase::Checking => (icons::CLOCK, Tone::Accent, words.review_wait_title, String::new()),
            Phase::Kept if about.wanted == Resolution::Refund && !about.back.is_nothing() => {
                (icons::CHECK, Tone::Good, words.kept_title, words.keep_lede.to_owned())
            }
            Phase::Coming | Phase::Kept => (icons::WALLET, Tone::Good, coming_title(about, words), String::new()),
            Phase::Done => (icons::CHECK, Tone::Good, done_title(about, words), done_text(about, words)),
            Phase::Denied => (icons::X, Tone::Danger, words.denied_title, refused(words.denied_next)),
            Phase::Cancelled => {
                let text = match about.method {
                    _ if shows_code => words.cancelled_code,
                    Some(method) if method.has_label() => words.cancelled,
                    _ => words.cancelled_plain,
                };
                (icons::X, Tone::Quiet, words.cancelled_title, text.to_owned())
            }
            Phase::Expired => (icons::CLOCK, Tone::Quiet, words.expired_title, words.expired.to_owned()),
            Phase::Rejected => (icons::X, Tone::Danger, words.rejected_title, refused(words.rejected_next)),
        };
        Self { icon, tone, title: title.to_owned(), text, restart: matches!(phase, Phase::Cancelled | Phase::Expired) }
    }
}

/// The title once the resolution is approved.
fn coming_title(about: &Circumstances, words: &Words) -> &'static str {
    match about.wanted {
        _ if about.back.is_nothing() => words.you_get_nothing,
        Resolution::Refund => words.money_coming_title,
        Resolution::StoreCredit => words.credit_coming_title,
        Resolution::Exchange => words.exchange_coming_title,
    }
}

/// The title of a settled return.
fn done_title(about: &Circumstances, words: &Words) -> &'static str {
    match about.wanted {
        _ if about.back.is_nothing() => words.done_nothing_title,
        Resolution::Refund => words.done_title,
        Resolution::StoreCredit => words.done_credit_title,
        Resolution::Exchange => words.done_exchange_title,
    }
}

/// What a settled return has given back, as far as the title does not say it.
fn done_text(about: &Circumstances, words: &Words) -> String {
    match &about.back.refund {
        Some(amount) => format(words.done, &[amount]),
        None if about.back.is_nothing() => format(words.sentence_nothing, &[words.you_get_nothing]),
        None => String::new(),
    }
}

/// What a payment is for, with a slot for the amount.
pub fn pay_for(method: Option<ShippingMethod>, words: &Words) -> &'static str {
    match method {
        Some(ShippingMethod::Label | ShippingMethod::PickUp) => words.pay_title,
        _ => words.pay_title_plain,
    }
}
