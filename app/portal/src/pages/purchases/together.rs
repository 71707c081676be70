//! Several rows at once: select all of them, and one reason for all.

use crate::{
    islands::SelectAll,
    pages::purchases::{reason::options, row::ReasonOption},
    words::Words,
};
use leptos::prelude::*;
use ui::components::icons::{self, icon};

/// What several lines share.
#[component]
pub fn Together(
    /// How many lines can go back.
    returnable: usize,
    /// How many of them are chosen.
    chosen: usize,
    /// Whether some are out of sight.
    searching: bool,
    /// Why things go back.
    reasons: Vec<ReasonOption>,
    words: &'static Words,
) -> impl IntoView {
    let live = words.live();
    view! {
        // Enter in a field presses the first button of a form, and means to go on.
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
            // Scripts put it beneath the first reason that is chosen.
            <button class="textlink needs-script" type="button" data-same-reason hidden></button>
        </div>
    }
    .into_any()
}
