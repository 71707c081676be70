//! Finding a thing in a long order. Without scripting the button sends the form, and the server searches.

use crate::components::{icons, icons::icon_s};
use leptos::prelude::*;

/// Whether a text holds every word of what is searched for.
pub fn matches(text: &str, query: &str) -> bool {
    let text = text.to_lowercase();
    query.to_lowercase().split_whitespace().all(|word| text.contains(word))
}

/// The search and its count.
#[island]
pub fn Finder(
    /// What is searched for.
    query: String,
    /// Whether only what can go back is shown.
    only: bool,
    /// How many are shown.
    count: String,
    /// The field's name.
    label: String,
    /// What can be searched for.
    hint: String,
    /// What the button says.
    find: String,
    /// What the tick says.
    only_label: String,
    /// In which language.
    language: String,
) -> impl IntoView {
    let count = RwSignal::new(count);
    let live = RwSignal::new(false);
    #[cfg(feature = "hydrate")]
    {
        let words = crate::words::Live::of(&language);
        Effect::new(move || live.set(true));
        super::browser::on_change(move || {
            if let Some(text) = super::browser::filter(words) {
                count.set(text);
            }
        });
    }
    let _ = language;
    view! {
        <div class="toolbar" role="search">
            <label class="label" for="q">{label}</label>
            <div class="search">
                {icon_s(icons::SEARCH)}
                <input class="input" id="q" name="q" type="search" autocomplete="off" value=query placeholder=hint/>
                // Shown, it is the form's first button: Enter means Find. With scripting it is none, and Enter means Continue.
                <button class="button button-second" name="go" value="find" type=move || if live.get() { "button" } else { "submit" } hidden=move || live.get()>
                    {find}
                </button>
            </div>
            <label class="check">
                <input class="tick" type="checkbox" id="only" name="only" value="1" checked=only/>
                {only_label}
            </label>
            <p class="toolbar-count" role="status">{move || count.get()}</p>
        </div>
    }
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn every_word_counts_in_any_order_and_case() {
        assert!(matches("Stoneware mug, oatmeal glaze", "GLAZE mug") && matches("Mug", "  "));
        assert!(!matches("Stoneware mug", "mug blue"));
    }
}
