//! What makes a form quicker: steppers, mistakes shown in place, one sending only, and the total said aloud.

use crate::words::Live;
use leptos::prelude::*;

/// Helps with the form of the page. It shows nothing but announces to screen readers.
#[island]
pub fn Helper(language: String) -> impl IntoView {
    let said = RwSignal::new(String::new());
    #[cfg(feature = "hydrate")]
    {
        let words = Live::of(&language);
        super::browser::focus_alert();
        super::browser::mind_the_line();
        super::browser::ask_about_chosen(words);
        super::browser::step_quantities();
        super::together::offer_same_reason(words);
        super::together::bring_into_sight();
        super::check::on_submit(words);
        super::browser::say_total(said, words);
        super::ways::keep_chosen();
    }
    let _ = language;
    view! { <p class="visually-hidden" role="status">{move || said.get()}</p> }
}
