//! The scan page.

use super::table::table_of;
use crate::{
    calls::{parcel::Parcel, station},
    components::{Field, field, form, hidden_fields, moment, problems_beside_focus},
    islands::scan::Station,
    visit::Visit,
};
use leptos::prelude::*;
use returns::view::{ReturnOrderView, ScanTally};
use ui::{
    components::{
        FieldMistake,
        icons::{self, icon},
    },
    html::{Html, IntoHtml},
    text::{format, plural},
};

/// What the page shows.
pub struct ScanPage {
    /// The parcel on the table.
    pub parcel: Option<Parcel>,
    /// The returns that a code belongs to, if there are several.
    pub choices: Vec<ReturnOrderView>,
    pub tally: ScanTally,
    /// Whether the policy asks for an inspection.
    pub inspects: bool,
    /// A code that nothing is known about.
    pub unknown: Option<String>,
}

pub fn scan_page(visit: &Visit, page: ScanPage) -> Html {
    let words = visit.words.scan;
    let is_refused = visit.refusal().is_some() || !visit.mistakes().is_empty();
    let sound = match (&page.unknown, is_refused, visit.flash.is_some(), &page.parcel) {
        (Some(_), ..) | (None, true, ..) => "unknown",
        (_, _, true, _) | (_, _, _, Some(_)) => "accepted",
        _ => "",
    };
    let is_open = page.parcel.is_some();
    let number = page.parcel.as_ref().map(|parcel| parcel.number.clone()).unwrap_or_default();
    let station = view! {
        <Station sound=sound.to_owned() skipped=words.skipped.to_owned()/>
    };
    let main = match page.parcel {
        Some(parcel) => table_of(visit, &parcel, page.inspects, code_field(visit, true)),
        None => view! {
            <section class="scan-station">{form(visit, "scan", code_field(visit, false))}</section>
            {choices(visit, page.choices)}
        }
        .into_html(),
    };
    let found = (!is_open || page.unknown.is_some()).then(|| found_form(visit, page.unknown.as_deref()));
    view! {
        <h1 class:visually-hidden=is_open>{words.title}</h1>
        {station}
        <div class="scan" id="scan" data-open=number>
            {problems_beside_focus(visit)}
            {main}
            {today(visit, &page.tally)}
            {found}
        </div>
    }
    .into_html()
}

/// The field for every code. It has the focus, so that a scanner types into it.
fn code_field(visit: &Visit, is_open: bool) -> Html {
    let words = visit.words.scan;
    let mistake = visit.mistake("code");
    let has_error = mistake.is_some();
    let hint = if is_open { words.code_hint_open } else { words.code_hint };
    view! {
        <div class="field scan-code" class:has-error=has_error>
            <label for="code">{words.code}</label>
            <p class="hint" id="code-hint">{hint}</p>
            <FieldMistake id="code-error".to_owned() text=mistake words=visit.words/>
            <div class="scan-line">
                <input class="input scan-input" id="code" name="code" type="text" autocomplete="off" autocapitalize="off"
                    spellcheck="false" enterkeyhint="go" maxlength="200" autofocus=true
                    aria-invalid=has_error.then_some("true") aria-describedby="code-error code-hint"/>
                <button class="button button-second scan-look" formaction=visit.path("call/scan")>
                    {icon(icons::SEARCH)}<span>{words.look_up}</span>
                </button>
            </div>
        </div>
    }
    .into_html()
}

/// The returns that a code belongs to.
fn choices(visit: &Visit, orders: Vec<ReturnOrderView>) -> Option<Html> {
    if orders.is_empty() {
        return None;
    }
    let words = visit.words.scan;
    let choice = |order: ReturnOrderView| {
        let href = station::opening(visit, &order.number);
        let orders = order.purchase_order_numbers.join(", ");
        view! {
            <li>
                <a class="card scan-choice" href=href>
                    <strong><bdi>{order.number}</bdi></strong>
                    <span class="quiet"><bdi>{format(words.order, &[&orders])}</bdi>" "{moment(order.created_at, visit)}</span>
                </a>
            </li>
        }
    };
    let list = orders.into_iter().map(choice).collect_view();
    Some(
        view! {
            <section class="section" aria-labelledby="choose">
                <h2 id="choose">{words.choose}</h2>
                <p class="quiet">{words.unclear}</p>
                <ul class="scan-choices">{list}</ul>
            </section>
        }
        .into_html(),
    )
}

/// What the person has counted today, and the way back.
fn today(visit: &Visit, tally: &ScanTally) -> Html {
    let words = visit.words.scan;
    let numbers = [tally.parcels, tally.units, tally.refused].map(|number| number.to_string());
    let [parcels, units, refused] = &numbers;
    let said = plural(visit.words.common.tag, words.tally, &[parcels, units, refused]);
    let back = tally.last.as_ref().map(|last| {
        let text = format(words.take_back, &[&last.return_order_number]);
        form(visit, "take-back", view! { <button class="button button-second">{icon(icons::RETURN)}{text}</button> })
    });
    view! {
        <section class="scan-today" aria-labelledby="today">
            <h2 id="today">{words.today}</h2>
            <p>{said}</p>
            {back}
            <p><a href=visit.path("scan/found")>{words.found_list}</a></p>
            <p><a href=visit.path("scan/sheet.pdf")>{words.sheet}</a></p>
        </section>
    }
    .into_html()
}

/// The form for a parcel without papers. It is open if nothing is known about a code.
fn found_form(visit: &Visit, code: Option<&str>) -> Html {
    let words = visit.words.scan;
    let is_refused = ["found_code", "carrier", "contents", "note"].iter().any(|name| visit.mistake(name).is_some());
    let is_open = code.is_some() || is_refused;
    let fields = view! {
        {field(visit, Field::text("found_code", words.found_code).value(code.unwrap_or_default()).max_length(200))}
        {field(visit, Field::text("carrier", words.found_carrier).max_length(100))}
        {field(visit, Field::lines("contents", words.found_contents).max_length(2000))}
        {field(visit, Field::lines("note", words.found_note).max_length(2000))}
        <div class="actions"><button class="button">{words.found_save}</button></div>
    };
    let inner = view! {
        <form method="post" action=visit.path("call/record-found") novalidate=true>{hidden_fields(visit)}{fields}</form>
    };
    view! {
        <details class="card scan-found" open=is_open>
            <summary>{icon(icons::CHEVRON)}<span>{words.found_title}</span></summary>
            <p class="quiet">{words.found_lede}</p>
            {inner}
        </details>
    }
    .into_html()
}
