//! The results of a search, by kind.

use crate::{
    components::{empty, hidden_fields},
    visit::{Visit, finding::found_path},
};
use leptos::prelude::*;
use returns::view::{Found, FoundKind};
use ui::{
    html::{Html, IntoHtml},
    text::format,
};

/// What the page shows.
pub struct SearchPage {
    pub words: String,
    /// `None`: nothing was searched for.
    pub found: Option<Vec<Found>>,
    pub mistake: Option<String>,
}

/// The search and what it found.
pub fn search_page(visit: &Visit, page: SearchPage) -> Html {
    let words = visit.words.search;
    let has_error = page.mistake.is_some();
    let described = has_error.then_some("q-error");
    let invalid = has_error.then_some("true");
    let mistake = page.mistake.map(|text| view! { <p class="error" id="q-error">{text}</p> });
    let found = page.found.map(|found| results(visit, found));
    view! {
        <h1>{words.title}</h1>
        <form method="post" action=visit.path("call/find") class="search-form" role="search" aria-label=words.label>
            {hidden_fields(visit)}
            <div class="field" class:has-error=has_error>
                <label for="find">{words.label}</label>
                {mistake}
                <input class="input" type="search" id="find" name="q" value=page.words maxlength="320" autocomplete="off"
                    aria-invalid=invalid aria-describedby=described/>
            </div>
            <button class="button">{words.submit}</button>
        </form>
        {found}
    }
    .into_html()
}

fn results(visit: &Visit, found: Vec<Found>) -> Html {
    let words = visit.words.search;
    if found.is_empty() {
        return empty(words.none_title, words.none, None);
    }
    let kinds = [
        (FoundKind::Shipment, words.parcels),
        (FoundKind::ReturnOrder, words.returns),
        (FoundKind::Withdrawal, words.withdrawals),
        (FoundKind::Order, words.orders),
        (FoundKind::Consumer, words.people),
        (FoundKind::ReturnRequest, words.products),
    ];
    let group = |(kind, title): (FoundKind, &'static str)| {
        let of_kind: Vec<&Found> = found.iter().filter(|found| found.kind == kind).collect();
        (!of_kind.is_empty()).then(|| {
            let rows = of_kind.into_iter().map(|found| row(visit, found)).collect_view();
            view! { <section class="section"><h2>{title}</h2><ul class="found">{rows}</ul></section> }
        })
    };
    kinds.map(group).into_iter().collect_view().into_html()
}

fn row(visit: &Visit, found: &Found) -> Html {
    let words = visit.words.search;
    let of_return = found.return_number.as_ref().filter(|number| **number != found.title);
    let of_return = of_return.map(|number| view! { <span>{format(words.of_return, &[number])}</span> });
    let detail = (!found.detail.is_empty()).then(|| view! { <bdi class="quiet">{found.detail.clone()}</bdi> });
    let title = view! { <bdi>{found.title.clone()}</bdi> };
    let title = match found_path(found) {
        Some(path) => view! { <a href=visit.path(&path)>{title}</a> }.into_html(),
        None => title.into_html(),
    };
    view! { <li>{title}{of_return}{detail}</li> }.into_html()
}
