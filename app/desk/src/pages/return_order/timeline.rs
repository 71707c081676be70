//! Everything that happened to a return, newest first, with the form for a note.

use crate::{
    components::{Field, age, delivery_text, field, form, mail_text, payment_text, stage_text},
    pages::return_order::load::ReturnPage,
    visit::Visit,
};
use domain::party::Actor;
use leptos::prelude::*;
use returns::{
    Scope,
    view::{ActivityEntry, ActivityType},
};
use ui::{
    components::{
        ProductSummary,
        icons::{self, icon_s},
    },
    html::{Html, IntoHtml},
    text::{format, plural},
};

/// How long the author of a note may change it, in seconds.
const NOTE_CHANGES: i64 = 600;

/// The timeline.
pub fn timeline(visit: &Visit, page: &ReturnPage) -> Html {
    let words = visit.words.return_order;
    let (technical, shown): (Vec<&ActivityEntry>, Vec<&ActivityEntry>) =
        page.activity.iter().rev().partition(|entry| entry.kind == ActivityType::WebhookDelivery);
    let list = |entries: Vec<&ActivityEntry>| {
        let entries = entries.into_iter().map(|entry| happened(visit, page, entry)).collect_view();
        view! { <ol class="happened">{entries}</ol> }
    };
    let technical = (!technical.is_empty()).then(|| {
        view! { <details><summary>{words.more_technical}</summary>{list(technical)}</details> }
    });
    let note = page.may_write.then(|| note_form(visit, page));
    view! {
        <section class="section" aria-labelledby="happened-title">
            <h2 id="happened-title">{words.timeline}</h2>
            {note}
            {list(shown)}
            {technical}
        </section>
    }
    .into_html()
}

fn note_form(visit: &Visit, page: &ReturnPage) -> Html {
    let words = visit.words.return_order;
    let content = view! {
        <input type="hidden" name="order" value=page.order.id.to_string()/>
        {field(visit, Field::lines("text", words.note).hint(words.note_hint).max_length(4_000).key("n"))}
        <div class="actions"><button class="button button-second">{words.note_add}</button></div>
    };
    form(visit, "write-note", content)
}

/// One thing that happened: who, what, why, when.
fn happened(visit: &Visit, page: &ReturnPage, entry: &ActivityEntry) -> Html {
    let text = entry.text.clone();
    let class = if entry.kind == ActivityType::Note { "happened-note" } else { "return-quote" };
    let text = (!text.is_empty()).then(|| view! { <p class=class><bdi>{text}</bdi></p> });
    let item = item_of(page, entry).map(|name| view! { <span class="quiet">" · "<bdi>{name}</bdi></span> });
    view! {
        <li data-kind=kind_name(entry.kind)>
            {match entry.kind {
                // It points to what follows, in the direction of the text.
                ActivityType::Stage => view! {
                    <svg class="icon icon-s icon-way" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true" inner_html=icons::CHEVRON_RIGHT></svg>
                }
                .into_html(),
                kind => icon_s(icon_of(kind)).into_html(),
            }}
            <div>
                <p>
                    <strong><bdi>{who(visit, entry)}</bdi></strong>" "{what(visit, entry)}{item}" "
                    <span class="quiet">{age(entry.at, visit)}</span>
                </p>
                {text}
                {more(visit, page, entry)}
            </div>
        </li>
    }
    .into_html()
}

/// The item that an entry is about, if the return has several.
fn item_of(page: &ReturnPage, entry: &ActivityEntry) -> Option<String> {
    let id = entry.return_request_id.filter(|_| page.requests.len() > 1)?;
    let request = page.requests.iter().find(|request| request.id == id)?;
    Some(ProductSummary::new(&request.product).name)
}

/// Who did it: a person or program by name, the customer, Retour or the carrier.
pub fn who(visit: &Visit, entry: &ActivityEntry) -> String {
    let words = visit.words.return_order;
    let party = match entry.actor {
        Some(Actor::Consumer) => words.who_customer,
        Some(Actor::Merchant) => words.who_staff,
        Some(Actor::System) => words.who_retour,
        None => words.who_carrier,
    };
    entry.actor_name.clone().unwrap_or_else(|| party.to_owned())
}

fn what(visit: &Visit, entry: &ActivityEntry) -> String {
    let words = visit.words.return_order;
    let stage = entry.to_stage.map(|stage| stage_text(stage, visit.words)).unwrap_or_default();
    let about = entry.about.clone().unwrap_or_default();
    let status = entry.status.clone().unwrap_or_default();
    match entry.kind {
        ActivityType::Stage if entry.from_stage.is_none() => format(words.did_created, &[stage]),
        ActivityType::Stage => format(words.did_stage, &[stage]),
        ActivityType::FailedAttempt => words.did_failed.to_owned(),
        ActivityType::Correction => words.did_corrected.to_owned(),
        ActivityType::Inspection => words.did_inspected.to_owned(),
        ActivityType::Receipt => {
            let units = entry.quantity.unwrap_or_default().to_string();
            plural(visit.words.language().tag(), words.did_received, &[&units])
        }
        ActivityType::TrackingUpdate => match status.as_str() {
            "Delivered" => words.did_delivered.to_owned(),
            "Exception" => words.did_exception.to_owned(),
            _ => words.did_transit.to_owned(),
        },
        ActivityType::Mail if status == "Sent" => format(words.did_mail_sent, &[&mail_text(&about, visit.words)]),
        ActivityType::Mail => format(words.did_mail_failed, &[&mail_text(&about, visit.words)]),
        ActivityType::Note => words.did_note.to_owned(),
        ActivityType::Payment => format(words.did_payment, &[&payment_text(&status, visit.words)]),
        ActivityType::WebhookDelivery => format(words.did_delivery, &[&about, &delivery_text(&status, visit.words)]),
    }
}

/// What can be done about an entry: send a mail again, change one's own note.
fn more(visit: &Visit, page: &ReturnPage, entry: &ActivityEntry) -> Option<Html> {
    let words = visit.words.return_order;
    if visit.may(Scope::Receive) && can_be_taken_back(page, entry) {
        return Some(take_back(visit, entry));
    }
    if !page.may_write {
        return None;
    }
    if let Some(mail) = entry.mail_id {
        let content = view! {
            <input type="hidden" name="mail" value=mail.to_string()/>
            <button class="textlink">{words.mail_again}</button>
        };
        return Some(form(visit, "mail-again", content));
    }
    let note = entry.note_id?;
    let is_mine = entry.actor_id == Some(visit.session.user.id.0);
    let is_new = visit.retour.now().seconds() - entry.at.seconds() <= NOTE_CHANGES;
    (is_mine && is_new && !entry.text.is_empty()).then(|| {
        let id = format!("note-{note}");
        let typed = ui::components::typed(&entry.text);
        let content = view! {
            <input type="hidden" name="order" value=page.order.id.to_string()/>
            <input type="hidden" name="note" value=note.to_string()/>
            <div class="field">
                <label for=id.clone()>{words.note}</label>
                <textarea class="textarea" id=id.clone() name="changed" maxlength="4000" required=true>{typed}</textarea>
            </div>
            <div class="actions"><button class="button button-second">{words.save}</button></div>
        };
        view! { <details class="note-change"><summary>{words.note_change}</summary>{form(visit, "change-note", content)}</details> }
            .into_html()
    })
}

/// Whether it is the last thing that the warehouse recorded of an item whose refund has not begun. The use case checks it
/// again.
fn can_be_taken_back(page: &ReturnPage, entry: &ActivityEntry) -> bool {
    let is_recorded = |entry: &ActivityEntry| entry.kind == ActivityType::Inspection || entry.receipt_id.is_some();
    let mut last_first = page.activity.iter().rev().filter(|other| is_recorded(other));
    let last = last_first.find(|other| other.return_request_id == entry.return_request_id);
    let request = page.requests.iter().find(|request| Some(request.id) == entry.return_request_id);
    let is_open = request.is_some_and(|request| !request.stage.is_approved() && !request.stage.is_end());
    is_open && last.is_some_and(|last| std::ptr::eq(last, entry))
}

/// The form that takes a receipt back, with the reason, or an inspection.
fn take_back(visit: &Visit, entry: &ActivityEntry) -> Html {
    let words = visit.words.return_order;
    let request = entry.return_request_id.map(|id| id.to_string()).unwrap_or_default();
    let receipt = entry.receipt_id.map(|id| id.to_string()).unwrap_or_default();
    let why = (!receipt.is_empty()).then(|| {
        let id = format!("why-{receipt}");
        view! {
            <div class="field">
                <label for=id.clone()>{words.take_back_why}</label>
                <input class="input" id=id name="why" maxlength="500" autocomplete="off"/>
            </div>
        }
    });
    let content = view! {
        <input type="hidden" name="request" value=request/>
        <input type="hidden" name="receipt" value=receipt/>
        {why}
        <div class="actions"><button class="button button-second">{words.take_back}</button></div>
    };
    view! { <details class="note-change"><summary>{words.take_back}</summary>{form(visit, "take-recording-back", content)}</details> }
        .into_html()
}

fn kind_name(kind: ActivityType) -> &'static str {
    match kind {
        ActivityType::Stage => "stage",
        ActivityType::FailedAttempt => "failed",
        ActivityType::Correction => "correction",
        ActivityType::Receipt => "receipt",
        ActivityType::Inspection => "inspection",
        ActivityType::TrackingUpdate => "tracking",
        ActivityType::Mail => "mail",
        ActivityType::Note => "note",
        ActivityType::Payment => "payment",
        ActivityType::WebhookDelivery => "webhook",
    }
}

fn icon_of(kind: ActivityType) -> &'static str {
    match kind {
        ActivityType::Stage => icons::CHEVRON_RIGHT,
        ActivityType::FailedAttempt => icons::ALERT,
        ActivityType::Correction | ActivityType::Inspection => icons::CHECK,
        ActivityType::Payment => icons::WALLET,
        ActivityType::Receipt => icons::BOX,
        ActivityType::TrackingUpdate => icons::TRUCK,
        ActivityType::Mail => icons::INBOX,
        ActivityType::Note => icons::NOTE,
        ActivityType::WebhookDelivery => icons::LOG,
    }
}
