//! Choosing everything that can go back. Without scripting the button sends the form, and the server does it.

use crate::words::Live;
use leptos::prelude::*;

/// The button that chooses all rows, or none once all are chosen. Out of sight while rows are, since it means all of them.
#[island]
pub fn SelectAll(
    /// How many rows are chosen.
    chosen: usize,
    /// How many can be.
    returnable: usize,
    /// Whether some rows are out of sight.
    searching: bool,
    /// In which language.
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
            if let Some((are_all, is_searching)) = super::together::chosen() {
                all.set(are_all);
                hidden.set(is_searching);
            }
        });
    }
    let press = move |_| {
        #[cfg(feature = "hydrate")]
        super::together::choose_all(!all.get_untracked());
    };
    let value = move || if all.get() { "none" } else { "all" };
    let text = move || if all.get() { words.select_none } else { words.select_all };
    view! {
        <p hidden=move || hidden.get()>
            <button class="textlink" name="go" value=value type=kind on:click=press>{text}</button>
        </p>
    }
}
