//! The parcel on the table: its items as cards, and what can be done with the whole of it.

use super::load::picture;
use crate::{
    calls::parcel::{CONDITIONS, CountedItem, DISPOSITIONS, Parcel, condition_name, disposition_name},
    components::{condition_text, disposition_text, form, stage_badge},
    visit::Visit,
};
use leptos::prelude::*;
use ui::{
    components::{
        FieldMistake,
        icons::{self, icon, icon_s},
        typed,
    },
    html::{Html, IntoHtml},
    text::{format, plural},
    web::form::encoded,
};

/// The parcel. All of it is one form, so that nothing that was typed is lost when a code is scanned.
pub fn table_of(visit: &Visit, parcel: &Parcel, inspects: bool, code: Html) -> Html {
    let words = visit.words.scan;
    let orders: Vec<&str> =
        parcel.items.first().map(|item| item.request.purchase_order_number.as_str()).into_iter().collect();
    let items = parcel.items.iter().enumerate();
    let cards = items.map(|(place, item)| card(visit, parcel, place, item, inspects)).collect_view();
    let current = parcel.current.map(|place| view! { <input type="hidden" name="at" value=place.to_string()/> });
    let content = view! {
        <input type="hidden" name="open" value=parcel.number.clone()/>
        {current}
        // Enter in a field looks the code up: the first button of a form is the one that Enter presses.
        {code}
        <div class="scan-head">
            <h2><bdi>{format(words.parcel, &[&parcel.number])}</bdi></h2>
            <p class="quiet"><bdi>{format(words.order, &[&orders.join(", ")])}</bdi></p>
        </div>
        <ul class="scan-items">{cards}</ul>
        <label class="scan-last">
            <input type="checkbox" name="last" value="yes" checked=parcel.is_last/>
            <span>{words.nothing_more}</span>
        </label>
        <div class="scan-actions">
            <button class="button button-second scan-big" formaction=visit.path("call/all-here")>{words.all_here}</button>
            <button class="button scan-big" id="done" formaction=visit.path("call/receive") data-hold=format(words.saving_in, &[&parcel.number, "{1}"])
                data-hold-about=parcel.number.clone() data-hold-done=format(words.saved, &[&parcel.number])
                data-hold-failed=format(words.saving_failed, &[&parcel.number]) data-hold-next=visit.path("scan")>
                {icon(icons::CHECK)}<span>{words.done}</span>
            </button>
            <a class="textlink" href=visit.path("scan")>{words.start_again}</a>
        </div>
    };
    view! {
        <section class="scan-station">{form(visit, "scan", content)}</section>
    }
    .into_html()
}

fn card(visit: &Visit, parcel: &Parcel, place: usize, item: &CountedItem, inspects: bool) -> Html {
    let words = visit.words.scan;
    let request = &item.request;
    let (wanted, already) = (item.wanted(), item.already());
    let expected = if wanted == 0 && already == 0 {
        words.nothing_expected.to_owned()
    } else {
        format(words.wanted, &[&wanted.to_string()])
    };
    let already = (already > 0).then(|| format(words.already, &[&already.to_string()]));
    let product = &request.product;
    let image = picture(request).cloned().map(|src| {
        view! { <img class="scan-picture" src=src alt="" width="72" height="72" loading="lazy" decoding="async"/> }
    });
    let id = format!("units-{place}");
    let mistake = visit.mistake(&id);
    let has_error = mistake.is_some();
    let units = item.units.text().to_owned();
    let is_current = parcel.current == Some(place);
    let inspection = (inspects || item.condition.is_some() || item.disposition.is_some())
        .then(|| inspection_fields(visit, place, item));
    view! {
        <li class="card scan-item" class:is-current=is_current>
            <input type="hidden" name=format!("seen-{place}") value=item.seen.to_string() autocomplete="off"/>
            {image}
            <div class="scan-what">
                <p class="scan-name"><bdi>{product.name.clone()}</bdi></p>
                <p class="quiet"><bdi>{product.sku.clone()}</bdi></p>
                <p>{stage_badge(request.stage, visit.words)}</p>
                <p>{expected}{already.map(|text| view! { <span class="quiet">" · "{text}</span> })}</p>
            </div>
            <div class="field scan-count" class:has-error=has_error>
                <label for=id.clone()>{words.here}</label>
                <FieldMistake id=format!("{id}-error") text=mistake words=visit.words/>
                <input class="input scan-number" id=id.clone() name=id.clone() type="number" inputmode="numeric" min="0" max="1000000"
                    value=units placeholder="0" autocomplete="off" aria-invalid=has_error.then_some("true")/>
            </div>
            {inspection}
            {refusal_fields(visit, parcel, place, item)}
        </li>
    }
    .into_html()
}

/// A list of values, one of which is chosen.
fn choice(
    name: &'static str,
    place: usize,
    label: &'static str,
    none: &'static str,
    options: Vec<(&'static str, &'static str)>,
    chosen: Option<&'static str>,
) -> Html {
    let id = format!("{name}{place}");
    let option = |(key, text): (&'static str, &'static str)| {
        view! { <option value=key selected=chosen == Some(key)>{text}</option> }
    };
    view! {
        <div class="field">
            <label for=id.clone()>{label}</label>
            <span class="select">
                <select id=id.clone() name=id autocomplete="off">
                    <option value="">{none}</option>
                    {options.into_iter().map(option).collect_view()}
                </select>
                {icon(icons::CHEVRON)}
            </span>
        </div>
    }
    .into_html()
}

fn inspection_fields(visit: &Visit, place: usize, item: &CountedItem) -> Html {
    let words = visit.words.scan;
    let conditions = CONDITIONS.map(|one| (condition_name(one), condition_text(one, words))).to_vec();
    let dispositions = DISPOSITIONS.map(|one| (disposition_name(one), disposition_text(one, words))).to_vec();
    let (condition, disposition) = (item.condition.map(condition_name), item.disposition.map(disposition_name));
    view! {
        <div class="scan-inspection">
            {choice("condition-", place, words.condition, words.not_given, conditions, condition)}
            {choice("disposition-", place, words.disposition, words.not_given, dispositions, disposition)}
        </div>
    }
    .into_html()
}

/// Refusing units: how many, why, and a photo. It is open if something is refused.
fn refusal_fields(visit: &Visit, parcel: &Parcel, place: usize, item: &CountedItem) -> Html {
    let words = visit.words.scan;
    let (refused_id, why_id) = (format!("refused-{place}"), format!("why-{place}"));
    let (refused_mistake, why_mistake) = (visit.mistake(&refused_id), visit.mistake(&why_id));
    let is_open = refused_mistake.is_some() || why_mistake.is_some() || item.refused.value() != Some(0);
    let count = item.request.evidence.len();
    let photos = (count > 0).then(|| plural(visit.words.common.tag, words.photos, &[&count.to_string()]));
    let (file_id, send) =
        (format!("file-{place}"), format!("{}?open={}", visit.path("scan/photo"), encoded(&parcel.number)));
    let (refused_error, why_error) = (refused_mistake.is_some(), why_mistake.is_some());
    view! {
        <details class="scan-refuse" open=is_open>
            <summary>{icon(icons::CHEVRON)}<span>{words.refuse}</span></summary>
            <div class="field" class:has-error=refused_error>
                <label for=refused_id.clone()>{words.refused}</label>
                <FieldMistake id=format!("{refused_id}-error") text=refused_mistake words=visit.words/>
                <input class="input scan-number" id=refused_id.clone() name=refused_id type="number" inputmode="numeric" min="0"
                    max="1000000" value=item.refused.text().to_owned() placeholder="0" autocomplete="off"
                    aria-invalid=refused_error.then_some("true")/>
            </div>
            <div class="field" class:has-error=why_error>
                <label for=why_id.clone()>{words.why}</label>
                <FieldMistake id=format!("{why_id}-error") text=why_mistake words=visit.words/>
                <textarea class="textarea" id=why_id.clone() name=why_id maxlength="2000"
                    aria-invalid=why_error.then_some("true")>{typed(&item.why)}</textarea>
            </div>
            <div class="field">
                <label for=file_id.clone()>{words.photo}{photos.map(|text| view! { <span class="quiet">" "{text}</span> })}</label>
                <div class="scan-photo">
                    <input class="file" id=file_id.clone() type="file" name=file_id accept="image/*" capture="environment"/>
                    <button class="button button-second" formaction=send formenctype="multipart/form-data">
                        {icon_s(icons::CAMERA)}<span>{words.send_photo}</span>
                    </button>
                </div>
            </div>
        </details>
    }
    .into_html()
}
