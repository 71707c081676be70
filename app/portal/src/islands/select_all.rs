//! Selects everything returnable. Without scripting, its button submits the form and the server selects.

use crate::words::Live;
use leptos::prelude::*;

/// The button that selects all rows, or none once all are selected. It is hidden during a search, because it affects hidden rows
/// too.
#[island]
pub fn SelectAll(
    /// How many rows are selected.
    chosen: usize,
    /// How many rows are returnable.
    returnable: usize,
    /// Whether a search hides some rows.
    searching: bool,
    language: String,
) -> impl IntoView {
    let words = Live::of(&language);
    let all = RwSignal::new(chosen >= returnable);
    let hidden = RwSignal::new(searching);
    let live = RwSignal::new(false);
    let kind = move || if live.get() { "button" } else { "submit" };
    #[cfg(feature = "hydrate")]
    {
        Effect::new(move || live.set(true));
        super::browser::on_change(move || {
            if let Some((are_all, is_searching)) = super::bulk::chosen() {
                all.set(are_all);
                hidden.set(is_searching);
            }
        });
    }
    let press = move |_| {
        #[cfg(feature = "hydrate")]
        super::bulk::choose_all(!all.get_untracked());
    };
    let value = move || if all.get() { "none" } else { "all" };
    let text = move || if all.get() { words.select_none } else { words.select_all };
    view! {
        <p hidden=move || hidden.get()>
            <button class="textlink" name="go" value=value type=kind on:click=press>{text}</button>
        </p>
    }
}
