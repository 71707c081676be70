//! What stands at the head of a step: the list of steps, and the merchant's own text.

use crate::{frame::theme::Theme, words::Words};
use leptos::prelude::*;
use ui::html::IntoHtml;

/// The merchant's own text at the head of a step.
#[component]
pub fn CustomText(text: Option<String>) -> impl IntoView {
    text.map(|text| view! { <p class="said"><bdi>{text}</bdi></p> })
}

/// The steps from selection to sending. Finished steps are links.
#[component]
pub fn Steps(
    /// Counted from 1.
    current: usize,
    theme: Theme,
    words: &'static Words,
) -> impl IntoView {
    let steps = [(words.step_choose, "purchases"), (words.step_check, "review"), (words.step_send, "")];
    let step = |(number, (text, page)): (usize, (&'static str, &'static str))| match number {
        number if number == current => view! { <li><span aria-current="step">{text}</span></li> }.into_html(),
        number if number < current => view! { <li><a href=theme.path(page)>{text}</a></li> }.into_html(),
        _ => view! { <li><span>{text}</span></li> }.into_html(),
    };
    view! { <nav aria-label=words.steps><ol class="steps">{(1..).zip(steps).map(step).collect_view()}</ol></nav> }
        .into_html()
}
