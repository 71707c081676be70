//! The parcels without papers.

use crate::{
    components::{Tab, age, empty, facts, form, pager, problems, tabs},
    visit::Visit,
};
use domain::returning::FoundParcelStatus;
use leptos::prelude::*;
use returns::view::FoundParcelView;
use ui::{
    components::FieldMistake,
    html::{Html, IntoHtml},
};

/// What the page shows.
pub struct FoundPage {
    pub parcels: Vec<FoundParcelView>,
    /// Whether only open parcels are shown.
    pub is_open: bool,
    /// The address of the next page.
    pub next: Option<String>,
}

pub fn found_page(visit: &Visit, page: FoundPage) -> Html {
    let words = visit.words.found;
    let tab = |text: &str, href: String, is_here| Tab { text: text.to_owned(), href, count: None, is_here };
    let views = vec![
        tab(words.open, visit.path("scan/found"), page.is_open),
        tab(words.all, format!("{}?closed", visit.path("scan/found")), !page.is_open),
    ];
    let list = if page.parcels.is_empty() {
        empty(words.none_title, words.none, Some((visit.path("scan"), words.record.to_owned())))
    } else {
        let cards = page.parcels.into_iter().map(|parcel| card(visit, parcel)).collect_view();
        view! { <ul class="scan-items">{cards}</ul> }.into_html()
    };
    let more = page.next.map(|next| pager(None, Some(next), "", visit.words));
    view! {
        <div class="page-head">
            <h1>{words.title}</h1>
            <a class="button button-second" href=visit.path("scan")>{words.record}</a>
        </div>
        {tabs(words.views, views)}
        {problems(visit)}
        {list}
        {more}
    }
    .into_html()
}

fn card(visit: &Visit, parcel: FoundParcelView) -> Html {
    let words = visit.words.found;
    let text = |text: String| view! { <bdi>{text}</bdi> }.into_html();
    let known = [
        (words.code, parcel.code.clone()),
        (words.carrier, parcel.carrier.clone()),
        (words.contents, parcel.contents.clone()),
        (words.note, parcel.note.clone()),
    ];
    let known = known.into_iter().filter(|(_, value)| !value.is_empty());
    let known: Vec<(String, Html)> = known.map(|(name, value)| (name.to_owned(), text(value))).collect();
    let (status, is_open) = match parcel.status {
        FoundParcelStatus::Open => (words.status_open, true),
        FoundParcelStatus::Matched => (words.matched, false),
        FoundParcelStatus::Closed => (words.closed, false),
    };
    let tone = if is_open { "warn" } else { "good" };
    let forms = is_open.then(|| forms(visit, &parcel));
    view! {
        <li class="card">
            <h2><bdi>{parcel.number}</bdi>" "<span class="badge" data-tone=tone>{status}</span></h2>
            <p class="quiet">{age(parcel.created_at, visit)}</p>
            {facts(known)}
            {forms}
        </li>
    }
    .into_html()
}

/// The two ways out: it belongs to a return, or nothing remains to be done.
fn forms(visit: &Visit, parcel: &FoundParcelView) -> Html {
    let words = visit.words.found;
    let (id, version) = (parcel.id.to_string(), parcel.version.to_string());
    // A mistake belongs to the parcel whose form was sent.
    let is_sent = visit.typed("parcel") == Some(id.as_str());
    let line = |name: &'static str, label: &'static str, button: &'static str| {
        let field = format!("{name}-{id}");
        let mistake = visit.mistake(name).filter(|_| is_sent);
        let has_error = mistake.is_some();
        let value = visit.typed(name).filter(|_| is_sent).unwrap_or_default().to_owned();
        view! {
            <input type="hidden" name="parcel" value=id.clone()/>
            <input type="hidden" name="version" value=version.clone()/>
            <div class="field" class:has-error=has_error>
                <label for=field.clone()>{label}</label>
                <FieldMistake id=format!("{field}-error") text=mistake words=visit.words/>
                <div class="scan-line">
                    <input class="input" id=field name=name type="text" value=value maxlength="2000" autocomplete="off"
                        aria-invalid=has_error.then_some("true")/>
                    <button class="button button-second">{button}</button>
                </div>
            </div>
        }
    };
    view! {
        {form(visit, "match-found", line("return_number", words.return_number, words.match_it))}
        {form(visit, "close-found", line("why", words.why, words.close))}
    }
    .into_html()
}
