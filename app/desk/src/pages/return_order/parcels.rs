//! The parcels of a return: their labels, tracking and problems.

use crate::{
    components::{Action, Field, actions, field, form, moment, parcel_text},
    pages::return_order::{
        load::{Open, ReturnPage},
        sending::{change, way},
    },
    visit::Visit,
};
use domain::returning::ShipmentStatus;
use leptos::prelude::*;
use returns::view::ShipmentView;
use ui::{
    html::{Html, IntoHtml},
    text::format,
};

/// The parcels, with what can be done about them.
pub fn parcels(visit: &Visit, page: &ReturnPage) -> Html {
    let words = visit.words.return_order;
    let (over, open): (Vec<_>, Vec<_>) =
        page.shipments.iter().partition(|shipment| shipment.status == ShipmentStatus::Cancelled);
    let all = open.into_iter().chain(over).map(|shipment| parcel(visit, page, shipment)).collect_view();
    let none = none_text(visit, page).map(|text| view! { <p class="quiet">{text}</p> });
    let is_open = !page.shipments.is_empty() && !page.order.status.is_over() && page.may_write;
    let add = is_open.then(|| {
        let fields = vec![("order", page.order.id.to_string())];
        actions(visit, "parcel-add", vec![Action::call(words.parcel_add, "add-parcel", fields)])
    });
    view! {
        <section class="section" aria-labelledby="parcels-title">
            <h2 id="parcels-title">{words.parcels}</h2>
            {way(visit, page)}
            {all}
            {none}
            {change(visit, page)}
            {add}
        </section>
    }
    .into_html()
}

/// Why there is no parcel, unless the way of sending says it.
fn none_text(visit: &Visit, page: &ReturnPage) -> Option<&'static str> {
    let words = visit.words.return_order;
    if !page.shipments.is_empty() {
        return None;
    }
    match &page.option {
        Some((_, method)) if page.order.status.is_over() || !method.has_label() => None,
        Some(_) => Some(words.no_label_yet),
        None => Some(words.no_parcel),
    }
}

fn parcel(visit: &Visit, page: &ReturnPage, shipment: &ShipmentView) -> Html {
    let words = visit.words.return_order;
    let carrier = shipment.carrier.clone().map(|carrier| view! { " · "<bdi>{carrier}</bdi> });
    let track = shipment.tracking_number.clone().map(|number| {
        let href = shipment.tracking_url.clone().filter(|url| url.starts_with("https://"));
        match href {
            Some(href) => {
                let text = format(words.track, &[&number]);
                view! { <a class="textlink" href=href rel="noreferrer">{text}</a> }.into_html()
            }
            None => view! { <bdi>{format(words.tracking_number, &[&number])}</bdi> }.into_html(),
        }
    });
    let labels = shipment.label_media_types.iter().map(|format| {
        let name = format.extension();
        let href = visit.path(&format!("returns/{}/labels/{}?format={name}", page.order.number, shipment.id));
        let text = ui::text::format(words.label_open, &[&name.to_uppercase()]);
        view! { <li><a class="textlink" href=href>{text}</a></li> }
    });
    let error = shipment.error_message.clone();
    let error = error.map(|error| view! { <p class="return-warn"><bdi>{format(words.error, &[&error])}</bdi></p> });
    let seen = shipment.tracking_updates.last().map(|update| {
        view! { <p class="quiet">{moment(update.happened_at, visit)}" "<bdi>{update.explanation.clone()}</bdi></p> }
    });
    view! {
        <article class="return-parcel">
            <p><strong>{parcel_text(shipment.status, visit.words)}</strong>{carrier}</p>
            {track}
            {seen}
            {error}
            <ul class="return-labels">{labels.collect_view()}</ul>
            {page.may_write.then(|| actions(visit, &format!("parcel-{}", shipment.id), possible(visit, page, shipment)))}
            {sender_form(visit, page, shipment)}
        </article>
    }
    .into_html()
}

/// What can be done about a parcel in its state.
fn possible(visit: &Visit, page: &ReturnPage, shipment: &ShipmentView) -> Vec<Action> {
    let words = visit.words.return_order;
    let fields = || vec![("shipment", shipment.id.to_string())];
    let is_unsent =
        matches!(shipment.status, ShipmentStatus::New | ShipmentStatus::LabelFailed | ShipmentStatus::LabelCreated);
    let is_known = !matches!(shipment.status, ShipmentStatus::New | ShipmentStatus::LabelFailed);
    let others = page.shipments.iter().filter(|other| other.status != ShipmentStatus::Cancelled).count();
    let mut all = Vec::new();
    if shipment.status == ShipmentStatus::LabelFailed {
        all.push(Action::call(words.label_again, "label-again", fields()));
    }
    if matches!(shipment.status, ShipmentStatus::LabelFailed | ShipmentStatus::LabelCreated) {
        let href = page.href(visit, &[("do", "sender"), ("shipment", &shipment.id.to_string())]);
        all.push(Action::open(words.sender_correct, format!("{href}#name")));
    }
    if is_known && !matches!(shipment.status, ShipmentStatus::Delivered | ShipmentStatus::Cancelled) {
        all.push(Action::call(words.parcel_delivered_by_hand, "report-delivered", fields()));
    }
    if is_unsent && others > 1 {
        all.push(Action::call(words.parcel_cancel, "cancel-parcel", fields()));
    }
    all
}

/// The form that corrects the sender of a parcel, if it is open.
fn sender_form(visit: &Visit, page: &ReturnPage, shipment: &ShipmentView) -> Option<Html> {
    let words = visit.words.return_order;
    if page.open != Some(Open::Sender(shipment.id)) || !page.may_write {
        return None;
    }
    let sender = &shipment.sender;
    let line = |name, label: &'static str, value: &str| Field::text(name, label).value(value).max_length(200);
    let fields = [
        line("name", words.name, &sender.name),
        line("street", words.street, &sender.street).required(),
        line("additional", words.address_more, &sender.additional),
        line("postalCode", words.postal_code, &sender.postal_code),
        line("city", words.city, &sender.city).required(),
        line("province", words.province, &sender.province),
        Field::lines("reason", words.comment_internal).max_length(500).required(),
    ];
    let fields = fields.map(|one| field(visit, one));
    let country = if sender.country.is_empty() {
        let list = visit.words.returns;
        field(visit, Field::text("country", list.country).hint(list.country_hint).max_length(2).required())
    } else {
        view! { <input type="hidden" name="country" value=sender.country.clone()/> }.into_html()
    };
    let content = view! {
        <input type="hidden" name="shipment" value=shipment.id.to_string()/>
        {country}
        {fields.into_iter().collect_view()}
        <div class="actions">
            <button class="button">{words.save}</button>
            <a class="button button-second" href=page.href(visit, &[]) data-press="Escape">{visit.words.common.cancel}</a>
        </div>
    };
    let form = form(visit, "correct-sender", content);
    Some(view! { <section class="return-open" aria-label=words.sender_correct><h3>{words.sender_correct}</h3>{form}</section> }.into_html())
}
