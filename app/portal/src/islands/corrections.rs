//! Mistakes that the server has found go once they are corrected.

use crate::words::Live;
use leptos::prelude::*;

/// Takes a mistake away once its field is valid. Shows nothing.
#[island]
pub fn Corrections(
    /// In which language.
    language: String,
) -> impl IntoView {
    #[cfg(feature = "hydrate")]
    super::check::on_correction(Live::of(&language));
    let _ = language;
    view! { <span hidden data-corrections="on"></span> }
}
