//! Removes mistakes that the server has found once they are corrected.

#[cfg(feature = "hydrate")]
use crate::words::Live;
use leptos::prelude::*;

/// Removes a mistake once its field is valid. It shows nothing itself.
#[island]
pub fn Corrections(language: String) -> impl IntoView {
    #[cfg(feature = "hydrate")]
    super::check::on_correction(Live::of(&language));
    let _ = language;
    view! { <span hidden data-corrections="on"></span> }
}
