//! Amounts in a page.

use leptos::prelude::*;

/// An amount, set so that digits align. Words in its place, such as "No charge", may wrap.
pub fn money_text(figure: String) -> impl IntoView {
    let class = if figure.contains(|sign: char| sign.is_ascii_digit()) { "money" } else { "no-money" };
    view! { <span class=class>{figure}</span> }
}
