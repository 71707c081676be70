//! A mail about a return: the headline of its page, and its items.

use crate::{
    frame::contact::Contact,
    mail::{code::CodeToShow, letter::Letter, topic::MailTopic, written::written},
    progress::{
        followed_return::FollowedReturn, headline::Headline, phase::Phase, shipment::receiver,
        wording::requested_resolution,
    },
    words::Words,
};
use domain::shipping::ShippingMethod;
use returns::{LabelFormat, Notification, ReturnMailContext, view};
use ui::{
    components::ProductSummary,
    money,
    text::{format, isolated},
};

/// Writes a mail about a return.
pub fn write(following: &FollowedReturn<'_>, topic: MailTopic, news: &ReturnMailContext) -> Notification {
    let FollowedReturn { account, order, words, .. } = *following;
    let about = following.circumstances();
    let due = following.due().map(|at| following.due_day(at)).unwrap_or_default();
    let is_ready = following.phase() == Phase::Ready;
    let code = is_ready.then(|| CodeToShow::of(following, &due)).flatten();
    let has_labels = is_ready && has_labels(following);
    let to = news.return_address.as_ref().filter(|_| is_ready);
    let Head { title, text, subject } = head(following, topic, code.as_ref(), &due);
    let contact = Contact::new(&account.branding).line(words);
    let asks = topic.needs_help() && !contact.is_empty();
    let mut letter = Letter::default()
        .title(&title)
        .text(&text)
        .text(&if asks { format(words.mail_contact, &[&isolated(&contact, words)]) } else { String::new() })
        .text(if has_labels { words.mail_label } else { "" });
    letter = following.dropped_items().iter().fold(letter, |letter, item| letter.text(item));
    letter = letter.facts("", to.map(|to| goes_to(to, words)).into_iter().collect());
    if let Some(code) = code {
        letter = code.write(letter, topic == MailTopic::HandInReminder);
    }
    let after = following.after().map(|(outcome, when)| {
        let figures: Vec<&str> = outcome.figures.iter().map(String::as_str).collect();
        format(outcome.frame(&when, words), &[&format(outcome.text, &figures), &when])
    });
    let steps = following.steps(&about);
    let is_over = steps.iter().all(|step| step.when == "past");
    let receipt = following.receipt();
    let receipt_title = match &receipt {
        Some(receipt) if !is_over => receipt.title(words.live()),
        _ => words.received_receipt,
    };
    let ahead = steps.into_iter().filter(|step| step.when != "past");
    letter = ways(letter, following, news)
        .items(following.items_title(), items(following))
        .receipt(receipt_title, receipt)
        .text(&after.unwrap_or_default())
        .facts(words.what_next, ahead.map(|step| (step.what, step.date)).collect())
        .foot(&format(words.mail_about, &[&isolated(&account.name, words), &isolated(&order.number, words)]), None);
    if !topic.is_needed() {
        letter = letter.foot(words.mail_stop, Some(&news.decline));
    }
    Notification {
        about: topic.name().unwrap_or_default(),
        words: written(subject, &letter, account, words),
        is_needed: topic.is_needed(),
        has_labels,
    }
}

/// The beginning of a mail.
struct Head {
    title: String,
    text: String,
    subject: String,
}

fn head(following: &FollowedReturn<'_>, topic: MailTopic, code: Option<&CodeToShow>, due: &str) -> Head {
    let (words, number) = (following.words, isolated(&following.order.number, following.words));
    let Headline { title, text, .. } = following.headline(&following.circumstances());
    let by = if following.method() == Some(ShippingMethod::PickUp) { words.hand_over_by } else { words.hand_in_by };
    let (title, text) = match (topic, code) {
        (MailTopic::HandInReminder, None) => (format(by, &[due]), words.mail_hand_in.to_owned()),
        (MailTopic::HandInReminder, Some(_)) => (format(words.hand_in_by, &[due]), words.mail_hand_in_code.to_owned()),
        (_, Some(code)) => (code.title.to_owned(), text),
        (_, None) => (title, text),
    };
    let subject = match topic {
        MailTopic::Stands(Phase::Review) => format(words.mail_received, &[&number]),
        _ => format(words.only_for, &[&title, &number]),
    };
    Head { title, text, subject }
}

/// The address to send the return to.
fn goes_to(to: &view::ReturnAddress, words: &Words) -> (String, String) {
    (words.goes_to.to_owned(), receiver(&to.address, &to.sent_from, words).join("\n"))
}

/// Whether there is a label that opens on any device.
fn has_labels(following: &FollowedReturn<'_>) -> bool {
    following.sends_by().is_some_and(ShippingMethod::needs_printer)
        && following.order.shipments.iter().flatten().any(|shipment| {
            let is_opened_anywhere = |format: &LabelFormat| matches!(format, LabelFormat::Pdf | LabelFormat::Png);
            shipment.label_url.is_some() && shipment.label_media_types.iter().any(is_opened_anywhere)
        })
}

/// The links: to the carrier first, while it has the shipment.
fn ways(mut letter: Letter, following: &FollowedReturn<'_>, news: &ReturnMailContext) -> Letter {
    let FollowedReturn { words, order, .. } = *following;
    let mut has_button = false;
    for tracked in following.tracked() {
        let (text, facts) = (tracked.button(words), tracked.facts(words));
        if let Some(url) = &tracked.url {
            let text =
                if tracked.shipment.is_empty() { text } else { format(words.only_for, &[&text, &tracked.shipment]) };
            letter = letter.button(&text, url);
            has_button = true;
        }
        let facts = facts.into_iter().map(|(label, value)| (label.to_owned(), value));
        letter = letter.facts(&tracked.shipment, facts.collect());
    }
    let pays = order.payment.as_ref().filter(|payment| payment.checkout_url.is_some());
    match pays.filter(|_| following.phase() == Phase::Pay) {
        Some(payment) => letter.button(&format(words.pay_amount, &[&following.figure(payment.amount)]), &news.link),
        None if has_button => letter.link(words.mail_see, &news.link),
        None => letter.button(words.mail_see, &news.link),
    }
}

/// The items, with quantity and requested resolution.
fn items(following: &FollowedReturn<'_>) -> Vec<(String, String)> {
    let words = following.words;
    let item = |request: &view::ReturnRequestView| {
        let ProductSummary { name, attributes, .. } = ProductSummary::new(&request.product);
        let count = money::count(request.quantity, words.live());
        let counted = format(words.live().units_of, &[&count, &isolated(&name, words)]);
        let named = if attributes.is_empty() {
            counted
        } else {
            let attributes: Vec<String> = attributes.iter().map(|attribute| isolated(attribute, words)).collect();
            format(words.only_for, &[&counted, &attributes.join(words.list_comma)])
        };
        (named, requested_resolution(request.requested_resolution, following.wanted(request), words))
    };
    following.remaining().into_iter().map(item).collect()
}
