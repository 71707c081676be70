//! Several rows at once: select all of them, and one reason for all.

use crate::{
    islands::SelectAll,
    pages::purchases::{reason::options, row::ReasonOption},
    words::Words,
};
use leptos::prelude::*;
use ui::{
    components::icons::{self, icon},
    html::IntoHtml,
};

/// What several rows share.
#[component]
pub fn BulkSelection(
    /// How many rows are returnable.
    returnable: usize,
    /// How many of them are selected.
    chosen: usize,
    /// Whether a search hides some rows.
    searching: bool,
    /// The reasons to offer.
    reasons: Vec<ReasonOption>,
    words: &'static Words,
) -> impl IntoView {
    let live = words.live();
    view! {
        // Enter presses the first button of a form, and should continue.
        <button class="visually-hidden" name="go" value="on" tabindex="-1" aria-hidden="true">{live.continue_}</button>
        <div class="together">
            <SelectAll chosen returnable searching language=words.tag.to_owned()/>
            <div class="field without-script">
                <label for="all-why">{words.reason_for_all}</label>
                <p class="hint" id="all-why-hint">{words.reason_for_all_hint}</p>
                <div class="select">
                    <select id="all-why" name="reason" aria-describedby="all-why-hint">{options(reasons, "", words)}</select>
                    {icon(icons::CHEVRON)}
                </div>
            </div>
            // Scripts move this below the first selected reason.
            <button class="textlink needs-script" type="button" data-same-reason hidden></button>
        </div>
    }
    .into_html()
}
