//! The search of a long order. Without scripting, its button submits the form and the server searches.

use super::search::SearchCounts;
use crate::words::Live;
use leptos::prelude::*;
use ui::{
    components::icons::{self, icon_s},
    text::format,
};

/// The search, its counts, and what is shown if nothing matches.
#[island]
pub fn Finder(
    /// The search text.
    query: String,
    /// Whether only returnable rows are shown.
    only: bool,
    /// The counts.
    found: SearchCounts,
    /// The address of the page without a search.
    everything: String,
    language: String,
) -> impl IntoView {
    let words = Live::of(&language);
    let found = RwSignal::new(found);
    let searched = RwSignal::new(query.clone());
    // The button is the first of the form, so Enter searches. With scripting the button does not submit, so Enter continues.
    let live = RwSignal::new(false);
    let kind = move || if live.get() { "button" } else { "submit" };
    #[cfg(feature = "hydrate")]
    {
        Effect::new(move || live.set(true));
        super::browser::on_change(move || {
            let before = searched.get_untracked();
            if let Some((query, now)) = super::filter::filter(&before, words) {
                searched.set(query);
                found.set(now);
            }
        });
    }
    let show_everything = move |event: leptos::ev::MouseEvent| {
        event.prevent_default();
        #[cfg(feature = "hydrate")]
        super::filter::show_everything();
    };
    let nothing = move || match searched.get().trim() {
        "" => words.nothing_matches.to_owned(),
        query => format(words.nothing_called, &[query]),
    };
    view! {
        <div class="toolbar" role="search">
            <label class="label" for="q">{words.find_in_orders}</label>
            <div class="search">
                {icon_s(icons::SEARCH)}
                <input class="input" id="q" name="q" type="search" autocomplete="off" value=query placeholder=words.find_hint/>
                <button class="button button-second" name="go" value="find" type=kind hidden=move || live.get()>{words.find}</button>
            </div>
            <label class="check">
                <input class="tick" type="checkbox" id="only" name="only" value="1" checked=only/>
                {words.only_returnable}
            </label>
            <p class="toolbar-count" role="status">{move || found.get().text(words)}</p>
        </div>
        <div class="blank" hidden=move || found.get().shown != 0>
            <h2>{nothing}</h2>
            <p>{words.try_another}</p>
            <div class="actions">
                <a class="button button-second" href=everything on:click=show_everything>{words.show_everything}</a>
            </div>
        </div>
    }
}
