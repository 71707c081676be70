//! What stands around lists: tabs, filters, pages, and what is said in place of an empty list.

use crate::words::Words;
use leptos::prelude::*;
use ui::{
    components::icons::{self, icon, icon_s},
    html::{Html, IntoHtml},
};

/// A tab: a view of the same kind of thing at an address of its own.
#[derive(Debug, Clone)]
pub struct Tab {
    pub text: String,
    pub href: String,
    /// How many are in it, as the page writes it: "12", "1,000+".
    pub count: Option<String>,
    pub is_here: bool,
}

/// Tabs. They are links, so each is an address.
pub fn tabs(label: impl Into<String>, all: Vec<Tab>) -> Html {
    let tab = |tab: Tab| {
        let here = tab.is_here.then_some("page");
        let count = tab.count.map(|count| view! { <span class="count">{count}</span> });
        view! { <li><a href=tab.href aria-current=here>{tab.text}{count}</a></li> }
    };
    view! { <nav class="tabs" aria-label=label.into()><ul>{all.into_iter().map(tab).collect_view()}</ul></nav> }
        .into_html()
}

/// A filter that is set, with the address of the list without it.
#[derive(Debug, Clone)]
pub struct Chip {
    pub text: String,
    pub without: String,
}

/// The filters of a list: a form that reads, and what is set now. `hidden`: fields of the address that stay.
pub fn filter_bar(action: String, hidden: Vec<(String, String)>, fields: Html, set: Vec<Chip>, words: &Words) -> Html {
    let common = words.common;
    let chip = |chip: Chip| {
        let label = ui::text::format(common.remove_filter, &[&chip.text]);
        view! { <li><a class="chip-set" href=chip.without aria-label=label>{chip.text}{icon_s(icons::X)}</a></li> }
    };
    let hidden = hidden.into_iter().map(|(name, value)| view! { <input type="hidden" name=name value=value/> });
    let set =
        (!set.is_empty()).then(|| view! { <ul class="chips-set">{set.into_iter().map(chip).collect_view()}</ul> });
    view! {
        <div class="filters">
            <form method="get" action=action class="filters-form">
                {hidden.collect_view()}
                {fields}
                <button class="button button-second">{common.apply_filters}</button>
            </form>
            {set}
        </div>
    }
    .into_html()
}

/// Links to the previous and the next page of a list, with what is on this one: "1–50 of 1,000+".
pub fn pager(previous: Option<String>, next: Option<String>, said: impl Into<String>, words: &Words) -> Html {
    let common = words.common;
    let link = |href: Option<String>, text: &'static str, rel: &'static str| match href {
        Some(href) => view! { <a class="button button-second" href=href rel=rel>{text}</a> }.into_html(),
        None => view! { <span class="button button-second" aria-disabled="true">{text}</span> }.into_html(),
    };
    view! {
        <nav class="pager" aria-label=common.pages>
            <p class="quiet">{said.into()}</p>
            {link(previous, common.previous_page, "prev")}
            {link(next, common.next_page, "next")}
        </nav>
    }
    .into_html()
}

/// Why a list is empty, and what fills it.
pub fn empty(title: impl Into<String>, text: impl Into<String>, way: Option<(String, String)>) -> Html {
    empty_with(title, text, (), way)
}

/// Why a list is empty, with more below the text, and what fills it.
pub fn empty_with(
    title: impl Into<String>,
    text: impl Into<String>,
    more: impl IntoView + 'static,
    way: Option<(String, String)>,
) -> Html {
    let way = way.map(|(href, text)| view! { <a class="button button-second" href=href>{text}</a> });
    view! {
        <div class="empty">
            {icon(icons::CHECK)}
            <p><strong>{title.into()}</strong></p>
            <p class="quiet">{text.into()}</p>
            {more}
            {way}
        </div>
    }
    .into_html()
}
