//! What makes a form quicker: steppers, validation in place, one submission only, announced totals.

#[cfg(feature = "hydrate")]
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
        super::browser::show_offline();
        super::browser::ask_about_chosen(words);
        super::browser::step_quantities();
        super::bulk::offer_same_reason(words);
        super::bulk::bring_into_sight();
        super::check::on_submit(words);
        super::browser::announce_total(said, words);
        super::ways::keep_chosen();
    }
    let _ = language;
    view! { <p class="visually-hidden" role="status">{move || said.get()}</p> }
}
